// SPDX-License-Identifier: MIT
#include "bristle/model/bias.hpp"

#include <cmath>

namespace bristle {
namespace {

class BiasedLaw final : public AnyLaw {
 public:
  BiasedLaw(std::shared_ptr<const AnyLaw> law, const ForceBias& bias)
      : law_(std::move(law)), bias_(bias) {}

  std::string_view name() const override { return law_->name(); }
  Values values() const override { return law_->values(); }
  bool set_valued() const override { return law_->set_valued(); }

  Response<double> respond(double z, const Motion<double>& m, const Branch<>& b) const override {
    return with_bias(law_->respond(z, m, b), m.velocity);
  }
  Response<LocalDual> respond(const LocalDual& z, const Motion<LocalDual>& m,
                              const Branch<>& b) const override {
    return with_bias(law_->respond(z, m, b), m.velocity);
  }
  double stored(double z, const Motion<double>& m, const Branch<>& b) const override {
    return law_->stored(z, m, b);
  }
  double steady(const Motion<double>& m) const override { return bias_(law_->steady(m)); }
  double state_scale() const override { return law_->state_scale(); }
  Interval<double> limits(const Motion<double>& m) const override {
    const Interval<double> own = law_->limits(m);
    return {bias_(own.lower), bias_(own.upper)};
  }
  Branch<> engage(double z, const Motion<double>& m, double direction,
                  const Branch<>& before) const override {
    return law_->engage(z, m, direction, before);
  }
  double margin(double z, const Motion<double>& m, const Branch<>& b) const override {
    return law_->margin(z, m, b);
  }
  Branch<> crossed(const Branch<>& b) const override { return law_->crossed(b); }
  double released(const Branch<>& b) const override { return law_->released(b); }
  double shown(double z, const Motion<double>& m, double direction) const override {
    return law_->shown(z, m, direction);
  }
  bool by_position() const override { return law_->by_position(); }
  // The series is that of the law alone.
  bool expandable() const override { return false; }
  Expansion expand(double, const Branch<>&, double) const override { return {}; }
  bool remembers() const override { return law_->remembers(); }
  std::optional<Lift> lift() const override { return std::nullopt; }
  double advance(double z, const Motion<double>& middle, double step) const override {
    return law_->advance(z, middle, step);
  }
  bool by_displacement() const override { return law_->by_displacement(); }
  double displaced(double z, double displacement) const override {
    return law_->displaced(z, displacement);
  }
  double force_scale(double load) const override {
    return std::abs(bias_.offset) + (1.0 + std::abs(bias_.asymmetry)) * law_->force_scale(load);
  }

 private:
  template <class S>
  Response<S> with_bias(const Response<S>& own, const S& velocity) const {
    const S force = bias_(own.force);
    return {own.rate, force, S(own.dissipation + (force - own.force) * velocity)};
  }

  std::shared_ptr<const AnyLaw> law_;
  ForceBias bias_;
};

}  // namespace

std::shared_ptr<const AnyLaw> biased(std::shared_ptr<const AnyLaw> law, const ForceBias& bias) {
  validate(bias);
  require_single(*law, "a bias");
  if (law->lift())
    throw InvalidInput(
        "bias", "bias: " + std::string(law->name()) + " lifts the body, its force takes no bias");
  return std::make_shared<const BiasedLaw>(std::move(law), bias);
}

}  // namespace bristle
