// SPDX-License-Identifier: MIT
// The processes that mpirun started together.
#pragma once

#include <memory>

#include "bristle/io/messages.hpp"

namespace bristle::cli {

// Null if this process was started alone. Throws InputError if it was not and the program was built
// without MPI. `finish` has to be called by all of them once the work is done.
class Ranks : public io::Messages {
 public:
  static std::unique_ptr<Ranks> find();
  virtual void finish() = 0;
};

}  // namespace bristle::cli
