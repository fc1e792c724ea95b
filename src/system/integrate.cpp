// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <limits>

#include "../solve/cvode.hpp"
#include "bristle/solve/locate.hpp"
#include "bristle/solve/pacer.hpp"
#include "bristle/system/system.hpp"
#include "dop853_flow.hpp"
#include "sampler.hpp"

namespace bristle {
namespace {

// The states of a system and the two areas behind them, as one system of first order.
class Problem {
 public:
  Problem(const Dynamics& system, const Signal& input)
      : system_(system), input_(input), n_(system.size()) {}

  int size() const { return n_ + 2; }
  int states() const { return n_; }
  double u(double t) const { return input_.value(t, piece_); }
  double du(double t) const { return input_.slope(t, piece_); }
  void freeze(int piece) { piece_ = piece; }

  void rates(double t, const double* y, double* dydt) const {
    const double at = u(t), slope = du(t);
    system_.rates(y, at, slope, dydt);
    dydt[n_] = system_.output(y, at) * slope;
    dydt[n_ + 1] = system_.second(y, at) * slope;
  }
  detail::ResponseSample sample(double t, const double* y) const {
    const double at = u(t);
    return {t, at, system_.output(y, at), system_.second(y, at), y[n_], y[n_ + 1]};
  }
  const Dynamics& system() const { return system_; }

 private:
  const Dynamics& system_;
  const Signal& input_;
  int n_;
  int piece_ = 0;
};

// The sizes that errors are measured against: the largest value of each component so far, or a
// millionth of the largest of all states.
class Sizes {
 public:
  Sizes(const Problem& p, const Signal& input, const std::vector<double>& y)
      : most_(y.size(), 0.0), n_(std::size_t(p.states())), input_(input.scale()) {
    add(y);
  }
  void add(const std::vector<double>& y) {
    double all = 1e-6 * input_;
    for (std::size_t i = 0; i < n_; ++i) {
      most_[i] = std::max(most_[i], std::abs(y[i]));
      all = std::max(all, most_[i]);
    }
    least_ = 1e-6 * all;
    for (std::size_t i = n_; i < y.size(); ++i)
      most_[i] = std::max({most_[i], std::abs(y[i]), all * input_});
  }
  double operator[](std::size_t i) const { return std::max(most_[i], least_); }

