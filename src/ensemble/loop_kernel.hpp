// SPDX-License-Identifier: MIT
// The fixed-step loop of one axis in lanes (bristle/ensemble/loop_lanes.hpp).
//
// The two-stage method and the equation of a stage are those of solve/machine/machine_fixed.hpp for
// one coordinate, with the state of the contact eliminated:
//
//   r = free - gain F(r),    z(r) = (base + w drive(r)) / (1 + w decay(r))
//
// As in solve/stage_contacts.cpp a stage is first solved by Newton's method from the velocity of
// the one before; lanes where that does not settle, where a mode changes or where friction falls so
// steeply that another velocity may fit as well are solved inside a bracket.
#pragma once

#include <cstring>

#include "bristle/machine/controller.hpp"
#include "bristle/model/model.hpp"
#include "lane_numbers.hpp"
#include "loop_table.hpp"

namespace bristle::BRISTLE_LANES {

template <template <class> class LawType>
class FixedLoop {
 public:
  using Law = LawType<Lanes>;
  static constexpr bool set_valued = requires(const LawType<double>& law, Motion<double> motion) {
    law.limits(motion);
  };

  FixedLoop(const LoopRun* runs, int count, const LoopChoices& choices, LoopHost& host)
      : choices_(choices), host_(host) {
    int k = 0;
    for (const auto& field : table)
      if (field.choice) law_.*(field.choice) = choices.law[k++];
    // A batch with fewer runs than lanes has its last one several times.
    for (int i = 0; i < width; ++i) load(i, runs[i < count ? i : count - 1]);
    control_.form = choices.form, control_.sensing = choices.sensing;
    control_.step = choices.control_step, control_.delay = choices.delay;
    starts_ = line_ * now_.v;
    square_ = squares(law_);
  }

  // False if it was stopped.
  bool run(bool (*stop)()) {
    if (choices_.controlled) sample();
    LoopStep step;
    host_.next(step);
    if (step.records) record_start();
    for (int look = 0; host_.next(step); ++look) {
      if (look % 256 == 255 && stop()) return false;
      advance(step);
      if (step.records) record();
      if (step.samples) sample();
    }
    return true;
  }

  void tell(int count, char* failed) const {
    for (int i = 0; i < count; ++i) failed[i] = failed_[i];
  }

 private:
  static constexpr auto table = Law::fields();
  static constexpr double gamma = 0.29289321881345254;  // of the method
  using Slope = Dual<Lanes, 1>;

  struct State {
    Lanes q, v, z;
  };
  struct Answer {
    Lanes force, slope, state;
  };
  struct Stage {
    State base;
    Lanes w, position, free, gain, held;  // held: the force that stops the contact
  };
  // The fields of Controller as ControllerMemory reads them.
  struct Control {
    int form, sensing;
    double step, delay;
    Lanes position_gain, velocity_gain, integral_gain, feedforward, saturation, resolution;
  };

  static Answer choose(const Mask& m, const Answer& a, const Answer& b) {
    return {select(m, a.force, b.force), select(m, a.slope, b.slope), select(m, a.state, b.state)};
  }
  static Mask every() { return Lanes(0.0) <= Lanes(0.0); }

  // Force, its slope over the stage and the state at a velocity.
  Answer ask(const Law& law, const Stage& at, const Lanes& r) const {
    const Slope v = variable<1>(r, 0);
    Slope s(fma(at.w, r, at.position));
    s.slope[0] = at.w;
    const Motion<Slope> motion{s, v, Slope(load_), Slope(0.0)};
    const Branch<Lanes> branch{select(r < 0.0, -1.0, 1.0), 0.0};
    Answer answer;
    Slope force;
    if constexpr (set_valued) {
      force = law.sliding(motion, branch);
      answer.state = Lanes(0.0);
    } else {
      const Affine<Slope> bristle = law.affine(motion, branch);
      const Slope z =
          (Slope(at.base.z) + bristle.drive * at.w) / (Slope(1.0) + bristle.decay * at.w);
      force = law.respond(z, motion, bristle).force;
      answer.state = z.value;
    }
    answer.force = force.value * scale_;
    answer.slope = force.slope[0] * scale_;
    return answer;
  }

