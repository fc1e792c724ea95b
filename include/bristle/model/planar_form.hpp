// SPDX-License-Identifier: MIT
// The planar form of isotropic laws of one dimension: a planar law is the same law.
//
//   set-valued, no dependence on position:   F = f(|v|) v / |v|, at rest any |F| <= f(0)
//   linear in its state:                     z' = drive(|v|) v / |v| - decay(|v|) z
//                                            F  = a(|v|) z + b(|v|) v / |v|
//   bristle (the law gives decay() and combine()):
//                                            z' = v - decay(|z|, |v|) z, no decay where v.z < 0
//                                            F  = combine(z, z', v), axis by axis
//
// with z, v and F vectors, and the functions of the speed those of the law. Along a line each is
// the law itself. Laws that are not isotropic (below), and those whose energy is not quadratic in
// the state, have no planar form.
#pragma once

#include "bristle/model/block_law.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

namespace detail {

// b(s) v / s for an odd function b of the speed, with its limit b'(0) v at rest.
template <class S, class F>
std::array<S, 2> directed(const F& odd, const S& speed, const std::array<S, 2>& v) {
  S ratio;
  if (value_of(speed) == 0.0) ratio = odd(variable<1>(speed, 0)).slope[0];
  else ratio = odd(Dual<S, 1>(speed)).value / speed;
  return {ratio * v[0], ratio * v[1]};
}

template <class S>
S dot(const std::array<S, 2>& a, const std::array<S, 2>& b) {
  return a[0] * b[0] + a[1] * b[1];
}

}  // namespace detail

// Laws whose equations have pieces, remember, follow the position or know the sign of their load
// distinguish directions.
template <class L>
concept IsotropicLaw = !requires(const L& law, Motion<double> m) {
  law.cell(0.0, m, 1.0);
}
&&!requires(const L& law, Motion<double> m, Branch<> b) { law.engage(m, 1.0, b); }
&&!requires { L::by_position; }
&&!requires { L::signed_load; };

template <class L>
concept PlanarSetLaw = SetLaw<L> && IsotropicLaw<L>;

template <class L>
concept PlanarAffineLaw = AffineLaw<L> && IsotropicLaw<L>;

template <class L>
concept BristleLaw = StateLaw<L> && requires(const L& law, double x, Motion<double> m) {
  { law.decay(x, m) } -> std::convertible_to<double>;
  { law.combine(x, x, x) } -> std::convertible_to<double>;
};

// A set-valued law in the plane.
template <PlanarSetLaw L>
struct PlanarSet {
  using Number = double;
  static constexpr std::string_view name = L::name;
  static constexpr std::string_view summary = L::summary;
  static constexpr int dimension = 2;
  static constexpr auto fields() { return std::array<Field<PlanarSet>, 0>{}; }

  L law;

  int states() const { return 0; }
  template <class S>
  void respond(const S*, const BlockMotion<S>& m, const Branch<>& b, BlockResponse<S>& out) const {
    const auto& n = b.along;
    const S speed = plane_speed(m.velocity, n);
    const Motion<S> line{S(0.0), speed, m.load, m.time};
    const S force = law.sliding(line, Branch<>{1.0, 0.0});
    if (value_of(speed) == 0.0) {
      // At rest the direction is that of the branch, and turning it costs any force.
      constexpr double stiff = 1e12;
      const S part = m.velocity[0] * n[0] + m.velocity[1] * n[1];
      for (std::size_t i = 0; i < 2; ++i)
        out.force[i] = force * (n[i] + stiff * (m.velocity[i] - part * n[i]));
    } else {
      for (std::size_t i = 0; i < 2; ++i) out.force[i] = force * m.velocity[i] / speed;
    }
    out.dissipation = force * speed;
  }
  double stored(const double*, const BlockMotion<double>&) const { return 0.0; }
  double radius(const BlockMotion<double>& m) const {
    return law.limits(Motion<double>{0.0, 0.0, m.load, m.time}).upper;
  }
  double force_scale(double load) const { return bristle::force_scale(law, load); }
};

// What laws of one bristle share in the plane: its state is a vector, and its energy is half of
// some stiffness times z^2.
template <StateLaw L>
struct PlanarSpring {
  using Number = double;
  static constexpr std::string_view name = L::name;
  static constexpr std::string_view summary = L::summary;
  static constexpr int dimension = 2;
  static constexpr auto fields() { return std::array<Field<PlanarSpring>, 0>{}; }

  L law;

