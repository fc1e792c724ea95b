// SPDX-License-Identifier: MIT
// A machine as Python holds it, with the options of the file it came from, and its couplings.
#pragma once

#include <memory>

#include "bristle/machine/machine.hpp"
#include "bristle/solve/options.hpp"

namespace bristle::python {

struct CouplingObject {
  std::shared_ptr<const AnyCoupling> coupling;
};

struct MachineObject {
  std::shared_ptr<const Machine> machine;
  Options options{};
  std::string title{};

  // The same machine with signals that are computed beforehand known up to a time.
  std::shared_ptr<const Machine> until(double end) const;
};

}  // namespace bristle::python
