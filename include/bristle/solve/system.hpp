// SPDX-License-Identifier: MIT
// A mechanism and a law joined to one hybrid system: smooth equations within a mode, and guards
// that say when the mode is left.
//
// The states are those of the mechanism followed by that of the law. Three powers ride along as
// quadratures: what the drive delivers, what friction takes (force times velocity), and what is
// dissipated for good; the energy ledger is made from them.
//
// Guards, positive inside the mode:
//   0   velocity: direction * v while sliding; while stuck, how far the holding force is from the
//       edge of the interval of the law
//   1   the law's own margin (a bristle that comes or goes, a spring about to slip)
//   2   the margin of the mechanism, where it has one: beyond it the equations do not hold
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/model/any_law.hpp"

namespace bristle {

struct Mode {
  Branch<> branch{};
  int piece = 0;  // of the drive

  bool stuck() const { return branch.direction == 0.0; }
};

// The interface that System needs of a law chosen at run time.
template <bool SetValued>
struct LawRef {
  const AnyLaw& law;

  template <class S>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<>& branch) const {
    return law.respond(z, motion, branch);
  }
};

template <class L>
inline constexpr bool is_set_valued = SetLaw<L>;
template <bool SetValued>
inline constexpr bool is_set_valued<LawRef<SetValued>> = SetValued;

template <Mechanism M, class L>
class System {
 public:
  using Body = M;
  static constexpr bool set_valued = is_set_valued<L>;
  static constexpr int size = M::size + (set_valued ? 0 : 1);
  static constexpr int powers = 3;
  template <class S>
  using Vector = std::array<S, size>;
  using State = Vector<double>;
  static constexpr bool moves = M::velocity_state >= 0;
  static constexpr bool lifted = requires(const M& m, const Vector<double>& y) {
    m.lift_power(y, 0.0);
  };
  static constexpr bool bounded = requires(const M& m, const Vector<double>& y) {
    m.margin(0.0, y);
  };
  static constexpr int guards = bounded ? 3 : 2;
  // Whether the law may have one of its own; of a law chosen at run time that is not known here.
  static constexpr bool has_margin = requires(const L& law) { law.law; }
  || requires(const L& law, const Motion<double>& m) { law.margin(0.0, m, Branch<>{}); };

  System(const M& mechanism, const L& law) : mechanism_(mechanism), law_(law) {}

  const M& mechanism() const { return mechanism_; }

  // The rates of the states and the three powers at one instant.
  template <class S>
  void evaluate(const S& t, const Vector<S>& y, const Mode& mode, Vector<S>& dydt,
                std::array<S, powers>& power) const {
    const auto own = mechanism_state(y);
    const Motion<S> motion = mechanism_.motion(t, own, mode.piece);
    if constexpr (set_valued) {
      if (mode.stuck()) {
        const S held = mechanism_.hold(t, own, mode.piece);
        power = {mechanism_.power_in(t, own, held, mode.piece), S(0.0), S(0.0)};
        rest(t, y, mode, held, dydt, power);
        return;
      }
    }
    const Response<S> r = response(state_of_law(y), motion, mode.branch);
    S power_in;
    if constexpr (requires { mechanism_.power_under(t, own); }) {
      const S drive = mechanism_.input(t, mode.piece);  // once for both
      mechanism_.rates_under(drive, own, r.force, dydt);
      power_in = mechanism_.power_under(drive, own);
    } else {
      mechanism_.rates(t, own, r.force, mode.piece, dydt);
      power_in = mechanism_.power_in(t, own, r.force, mode.piece);
    }
    if constexpr (!set_valued) dydt[size - 1] = r.rate;
    power = {power_in, r.force * motion.velocity, r.dissipation};
    if constexpr (lifted) power[2] = power[2] - mechanism_.lift_power(own, r.force);
  }

