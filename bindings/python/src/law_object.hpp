// SPDX-License-Identifier: MIT
// A friction law as Python holds it.
#pragma once

#include <memory>

#include "batch_law.hpp"
#include "bristle/model/any_law.hpp"
#include "values.hpp"

namespace bristle::python {

struct LawObject {
  std::shared_ptr<const AnyLaw> law;
  mutable std::shared_ptr<const BatchLaw> batch{};  // made by the first call on arrays
};

}  // namespace bristle::python