  // Whether a force at rest lies in the interval of the law.
  Mask holds(const Stage& at, const Lanes& force) const {
    if constexpr (set_valued) {
      const auto edge = law_.limits(Motion<Lanes>{at.position, Lanes(0.0), load_, Lanes(0.0)});
      return force >= edge.lower * scale_ && force <= edge.upper * scale_;
    } else {
      return Lanes(1.0) < Lanes(0.0);
    }
  }

  // Newton's method from the stage before; the lanes in which it settles.
  template <bool square>
  Mask go_on(const Stage& at, Lanes& r, Answer& answer) {
    // A copy that nothing else can change: what all evaluations need of it is computed once.
    const Law law = for_attempt<square>(law_);
    Mask open = !stuck_;
    Mask met = stuck_;
    r = select(stuck_, 0.0, r);
    answer.force = at.held;
    answer.slope = answer.state = Lanes(0.0);
    if constexpr (set_valued) met = met && holds(at, at.held);
    for (int k = 0; k < 8 && open.any(); ++k) {
      answer = choose(open, ask(law, at, r), answer);
      const Lanes pull = at.gain * answer.force, off = (r - at.free) + pull;
      const Lanes step = off / fma(at.gain, answer.slope, 1.0);
      const Mask there =
          open && (abs(off) <= 4e-16 * max(abs(at.free), abs(pull)) || abs(step) <= 2e-16 * abs(r));
      met = met || there;
      open = open && !there;
      const Lanes next = r - step;
      // A velocity that turns round, or one that is no number, is for the bracket.
      if constexpr (set_valued) open = open && next * r > 0.0;
      open = open && next - next <= 0.0;
      r = select(open, next, r);
    }
    met = met && (stuck_ || answer.slope * at.gain >= -0.5);
    // What slides although it could stick does stick.
    if constexpr (set_valued)
      met = met && (stuck_ || answer.slope >= 0.0 || !holds(at, answer.force + r * inverse_gain_));
    return met;
  }

  // The bracket of the root of r - free + gain F(r), for laws with a state.
  void widen(const Stage& at, const Mask& wanted, Lanes& edge, const Lanes& first, double side) {
    Mask open = wanted;
    Lanes reach = first * side;
    for (int k = 0; k < 60 && open.any(); ++k) {
      const Lanes off = (edge - at.free) + at.gain * ask(law_, at, edge).force;
      open = open && off * side < 0.0;
      edge = select(open, edge + reach, edge);
      reach = reach + reach;
    }
    failed_ = failed_ || open;
  }

  // The lanes that are wanted, each inside its bracket, from `first`.
  [[gnu::noinline]] void search(const Stage& at, const Mask& wanted, const Lanes& first, Lanes& r,
                                Answer& answer, Mask& stuck) {
    Mask open = wanted;
    Lanes low = at.free, high = at.free;
    if constexpr (set_valued) {
      const Mask rests = wanted && holds(at, at.held);
      stuck = (stuck && !wanted) || rests;
      r = select(rests, 0.0, r);
      answer = choose(rests, {at.held, Lanes(0.0), Lanes(0.0)}, answer);
      open = open && !rests;
      // Friction does not turn the motion round.
      low = min(Lanes(0.0), at.free), high = max(Lanes(0.0), at.free);
    } else {
      const Lanes size = max(max(abs(at.free), at.gain * force_scale_), Lanes(1e-300));
      widen(at, open, low, size, -1.0);
      widen(at, open, high, size, 1.0);
    }
    r = select(open, min(max(first, low), high), r);
    for (int k = 0; k < 200 && open.any(); ++k) {
      answer = choose(open, ask(law_, at, r), answer);
      const Lanes pull = at.gain * answer.force, off = (r - at.free) + pull;
      const Mask there = abs(off) <= 1e-16 * (abs(r) + abs(at.free) + abs(pull));
      const Mask lost = !(off - off <= 0.0);
      failed_ = failed_ || (open && lost);
      open = open && !there && !lost;
      low = select(open && off < 0.0, r, low);
      high = select(open && !(off < 0.0), r, high);
      const Lanes steep = fma(at.gain, answer.slope, 1.0);
      Lanes next = r - off / steep;
      const Mask inside = steep > 0.0 && next > low && next < high;
      if (k > 60) next = 0.5 * (low + high);
      else next = select(inside, next, 0.5 * (low + high));
      // Between neighbouring numbers there is nothing left to find.
      open = open && !(next == r || next == low || next == high);
      r = select(open, next, r);
    }
    failed_ = failed_ || open;
  }