  // The Switch Model: within |v| <= band the discontinuity is smoothed so that the velocity decays
  // with the time constant tau where both sides push towards rest. Nothing is frozen: the contacts
  // follow the position. Source: compressed bristle model (28)-(43), with g' = -g / tau in (35).
  void switched(double t, const State& y, double band, double tau, State& dydt,
                std::array<double, powers>& power) const requires(set_valued&& moves) {
    const auto own = mechanism_state(y);
    const int piece = mechanism_.piece(t);
    const Motion<double> m = mechanism_.motion(t, own, piece);
    const Interval<double> f = sides(m);
    State back{};
    mechanism_.rates(t, own, f.upper, piece, dydt);
    mechanism_.rates(t, own, f.lower, piece, back);
    const double v = m.velocity, ahead = dydt[M::velocity_state], behind = back[M::velocity_state];
    double a = v >= 0.0 ? 1.0 : 0.0;
    if (std::abs(v) <= band) {
      if (behind > 0.0 && ahead < 0.0) a = (behind + v / tau) / (behind - ahead);
      else a = ahead < 0.0 && behind < 0.0 ? 0.0 : 1.0;
    }
    for (int i = 0; i < size; ++i) dydt[i] = back[i] + a * (dydt[i] - back[i]);
    const double friction = f.lower + a * (f.upper - f.lower);
    power = {mechanism_.power_in(t, own, friction, piece), friction * v, friction * v};
    if constexpr (lifted)
      power[2] -=
          a * mechanism_.lift_power(own, f.upper) + (1.0 - a) * mechanism_.lift_power(own, f.lower);
  }

  // The rates alone.
  template <class S>
  void rates(const S& t, const Vector<S>& y, const Mode& mode, Vector<S>& dydt) const {
    const auto own = mechanism_state(y);
    if constexpr (set_valued) {
      if (mode.stuck()) {
        std::array<S, powers> power{};
        rest(t, y, mode, mechanism_.hold(t, own, mode.piece), dydt, power);
        return;
      }
    }
    const Response<S> r =
        response(state_of_law(y), mechanism_.motion(t, own, mode.piece), mode.branch);
    mechanism_.rates(t, own, r.force, mode.piece, dydt);
    if constexpr (!set_valued) dydt[size - 1] = r.rate;
  }

  Motion<double> motion(double t, const State& y, const Mode& mode) const {
    return mechanism_.motion(t, mechanism_state(y), mode.piece);
  }
  double friction(double t, const State& y, const Mode& mode) const {
    const auto own = mechanism_state(y);
    if constexpr (set_valued) {
      if (mode.stuck()) return mechanism_.hold(t, own, mode.piece);
    }
    return response(state_of_law(y), mechanism_.motion(t, own, mode.piece), mode.branch).force;
  }
  // What is recorded as the state of the law. A body at rest counts as moving where it is pushed.
  double shown(double t, const State& y, const Mode& mode) const {
    const auto m = motion(t, y, mode);
    double direction = mode.branch.direction;
    if (set_valued && mode.stuck()) direction = friction(t, y, mode) < 0.0 ? -1.0 : 1.0;
    if constexpr (at_run_time) return law_.law.shown(state_of_law(y), m, direction);
    else return state_of_law(y);
  }
  double stored(double t, const State& y, const Mode& mode) const {
    const double mechanical = mechanism_.energy(t, mechanism_state(y), mode.piece);
    if constexpr (set_valued) return mechanical;
    else return mechanical + law_stored(state_of_law(y), motion(t, y, mode), mode.branch);
  }

