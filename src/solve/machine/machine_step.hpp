// SPDX-License-Identifier: MIT
// One step of Rodas5P (rosenbrock.hpp) for a machine, with its structure used.
//
// The states of the laws are eliminated contact by contact and positions by q' = v, so a stage is
// one solve for the velocities with
//
//   A = inertia / (gamma h) + D + gamma h K + sum over contacts row C row'
//
// where C is one number of each contact, or a matrix of two rows in the plane. A has the profile of
// the machine (skyline.hpp) and is symmetric unless a contact is in the plane. Contacts that stick
// are constraints on the velocities: a coordinate held by one of them alone is known, the others
// enter by their Schur complement.
//
// With a linkage the inertia M depends on the positions. Of M a = F the stages take M0 a, with M0
// the inertia at the start of the step and a the acceleration of the stage, contacts at rest
// included; A then has the derivatives of F - M a0 by positions and velocities and is not
// symmetric.
#pragma once

#include <vector>

#include "machine_observer.hpp"
#include "skyline.hpp"

namespace bristle::detail {

class MachineStep final : public MachinePath {
 public:
  explicit MachineStep(MachineSystem& system);

  int all() const { return int(y0_.size()); }  // states followed by powers

  void prepare(double t, const std::vector<double>& y, const MachineMode& mode);
  // Attempts the step; false if a pivot is too small, which a shorter step cures.
  bool step(double h);

  const std::vector<double>& y0() const { return y0_; }
  const std::vector<double>& y1() const override { return y1_; }
  const std::vector<double>& error() const { return u_[7]; }
  const std::vector<double>& rate0() const { return f0_; }

  void open_dense() override;
  double dense(double s, int k) const {
    const double curve =
        bend_[0][std::size_t(k)] + s * (bend_[1][std::size_t(k)] + s * bend_[2][std::size_t(k)]);
    return y0_[std::size_t(k)] +
           s * ((y1_[std::size_t(k)] - y0_[std::size_t(k)]) + (1.0 - s) * curve);
  }
  const std::vector<double>& dense(double s) override;
  // A bound from below on sign * sum of weighted velocities between the ends of the step, plus
  // a constant.
  double lower_bound(const MotionRow& row, double sign, double constant) const;

 private:
  void stage(int i, double* u);
  void add_stages(std::vector<double>& to, const double* weights, double h, int stages);
  // step_forces.cpp
  void find_rates(int i);
  void combine(int i);
  void add_known_forces(double* u);
  // step_velocities.cpp
  bool assemble();
  bool add_wide(std::size_t contact);
  void factor_constraints();
  void solve_velocities(std::vector<double>& right);
  // step_powers.cpp
  struct Powers {
    double work = 0.0, loss = 0.0;
  };
  struct WidePowers {
    double work = 0.0, loss = 0.0, own = 0.0;
  };
  void finish(double* u);
  void add_powers_of_couplings(const double* u, bool moves, Powers& sum);
  void add_powers_of_contacts(double* u, bool moves, Powers& sum);
  WidePowers finish_wide(std::size_t contact, const double* z_r, double* u, bool moves);
  double drive_rate0(const MotionRow& row) const {
    double w = 0.0;
    for (const auto& term : row.drives) w += term.weight * drive_slope0_[std::size_t(term.index)];
    return w;
  }

  MachineSystem& sys_;
  MassMatrix mass0_;  // at the start of the step, with its slopes
  bool symmetric_;
  const MachineMode* mode_ = nullptr;
  double t0_ = 0.0, h_ = 0.0, shift_ = 0.0;
  std::vector<double> y0_, y1_, at_, dense_;
  std::vector<double> f0_, push0_, push_t_, slope_t_;  // slope_t_: of p, z and the powers
  std::vector<double> push_, p_rate_, z_rate_, power_, acceleration_;
  std::vector<double> wanted0_t_, floor_, r_, right_, zero_, multiplier_;
  std::vector<double> linear_w_, linear_drive_, drive_slope0_, input0_;  // at the start
  std::vector<std::vector<double>> u_, bend_;
  Skyline matrix_;
  std::vector<double> columns_;  // A^-1 row' of the constraints that enter jointly
  std::vector<double> schur_, target_;
  std::vector<double> inverse_z_;  // 1 / (shift - dz'/dz) of each contact
  // Of each contact: the acceleration at the start, how it changes in time but for the drives, and
  // what is known of it in a stage.
  std::vector<double> felt0_, felt_free0_, known_a_;
  double slope_ = 0.0;                 // weight of the slopes in time in the present stage
  std::vector<double> load_energy_z_;  // of each state: power of a load that varies, by the state
};

}  // namespace bristle::detail
