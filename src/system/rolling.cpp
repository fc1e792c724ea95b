// SPDX-License-Identifier: MIT
#include "bristle/system/rolling.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

#include "bristle/solve/cancel.hpp"
#include "bristle/solve/locate.hpp"
#include "follow.hpp"

namespace bristle {
namespace {

// One digit of a number: enough for an error.
std::string short_words(double value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.0e", value);
  return text.data();
}

// A patch under its input, in steps that do not depend on the samples: equal ones between the kinks
// of the input, no longer than a twentieth of the time a bristle takes through the patch.
class PatchStepper final : public detail::ResponseStepper {
 public:
  // Without `reads` nothing is read at the ends of steps.
  PatchStepper(const ContactPatch& start, const Signal& input, const Options& options,
               bool reads = true)
      : patch_(start), probe_(start), input_(input), options_(options), reads_(reads) {
    piece_ = input.piece(0.0);
    slip_ = [this](double t) { return input_.value(t, piece_); };
    longest_ = std::min(
        {options.step, 0.05 / start.shape().transport, 0.5 * input.longest_step(), options.end});
  }
  // How many there will be.
  double steps() const { return options_.end / longest_; }

  std::string_view method() const override { return "characteristics"; }
  detail::ResponseSample start() override { return look(0.0); }
  std::optional<double> reach(double t, double stop) override {
    t_ = t;
    const double count = std::max(1.0, std::ceil((stop - from_) / longest_ * (1.0 - 1e-12)));
    ++made_;
    next_ = made_ == count ? stop : from_ + (stop - from_) * (made_ / count);
    return next_;
  }
  detail::ResponseSample within(double time) override { return look(time); }
  detail::ResponseSample take() override {
    const detail::ResponseSample end = reads_ ? look(next_) : detail::ResponseSample{};
    roll(patch_, t_, next_);
    area_ = end.area;
    return end;
  }
  // A jump of the slip, or a kink, sends a front through the patch.
  void bend(double t) override {
    piece_ = input_.piece(t);
    if (t == input_.change_time || input_.shape == Signal::triangle) patch_.mark_front();
    from_ = t, made_ = 0.0;
  }

 private:
  // Where the patch will be at a time within the step that begins now, and the area until then.
  detail::ResponseSample look(double at) {
    detail::ResponseSample s{at, slip_(at), 0.0, 0.0, area_, 0.0};
    probe_ = patch_;
    double now = t_;
    if (at > t_)
      for (std::size_t i = 0; i < 3; ++i) {
        const double node = t_ + GrowthNodes::place[i] * (at - t_);
        const double rise = input_.slope(node, piece_);
        if (rise == 0.0) continue;
        roll(probe_, now, node);
        now = node;
        s.area += (at - t_) * GrowthNodes::weight[i] * rise * force(probe_, node);
      }
    roll(probe_, now, at);
    s.output = force(probe_, at);
    return s;
  }
  double force(const ContactPatch& patch, double t) const { return patch.force(slip_(t)); }
  // The law has a kink where the slip changes its sign: no step goes across.
  void roll(ContactPatch& patch, double from, double to) const {
    if (to > from) stop_if_asked();
    const double transport = patch.shape().transport, tolerance = 0.01 * options_.tolerance;
    const double first = slip_(from), last = slip_(to);
    if (first * last < 0.0) {
      const double sign = first > 0.0 ? 1.0 : -1.0;
      const double zero = locate([&](double t) { return sign * slip_(t); }, from, sign * first, to,
                                 sign * last, 1e-15 * to, false);
      if (zero > from && zero < to) {
        patch.roll(from, zero, slip_, transport, tolerance);
        from = zero;
      }
    }
    patch.roll(from, to, slip_, transport, tolerance);
  }