  double guard(int index, double t, const State& y, const Mode& mode) const {
    const auto own = mechanism_state(y);
    if constexpr (bounded)
      if (index == 2) return mechanism_.margin(t, own);
    if (index == 1) {
      if (set_valued && mode.stuck()) return 1.0;
      return law_margin(state_of_law(y), mechanism_.motion(t, own, mode.piece), mode.branch);
    }
    const Motion<double> m = mechanism_.motion(t, own, mode.piece);
    if constexpr (set_valued) {
      if (mode.stuck()) {
        if constexpr (!moves) return std::abs(m.velocity) > 0.0 ? -1.0 : 1.0;
        const Interval<double> at_rest = limits(m);
        const double held = mechanism_.hold(t, own, mode.piece);
        return std::min(at_rest.upper - held, held - at_rest.lower);
      }
    }
    return mode.branch.direction * m.velocity;
  }

  // The mode at a start, or after a kink of the drive that `before` led to.
  Mode start(double t, const State& y, const Mode& before = {}) const {
    Mode mode{before.branch, mechanism_.piece(t)};
    const Motion<double> m = motion(t, y, mode);
    if (m.velocity != 0.0) return directed(sign(m.velocity), t, y, mode);
    if constexpr (set_valued && moves) return at_rest(t, y, mode);
    // At rest a state law takes the side to which it is being accelerated.
    Vector<double> dydt{};
    std::array<double, powers> power{};
    evaluate(t, y, mode, dydt, power);
    double side = 0.0;
    if constexpr (moves) side = sign(dydt[M::velocity_state]);
    else side = sign(motion(t + 1e-9 * (1.0 + std::abs(t)), y, mode).velocity);
    return directed(side == 0.0 ? 1.0 : side, t, y, mode);
  }

  // The mode after guard `index` reached zero. A velocity that crossed zero is set to exactly zero.
  Mode after(int index, double t, State& y, const Mode& mode) const {
    if (index == 2) return mode;
    if (index == 1) return {law_crossed(mode.branch), mode.piece};
    if constexpr (moves) y[M::velocity_state] = 0.0;
    if constexpr (set_valued && moves) {
      if (!mode.stuck()) return at_rest(t, y, mode);
      const Interval<double> edge = limits(motion(t, y, mode));
      const double held = mechanism_.hold(t, mechanism_state(y), mode.piece);
      return directed(held - edge.upper > edge.lower - held ? 1.0 : -1.0, t, y, mode);
    }
    return directed(-mode.branch.direction, t, y, mode);
  }

  // The forces that hold the body at rest where it is.
  Interval<double> at_rest_limits(double t, const State& y, const Mode& mode) const {
    return limits(motion(t, y, mode));
  }
  // How far the force that holds the body may be outside of that interval by rounding alone.
  double at_rest_slack(double t, const State& y, const Mode& mode) const {
    const Interval<double> edge = at_rest_limits(t, y, mode);
    return 1e-14 * std::max(std::abs(edge.lower), std::abs(edge.upper));
  }
  // The force of the law near a position, for a law that expands.
  Expansion expand(double position, const Mode& mode, double allowed) const {
    if constexpr (at_run_time) return law_.law.expand(position, mode.branch, allowed);
    else return law_.expand(position, mode.branch, allowed);
  }

  // The energy set free as the piece of the law ends [J].
  double released(const Mode& mode) const {
    if constexpr (at_run_time) return law_.law.released(mode.branch);
    else if constexpr (requires { law_.released(mode.branch); }) return law_.released(mode.branch);
    else return 0.0;
  }

  // The other direction, for a body at rest that turned out to leave the first one at once.
  Mode turned(double t, const State& y, const Mode& mode) const {
    return directed(mode.branch.direction == 0.0 ? 1.0 : -mode.branch.direction, t, y, mode);
  }

  // Stick, for a body that goes back from where it is in either direction.
  Mode resting(const Mode& mode) const { return {{0.0, 0.0, mode.branch.contacts}, mode.piece}; }

