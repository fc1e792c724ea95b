// SPDX-License-Identifier: MIT
// The inertia of the coordinates of a machine: a diagonal, and a full block for the coordinates
// that linkages join, which depends on where they are.
#pragma once

#include <span>
#include <vector>

#include "bristle/machine/machine.hpp"

namespace bristle::detail {

class MassMatrix {
 public:
  explicit MassMatrix(const Machine& machine);

  bool varies() const { return !blocks_.empty(); }
  // Of a coordinate, -1 for one that no linkage joins.
  int block(int i) const { return block_of_[std::size_t(i)]; }
  int blocks() const { return int(blocks_.size()); }
  std::size_t place(int i) const { return std::size_t(place_[std::size_t(i)]); }  // in its block
  std::span<const int> members(int block) const { return blocks_[std::size_t(block)].members; }

  // Takes the positions, and with velocities the forces of the linkages. NaN where the inertia is
  // not positive.
  void look(const double* q) { look(q, nullptr); }
  void look(const double* q, const double* v);
  // Counts the places looked at that differ.
  long stamp() const { return stamp_; }
  double at(int i, int j) const { return entry(i, j, &Block::mass, machine_->inertia); }
  double inverse(int i, int j) const { return entry(i, j, &Block::inverse, inverse_); }
  void multiply(const double* x, double* out) const;
  // out = M^-1 x
  void divide(const double* x, double* out) const;
  double kinetic(const double* v) const;
  double potential(const double* q);

  // Lets the forces of the linkages act that the last look() found.
  void pull(double* push) const;

  // M a + forces by positions and velocities, of each linkage; a: accelerations of all coordinates.
  void linearise(const double* q, const double* v, const double* a);
  // Calls each(i, j, by_q, by_v) for coordinates i and j.
  template <class Each>
  void slopes(const Each& each) const {
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const auto& joints = machine_->linkages[k].joints;
      const Link& link = links_[k];
      const std::size_t n = joints.size();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const double scale = joints[i].weight * joints[j].weight;
          each(joints[i].coordinate, joints[j].coordinate, scale * link.by_q[i * n + j],
               scale * link.by_v[i * n + j]);
        }
    }
  }
  // push -= scale times what the slopes make of changes of positions and velocities; without
  // velocities those do not change.
  void pull_slopes(const double* q, const double* v, double scale, double* push) const;

 private:
  struct Block {
    std::vector<int> members;
    std::vector<double> mass, inverse;
  };
  struct Link {
    std::vector<double> q, v, a, mass, force, by_q, by_v;
  };
  double entry(int i, int j, std::vector<double> Block::*matrix,
               const std::vector<double>& diagonal) const {
    const int b = block(i);
    if (b < 0) return i == j ? diagonal[std::size_t(i)] : 0.0;
    if (b != block(j)) return 0.0;
    const Block& one = blocks_[std::size_t(b)];
    return (one.*matrix)[std::size_t(place_[std::size_t(i)]) * one.members.size() +
                         std::size_t(place_[std::size_t(j)])];
  }
  void invert(Block& block);
  bool same(const double* q) const;

  const Machine* machine_;
  std::vector<double> inverse_;        // of the diagonal
  std::vector<int> block_of_, place_;  // of each coordinate
  std::vector<Block> blocks_;
  std::vector<Link> links_;
  std::vector<double> seen_, work_;
  long stamp_ = 0;
};

}  // namespace bristle::detail
