// SPDX-License-Identifier: MIT
// Fixed steps of a machine: velocities and bristles of all contacts solved together.
//
// The method is the two-stage SDIRK of order 2 with gamma = 1 - 1/sqrt(2), L-stable and stiffly
// accurate:
//
//   Y1 = y + w f(Y1),     Y2 = y + (1 - gamma) h f(Y1) + w f(Y2),     y(t + h) = Y2,     w = gamma
//   h
//
// It is of order 1 across a kink. With x = x_base + w v a stage is
//
//   (M + w D + w^2 K) v = M v_base + w (inputs - K x_base) - w W' F(v)
//
// The matrix is constant, so it is factored once per step size; what remains is one problem in the
// relative velocities of the contacts and of the couplings that are not linear
// (stage_contacts.hpp). A set-valued contact that sticks at the end of a step has exactly zero
// relative velocity. Steps end at the samples of controllers.
//
// The derivatives of the states with respect to parameters follow from the same equations, see
// machine_slopes.hpp.
#pragma once

#include <vector>

#include "../stage_contacts.hpp"
#include "machine_observer.hpp"
#include "skyline.hpp"

namespace bristle::detail {

class MachineFixed final : public MachinePath {
 public:
  static constexpr double gamma = 0.29289321881345254;
  static constexpr std::size_t most_elements = 400;

  // Throws InvalidInput for a machine with a contact in the plane, with a law that remembers more
  // than its states, or with too many contacts.
  explicit MachineFixed(MachineSystem& system);

  // The mode at the start; `y` holds the states followed by the energies.
  void begin(double t, std::vector<double>& y, MachineMode& mode);
  // From t to t + h. False if no solution of a stage was found. With `ledger` the energies are
  // followed as well.
  bool step(double t, double h, std::vector<double>& y, MachineMode& mode, bool ledger = true);

  long sweeps() const { return sweeps_; }
  // Whether the forces of the last stage are numbers; where they are not it has no solution.
  bool finite() const;

  // Holds a state as if it were the end of a step.
  void hold(const std::vector<double>& y) { y1_ = y; }
  const std::vector<double>& y1() const override { return y1_; }
  void open_dense() override {}
  const std::vector<double>& dense(double s) override;
  // A fraction s of a step of length h after its start: n positions by cubics, the rest by lines.
  static void read_between(std::size_t n, const std::vector<double>& y0,
                           const std::vector<double>& y1, double h, double s,
                           std::vector<double>& out);

  // One stage, for those that follow it with derivatives.
  struct Stage {
    double t = 0.0, w = 0.0;
    std::vector<double> base, y;  // states before and after
  };
  const Stage& stage(int which) const { return stages_[std::size_t(which)]; }
  const StageContacts& contacts() const { return kernel_; }
  const MotionRow& row(std::size_t element) const { return *rows_[element]; }

  // Called after each stage while the contacts still hold its solution.
  class Follower {
   public:
    virtual ~Follower() = default;
    virtual void stage(int which) = 0;
  };
  Follower* follower = nullptr;

  // What the follower needs of the solved stage.
  MachineSystem& system() { return sys_; }
  StageContacts& kernel() { return kernel_; }
  Skyline& matrix() { return now_->matrix; }
  const std::vector<double>& mobility() const { return now_->mobility; }
  const std::vector<double>& columns() const { return now_->columns; }
  const MachineMode& stage_mode() const { return mode_; }

  // The pieces of signals and loads at an instant, into a mode.
  static void find_pieces(const Machine& machine, double t, MachineMode& mode);
  // Sets up the elements of a stage: positions, loads and states before it.
  static void aim(const MachineSystem& system, double t, double w, const double* base,
                  StageContacts& kernel);
  // Makes the elements of a machine: its contacts, then its couplings that are not linear.
  static void set_up(const Machine& machine, StageContacts& kernel);

 private:
  static void aim_load(const MachineSystem& system, std::size_t contact, double w,
                       const double* base, StageLoad& load);
  bool prepare(double w);
  bool solve(int which, double t, double w);
  void find_branches(Stage& stage);
  void account(const Stage& stage, double weight);

  MachineSystem& sys_;
  StageContacts kernel_;
  std::vector<const MotionRow*> rows_;
  // The matrix of a length of stage, factored.
  struct Factors {
    double w = 0.0;
    Skyline matrix;
    std::vector<double> columns;   // A^-1 row' of each element
    std::vector<double> mobility;  // row A^-1 row'
  };
  std::vector<Factors> kept_;  // of the lengths used last
  std::size_t oldest_ = 0;
  Factors* now_ = nullptr;
  std::vector<double> floor_, right_, free_;
  Stage stages_[2];
  MachineMode mode_;
  std::vector<double> y0_, y1_, dense_, push_, p_rate_, z_rate_, power_;
  double h_ = 0.0;
  long sweeps_ = 0;
};

}  // namespace bristle::detail
