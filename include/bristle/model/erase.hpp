// SPDX-License-Identifier: MIT
// From a law to an AnyLaw.
#pragma once

#include "bristle/model/advance.hpp"
#include "bristle/model/any_law.hpp"
#include "bristle/model/planar_form.hpp"

namespace bristle {

// A law may give prepared(): an object that answers as it does, with its constants computed once.
template <class L>
auto prepared(const L& law) {
  if constexpr (requires { law.prepared(); }) return law.prepared();
  else return law;
}
template <class L>
using Prepared = decltype(prepared(std::declval<const L&>()));

template <Law L>
class ErasedLaw final : public AnyLaw {
 public:
  explicit ErasedLaw(const L& law) : law_(law), ready_(prepared(checked(law))) {}

  const L& law() const { return law_; }

  std::string_view name() const override { return L::name; }
  Values values() const override { return values_of(law_); }
  bool set_valued() const override { return SetLaw<L>; }
  bool signed_load() const override {
    return requires { L::signed_load; };
  }
  std::shared_ptr<const BlockLaw> block(int dimension) const override {
    return dimension == 2 ? planar_form(law_) : nullptr;
  }

  Response<double> respond(double z, const Motion<double>& m, const Branch<>& b) const override {
    return evaluate(z, m, b);
  }
  Response<LocalDual> respond(const LocalDual& z, const Motion<LocalDual>& m,
                              const Branch<>& b) const override {
    return evaluate(z, m, b);
  }
  double stored(double z, const Motion<double>& m, const Branch<>& b) const override {
    if constexpr (requires { law_.stored(z, m, b); }) return law_.stored(z, m, b);
    else if constexpr (StateLaw<L>) return law_.stored(z, m);
    else return 0.0;
  }
  double steady(const Motion<double>& m) const override { return steady_force(law_, m); }
  double state_scale() const override {
    if constexpr (StateLaw<L>) return law_.state_scale();
    else return 0.0;
  }
  Interval<double> limits(const Motion<double>& m) const override {
    if constexpr (SetLaw<L>) return ready_.limits(m);
    else return {};
  }
  Branch<> engage(double z, const Motion<double>& m, double direction,
                  const Branch<>& before) const override {
    return engaged(ready_, z, m, direction, before);
  }
  double margin(double z, const Motion<double>& m, const Branch<>& b) const override {
    if constexpr (requires { ready_.margin(z, m, b); }) return ready_.margin(z, m, b);
    else return 1.0;
  }
  Branch<> crossed(const Branch<>& b) const override {
    if constexpr (requires { ready_.crossed(b); }) return ready_.crossed(b);
    else return b;
  }
  double released(const Branch<>& b) const override {
    if constexpr (requires { ready_.released(b); }) return ready_.released(b);
    else return 0.0;
  }
  double shown(double z, const Motion<double>& m, double direction) const override {
    if constexpr (requires { ready_.shown(m, direction); }) return ready_.shown(m, direction);
    else return z;
  }
  bool by_position() const override {
    if constexpr (requires { L::by_position; }) return L::by_position;
    else return false;
  }
  bool expandable() const override { return ExpandableLaw<Prepared<L>>; }
  Expansion expand(double position, const Branch<>& b, double allowed) const override {
    if constexpr (ExpandableLaw<Prepared<L>>) return ready_.expand(position, b, allowed);
    else return {};
  }
  bool remembers() const override {
    return requires(Motion<double> m, Branch<> b) { law_.engage(m, 1.0, b); };
  }
  std::optional<Lift> lift() const override {
    if constexpr (requires { law_.lift(); }) return law_.lift();
    else return std::nullopt;
  }
  double force_scale(double load) const override { return bristle::force_scale(law_, load); }
  double advance(double z, const Motion<double>& middle, double step) const override {
    if constexpr (StateLaw<L>) return bristle::advance(law_, z, middle, step);
    else return 0.0;
  }
  bool by_displacement() const override { return DisplacementLaw<L>; }
  double displaced(double z, double displacement) const override {
    if constexpr (DisplacementLaw<L>) return law_.advance(z, displacement);
    else return z;
  }

 private:
  template <class S>
  Response<S> evaluate(const S& z, const Motion<S>& m, const Branch<>& b) const {
    if constexpr (StateLaw<L>) {
      return ready_.respond(z, m, b);
    } else {
      const S force = ready_.sliding(m, b);
      return {S(0.0), force, force * m.velocity};
    }
  }

  static const L& checked(const L& law) {
    validate(law);
    return law;
  }

  L law_;
  Prepared<L> ready_;  // what is evaluated: the law, or what it has computed beforehand
};

template <Law L>
std::shared_ptr<const AnyLaw> erase(const L& law) {
  return std::make_shared<const ErasedLaw<L>>(law);
}
// The law of a type behind an AnyLaw; null if it is another one, or has something beside it.
template <Law L>
const L* as_law(const AnyLaw& law) {
  const auto* own = dynamic_cast<const ErasedLaw<L>*>(&law);
  return own ? &own->law() : nullptr;
}

}  // namespace bristle