  ContactPatch patch_, probe_;
  const Signal& input_;
  const Options& options_;
  std::function<double(double)> slip_;
  bool reads_;
  double longest_ = 0.0;            // step [s]
  double t_ = 0.0, next_ = 0.0;     // of the step [s]
  double from_ = 0.0, made_ = 0.0;  // since when steps are equal, and how many there were
  double area_ = 0.0;
  int piece_ = 0;
};

// The forces at all steps with a number of points; empty if the run was cut short.
std::vector<double> forces_with(const ContactPatch& start, double points, const Signal& input,
                                const Options& options) {
  PatchShape shape = start.shape();
  shape.points = points;
  const ContactPatch patch(start.shared_law(), shape);
  Options alive = options;
  if (options.progress) alive.progress = [&](double) { return options.progress(0.0); };
  PatchStepper stepper(patch, input, alive, false);
  std::vector<double> all;
  detail::follow(stepper, input, alive,
                 [&](double t, double) { all.push_back(stepper.within(t).output); });
  if (stepper.report.status != Status::done) all.clear();
  return all;
}

struct GridError {
  double points = 0.0;
  double error = NAN;  // of the force, over the largest
};

// How far the forces of twice the points may be off: the difference, divided by what the order of
// convergence that is seen leaves of it, but by no more than five. A fifteenth, as of order four,
// would hold on the average only: the error depends on where the front stands between the points.
double error_of(const std::vector<double>& coarse, const std::vector<double>& fine, double before,
                double& difference) {
  double most = 0.0;
  difference = 0.0;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    most = std::max(most, std::abs(fine[i]));
    difference = std::max(difference, std::abs(fine[i] - coarse[i]));
  }
  if (most > 0.0) difference /= most;
  const double ratio = std::isfinite(before) && difference > 0.0 ? before / difference : 2.0;
  return difference / (std::clamp(ratio, 2.0, 6.0) - 1.0);
}

// As many points as the tolerance needs, or the error of as many as are given.
GridError choose_points(const ContactPatch& start, const Signal& input, const Options& options) {
  const double given = start.shape().points;
  GridError chosen{given > 0.0 ? given : start.points(), NAN};
  const double steps = PatchStepper(start, input, options).steps();
  if (!(steps < options.step_limit)) return chosen;
  double points = given > 0.0 ? std::max(8.0, std::floor(0.5 * given)) : 25.0, before = NAN;
  auto coarse = forces_with(start, points, input, options);
  for (;;) {
    const double finer = given > 0.0 ? given : 2.0 * points;
    if (finer <= points) return chosen;
    auto fine = forces_with(start, finer, input, options);
    if (coarse.empty() || fine.size() != coarse.size()) return chosen;
    double difference = 0.0;
    chosen = {finer, error_of(coarse, fine, before, difference)};
    // Enough, or as many as some seconds allow, or down at rounding, where more points do not help.
    if (given > 0.0 || chosen.error <= options.tolerance || finer * steps > 2e9 || finer > 1e5 ||
        difference > 0.7 * before)
      return chosen;
    before = difference, points = finer, coarse = std::move(fine);
  }
}

// The same contact by first-order upwind cells: a second method, with the diffusion that the first
// one does not have. One state for each cell.
class UpwindPatch final : public Dynamics {
 public:
  explicit UpwindPatch(const ContactPatch& patch) : patch_(patch), n_(patch.points()) {}

  int size() const override { return n_; }
  std::vector<double> start() const override {
    std::vector<double> z(static_cast<std::size_t>(n_));
    for (int i = 0; i < n_; ++i) z[std::size_t(i)] = patch_.state_at((i + 0.5) / n_);
    return z;
  }
  void rates(const double* z, double slip, double, double* dz) const override {
    const auto law = patch_.at(slip);
    const PatchShape& s = patch_.shape();
    for (int i = 0; i < n_; ++i) {
      const double xi = (i + 0.5) / n_;
      dz[i] = law.drive - law.decay * s.stiffness_at(xi) * z[i] -
              s.transport * s.transport_at(xi) * n_ * (z[i] - (i > 0 ? z[i - 1] : 0.0));
    }
  }
  double output(const double* z, double slip) const override {
    const auto law = patch_.at(slip);
    const PatchShape& s = patch_.shape();
    double sum = 0.0;
    for (int i = 0; i < n_; ++i) {
      const double xi = (i + 0.5) / n_;
      sum += s.pressure_at(xi) * s.stiffness_at(xi) * z[i] / n_;
    }
    return s.load * (law.slope * sum + law.level);
  }

