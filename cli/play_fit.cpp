// SPDX-License-Identifier: MIT
#include "play_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bristle/io/model_file.hpp"
#include "bristle/system/operators.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

ordered_json as_json(const PrandtlIshlinskii& m) {
  return {{"direct", m.direct},
          {"thresholds", m.thresholds},
          {"weights", m.weights},
          {"envelope",
           {{"scale", m.envelope.scale},
            {"rate", m.envelope.rate},
            {"shift", m.envelope.shift},
            {"level", m.envelope.level}}}};
}

// The largest difference between an input and what the inverse makes of the model's own output.
double round_trip(const PlayFit& fit, std::span<const MeasuredRun> runs) {
  double worst = 0.0, size = 0.0;
  for (const auto& run : runs) {
    PlaySum forward(fit.model, 0.0, fit.states),
        back(fit.model.inverse(), forward.output(), fit.model.inverse_states(forward.states()));
    for (const double u : run.input) {
      worst =
          std::max(worst, std::abs(fit.model.envelope.inverse(back.update(forward.update(u))) - u));
      size = std::max(size, std::abs(u));
    }
  }
  return worst / size;
}

}  // namespace

ordered_json fit_json(const PlayFit& fit, std::span<const MeasuredRun> runs) {
  ordered_json j{{"rms_error", fit.error}, {"relative_error", fit.relative}};
  j["model"] = as_json(fit.model);
  if (fit.model.invertible()) {
    j["inverse"] = as_json(fit.model.inverse());
    j["round_trip_error"] = round_trip(fit, runs);
  }
  return j;
}

void print_fit(const ordered_json& fit, int plays) {
  fmt::print("\n{} plays under a tanh fit to {:.4g} rms, {:.3g} % of the largest output\n", plays,
             fit["rms_error"].get<double>(), 100.0 * fit["relative_error"].get<double>());
  if (fit.contains("inverse"))
    fmt::print("the inverse recovers the input to {:.1e} of its range\n",
               fit["round_trip_error"].get<double>());
  else fmt::print("there is no inverse: with no play moving the slope is 0\n");
}

void write_models(const PlayFit& fit, double amplitude, io::ResultDirectory& out) {
  PlaysModel m;
  m.direct = fit.model.direct;
  m.thresholds = fit.model.thresholds;
  m.weights = fit.model.weights;
  m.scale = fit.model.envelope.scale;
  m.rate = fit.model.envelope.rate;
  m.shift = fit.model.envelope.shift;
  m.level = fit.model.envelope.level;
  m.states = fit.states;
  out.write("model.toml",
            io::model_text({std::string(PlaysModel::name), values_of(m), ""},
                           "Fitted generalised Prandtl-Ishlinskii model", -amplitude, amplitude));
  if (!fit.model.invertible()) return;
  // A little less than all outputs, so that the inverse is not asked for what lies at its edge.
  PlaySum sum(fit.model, 0.0, fit.states);
  const double high = 0.99 * sum.update(amplitude), low = 0.99 * sum.update(-amplitude);
  out.write("inverse.toml", io::model_text(m.inverse(), "Inverse of the fitted model", low, high));
}

}  // namespace bristle::cli
