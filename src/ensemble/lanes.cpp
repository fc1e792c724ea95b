// SPDX-License-Identifier: MIT
#include "bristle/ensemble/lanes.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/cancel.hpp"
#include "bristle/solve/system.hpp"
#include "lane_laws.hpp"
#include "lane_table.hpp"

namespace bristle {
namespace {

using Numbers = LawNumbers<LaneRun::most_parameters>;

// Of a law that lanes_refuse() does not refuse.
Numbers numbers_in(const AnyLaw& law) {
  constexpr int most = LaneRun::most_parameters;
  if (const auto* frbd = as_law<FrBD<>>(law)) return numbers_of<most>(*frbd);
  if (const auto* lugre = as_law<LuGre<>>(law)) return numbers_of<most>(*lugre);
  throw InvalidInput("law", lanes_refuse(law));
}

// Samples at equal distances in time, from the steps as they are taken.
class LaneRecorder : public LaneObserver {
 public:
  LaneRecorder(std::span<const LaneCase> cases, std::vector<Simulation>& out)
      : cases_(cases), out_(out) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      out_[i].trajectory.input_name = DraggedMass::input_name;
      out_[i].trajectory.input_unit = DraggedMass::input_unit;
    }
  }

  void step(std::uint64_t run, const LaneStep& s) override {
    const LaneCase& c = cases_[run];
    Trajectory& t = out_[run].trajectory;
    const double end = s.time + s.step, span = c.options.end - c.options.record_from;
    const auto last = std::size_t(c.options.samples) - 1;
    for (; t.size() <= last; t.time.push_back(at_)) {
      at_ = t.size() == last ? c.options.end
                             : c.options.record_from + span * double(t.size()) / double(last);
      // The end of the last step is the end of the run, not what rounding makes of it.
      if (at_ > end && !(end >= c.options.end * (1.0 - 1e-14))) return;
      sample(c, s, t);
    }
  }

 private:
  void sample(const LaneCase& c, const LaneStep& s, Trajectory& t) const {
    const double part = std::fmin((at_ - s.time) / s.step, 1.0);
    double y[3];
    for (int k = 0; k < 3; ++k) {
      const double curve = s.bend[k][0] + part * (s.bend[k][1] + part * s.bend[k][2]);
      y[k] = s.start[k] + part * ((s.end[k] - s.start[k]) + (1.0 - part) * curve);
    }
    const Motion<double> motion{y[0], y[1], c.body.load, at_};
    t.input.push_back(c.body.input(at_, 0));
    t.position.push_back(y[0]);
    t.velocity.push_back(y[1]);
    t.state.push_back(y[2]);
    t.force.push_back(c.law->respond(y[2], motion, Branch<>{s.direction}).force);
    t.mode.push_back(sign(y[1]));
  }

  std::span<const LaneCase> cases_;
  std::vector<Simulation>& out_;
  double at_ = 0.0;
};

// See System::learn: a body that hardly moves is followed relative to how it moves.
bool hardly_moves(const LaneRun& run, const LaneEnd& end) {
  constexpr double much = 0.1, bristle_room = 30.0;
  const double unit[3] = {1.0, 1.0, bristle_room};
  for (int k = 0; k < 3; ++k)
    if (end.extent[k] > 0.0 && unit[k] * end.extent[k] < much * run.scales[k]) return true;
  return false;
}

}  // namespace

// What was compiled and what this processor has.
const std::vector<LaneChoice>& lane_choices() {
  static const std::vector<LaneChoice> all = [] {
    std::vector<LaneChoice> found;
    const auto add = [&](std::string_view name, const LaneLoops& loops, bool there) {
      if (there && loops.lanes > 0) found.push_back({{name, loops.lanes}, loops});
    };
#if defined(__x86_64__)
    __builtin_cpu_init();
    add("AVX-512", lane_loops_avx512(),
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"));
    add("AVX2", lane_loops_avx2(), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
    add("no vector instructions", lane_loops_baseline(), true);
    return found;
  }();
  return all;
}

std::vector<LaneSet> lane_sets() {
  std::vector<LaneSet> all;
  for (const auto& one : lane_choices()) all.push_back(one.set);
  return all;
}

std::string lanes_refuse(const AnyLaw& law) {
  const bool lugre = law.name() == LuGre<>::name, frbd = law.name() == FrBD<>::name;
  if (!lugre && !frbd) return "the law " + std::string(law.name()) + " is neither lugre nor frbd";
  if (!as_law<LuGre<>>(law) && !as_law<FrBD<>>(law)) return "the law has a bias";
  return "";
}

LaneRun lane_run(const AnyLaw& law, const DraggedMass& body, const Options& options) {
  LaneRun run;
  run.mass = body.mass, run.spring = body.spring;
  run.drag_velocity = body.drag_velocity, run.load = body.load;
  const Numbers numbers = numbers_in(law);
  std::copy(std::begin(numbers.parameters), std::end(numbers.parameters), run.parameters);
  run.start[0] = options.initial.position, run.start[1] = options.initial.velocity;
  run.start[2] = options.initial.state;
  const auto scales = System<DraggedMass, LawRef<false>>(body, LawRef<false>{law}).scales();
  std::copy(scales.begin(), scales.end(), run.scales);
  run.end = options.end, run.tolerance = options.tolerance, run.step_limit = options.step_limit;
  return run;
}

void run_in_lanes(const AnyLaw& law, std::span<const LaneRun> runs, std::span<LaneEnd> ends,
                  LaneObserver* observer, std::size_t set) {
  const LaneLoops& loops = lane_choices().at(set).loops;
  const Numbers numbers = numbers_in(law);
  const auto loop = law.name() == FrBD<>::name ? loops.frbd : loops.lugre;
  if (!loop(runs.data(), runs.size(), numbers.choices, ends.data(), observer, stop_asked))
    throw Cancelled();
}

std::vector<std::optional<Simulation>> simulate_in_lanes(std::span<const LaneCase> cases,
                                                         std::size_t set) {
  std::vector<std::optional<Simulation>> all(cases.size());
  if (cases.empty()) return all;
  std::vector<LaneRun> runs;
  for (const auto& c : cases) runs.push_back(lane_run(*c.law, c.body, c.options));
  std::vector<LaneEnd> ends(cases.size());
  std::vector<Simulation> made(cases.size());
  LaneRecorder recorder(cases, made);
  run_in_lanes(*cases.front().law, runs, ends, &recorder, set);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool whole = made[i].trajectory.size() == std::size_t(cases[i].options.samples);
    if (ends[i].status != LaneEnd::done || !whole || hardly_moves(runs[i], ends[i])) continue;
    Summary& s = made[i].summary;
    s.method = "rosenbrock in lanes";
    s.message = "done";
    s.counts.steps = long(ends[i].steps), s.counts.rejected = long(ends[i].rejected);
    s.counts.time = ends[i].time;
    all[i] = std::move(made[i]);
  }
  return all;
}

}  // namespace bristle
