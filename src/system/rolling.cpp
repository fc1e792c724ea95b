// SPDX-License-Identifier: MIT
#include "bristle/system/rolling.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

#include "bristle/solve/cancel.hpp"
#include "bristle/solve/locate.hpp"
#include "bristle/solve/pacer.hpp"
#include "sampler.hpp"

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
class PatchRun {
 public:
  PatchRun(const ContactPatch& start, const Signal& input, const Options& options)
      : patch_(start), probe_(start), input_(input), options_(options) {
    piece_ = input.piece(0.0);
    slip_ = [this](double t) { return input_.value(t, piece_); };
    longest_ = std::min(
        {options.step, 0.05 / start.shape().transport, 0.5 * input.longest_step(), options.end});
  }
  double steps() const { return options_.end / longest_; }

  // Calls `before(t, next)` ahead of every step, while the patch is at t.
  template <class Before>
  Status walk(const Before& before, const std::function<bool(double)>& progress) {
    double t = 0.0;
    while (t < options_.end) {
      const double stop = std::min(options_.end, input_.next_kink(t)), start = t;
      const double count = std::max(1.0, std::ceil((stop - t) / longest_ * (1.0 - 1e-12)));
      for (double i = 1.0; i <= count; i += 1.0) {
        if (looks_.due() && (stop_asked() || (progress && !progress(t / options_.end))))
          return Status::cancelled;
        if (double(++taken_) > options_.step_limit) return Status::step_limit;
        const double next = i == count ? stop : start + (stop - start) * (i / count);
        // A step over very many points is left in its middle.
        try {
          before(t, next);
          roll(patch_, t, next);
        } catch (const Cancelled&) {
          return Status::cancelled;
        }
        t = next;
      }
      // A jump of the slip, or a kink, sends a front through the patch.
      piece_ = input_.piece(t);
      if (t == input_.change_time || input_.shape == Signal::triangle) patch_.mark_front();
    }
    return Status::done;
  }

  // Where the patch will be at a time within the step that begins now, and the area from now on.
  detail::ResponseSample look(double t, double at) {
    detail::ResponseSample s{at, slip_(at), 0.0, 0.0, 0.0, 0.0};
    probe_ = patch_;
    double now = t;
    if (at > t)
      for (std::size_t i = 0; i < 3; ++i) {
        const double node = t + GrowthNodes::place[i] * (at - t), rise = input_.slope(node, piece_);
        if (rise == 0.0) continue;
        roll(probe_, now, node);
        now = node;
        s.area += (at - t) * GrowthNodes::weight[i] * rise * force(probe_, node);
      }
    roll(probe_, now, at);
    s.output = force(probe_, at);
    return s;
  }
  long taken() const { return taken_; }

 private:
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
  double longest_ = 0.0;
  int piece_ = 0;
  long taken_ = 0;
  Pacer looks_;
};

// The forces at all steps with a number of points; empty if the run was cut short.
std::vector<double> forces_with(const ContactPatch& start, double points, const Signal& input,
                                const Options& options) {
  PatchShape shape = start.shape();
  shape.points = points;
  ContactPatch patch(start.shared_law(), shape);
  PatchRun run(patch, input, options);
  std::vector<double> all;
  const auto alive = [&](double) { return !options.progress || options.progress(0.0); };
  const Status status =
      run.walk([&](double t, double) { all.push_back(run.look(t, t).output); }, alive);
  if (status != Status::done) all.clear();
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
  const double steps = PatchRun(start, input, options).steps();
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
    const auto began = std::chrono::steady_clock::now();
    SystemResponse r;
    r.method = "characteristics";
    const GridError grid = choose_points(start_, input, options);
    PatchShape shape = start_.shape();
    shape.points = grid.points;
    const ContactPatch patch(law_, shape);
    PatchRun run(patch, input, options);
    detail::ResponseRecorder record(r, options);
    record.at(run.look(0.0, 0.0));
    double area = 0.0;
    r.status = run.walk(
        [&](double t, double next) {
          const auto at = [&](double time) {
            detail::ResponseSample s = run.look(t, time);
            s.area += area;
            return s;
          };
          for (double s = record.next(); s < next; s = record.next()) record.at(at(s));
          const detail::ResponseSample end = at(next);
          area = end.area;
          record.at(end);
          if (next == options.end || next == input.next_kink(t)) record.mark(next, end);
        },
        options.progress);
    r.steps = run.taken();
    r.second.clear();
    r.points = grid.points;
    if (std::isfinite(grid.error)) r.error_estimate = grid.error;
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    finish(r, options, record);
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

  // Steps are chosen by comparing one with two of half the length, and do not depend on the
  // samples.
  SystemResponse respond(const Signal& input, const Options& options) const override {
    validate(options);
    validate(input);
    const auto began = std::chrono::steady_clock::now();
    SystemResponse r;
    r.method = "characteristics";
    detail::ResponseRecorder record(r, options);
    const double turn = wheel_.speed / wheel_.radius;
    WheelState now{start_, wheel_.speed, turn, 0.0}, whole = now, halves = now, probe = now;
    int piece = input.piece(0.0);
    double t = 0.0, h = 1e-5, area = 0.0, stop = std::min(options.end, input.next_kink(0.0));
    const auto sample = [&](const WheelState& m, double at) {
      const double torque = input.value(at, piece);
      const double done = 0.5 * (m.force + now.force) * (torque - input.value(t, piece));
      return detail::ResponseSample{at, torque, m.force, m.speed, area + done, 0.0};
    };
    record.at(sample(now, 0.0));
    Pacer looks;
    while (t < options.end) {
      if (looks.due() && options.cancelled(t / options.end)) {
        r.status = Status::cancelled;
        break;
      }
      if (double(r.steps + r.rejected) >= options.step_limit) {
        r.status = Status::step_limit;
        break;
      }
      const bool to_stop = h * (1.0 + 1e-9) >= stop - t;
      const double use = to_stop ? stop - t : h;
      const auto torque = [&](double at) { return std::max(0.0, input.value(at, piece)); };
      whole = now, halves = now;
      advance(whole, use, torque(t + 0.5 * use));
      advance(halves, 0.5 * use, torque(t + 0.25 * use));
      advance(halves, 0.5 * use, torque(t + 0.75 * use));
      const double worst = distance(whole, halves) / (3.0 * options.tolerance);
      if (!std::isfinite(worst)) {
        r.not_finite = {std::isfinite(halves.force) ? "second" : "output", t + use};
        r.status = Status::not_finite;
        break;
      }
      const double wished = use * std::clamp(0.9 / std::cbrt(std::max(worst, 1e-9)), 0.2, 2.0);
      if (worst > 1.0 && use > 1e-9 * options.end) {
        ++r.rejected;
        h = wished;
        continue;
      }
      ++r.steps;
      const double next = to_stop ? stop : t + use;
      for (double s = record.next(); s < next; s = record.next()) {
        probe = now;
        for (const double part : {0.25, 0.75})
          advance(probe, 0.5 * (s - t), torque(t + part * (s - t)));
        record.at(sample(probe, s));
      }
      const detail::ResponseSample end = sample(halves, next);
      area = end.area;
      record.at(end);
      now = halves;
      t = next;
      h = std::min(wished, options.step);
      if (!to_stop) continue;
      record.mark(t, end);
      piece = input.piece(t);
      stop = std::min(options.end, input.next_kink(t));
    }
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    finish(r, options, record);
    return r;
  }

 private:
  struct WheelState {
    ContactPatch patch;
    double speed, turn, force;
  };
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
