// SPDX-License-Identifier: MIT
// From a block law to an AnyLaw. What AnyLaw says of laws with one state along a line must not be
// evaluated, since single() is false; the value is NaN, so that it cannot pass for a result.
#pragma once

#include <limits>

#include "bristle/model/any_law.hpp"

namespace bristle {

template <BlockLawType L>
class ErasedBlockLaw final : public AnyLaw {
 public:
  explicit ErasedBlockLaw(const L& law) : law_(law) {
    validate(law_);
    block_ = std::make_shared<const ErasedBlock<L>>(law_);
  }

  std::string_view name() const override { return L::name; }
  Values values() const override { return values_of(law_); }
  bool set_valued() const override { return block_->set_valued(); }
  bool single() const override { return false; }
  bool signed_load() const override {
    return requires { L::signed_load; };
  }
  bool by_load() const override {
    return requires { L::by_load; };
  }
  std::shared_ptr<const BlockLaw> block(int dimension) const override {
    if (dimension == L::dimension) return block_;
    if constexpr (requires { law_.in_plane(); }) {
      using Plane = decltype(law_.in_plane());
      if (dimension == Plane::dimension)
        return std::make_shared<const ErasedBlock<Plane>>(law_.in_plane());
    }
    return nullptr;
  }
  double force_scale(double load) const override { return block_->force_scale(load); }
  double state_scale() const override {
    return block_->states() > 0 ? block_->state_scale(0) : 0.0;
  }

  Response<double> respond(double, const Motion<double>&, const Branch<>&) const override {
    return {none, none, none};
  }
  Response<LocalDual> respond(const LocalDual&, const Motion<LocalDual>&,
                              const Branch<>&) const override {
    return {LocalDual(none), LocalDual(none), LocalDual(none)};
  }
  double stored(double, const Motion<double>&, const Branch<>&) const override { return none; }
  double steady(const Motion<double>& m) const override {
    if constexpr (requires { law_.steady(m); }) return law_.steady(m);
    else return none;
  }
  Interval<double> limits(const Motion<double>&) const override { return {none, none}; }
  Branch<> engage(double, const Motion<double>&, double, const Branch<>& before) const override {
    return before;
  }
  double margin(double, const Motion<double>&, const Branch<>&) const override { return 1.0; }
  Branch<> crossed(const Branch<>& b) const override { return b; }
  double released(const Branch<>&) const override { return 0.0; }
  double shown(double z, const Motion<double>&, double) const override { return z; }
  bool by_position() const override { return false; }
  bool expandable() const override { return false; }
  Expansion expand(double, const Branch<>&, double) const override { return {}; }
  bool remembers() const override { return false; }
  std::optional<Lift> lift() const override { return std::nullopt; }
  double advance(double, const Motion<double>&, double) const override { return none; }
  bool by_displacement() const override { return false; }
  double displaced(double, double) const override { return none; }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  L law_;
  std::shared_ptr<const BlockLaw> block_;
};

template <BlockLawType L>
std::shared_ptr<const AnyLaw> erase(const L& law) {
  return std::make_shared<const ErasedBlockLaw<L>>(law);
}

}  // namespace bristle