 private:
  const ContactPatch& patch_;
  int n_;
};

class PatchSystem final : public AnySystem {
 public:
  PatchSystem(std::shared_ptr<const AnyLaw> law, PatchShape shape)
      : law_(std::move(law)), start_(law_, std::move(shape)) {}

  std::string_view name() const override { return PatchShape::name; }
  Values values() const override { return values_of(start_.shape()); }
  Description description() const override { return describe<PatchShape>(); }
  std::optional<double> steady(double slip) const override { return start_.steady_force(slip); }
  const ContactPatch& patch() const { return start_; }

  SystemResponse respond(const Signal& input, const Options& options) const override {
    if (options.method == Options::cvode) {
      SystemResponse r = integrate(UpwindPatch(start_), input, options);
      r.second.clear();
      r.method = "upwind cells, CVODE";
      return r;
    }
    validate(options);
    validate(input);
    detail::check_system_method(options);
    const auto began = std::chrono::steady_clock::now();
    const GridError grid = choose_points(start_, input, options);
    PatchShape shape = start_.shape();
    shape.points = grid.points;
    const ContactPatch patch(law_, shape);
    PatchStepper stepper(patch, input, options);
    SystemResponse r = detail::respond(stepper, input, options);
    r.second.clear();
    r.points = grid.points;
    if (std::isfinite(grid.error)) r.error_estimate = grid.error;
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (std::isfinite(grid.error)) {
      r.message += " " + words(grid.points) +
                   " points along the patch, estimated error of the force " +
                   short_words(grid.error) + " of the largest";
      r.message += grid.error <= options.tolerance
                       ? "."
                       : ", more than tolerance = " + words(options.tolerance) + ".";
    }
    return r;
  }

 private:
  std::shared_ptr<const AnyLaw> law_;
  ContactPatch start_;
};

// Steps of a braked wheel are chosen by comparing one with two of half the length, and do not
// depend on the samples.
class WheelStepper final : public detail::ResponseStepper {
 public:
  WheelStepper(const BrakedWheel& wheel, const ContactPatch& start, const Signal& input,
               const Options& options)
      : wheel_(wheel),
        input_(input),
        options_(options),
        now_{start, wheel.speed, wheel.speed / wheel.radius, 0.0},
        whole_(now_),
        halves_(now_),
        probe_(now_),
        piece_(input.piece(0.0)) {}

  std::string_view method() const override { return "characteristics"; }
  detail::ResponseSample start() override { return sample(now_, 0.0); }
  std::optional<double> reach(double t, double stop) override {
    t_ = t;
    const bool to_stop = h_ * (1.0 + 1e-9) >= stop - t;
    const double use = to_stop ? stop - t : h_;
    whole_ = now_, halves_ = now_;
    advance(whole_, use, torque(t + 0.5 * use));
    advance(halves_, 0.5 * use, torque(t + 0.25 * use));
    advance(halves_, 0.5 * use, torque(t + 0.75 * use));
    const double worst = distance(whole_, halves_) / (3.0 * options_.tolerance);
    if (!std::isfinite(worst)) {
      report.not_finite = {std::isfinite(halves_.force) ? "second" : "output", t + use};
      report.status = Status::not_finite;
      return {};
    }
    wished_ = use * std::clamp(0.9 / std::cbrt(std::max(worst, 1e-9)), 0.2, 2.0);
    if (worst > 1.0 && use > 1e-9 * options_.end) {
      ++report.rejected;
      h_ = wished_;
      return {};
    }
    next_ = to_stop ? stop : t + use;
    return next_;
  }
  detail::ResponseSample within(double time) override {
    probe_ = now_;
    for (const double part : {0.25, 0.75})
      advance(probe_, 0.5 * (time - t_), torque(t_ + part * (time - t_)));
    return sample(probe_, time);
  }
  detail::ResponseSample take() override {
    const detail::ResponseSample end = sample(halves_, next_);
    area_ = end.area;
    now_ = halves_;
    t_ = next_;
    h_ = std::min(wished_, options_.step);
    return end;
  }
  void bend(double t) override { piece_ = input_.piece(t); }

