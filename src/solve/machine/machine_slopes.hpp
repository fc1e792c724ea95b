// SPDX-License-Identifier: MIT
// The derivatives of a machine's states with respect to its parameters, along fixed steps.
//
// A stage of machine_fixed.hpp is a set of equations R(v, base, parameter) = 0, so by the implicit
// function theorem the derivatives of its solution follow from one linear system with the matrix of
// its last Newton step. What R is by the base is known in closed form; what it is by a parameter
// comes from central differences of R at the solution, between two machines in which that parameter
// is a little larger and smaller. So every number of the flat table of a machine
// (machine/parameters.hpp) has derivatives, and no law or coupling has to know of them. They are
// those of the steps as they are: a stick that appears or vanishes is a jump no derivative sees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine_fixed.hpp"

namespace bristle::detail {

class MachineSlopes final : public MachineFixed::Follower {
 public:
  // Throws InvalidInput for a parameter that has no derivative: gears and drives, which change what
  // contacts see, numbers of controllers, and any parameter beside a controller.
  MachineSlopes(MachineFixed& fixed, const std::vector<std::string>& names);

  // At the start of a run.
  void begin();

  // The derivatives of the states at the end of the last step.
  std::size_t count() const { return near_.size(); }
  const std::vector<double>& of(std::size_t parameter) const { return now_[parameter]; }
  std::vector<double>& of(std::size_t parameter) { return now_[parameter]; }

  void stage(int which) override;
  // Takes the step that was made last.
  void accept();

 private:
  struct Side {
    explicit Side(Machine m) : machine(std::move(m)), system(machine) {}
    Machine machine;
    MachineSystem system;
    StageContacts kernel;
    std::vector<double> state;  // of its laws, at the velocities of the stage
  };
  struct Near {
    std::unique_ptr<Side> sides[2];
    double width = 0.0;         // of the parameter, between the two
    std::vector<char> differs;  // of each element
    bool varies = true;         // false for what only starts differ by
    // Whether only inertias and elements differ, so that no signal has to be looked at again.
    bool plain = false;
    std::vector<double> inertia;  // by the parameter
  };
  void plain_change(Near& near, const MachineFixed::Stage& stage);
  void residual(Side& side, const Near& near, const MachineFixed::Stage& stage,
                std::vector<double>& out);

  MachineFixed& fixed_;
  std::vector<Near> near_;
  std::vector<std::vector<double>> now_, first_, second_, base_;
  std::vector<double> right_, change_, pull_, plus_, minus_, answer_;
};

}  // namespace bristle::detail
