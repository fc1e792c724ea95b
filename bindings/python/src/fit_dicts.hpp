// SPDX-License-Identifier: MIT
// Parts of the result of a fit as dictionaries; `bristle.fit` and `bristle.fit_machine` share them.
#pragma once

#include "bristle/identify/fit.hpp"
#include "values.hpp"

namespace bristle::python {

inline py::dict dict_of(const Agreement& a) {
  py::dict all;
  all["samples"] = a.samples;
  all["rmse"] = a.rmse;
  all["nrmse"] = a.nrmse;
  all["r2"] = a.r2;
  all["worst"] = a.worst;
  return all;
}

inline py::dict dict_of(const FittedParameter& p) {
  py::dict all;
  all["name"] = p.name;
  all["unit"] = p.unit;
  all["value"] = p.value;
  all["free"] = p.free;
  all["lower"] = p.lower;
  all["upper"] = p.upper;
  all["deviation"] = p.deviation;
  all["at_bound"] = p.at_bound;
  all["determined"] = p.determined;
  return all;
}

inline py::list list_of(const std::vector<FittedParameter>& parameters) {
  py::list all;
  for (const FittedParameter& p : parameters) all.append(dict_of(p));
  return all;
}

}  // namespace bristle::python
