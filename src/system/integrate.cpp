// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>

#include "../solve/cvode.hpp"
#include "bristle/solve/locate.hpp"
#include "bristle/system/system.hpp"
#include "dop853_flow.hpp"
#include "follow.hpp"

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
  int piece() const { return piece_; }

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
  Sizes(const std::vector<double>& y, const Signal& input, int states)
      : most_(y.size(), 0.0), n_(std::size_t(states)), input_(input.scale()) {
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
double crossed_edge(const Problem& p, detail::Dop853Flow& flow, double t, double h,
                    const std::vector<double>& before, int& which) {
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

class Dop853Stepper final : public detail::ResponseStepper {
 public:
  Dop853Stepper(const Dynamics& system, const Signal& input, const Options& options)
      : p_(system, input),
        input_(input),
        tolerance_(options.tolerance),
        flow_(p_.size(), [this](double t, const double* y, double* d) { p_.rates(t, y, d); }),
        sizes_(begin(flow_.y0), input, p_.states()),
        edges_(std::size_t(system.edges())),
        read_(flow_.y0.size()) {
    h_ = std::min(options.end, input.longest_step()) * 1e-3;
  }

  std::string_view method() const override { return "DOP853"; }
  detail::ResponseSample start() override {
    p_.freeze(input_.piece(0.0));
    look();
    flow_.begin(0.0);
    return p_.sample(0.0, flow_.y0.data());
  }
  std::optional<double> reach(double t, double stop) override;
  detail::ResponseSample within(double time) override {
    flow_.dense(std::min(1.0, (time - t_) / use_), read_.data());
    return p_.sample(time, read_.data());
  }
  detail::ResponseSample take() override;
  void bend(double t) override {
    p_.freeze(input_.piece(t));
    flow_.begin(t);
    look();
  }
  void lay(Path& path, double record_from) override {
    const Dynamics& system = p_.system();
    path.push_back({std::max(t_, record_from), next_,
                    [&system, &input = input_, t = t_, h = use_, piece = p_.piece(),
                     state = flow_.dense_step()](double time) {
                      std::vector<double> y(std::size_t(system.size()) + 2);
                      state(std::clamp((time - t) / h, 0.0, 1.0), y.data());
                      const double u = input.value(time, piece);
                      return PathPoint{u, system.output(y.data(), u), system.second(y.data(), u)};
                    }});
  }
  void close(SystemResponse& r) const override {
    r.states.assign(flow_.y0.begin(), flow_.y0.begin() + p_.states());
    r.evaluations = flow_.evaluations;
  }

 private:
  const std::vector<double>& begin(std::vector<double>& y) const {
    y = p_.system().start();
    y.resize(std::size_t(p_.size()), 0.0);
    return y;
  }
  void look() {
    for (int k = 0; k < p_.system().edges(); ++k)
      edges_[std::size_t(k)] = p_.system().edge(k, flow_.y0.data(), p_.u(t_));
    if (edge_ >= 0) edges_[std::size_t(edge_)] = 0.0;
  }
  void end_without_step();
  double measure() const;

  Problem p_;
  const Signal& input_;
  double tolerance_;
  detail::Dop853Flow flow_;
  Sizes sizes_;
  std::vector<double> edges_, read_;
  double t_ = 0.0, next_ = 0.0, use_ = 0.0;  // start, end and size of the step
  double h_ = 0.0, worst_ = 0.0;             // size to try, largest error of the last attempt
  int edge_ = -1;                            // that ends the step
  bool cut_ = false, not_finite_ = false;    // shortened for a stop or a turn; of the last attempt
};

void Dop853Stepper::end_without_step() {
  if (not_finite_) report.not_finite = {not_finite_column(p_, t_, flow_.y0), t_};
  report.status = not_finite_ ? Status::not_finite : Status::step_too_small;
}

// The largest error of the step that was tried, in units of what is allowed.
double Dop853Stepper::measure() const {
  double worst = 0.0;
  for (std::size_t i = 0; i < flow_.error.size(); ++i) {
    if (flow_.error[i] == 0.0) continue;  // also of what has no size yet
    const double error =
        std::abs(flow_.error[i]) / (tolerance_ * std::max(sizes_[i], std::abs(flow_.y1[i])));
    if (!(error <= worst) && !std::isnan(worst)) worst = error;  // keeps a NaN
  }
  return worst;
}

std::optional<double> Dop853Stepper::reach(double t, double stop) {
  t_ = t;
  use_ = std::min({h_, stop - t, input_.longest_step()});
  bool to_stop = use_ * (1.0 + 1e-9) >= stop - t;  // no crumb of a step is left over
  if (to_stop) use_ = stop - t;
  const double turn = turning_time(p_, t, use_);
  if (turn < t + use_ && turn > t + 1e-13 * (t + use_)) use_ = turn - t, to_stop = false;
  cut_ = use_ < h_;
  if (use_ < 4e-16 * std::abs(t) || use_ < 1e-300) {
    end_without_step();
    return {};
  }
  const bool finite = flow_.step(use_);
  worst_ = finite ? measure() : NAN;
  not_finite_ = std::isnan(worst_);
  if (!(worst_ <= 1.0)) {
    ++report.rejected;
    h_ = use_ * (not_finite_ ? 0.2 : std::clamp(0.9 * std::pow(worst_, -0.125), 0.2, 0.9));
    return {};
  }
  const double part = crossed_edge(p_, flow_, t, use_, edges_, edge_);
  if (edge_ >= 0 && part < 1.0) {
    use_ *= part;
    to_stop = false;
    flow_.step(use_);
  }
  next_ = to_stop ? stop : t + use_;
  return next_;
}

detail::ResponseSample Dop853Stepper::take() {
  flow_.advance();
  t_ = next_;
  sizes_.add(flow_.y0);
  look();
  const double wished =
      use_ * std::clamp(0.9 * std::pow(std::max(worst_, 1e-10), -0.125), 0.3, 5.0);
  if (edge_ < 0) h_ = cut_ ? std::max(h_, wished) : wished;
  return p_.sample(t_, flow_.y0.data());
}

class CvodeResponse final : public detail::ResponseStepper {
 public:
  CvodeResponse(const Dynamics& system, const Signal& input, const Options& options)
      : p_(system, input), input_(input), y_(system.start()) {
    y_.resize(std::size_t(p_.size()), 0.0);
    read_ = y_;
    const Sizes sizes(y_, input, p_.states());
    std::vector<double> absolute(y_.size());
    for (std::size_t i = 0; i < y_.size(); ++i)
      absolute[i] = options.tolerance * std::max(sizes[i], 1e-3 * input.scale());
    p_.freeze(input.piece(0.0));
    detail::CvodeProblem problem;
    problem.size = p_.size();
    problem.rates = [this](double t, const double* x, double* d) { p_.rates(t, x, d); };
    solver_.emplace(std::move(problem), 0.0, y_, options.tolerance, absolute);
    if (std::isfinite(input.longest_step())) solver_->limit_step(input.longest_step());
  }

  std::string_view method() const override { return "CVODE"; }
  detail::ResponseSample start() override { return p_.sample(0.0, y_.data()); }
  std::optional<double> reach(double t, double stop) override {
    int guard = 0;
    double next = t;
    const auto outcome = solver_->step(stop, next, y_, guard);
    if (outcome == detail::Cvode::Outcome::failed) {
      const bool finite = solver_->not_finite() < 0;
      if (!finite) report.not_finite = {not_finite_column(p_, next, y_), next};
      report.status = finite ? Status::failed : Status::not_finite;
      return {};
    }
    next_ = outcome == detail::Cvode::Outcome::reached ? stop : next;
    report.rejected = solver_->rejected();
    return next_;
  }
  detail::ResponseSample within(double time) override {
    solver_->between(time, read_);
    return p_.sample(time, read_.data());
  }
  detail::ResponseSample take() override { return p_.sample(next_, y_.data()); }
  void bend(double t) override {
    p_.freeze(input_.piece(t));
    solver_->restart(t, y_);
  }
  void close(SystemResponse& r) const override {
    r.states.assign(y_.begin(), y_.begin() + p_.states());
    r.evaluations = solver_->evaluations();
  }

 private:
  Problem p_;
  const Signal& input_;
  std::vector<double> y_, read_;
  std::optional<detail::Cvode> solver_;
  double next_ = 0.0;
};

}  // namespace

SystemResponse integrate(const Dynamics& system, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  if (options.method == Options::cvode) {
    CvodeResponse stepper(system, input, options);
    return detail::respond(stepper, input, options);
  }
  Dop853Stepper stepper(system, input, options);
  return detail::respond(stepper, input, options);
}

Path integrate_path(const Dynamics& system, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  Dop853Stepper stepper(system, input, options);
  return detail::path_of(stepper, input, options);
}

}  // namespace bristle