  // The size of each state for error control. Beside a body the bristle counts less than its
  // deflection suggests: its own error decays within that deflection of travel, and its effect
  // to the body until then is in the error of the body. At equal error of position and force this
  // saves time (bench/stick_slip: 0.43 ms for 0.52).
  State scales() const {
    State all{};
    const double load = motion(0.0, State{}, Mode{{}, mechanism_.piece(0.0)}).load;
    const auto own = mechanism_.scales(law_force_scale(load));
    std::copy(own.begin(), own.end(), all.begin());
    if constexpr (!set_valued) all[size - 1] = (moves ? bristle_room : 1.0) * law_state_scale();
    for (double& scale : all)
      if (!(scale > 0.0)) scale = 1.0;  // neither friction nor drive: any size is as good
    for (int i = 0; i < size; ++i) all[i] = std::min(all[i], reach_[i]);
    return all;
  }
  // The size of the energies of the ledger: break-away force times the size of the motion.
  double energy_scale() const {
    const double load = motion(0.0, State{}, Mode{{}, mechanism_.piece(0.0)}).load;
    const double force = law_force_scale(load);
    double scale = force;
    if constexpr (moves) scale *= mechanism_.scales(force)[0];
    else scale *= mechanism_.signal.scale();
    // A body that its bristles hold does no more work than they store.
    if constexpr (!set_valued) scale = std::min(scale, 30.0 * force * law_state_scale());
    return std::min(scale > 0.0 ? scale : 1.0, work_);
  }
  // Takes the size of the motion, as a run found it, for scales that are far larger: a body that
  // hardly moves is followed relative to how it moves. `extent` is how far each state went, `work`
  // the largest of the energies, and `least` the part of a predicted scale that rounding leaves.
  // Returns whether a scale became less than a tenth of what it was.
  bool learn(const State& extent, double work, double least) {
    constexpr double much = 0.1;
    const State before = scales();
    const double energy = energy_scale();
    reach_ = filled(infinity), work_ = infinity;
    const State foreseen = scales();
    bool smaller = false;
    for (int i = 0; i < size; ++i) {
      const double unit = !set_valued && moves && i == size - 1 ? bristle_room : 1.0;
      reach_[i] = before[i];
      // What did not move at all has no size of its own.
      if (extent[i] > 0.0)
        reach_[i] = std::min(before[i], std::max(unit * extent[i], least * foreseen[i]));
      smaller = smaller || reach_[i] < much * before[i];
    }
    const double most = energy_scale();
    work_ = work > 0.0 ? std::min(energy, std::max(work, least * most)) : energy;
    return smaller || work_ < much * energy;
  }
  double next_kink(double t) const { return mechanism_.next_kink(t); }
  double longest_step() const { return mechanism_.longest_step(); }
  // The same where it depends on how fast the body moves.
  double longest_step_at(const State& y) const requires requires(const M& m) {
    m.longest_step_at(0.0);
  }
  { return mechanism_.longest_step_at(y[M::velocity_state]); }

 private:
  template <class S>
  static std::array<S, M::size> mechanism_state(const Vector<S>& y) {
    std::array<S, M::size> own{};
    for (int i = 0; i < M::size; ++i) own[i] = y[i];
    return own;
  }
  template <class S>
  static S state_of_law(const Vector<S>& y) {
    if constexpr (set_valued) return S(0.0);
    else return y[size - 1];
  }

  static State filled(double value) {
    State all;
    all.fill(value);
    return all;
  }

  static constexpr bool at_run_time = requires(const L& l) { l.law.force_scale(1.0); };