 private:
  struct WheelState {
    ContactPatch patch;
    double speed, turn, force;
  };
  double torque(double t) const { return std::max(0.0, input_.value(t, piece_)); }
  detail::ResponseSample sample(const WheelState& m, double at) const {
    const double torque = input_.value(at, piece_);
    const double done = 0.5 * (m.force + now_.force) * (torque - input_.value(t_, piece_));
    return {at, torque, m.force, m.speed, area_ + done, 0.0};
  }
  // Kick, drift, kick: the bristles see the velocities of the middle of the step.
  void advance(WheelState& m, double h, double torque) const {
    const double r = wheel_.radius;
    const auto kick = [&](double part) {
      m.speed -= part * m.force / wheel_.mass;
      const double push = r * m.force - std::copysign(torque, m.turn);
      const double next = m.turn + part * push / wheel_.inertia;
      // A brake stops a wheel but does not turn it back.
      if (m.turn == 0.0)
        m.turn = std::abs(r * m.force) > torque
                     ? part * (r * m.force - std::copysign(torque, m.force)) / wheel_.inertia
                     : 0.0;
      else m.turn = next * m.turn > 0.0 ? next : 0.0;
    };
    kick(0.5 * h);
    const double slip = m.speed - r * m.turn,
                 transport = std::abs(r * m.turn) / wheel_.contact_length;
    // Bristles cannot be driven along what is not a number.
    if (!std::isfinite(slip) || !(transport * h < 1e12)) {
      m.force = NAN;
      return;
    }
    m.patch.advance(h, slip, transport);
    m.force = m.patch.force(slip);
    kick(0.5 * h);
  }
  // The largest difference of the velocities of vehicle and rim, over the speed at the start. The
  // force follows from them.
  double distance(const WheelState& a, const WheelState& b) const {
    return std::max(std::abs(a.speed - b.speed), wheel_.radius * std::abs(a.turn - b.turn)) /
           std::max(wheel_.speed, 1e-3);
  }

  const BrakedWheel& wheel_;
  const Signal& input_;
  const Options& options_;
  WheelState now_, whole_, halves_, probe_;
  int piece_;
  double t_ = 0.0, next_ = 0.0, h_ = 1e-5, wished_ = 0.0;  // [s]
  double area_ = 0.0;
};

class WheelSystem final : public AnySystem {
 public:
  WheelSystem(std::shared_ptr<const AnyLaw> law, BrakedWheel wheel)
      : wheel_(std::move(wheel)), start_(std::move(law), wheel_.patch) {
    validate(wheel_);
  }
  std::string_view name() const override { return BrakedWheel::name; }
  Values values() const override { return values_of(wheel_); }
  Description description() const override { return describe<BrakedWheel>(); }
  std::string_view second_name() const override { return "speed"; }
  SystemResponse respond(const Signal& input, const Options& options) const override {
    validate(options);
    validate(input);
    WheelStepper stepper(wheel_, start_, input, options);
    return detail::respond(stepper, input, options);
  }

 private:
  BrakedWheel wheel_;
  ContactPatch start_;
};

}  // namespace

std::shared_ptr<const AnySystem> patch_system(std::shared_ptr<const AnyLaw> law, PatchShape shape) {
  return std::make_shared<PatchSystem>(std::move(law), std::move(shape));
}
const ContactPatch* patch_of(const AnySystem& system) {
  const auto* rolling = dynamic_cast<const PatchSystem*>(&system);
  return rolling ? &rolling->patch() : nullptr;
}
std::shared_ptr<const AnySystem> wheel_system(std::shared_ptr<const AnyLaw> law,
                                              BrakedWheel wheel) {
  return std::make_shared<WheelSystem>(std::move(law), std::move(wheel));
}

}  // namespace bristle