  template <bool square>
  [[gnu::flatten]] State solve(const State& base, double length, double t) {
    Stage at;
    at.base = base, at.w = length, at.position = fma(line_, base.q, line_offset_);
    const Lanes &w = at.w, push = forces(t) - fma(stiffness_, base.q, pull_);
    const Lanes free = fma(inertia_, base.v, w * push) * inverse_;
    at.free = line_ * free;
    at.gain = gain_, at.held = at.free * inverse_gain_;
    Lanes r = velocity_;
    Answer answer{Lanes(0.0), Lanes(0.0), Lanes(0.0)};
    Mask met = Lanes(1.0) < Lanes(0.0), stuck = stuck_;
    if (begun_) met = go_on<square>(at, r, answer);
    if ((!met).any()) search(at, !met, begun_ ? at.free : starts_, r, answer, stuck);
    begun_ = true;
    stuck_ = stuck;
    velocity_ = r;
    friction_ = answer.force;
    State end;
    end.v = free - per_force_ * answer.force;
    if constexpr (set_valued) end.v = select(stuck_, 0.0, end.v);
    end.q = fma(w, end.v, base.q);
    end.z = answer.state;
    return end;
  }

  // The given forces and that of the controller.
  Lanes forces(double t) {
    Lanes force(0.0);
    if (choices_.forced) {
      host_.forces(t, given_);
      force = taken(given_);
    }
    return choices_.controlled ? force + hand_ * memory_.output : force;
  }

  void advance(const LoopStep& step) {
    if constexpr (may_square<Law>)
      if (square_) return take<true>(step);
    take<false>(step);
  }
  template <bool square>
  void take(const LoopStep& step) {
    if (step.w != length_) {
      length_ = step.w;
      const Lanes w(length_);
      inverse_ = 1.0 / fma(w, fma(w, stiffness_, damping_), inertia_);
      per_force_ = w * line_ * inverse_;
      gain_ = line_ * per_force_;
      inverse_gain_ = 1.0 / gain_;
    }
    constexpr double c = (1.0 - gamma) / gamma;
    const State first = solve<square>(now_, length_, step.first);
    const State base{fma(Lanes(c), first.q - now_.q, now_.q),
                     fma(Lanes(c), first.v - now_.v, now_.v),
                     fma(Lanes(c), first.z - now_.z, now_.z)};
    now_ = solve<square>(base, length_, step.second);
    time_ = step.end;
  }

  void sample() {
    double value[width], slope[width];
    host_.reference(value, slope);
    memory_.sample(control_, fma(eye_, now_.q, eye_offset_), eye_ * now_.v, taken(value),
                   taken(slope));
  }

