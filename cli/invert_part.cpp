// SPDX-License-Identifier: MIT
#include "invert_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "bristle/analysis/path_inverse.hpp"
#include "bristle/io/column_reading.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/part.hpp"
#include "bristle/model/describe.hpp"

namespace bristle::cli {
namespace {

DegradingBoucWen<> structural_law(const io::Part& part, const std::string& file) {
  if (part.law != DegradingBoucWen<>::name)
    throw io::InputError(
        file + ": is the part of " + (part.law.empty() ? "a " + part.kind : part.law) +
        ": of laws only degrading_bouc_wen has an inverse, an operator is inverted "
        "from its file with [system]");
  if (!part.values("bias").empty())
    throw io::InputError(
        file +
        ": has an offset or an asymmetry beside its law, which the inverse does not include");
  return make<DegradingBoucWen<>>(part.values());
}

// The largest part of the amplitude by which random displacements are missed.
double round_trip_error(const DegradingBoucWen<>& law, double amplitude, int paths) {
  double worst = 0.0;
  for (int path = 0; path < paths; ++path) {
    std::minstd_rand engine{unsigned(path + 1)};
    std::vector<double> displacements{0.0};
    for (int turn = 0; turn < 20; ++turn) {
      const double to = amplitude * (2.0 * double(engine()) / 2147483647.0 - 1.0);
      const double from = displacements.back();
      for (int k = 1; k <= 25; ++k) displacements.push_back(from + (to - from) * k / 25.0);
    }
    const auto forces = forces_along(law, displacements);
    BoucWenInverse inverse(law);
    for (std::size_t i = 0; i < forces.size(); ++i)
      worst = std::max(worst, std::abs(inverse.update(forces[i]) - displacements[i]) / amplitude);
  }
  return worst;
}

// FILE or FILE:COLUMN, where no file has that whole name.
std::vector<double> forces_in(const std::string& text) {
  const auto colon = text.rfind(':');
  const bool named = colon != std::string::npos && colon > 1;
  const std::string file = named ? text.substr(0, colon) : text;
  const std::string column = named ? text.substr(colon + 1) : "";
  return io::read_columns(file, {{{"force", {"N", "N m"}, "--forces FILE"}, column, 0}}).values[0];
}

}  // namespace

int invert_part(const PartInversion& a) {
  const io::Part part = io::read_part(a.part);
  const DegradingBoucWen<> law = structural_law(part, a.part);
  if (!a.out.empty()) io::check_output_file(a.out, a.forces);
  const io::PartRange* seen = part.range("position");
  const double amplitude = seen ? std::max(std::abs(seen->from), std::abs(seen->to))
                                : 10.0 * law.yield_force / law.stiffness;
  constexpr int paths = 20;
  double error = 0.0;
  std::vector<double> displacements, forces;
  try {
    error = round_trip_error(law, amplitude, paths);
    if (!a.forces.empty()) {
      forces = forces_in(a.forces);
      BoucWenInverse inverse(law);
      for (const double f : forces) displacements.push_back(inverse.update(f));
    }
  } catch (const InvalidInput& problem) {
    throw io::InputError(a.part + ": " + problem.what());
  }
  const std::string table = io::csv_text({{"force", forces}, {"displacement", displacements}});
  if (!a.out.empty()) io::write_text(a.out, table);
  if (a.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"part", io::utf8(a.part)},
                                              {"law", part.law},
                                              {"round_trip_error", error},
                                              {"round_trip_inputs", paths},
                                              {"round_trip_amplitude", amplitude},
                                              {"displacements", displacements}}
                           .dump(2));
    return io::success;
  }
  fmt::print("{}: the inverse of {} gives the displacement for a force\n", a.part, part.law);
  fmt::print("  verified on {} random paths of amplitude {:g} m: recovered to {:.2g} of it\n",
             paths, amplitude, error);
  if (!a.out.empty()) fmt::print("displacements: {}\n", a.out);
  else if (!forces.empty()) fmt::print("\n{}", table);
  return io::success;
}

}  // namespace bristle::cli