  template <class S>
  Response<S> response(const S& z, const Motion<S>& m, const Branch<>& b) const {
    if constexpr (requires { law_.respond(z, m, b); }) {
      return law_.respond(z, m, b);
    } else {
      const S force = law_.sliding(m, b);
      return {S(0.0), force, force * m.velocity};
    }
  }
  Interval<double> limits(const Motion<double>& m) const {
    if constexpr (at_run_time) return law_.law.limits(m);
    else if constexpr (set_valued) return law_.limits(m);
    else return {};
  }
  double law_stored(double z, const Motion<double>& m, const Branch<>& b) const {
    if constexpr (at_run_time) return law_.law.stored(z, m, b);
    else if constexpr (requires { law_.stored(z, m, b); }) return law_.stored(z, m, b);
    else return law_.stored(z, m);
  }
  double law_margin(double z, const Motion<double>& m, const Branch<>& b) const {
    if constexpr (at_run_time) return law_.law.margin(z, m, b);
    else if constexpr (requires { law_.margin(z, m, b); }) return law_.margin(z, m, b);
    else return 1.0;
  }
  Branch<> law_crossed(const Branch<>& b) const {
    if constexpr (at_run_time) return law_.law.crossed(b);
    else if constexpr (requires { law_.crossed(b); }) return law_.crossed(b);
    else return b;
  }
  double law_force_scale(double load) const {
    if constexpr (at_run_time) return law_.law.force_scale(load);
    else return bristle::force_scale(law_, load);
  }
  double law_state_scale() const {
    if constexpr (at_run_time) return law_.law.state_scale();
    else return law_.state_scale();
  }

  Mode directed(double direction, double t, const State& y, const Mode& mode) const {
    return {engage(state_of_law(y), motion(t, y, mode), direction, mode.branch), mode.piece};
  }
  Branch<> engage(double z, const Motion<double>& m, double direction,
                  const Branch<>& before) const {
    if constexpr (at_run_time) return law_.law.engage(z, m, direction, before);
    else return engaged(law_, z, m, direction, before);
  }

  // The friction forces of a body about to move either way.
  template <class S>
  Interval<S> sides(const Motion<S>& motion) const {
    return {side(motion, -1.0), side(motion, 1.0)};
  }
  template <class S>
  S side(const Motion<S>& motion, double direction) const {
    const Motion<double> values{value_of(motion.position), value_of(motion.velocity),
                                value_of(motion.load), value_of(motion.time),
                                value_of(motion.height)};
    return response(S(0.0), motion, engage(0.0, values, direction, {})).force;
  }
  // The rates in stick: the relative motion of the contact stands still, and nothing else does.
  template <class S>
  void rest(const S& t, const Vector<S>& y, const Mode& mode, const S& held, Vector<S>& dydt,
            std::array<S, powers>& power) const {
    const auto own = mechanism_state(y);
    if constexpr (lifted) {
      const Interval<S> f = sides(mechanism_.motion(t, own, mode.piece));
      const S a = (held - f.lower) / (f.upper - f.lower);  // of forward sliding, after Filippov
      Vector<S> back{};
      mechanism_.rates(t, own, f.upper, mode.piece, dydt);
      mechanism_.rates(t, own, f.lower, mode.piece, back);
      for (int i = 0; i < size; ++i) dydt[i] = back[i] + a * (dydt[i] - back[i]);
      power[2] = -(a * mechanism_.lift_power(own, f.upper) +
                   (1.0 - a) * mechanism_.lift_power(own, f.lower));
    } else if constexpr (M::size > 2) {
      mechanism_.rates(t, own, held, mode.piece, dydt);
    }
    if constexpr (M::size > 0) dydt[0] = S(0.0);
    if constexpr (moves) dydt[M::velocity_state] = S(0.0);
  }

  // Stick if the force that holds the body lies in the interval, else slip to the side it pulls.
  Mode at_rest(double t, const State& y, const Mode& mode) const {
    const Interval<double> allowed = limits(motion(t, y, mode));
    const double held = mechanism_.hold(t, mechanism_state(y), mode.piece);
    if (held > allowed.upper) return directed(1.0, t, y, mode);
    if (held < allowed.lower) return directed(-1.0, t, y, mode);
    return resting(mode);
  }

  static constexpr double bristle_room = 30.0;  // see scales()
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  M mechanism_;
  L law_;
  State reach_ = filled(infinity);  // how far the states go, as far as it is known
  double work_ = infinity;          // and how large the energies become [J]
};

}  // namespace bristle
