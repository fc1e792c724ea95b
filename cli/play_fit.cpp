// SPDX-License-Identifier: MIT
#include "play_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bristle/analysis/loop.hpp"
#include "bristle/io/model_file.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

ordered_json as_json(const PrandtlIshlinskii& m) {
  return {{"direct", m.direct},
          {"thresholds", m.thresholds},
          {"weights", m.weights},
          {"offset", m.offset},
          {"envelope",
           {{"scale", m.envelope.scale},
            {"rate", m.envelope.rate},
            {"shift", m.envelope.shift},
            {"level", m.envelope.level}}}};
}

// The largest difference between an input and what the inverse makes of the model's own output.
double round_trip(const PlayFit& fit, std::span<const MeasuredRun> runs) {
  double worst = 0.0, size = 0.0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    PlaySum forward(fit.model, runs[r].input[0], fit.starts[r]),
        back(fit.model.inverse(), forward.output(), fit.model.inverse_states(forward.states()));
    for (const double u : runs[r].input) {
      worst =
          std::max(worst, std::abs(fit.model.envelope.inverse(back.update(forward.update(u))) - u));
      size = std::max(size, std::abs(u));
    }
  }
  return worst / size;
}

// What a Maxwell-slip model is made of.
ordered_json stops_json(const StopFit& fit) {
  ordered_json all = ordered_json::array();
  for (std::size_t i = 0; i < fit.model.thresholds.size(); ++i)
    all.push_back({{"threshold", fit.model.thresholds[i]},
                   {"stiffness", fit.stiffness(i)},
                   {"slip_force", fit.stiffness(i) * fit.model.thresholds[i]}});
  return {{"spring", fit.spring},
          {"offset", fit.model.offset},
          {"begins", fit.settled ? "settled" : "relaxed"},
          {"stops", all}};
}

std::string why_no_inverse(const LoopFit& fit) {
  if (fit.clockwise && !(fit.stops.spring < 0.0))
    return "where all stops slip no spring is left, so a force belongs to no single displacement";
  const auto slopes = fit.chosen().model.slopes();
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (!(slopes[i] > 0.0))
      return fmt::format("with {} of {} {} the slope is {:.4g}, it must be greater than 0", i,
                         slopes.size() - 1, fit.clockwise ? "stops slipping" : "plays moving",
                         slopes[i]);
  return "the slope where all stops slip is too small";
}

}  // namespace

LoopFit fit_loops(std::span<const MeasuredRun> runs, double area, int elements, bool asymmetric) {
  LoopFit fit;
  fit.area = area;
  fit.clockwise = area > 0.0;
  if (fit.clockwise) fit.stops = fit_stops(runs, {.stops = elements});
  else fit.plays = fit_plays(runs, {.plays = elements, .asymmetric = asymmetric});
  return fit;
}

ordered_json quality_json(const FitQuality& q) {
  ordered_json j{{"rows", q.rows},
                 {"rms_error", q.rms},
                 {"line_rms_error", q.line_rms},
                 {"range_of_output", q.range},
                 {"r_squared", q.r_squared},
                 {"explains", q.explains()}};
  if (!q.explains()) j["why_not"] = q.why_not();
  return j;
}

ordered_json fit_json(const LoopFit& fit, std::span<const MeasuredRun> runs) {
  const PlayFit& chosen = fit.chosen();
  ordered_json j{{"orientation", Loop{fit.area, 1.0, 1.0, 0.0}.orientation()},
                 {"operator", fit.clockwise ? "stops beside a spring" : "plays under a tanh"},
                 {"elements", chosen.model.thresholds.size()}};
  j.update(quality_json(chosen.quality));
  j["relative_error"] = chosen.relative;
  j["model"] = as_json(chosen.model);
  if (fit.clockwise) j["maxwell_slip"] = stops_json(fit.stops);
  if (fit.invertible()) {
    j["inverse"] = as_json(chosen.model.inverse());
    j["round_trip_error"] = round_trip(chosen, runs);
  } else if (fit.explains()) {
    j["no_inverse"] = why_no_inverse(fit);
  }
  return j;
}

