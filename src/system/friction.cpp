// SPDX-License-Identifier: MIT
#include "bristle/system/friction.hpp"

namespace bristle {
namespace {

template <class M>
class FrictionSystem final : public AnySystem {
 public:
  FrictionSystem(std::shared_ptr<const AnyLaw> law, M mechanism)
      : law_(std::move(law)), mechanism_(std::move(mechanism)) {}

  std::string_view name() const override { return law_->name(); }
  Values values() const override { return law_->values(); }

  SystemResponse respond(const Signal& input, const Options& options) const override {
    M driven = mechanism_;
    driven.signal = input;
    Simulation run = simulate(*law_, driven, options);
    Trajectory& t = run.trajectory;
    SystemResponse r;
    constexpr bool force = std::is_same_v<M, PrescribedMotion>;
    r.output = force ? std::move(t.force) : std::move(t.position);
    r.time = std::move(t.time);
    r.input = std::move(t.input);
    // The work of the drive is F du, or u dx; the area is y du. By parts the one is the other.
    const auto area = [&](double work, double u, double y) { return force ? work : u * y - work; };
    for (std::size_t i = 0; i < r.time.size(); ++i)
      r.area.push_back(area(t.work_in[i], r.input[i], r.output[i]));
    const double u = input.value(0.0, input.piece(0.0));
    for (const auto& p : t.periods)  // where the input is what it was at the start
      r.marks.push_back({p.time, area(p.work_in, force ? 0.0 : u, position_at(r, p.time)), 0.0});
    r.status = run.summary.status;
    r.message = run.summary.message;
    r.method = run.summary.method;
    r.steps = run.summary.counts.steps;
    r.rejected = run.summary.counts.rejected;
    r.evaluations = run.summary.evaluations;
    r.seconds = run.summary.seconds;
    return r;
  }

 private:
  // The output at the sample nearest to a time; it counts only where the input does not vanish.
  static double position_at(const SystemResponse& r, double t) {
    const auto at = std::lower_bound(r.time.begin(), r.time.end(), t);
    return at == r.time.end() ? r.output.back() : r.output[std::size_t(at - r.time.begin())];
  }

  std::shared_ptr<const AnyLaw> law_;
  M mechanism_;
};

}  // namespace

std::shared_ptr<const AnySystem> friction_system(std::shared_ptr<const AnyLaw> law,
                                                 PrescribedMotion mechanism) {
  return std::make_shared<FrictionSystem<PrescribedMotion>>(std::move(law), std::move(mechanism));
}
std::shared_ptr<const AnySystem> friction_system(std::shared_ptr<const AnyLaw> law,
                                                 WallSpringMass mechanism) {
  return std::make_shared<FrictionSystem<WallSpringMass>>(std::move(law), std::move(mechanism));
}

}  // namespace bristle