 private:
  std::vector<double> most_;
  std::size_t n_;
  double input_, least_ = 0.0;
};

// The time in (t, t + h) at which the input turns; t + h if it does not.
double turning_time(const Problem& p, double t, double h) {
  const double first = p.du(t), last = p.du(t + h);
  if (first * last >= 0.0) return t + h;
  const double sign = first > 0.0 ? 1.0 : -1.0;
  return locate([&](double at) { return sign * p.du(at); }, t, sign * first, t + h, sign * last,
                1e-15 * (t + h), false);
}

// Where an edge is crossed within the step just made, as a fraction of it; 1 if none is.
double crossed_edge(Problem& p, detail::Dop853Flow& flow, double t, double h,
                    std::vector<double>& before, int& which) {
  const Dynamics& s = p.system();
  std::vector<double> y(flow.y0.size());
  double first = 1.0;
  which = -1;
  for (int k = 0; k < s.edges(); ++k) {
    const double a = before[std::size_t(k)], b = s.edge(k, flow.y1.data(), p.u(t + h));
    if (a == 0.0 || a * b >= 0.0) continue;
    const double sign = a > 0.0 ? 1.0 : -1.0;
    const double at = locate(
        [&](double x) {
          flow.dense(x, y.data());
          return sign * s.edge(k, y.data(), p.u(t + x * h));
        },
        0.0, sign * a, 1.0, sign * b, 1e-14, true);
    if (at < first) first = at, which = k;
  }
  return first;
}

// What is not finite at an instant from where no step leads on: the output, or what is followed.
std::string_view not_finite_column(const Problem& p, double t, const std::vector<double>& y) {
  const auto now = p.sample(t, y.data());
  if (!std::isfinite(now.input)) return "input";
  if (!std::isfinite(now.output)) return "output";
  if (!std::isfinite(now.second)) return "second";
  std::vector<double> rate(y.size());
  p.rates(t, y.data(), rate.data());
  for (int i = 0; i < p.states(); ++i)
    if (!std::isfinite(rate[std::size_t(i)])) return "state";
  for (int i = p.states(); i < p.size(); ++i)
    if (!std::isfinite(rate[std::size_t(i)])) return "area";
  return "state";
}

// `made` is told of every step, from t on for h, before the flow goes on.
using Made = std::function<void(double t, double h, detail::Dop853Flow&)>;

void by_dop853(Problem& p, const Signal& input, const Options& o, detail::ResponseRecorder& record,
               SystemResponse& r, const Made& made = {}) {
  detail::Dop853Flow flow(p.size(),
                          [&](double t, const double* y, double* d) { p.rates(t, y, d); });
  flow.y0 = p.system().start();
  flow.y0.resize(std::size_t(p.size()), 0.0);
  Sizes sizes(p, input, flow.y0);
  std::vector<double> edges(std::size_t(p.system().edges())), middle(flow.y0.size());
  double t = 0.0, h = std::min(o.end, input.longest_step()) * 1e-3;
  p.freeze(input.piece(0.0));
  const auto look = [&] {
    for (int k = 0; k < p.system().edges(); ++k)
      edges[std::size_t(k)] = p.system().edge(k, flow.y0.data(), p.u(t));
  };
  look();
  flow.begin(0.0);
  record.at(p.sample(0.0, flow.y0.data()));
  double stop = std::min(o.end, input.next_kink(0.0));
  bool not_finite = false;  // the last step that was tried
  Pacer looks;
  while (t < o.end) {
    if (r.steps + r.rejected >= long(o.step_limit)) return void(r.status = Status::step_limit);
    if (looks.due() && o.cancelled(t / o.end)) return void(r.status = Status::cancelled);
    double use = std::min({h, stop - t, input.longest_step()});
    bool to_stop = use * (1.0 + 1e-9) >= stop - t;  // no crumb of a step is left over
    if (to_stop) use = stop - t;
    const double turn = turning_time(p, t, use);
    if (turn < t + use && turn > t + 1e-13 * (t + use)) use = turn - t, to_stop = false;
    const bool cut = use < h;
    if (use < 4e-16 * std::abs(t) || use < 1e-300) {
      if (not_finite) r.not_finite = {not_finite_column(p, t, flow.y0), t};
      return void(r.status = not_finite ? Status::not_finite : Status::step_too_small);
    }
    const bool finite = flow.step(use);
    double worst = 0.0;
    if (finite)
      for (std::size_t i = 0; i < flow.error.size(); ++i) {
        if (flow.error[i] == 0.0) continue;  // also of what has no size yet
        const double error =
            std::abs(flow.error[i]) / (o.tolerance * std::max(sizes[i], std::abs(flow.y1[i])));
        if (!(error <= worst) && !std::isnan(worst)) worst = error;  // keeps a NaN
      }
    if (!finite || !(worst <= 1.0)) {
      not_finite = !finite || std::isnan(worst);
      ++r.rejected;
      h = use * (not_finite ? 0.2 : std::clamp(0.9 * std::pow(worst, -0.125), 0.2, 0.9));
      continue;
    }
    not_finite = false;
    int which = -1;
    const double part = crossed_edge(p, flow, t, use, edges, which);
    if (which >= 0 && part < 1.0) {
      use *= part;
      to_stop = false;
      flow.step(use);
    }
    ++r.steps;
    const double next = to_stop ? stop : t + use;
    for (double s = record.next(); s < next || (s == next && next == o.end); s = record.next()) {
      flow.dense(std::min(1.0, (s - t) / use), middle.data());
      record.at(p.sample(s, s == next ? flow.y1.data() : middle.data()));
    }
    if (made) made(t, use, flow);
    flow.advance();
    t = next;
    sizes.add(flow.y0);
    if (to_stop) {
      record.mark(t, p.sample(t, flow.y0.data()));
      p.freeze(input.piece(t));
      stop = std::min(o.end, input.next_kink(t));
      flow.begin(t);
    }
    look();
    if (which >= 0) edges[std::size_t(which)] = 0.0;
    const double wished =
        use * std::clamp(0.9 * std::pow(std::max(worst, 1e-10), -0.125), 0.3, 5.0);
    if (which < 0) h = cut ? std::max(h, wished) : wished;
  }
  r.states.assign(flow.y0.begin(), flow.y0.begin() + p.states());
  r.evaluations = flow.evaluations;
}

void by_cvode(Problem& p, const Signal& input, const Options& o, detail::ResponseRecorder& record,
              SystemResponse& r) {
  std::vector<double> y = p.system().start();
  y.resize(std::size_t(p.size()), 0.0);
  Sizes sizes(p, input, y);
  std::vector<double> absolute(y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    absolute[i] = o.tolerance * std::max(sizes[i], 1e-3 * input.scale());
  p.freeze(input.piece(0.0));
  detail::CvodeProblem problem;
  problem.size = p.size();
  problem.rates = [&](double t, const double* x, double* d) { p.rates(t, x, d); };
  double t = 0.0;
  problem.stopped = [&] { return o.cancelled(t / o.end); };
  detail::Cvode solver(std::move(problem), 0.0, y, o.tolerance, absolute);
  if (std::isfinite(input.longest_step())) solver.limit_step(input.longest_step());
  record.at(p.sample(0.0, y.data()));
  double stop = std::min(o.end, input.next_kink(0.0));
  Pacer looks;
  while (t < o.end) {
    if (looks.due() && o.cancelled(t / o.end)) return void(r.status = Status::cancelled);
    const double target = std::min(stop, record.next());
    int guard = 0;
    const auto outcome = solver.advance(target, t, y, guard);
    if (outcome == detail::Cvode::Outcome::stopped) return void(r.status = Status::cancelled);
    if (outcome == detail::Cvode::Outcome::failed) {
      if (solver.not_finite() < 0) return void(r.status = Status::failed);
      r.not_finite = {not_finite_column(p, t, y), t};
      return void(r.status = Status::not_finite);
    }
    if (solver.steps() > long(o.step_limit)) return void(r.status = Status::step_limit);
    t = target;
    if (record.next() == t) record.at(p.sample(t, y.data()));
    if (t != stop) continue;
    record.mark(t, p.sample(t, y.data()));
    p.freeze(input.piece(t));
    stop = std::min(o.end, input.next_kink(t));
    solver.restart(t, y);
  }
  r.steps = solver.steps();
  r.rejected = solver.rejected();
  r.evaluations = solver.evaluations();
  r.states.assign(y.begin(), y.begin() + p.states());
}

}  // namespace

SystemResponse integrate(const Dynamics& system, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  if (options.method != Options::rosenbrock && options.method != Options::cvode)
    throw InvalidInput("method", "solve: method = \"" +
                                     std::string(Options::methods[std::size_t(options.method)]) +
                                     "\" has no meaning for a system, it must be rosenbrock (the "
                                     "adaptive method) or cvode");
  SystemResponse r;
  const auto began = std::chrono::steady_clock::now();
  detail::ResponseRecorder record(r, options);
  Problem problem(system, input);
  r.method = options.method == Options::cvode ? "CVODE" : "DOP853";
  if (options.method == Options::cvode) by_cvode(problem, input, options, record, r);
  else by_dop853(problem, input, options, record, r);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  finish(r, options, record);
  return r;
}

Path integrate_path(const Dynamics& system, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  SystemResponse r;
  Options o = options;
  o.samples = 2.0;
  detail::ResponseRecorder record(r, o);
  Problem problem(system, input);
  Path path;
  by_dop853(problem, input, o, record, r, [&](double t, double h, detail::Dop853Flow& flow) {
    if (!(t + h > o.record_from)) return;
    const int piece = input.piece(t + 0.5 * h);
    path.push_back({std::max(t, o.record_from), t + h,
                    [&system, &input, t, h, piece, state = flow.dense_step()](double time) {
                      std::vector<double> y(std::size_t(system.size()) + 2);
                      state(std::clamp((time - t) / h, 0.0, 1.0), y.data());
                      const double u = input.value(time, piece);
                      return PathPoint{u, system.output(y.data(), u), system.second(y.data(), u)};
                    }});
  });
  if (!r.ok()) path.clear();
  else if (!path.empty()) path.back().to = o.end;
  return path;
}

}  // namespace bristle
