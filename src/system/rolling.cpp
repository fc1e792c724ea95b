// SPDX-License-Identifier: MIT
#include "bristle/system/rolling.hpp"

#include <chrono>
#include <cmath>

#include "sampler.hpp"

namespace bristle {
namespace {

// Fixed steps between samples and kinks of the input. `step(t, h, piece)` goes on by h, `sample(t)`
// tells where it is.
template <class Step, class Look>
SystemResponse march(const Signal& input, const Options& options, double longest, const Step& step,
                     const Look& look) {
  validate(options);
  validate(input);
  SystemResponse r;
  const auto began = std::chrono::steady_clock::now();
  detail::ResponseRecorder record(r, options);
  r.method = "characteristics";
  int piece = input.piece(0.0);
  double t = 0.0, stop = std::min(options.end, input.next_kink(0.0));
  detail::ResponseSample last = look(0.0, piece);
  record.at(last);
  while (t < options.end) {
    if (options.progress && r.steps % 4096 == 0 && !options.progress(t / options.end)) {
      r.status = Status::cancelled;
      break;
    }
    const double target = std::min(stop, record.next());
    const auto count = std::max(1.0, std::ceil((target - t) / longest * (1.0 - 1e-12)));
    if (double(r.steps) + count > options.step_limit) {
      r.status = Status::step_limit;
      break;
    }
    const double h = (target - t) / count;
    for (int i = 0; i < int(count); ++i) {
      step(t + i * h, h, piece);
      ++r.steps;
    }
    t = target;
    detail::ResponseSample now = look(t, piece);
    now.area = last.area + 0.5 * (now.output + last.output) * (now.input - last.input);
    last = now;
    record.at(now);
    if (t != stop) continue;
    record.mark(t, now);
    piece = input.piece(t);
    stop = std::min(options.end, input.next_kink(t));
  }
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  finish(r, options);
  return r;
}

// The same contact by first-order upwind cells: a second method, with the diffusion that the first
// one does not have. One state for each cell.
class UpwindPatch final : public Dynamics {
 public:
  explicit UpwindPatch(const ContactPatch& patch) : patch_(patch), n_(int(patch.shape().points)) {}

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
    ContactPatch patch = start_;
    if (options.method == Options::cvode) {
      SystemResponse r = integrate(UpwindPatch(patch), input, options);
      r.second.clear();
      r.method = "upwind cells, CVODE";
      return r;
    }
    SystemResponse r = march(
        input, options, std::min(options.step, 0.05 / patch.shape().transport),
        [&](double t, double h, int piece) {
          // A sampled or a triangular input has kinks, whose fronts are weak; a changed amplitude
          // makes it jump.
          if (input.change_time > 0.0 && t == input.change_time) patch.mark_front();
          patch.advance(h, input.value(t + 0.5 * h, piece));
        },
        [&](double t, int piece) {
          const double slip = input.value(t, piece);
          return detail::ResponseSample{t, slip, patch.force(slip), 0.0, 0.0, 0.0};
        });
    r.second.clear();
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

  SystemResponse respond(const Signal& input, const Options& options) const override {
    ContactPatch patch = start_;
    double speed = wheel_.speed, turn = wheel_.speed / wheel_.radius, force = 0.0;
    const double r = wheel_.radius;
    // Kick, drift, kick: the bristles see the velocities of the middle of the step.
    const auto kick = [&](double h, double torque) {
      speed -= h * force / wheel_.mass;
      const double push = r * force - std::copysign(torque, turn);
      const double next = turn + h * push / wheel_.inertia;
      // A brake stops a wheel but does not turn it back.
      if (turn == 0.0)
        turn = std::abs(r * force) > torque
                   ? h * (r * force - std::copysign(torque, force)) / wheel_.inertia
                   : 0.0;
      else turn = next * turn > 0.0 ? next : 0.0;
    };
    return march(
        input, options, std::min(options.step, 1e-4),
        [&](double t, double h, int piece) {
          const double torque = std::max(0.0, input.value(t + 0.5 * h, piece));
          kick(0.5 * h, torque);
          patch.advance(h, speed - r * turn, std::abs(r * turn) / wheel_.contact_length);
          force = patch.force(speed - r * turn);
          kick(0.5 * h, torque);
        },
        [&](double t, int piece) {
          return detail::ResponseSample{t, input.value(t, piece), force, speed, 0.0, 0.0};
        });
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