std::vector<std::string> fit_sentences(const ordered_json& fit) {
  const auto number = [&](const char* key) { return fit[key].get<double>(); };
  std::vector<std::string> all{
      fmt::format("orientation {}: {} {} fit {} rows to {:.4g} rms, {:.3g} % of the largest output",
                  fit["orientation"].get<std::string>(), fit["elements"].get<int>(),
                  fit["operator"].get<std::string>(), fit["rows"].get<long>(), number("rms_error"),
                  100.0 * number("relative_error")),
      fmt::format("R^2 = {:.5f}, the best straight line leaves {:.4g} rms", number("r_squared"),
                  number("line_rms_error"))};
  if (!fit["explains"].get<bool>())
    all.push_back(
        fmt::format("the fit explains nothing: {}; it is not inverted and no model is written",
                    fit["why_not"].get<std::string>()));
  else if (fit.contains("inverse"))
    all.push_back(fmt::format("the inverse recovers the input to {:.1e} of its range",
                              number("round_trip_error")));
  else all.push_back("there is no inverse: " + fit["no_inverse"].get<std::string>());
  // Stops make the same loop again and again.
  constexpr double poor = 0.05;
  if (fit["operator"] == "stops beside a spring" && number("relative_error") > poor)
    all.push_back(
        "stops neither weaken nor soften, and are not pinched: if these loops do, try "
        "bristle fit --model degrading_bouc_wen --free strength_loss --free stiffness_loss");
  return all;
}

void print_fit(const ordered_json& fit) {
  const auto all = fit_sentences(fit);
  fmt::print("\n{};\n", all[0]);
  for (std::size_t i = 1; i < all.size(); ++i) fmt::print("{}\n", all[i]);
}

std::vector<double> fitted_output(const LoopFit& fit, std::span<const MeasuredRun> runs,
                                  std::size_t run) {
  PlaySum sum(fit.chosen().model, runs[run].input[0], fit.chosen().starts[run]);
  std::vector<double> output;
  for (const double u : runs[run].input) output.push_back(sum.update(u));
  return output;
}

PlaysModel plays_model(const PlayFit& fit) {
  PlaysModel m;
  m.direct = fit.model.direct;
  m.thresholds = fit.model.thresholds;
  m.weights = fit.model.weights;
  m.scale = fit.model.envelope.scale;
  m.rate = fit.model.envelope.rate;
  m.shift = fit.model.envelope.shift;
  m.level = fit.model.envelope.level;
  m.offset = fit.model.offset;
  m.states = fit.starts[0];
  return m;
}

void write_models(const LoopFit& fit, std::span<const MeasuredRun> runs, io::ResultDirectory& out) {
  if (!fit.explains()) return;
  const PlayFit& chosen = fit.chosen();
  double low = INFINITY, high = -INFINITY;
  for (const auto& run : runs)
    for (const double u : run.input) low = std::min(low, u), high = std::max(high, u);
  if (!fit.clockwise) high = std::max(std::abs(low), std::abs(high)), low = -high;
  const PlaysModel m = plays_model(chosen);
  out.write("model.toml",
            io::model_text({std::string(PlaysModel::name), values_of(m), ""},
                           fit.clockwise ? "Fitted stops beside a spring"
                                         : "Fitted generalised Prandtl-Ishlinskii model",
                           low, high));
  if (!fit.invertible()) return;
  // A little less than all outputs, so that the inverse is not asked for what lies at its edge.
  PlaySum sum(chosen.model, runs[0].input[0], chosen.starts[0]);
  const double top = sum.update(high), bottom = sum.update(low);
  const double middle = fit.clockwise ? 0.5 * (top + bottom) : 0.0;
  out.write("inverse.toml",
            io::model_text(m.inverse(), "Inverse of the fitted model",
                           middle + 0.99 * (bottom - middle), middle + 0.99 * (top - middle)));
}

}  // namespace bristle::cli
