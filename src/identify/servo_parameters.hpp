// SPDX-License-Identifier: MIT
// The fields of pendulum and gear as one list of parameters.
#pragma once

#include <algorithm>

#include "bristle/identify/fit_problem.hpp"
#include "bristle/identify/servo_fit.hpp"
#include "bristle/identify/servo_rollout.hpp"

namespace bristle::detail {

struct ServoParameter {
  std::string name, unit, meaning;
  Bounds bounds{};
  int index = 0;  // fields of the pendulum first
};

template <class T>
T& servo_value(ServoModel<T>& model, int index) {
  const auto pendulum = ServoPendulum<T>::fields();
  const int size = int(pendulum.size());
  if (index < size) return model.pendulum.*pendulum[index].number;
  return model.friction.*GearFriction<T>::fields()[index - size].number;
}
inline double servo_value(const ServoModel<>& model, int index) {
  return servo_value(const_cast<ServoModel<>&>(model), index);
}

inline std::vector<ServoParameter> all_servo_parameters() {
  std::vector<ServoParameter> all;
  const auto add = [&](const auto& fields, std::string_view prefix) {
    for (const auto& f : fields)
      all.push_back({std::string(prefix) + std::string(f.name), std::string(f.unit),
                     std::string(f.meaning), f.bounds, int(all.size())});
  };
  add(ServoPendulum<>::fields(), mechanism_prefix);
  add(GearFriction<>::fields(), "");
  return all;
}

inline ServoParameter servo_parameter(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& p : all_servo_parameters()) {
    if (p.name == name) return p;
    known.push_back(p.name);
  }
  const std::string full = std::string(mechanism_prefix) + name;
  if (std::find(known.begin(), known.end(), full) != known.end())
    throw InvalidInput(
        "free", "there is no parameter '" + name + "' of the gear, did you mean '" + full + "'?");
  throw InvalidInput("free", not_found("parameter", name, known));
}

inline std::vector<ServoParameter> servo_parameters(std::span<const std::string> names) {
  std::vector<ServoParameter> chosen;
  for (const auto& name : names) chosen.push_back(servo_parameter(name));
  return chosen;
}

// The model with derivatives in the directions of up to K parameters, from `first` on.
template <int K>
ServoModel<Dual<double, K>> with_slopes(const ServoModel<>& model,
                                        std::span<const ServoParameter> parameters, int first) {
  using D = Dual<double, K>;
  ServoModel<D> lifted;
  const int count = int(all_servo_parameters().size());
  for (int i = 0; i < count; ++i) servo_value(lifted, i) = D(servo_value(model, i));
  for (int i = 0; i < K && first + i < int(parameters.size()); ++i)
    servo_value(lifted, parameters[first + i].index).slope[i] = 1.0;
  return lifted;
}

}  // namespace bristle::detail
