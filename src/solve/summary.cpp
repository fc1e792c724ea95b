// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bristle/solve/ended.hpp"
#include "finish.hpp"

namespace bristle {

std::string_view words(Status status) {
  switch (status) {
    case Status::done: return "done";
    case Status::step_limit: return "step limit reached";
    case Status::step_too_small: return "step too small";
    case Status::chattering: return "events without progress";
    case Status::cancelled: return "cancelled";
    case Status::out_of_range: return "left the range of the equations";
    case Status::not_finite: return "not finite";
    case Status::failed: return "failed";
  }
  return "";
}

std::string_view words(EventKind kind) {
  switch (kind) {
    case EventKind::stick: return "stick";
    case EventKind::slip: return "slip";
    case EventKind::reversal: return "reversal";
    case EventKind::switched: return "switched";
    case EventKind::release: return "release";
    case EventKind::watched: return "watched";
  }
  return "";
}

namespace detail {
namespace {

std::string brief(double value, const char* format = "%.1e") {
  char text[24];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string counted(long long count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

double largest_energy(const Outcome& outcome, double stored_start, const Trajectory& trajectory) {
  double most = std::max(std::abs(outcome.work[0]), std::abs(outcome.work[2]));
  for (const double w : trajectory.work_in) most = std::max(most, std::abs(w));
  for (const double d : trajectory.dissipated) most = std::max(most, std::abs(d));
  for (const double s : trajectory.stored) most = std::max(most, std::abs(s - stored_start));
  return most;
}

void finish(const Outcome& outcome, double stored_start, double stored_end, double largest,
            const Options& options, Summary& s) {
  s.status = outcome.report.status;
  s.counts = outcome.report;
  s.evaluations = outcome.evaluations;
  s.error_estimate = outcome.error_estimate;
  s.method = Options::methods[std::size_t(options.method)];
  const bool fixed = steps_are_fixed(options);
  if (fixed) s.step = options.step;
  else s.tolerance = options.tolerance;

  Ledger& l = s.ledger;
  l.work_in = outcome.work[0];
  l.friction_work = outcome.work[1];
  l.dissipated = outcome.work[2];
  l.stored_change = stored_end - stored_start;
  l.closing_error = l.work_in - l.stored_change - l.dissipated;
  l.relative_error = largest > 0.0 ? std::abs(l.closing_error) / largest : 0.0;
  // What the samples do not show: sums of the whole run.
  NotFinite where = outcome.report.not_finite;
  if (s.status != Status::cancelled)
    where.look(
        outcome.report.time,
        std::array{l.work_in, l.friction_work, l.dissipated, l.stored_change, l.closing_error,
                   s.error_estimate, s.released_energy},
        std::array<std::string_view, 7>{"work_in", "friction_work", "dissipated", "stored_change",
                                        "closing_error", "error_estimate", "released_energy"});
  if (where) s.status = Status::not_finite;
  s.counts.status = s.status;
  s.counts.not_finite = where;
  // Adaptive methods promise a multiple of their tolerance, fixed steps a part in a hundred.
  const double promise = fixed ? 1e-2 : std::max(1e-6, 1e3 * options.tolerance);
  l.closes = l.relative_error <= promise;

  s.message = (where ? "not finite: " + std::string(where.column) + " at t = " + words(where.time) +
                           " s after " + counted(s.counts.steps, "step")
                     : how_it_ended(s.status, outcome.report.time, s.counts.steps)) +
              " (" + std::to_string(s.counts.rejected) + " rejected, " +
              counted(s.counts.events, "event") + ")";
  if (std::isfinite(l.relative_error))
    s.message += std::string("; energy ledger ") +
                 (l.closes ? "closes to " : "does not close, it is off by ") +
                 brief(l.relative_error) + " of the work done";
}

void tell_tolerance(double tolerance, Summary& summary) {
  summary.message += " at a tolerance of " + brief(tolerance) + ", the given one was too large";
}

void tell_height(const Lift& lift, Simulation& result) {
  const auto& t = result.trajectory;
  if (t.height.empty()) return;
  const auto lowest = std::min_element(t.height.begin(), t.height.end());
  if (result.summary.status == Status::out_of_range)
    result.summary.message +=
        "; the height rose above the relaxed length of the bristles, " + words(lift.ceiling) + " m";
  if (*lowest < 0.0)
    result.summary.message += "; the height fell below the ground, to " + brief(*lowest) +
                              " m at t = " + brief(t.time[std::size_t(lowest - t.height.begin())]) +
                              " s";
}

}  // namespace detail

std::string how_it_ended(Status status, double time, long long steps) {
  const std::string at =
      std::string(words(status)) + " at t = " + detail::brief(time, "%.7g") + " s";
  return steps > 0 ? at + " after " + detail::counted(steps, "step") : at;
}

}  // namespace bristle