  // The force that keeps the axis at rest.
  Lanes balance() {
    return (forces(time_) - fma(stiffness_, now_.q, pull_) - damping_ * now_.v) / line_;
  }
  void record() {
    const Lanes r = line_ * now_.v;
    Lanes friction = friction_;
    if (stuck_.any()) friction = select(stuck_, balance(), friction);
    const Mask rests = set_valued ? stuck_ : r == 0.0;
    put(friction, select(rests, 0.0, select(r < 0.0, -1.0, 1.0)));
  }
  // At the start nothing is solved yet: what is at rest and can be held is.
  void record_start() {
    const Lanes r = line_ * now_.v;
    Stage at;
    at.base = now_, at.w = Lanes(0.0), at.position = fma(line_, now_.q, line_offset_);
    Answer answer = ask(law_, at, r);
    Lanes mode = select(r == 0.0, 0.0, select(r < 0.0, -1.0, 1.0));
    if constexpr (set_valued) {
      const Lanes held = balance();
      const Mask rests = r == 0.0 && holds(at, held), leaves = r == 0.0 && !rests;
      mode = select(leaves, select(held < 0.0, -1.0, 1.0), mode);
      answer.force = select(leaves, ask(law_, at, mode * 1e-300).force, answer.force);
      answer.force = select(rests, held, answer.force);
    }
    put(answer.force, mode);
  }
  void put(const Lanes& friction, const Lanes& mode) {
    const Lanes channels[loop_channels] = {now_.q, now_.v, now_.z, friction, mode, memory_.output};
    double all[loop_channels * width];
    std::memcpy(all, channels, sizeof all);
    host_.record(all);
  }

  static Lanes taken(const double* numbers) {
    Lanes all;
    std::memcpy(&all, numbers, sizeof all);
    return all;
  }
  void load(int i, const LoopRun& run) {
    int k = 0;
    for (const auto& field : table)
      if (field.number) (law_.*(field.number)).set(i, run.parameters[k++]);
    const auto set = [i](Lanes& lanes, double one) { lanes.set(i, one); };
    set(inertia_, run.inertia), set(stiffness_, run.stiffness), set(damping_, run.damping);
    set(pull_, run.pull), set(line_, run.line), set(line_offset_, run.line_offset);
    set(load_, run.load), set(scale_, run.scale), set(force_scale_, run.force_scale);
    set(now_.q, run.position), set(now_.v, run.velocity), set(now_.z, run.state);
    set(eye_, run.eye), set(eye_offset_, run.eye_offset), set(hand_, run.hand);
    set(control_.position_gain, run.position_gain), set(control_.velocity_gain, run.velocity_gain);
    set(control_.integral_gain, run.integral_gain), set(control_.feedforward, run.feedforward);
    set(control_.saturation, run.saturation), set(control_.resolution, run.resolution);
  }

  const LoopChoices& choices_;
  LoopHost& host_;
  Law law_;
  Lanes inertia_, stiffness_, damping_, pull_, line_, line_offset_, load_, scale_, force_scale_;
  Lanes eye_, eye_offset_, hand_;
  Control control_{};
  ControllerMemory<Lanes> memory_;
  State now_;
  // For the length of a stage: the inverse of its matrix, and what a force of the contact takes
  // from the velocities of the axis and of the contact.
  Lanes inverse_, per_force_, gain_, inverse_gain_;
  Lanes velocity_ = Lanes(0.0), starts_;  // of the contact: in the last stage, at first
  Lanes friction_ = Lanes(0.0);           // in the last stage
  Mask stuck_ = Lanes(1.0) < Lanes(0.0);  // in the last stage
  Mask failed_ = Lanes(1.0) < Lanes(0.0);
  double length_ = 0.0, time_ = 0.0;
  bool begun_ = false, square_ = false;
  double given_[width];
};

template <template <class> class Law>
bool run_fixed(const LoopRun* runs, int count, const LoopChoices& choices, LoopHost& host,
               char* failed, bool (*stop)()) {
  FixedLoop<Law> loop(runs, count, choices, host);
  if (!loop.run(stop)) return false;
  loop.tell(count, failed);
  return true;
}

}  // namespace bristle::BRISTLE_LANES