  int states() const { return 2; }
  double stored(const double* z, const BlockMotion<double>& m) const {
    return (z[0] * z[0] + z[1] * z[1]) * law.stored(1.0, Motion<double>{0.0, 0.0, m.load, m.time});
  }
  double state_scale(int) const { return double(law.state_scale()); }
  double force_scale(double load) const { return bristle::force_scale(law, load); }

 protected:
  // What of the power of the force does not go into the spring, whose stiffness follows from what a
  // unit deflection stores.
  template <class S>
  S dissipation(const S* z, const BlockMotion<S>& m, const S& speed,
                const BlockResponse<S>& out) const {
    const S stiff = 2.0 * law.stored(S(1.0), Motion<S>{S(0.0), speed, m.load, m.time});
    return detail::dot(out.force, m.velocity) - stiff * (z[0] * out.rate[0] + z[1] * out.rate[1]);
  }
};

// A law that is linear in its state, in the plane.
template <PlanarAffineLaw L>
struct PlanarAffine : PlanarSpring<L> {
  using PlanarSpring<L>::law;

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    const S speed = plane_speed(m.velocity, b.along);
    const Branch<> forward{1.0, 0.0};
    const auto line = [&](const auto& s) {
      using D = std::remove_cvref_t<decltype(s)>;
      return Motion<D>{D(S(0.0)), s, D(m.load), D(m.time)};
    };
    const auto drive = detail::directed(
        [&](const auto& s) { return law.affine(line(s), forward).drive; }, speed, m.velocity);
    const auto level = detail::directed(
        [&](const auto& s) {
          using D = std::remove_cvref_t<decltype(s)>;
          return law.respond(D(S(0.0)), line(s), forward).force;
        },
        speed, m.velocity);
    const S decay = law.affine(line(speed), forward).decay;
    const S slope =
        law.respond(variable<1>(S(0.0), 0), line(Dual<S, 1>(speed)), forward).force.slope[0];
    for (std::size_t i = 0; i < 2; ++i) {
      out.rate[i] = drive[i] - decay * z[i];
      out.force[i] = slope * z[i] + level[i];
    }
    out.dissipation = this->dissipation(z, m, speed, out);
  }

  // Whether energy and force are what the form takes them for.
  bool fits() const {
    const Motion<double> m{0.0, 1.0, 1.0, 0.0};
    const double z = double(law.state_scale());
    const Branch<> forward{1.0, 0.0};
    const auto force = [&](double x) { return law.respond(x, m, forward).force; };
    const double bend = force(2.0 * z) - 2.0 * force(z) + force(0.0);
    return std::abs(law.stored(2.0 * z, m) - 4.0 * law.stored(z, m)) <=
               1e-12 * std::abs(law.stored(z, m)) &&
           std::abs(bend) <= 1e-12 * (std::abs(force(z)) + std::abs(force(0.0)));
  }
};

// A law of one bristle whose flow depends on how far it is bent, in the plane.
template <BristleLaw L>
struct PlanarBristle : PlanarSpring<L> {
  using PlanarSpring<L>::law;

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    const S speed = plane_speed(m.velocity, b.along);
    const S squared = z[0] * z[0] + z[1] * z[1];
    S decay(0.0);
    if (value_of(squared) > 0.0 && value_of(S(z[0] * m.velocity[0] + z[1] * m.velocity[1])) > 0.0)
      decay = law.decay(S(sqrt(squared)), Motion<S>{S(0.0), speed, m.load, m.time});
    for (std::size_t i = 0; i < 2; ++i) {
      out.rate[i] = m.velocity[i] - decay * z[i];
      out.force[i] = law.combine(z[i], out.rate[i], m.velocity[i]);
    }
    out.dissipation = this->dissipation(z, m, speed, out);
  }
};

// The planar form of a law; null if it has none.
template <Law L>
std::shared_ptr<const BlockLaw> planar_form(const L& law) {
  if constexpr (PlanarSetLaw<L>) {
    return std::make_shared<const ErasedBlock<PlanarSet<L>>>(PlanarSet<L>{law});
  } else if constexpr (BristleLaw<L>) {
    return std::make_shared<const ErasedBlock<PlanarBristle<L>>>(PlanarBristle<L>{{law}});
  } else if constexpr (PlanarAffineLaw<L>) {
    const PlanarAffine<L> form{{law}};
    if (!form.fits()) return nullptr;
    return std::make_shared<const ErasedBlock<PlanarAffine<L>>>(form);
  } else {
    return nullptr;
  }
}

}  // namespace bristle
