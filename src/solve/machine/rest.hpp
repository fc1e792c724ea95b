// SPDX-License-Identifier: MIT
// A set of contacts at rest: the forces that hold them, or those within their bounds and what
// acceleration is left.
//
// A contact is one line, or two in the plane. A line that alone acts on its only coordinate is
// solved by itself. The others form one problem in their forces (box_problem.hpp); with contacts in
// the plane among them, whose forces are bounded by discs, it is that of disc_problem.hpp. Where
// linkages join coordinates, all is as the mass matrix was looked at last.
#pragma once

#include <span>
#include <vector>

#include "box_problem.hpp"
#include "bristle/machine/machine.hpp"
#include "disc_problem.hpp"
#include "mass_matrix.hpp"

namespace bristle::detail {

class Rest {
 public:
  Rest(const Machine& machine, const MassMatrix& mass);

  void build(const std::vector<int>& contacts);

  // Numbers of the lines of the contacts given to build(), in their order.
  const std::vector<int>& lines() const { return lines_; }
  bool empty() const { return lines_.empty(); }
  const MotionRow& row(std::size_t place) const {
    return machine_.lines[std::size_t(lines_[place])];
  }
  int contact(std::size_t place) const {
    return machine_.contact_of_line[std::size_t(lines_[place])];
  }
  // The coordinate a line holds by itself, -1 for a line of the joint problem.
  int alone(std::size_t k) const { return alone_[k]; }
  const std::vector<int>& joint() const { return joint_; }  // places in lines()
  // Velocities that rest makes known, one after the other: the row of line `place` gives that of
  // the coordinate from those before it.
  struct Known {
    int place, coordinate;
  };
  const std::vector<Known>& known() const { return known_; }
  // The remaining rows without redundant ones: they tie velocities that stay unknown.
  const std::vector<int>& ties() const { return ties_; }
  bool is_known(int coordinate) const { return resolved_[std::size_t(coordinate)]; }
  bool redundant() const { return box_.singular(); }
  // False if the forces of the last within() or hold() were not found.
  bool solved() const { return solved_; }
  // Marks the contacts whose forces rest does not determine: others can take their place.
  // Allocates.
  void mark_shared(std::span<char> contacts);
  double mobility(std::size_t k) const { return resistance_[k]; }  // acceleration per force
  double joint_size() const;  // the largest bound of the joint problem

  // From the forces on the coordinates without these contacts, and the relative accelerations that
  // rest asks for (zero unless a drive accelerates): the forces that keep every contact at rest.
  void hold(std::span<const double> push, std::span<const double> wanted);
  // The accelerations of all coordinates with every contact at rest, whatever forces that takes.
  void accelerate(std::span<const double> push, std::span<const double> wanted,
                  std::span<double> acceleration);
  // The forces within the bounds; `left` is then the relative acceleration beyond the wanted one.
  void within(std::span<const double> push, std::span<const double> wanted);

  // Bounds of each line, to be set before within(), and before hold() where contacts are redundant.
  // A contact in the plane has its radius as the upper bound of both lines.
  std::vector<double> lower, upper;
  std::vector<double> force, left;

 private:
  void find_constraints();
  void factor_ties(bool choose);
  // Takes the inertia as it is now.
  void refresh();
  void weigh();
  void reduce();
  double product(const MotionRow& a, const MotionRow& b) const;
  double reduced(int i, int j) const;
  double reduced_product(const MotionRow& a, const MotionRow& b) const;
  void joint_within(std::span<const double> push, std::span<const double> wanted);
  double free_acceleration(std::size_t k, std::span<const double> push) const;
  const MotionRow& row(int place) const { return row(std::size_t(place)); }
  bool planar(std::size_t place) const {
    return machine_.contacts[std::size_t(contact(place))].dimension == 2;
  }

  const Machine& machine_;
  const MassMatrix& mass_;
  long stamp_ = 0;
  // The inverse of the inertia of those coordinates of each block that are not known.
  std::vector<std::vector<double>> reduced_;
  std::vector<double> pivot_;
  std::vector<int> lines_, alone_, joint_, ties_;
  std::vector<Known> known_;
  std::vector<char> resolved_;
  std::vector<double> factor_;  // of the ties, in rows as long as joint_
  std::vector<double> tie_force_;
  std::vector<double> resistance_;  // row M^-1 row' of each line
  std::vector<int> users_;
  BoxProblem box_;
  std::vector<char> disc_;  // first lines of contacts in the plane, in the order of joint()
  bool any_disc_ = false, solved_ = true;
  DiscRoom room_;
};

}  // namespace bristle::detail
