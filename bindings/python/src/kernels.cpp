// SPDX-License-Identifier: MIT
#include <algorithm>

#include "batch_law.hpp"
#include "bristle/scalar/pack.hpp"
// The laws come after the scalar they are instantiated with.
#include "bristle/model/advance.hpp"
#include "bristle/model/law_list.hpp"

namespace bristle::python {
namespace {

constexpr std::size_t lanes = Pack::size;

// The inputs of one or of several joints.
template <class S>
struct Joint {
  S state, velocity, step;
  Motion<S> motion;

  explicit Joint(const std::array<S, 5>& x)
      : state(x[0]), velocity(x[1]), step(x[2]), motion{x[3], x[1], x[4], S(0.0)} {}
};

// The motion with the velocity as the second variable; the first is the state.
template <class S>
Motion<Dual<S, 2>> by_velocity(const Joint<S>& joint) {
  using D = Dual<S, 2>;
  return {D(joint.motion.position), variable<2>(joint.velocity, 1), D(joint.motion.load),
          D(S(0.0))};
}

template <BatchTask task, class L, class S>
std::array<S, outputs(task)> compute(const L& law, const Joint<S>& joint) {
  if constexpr (task == BatchTask::force) {
    return {force(law, joint.state, joint.motion)};
  } else if constexpr (task == BatchTask::rate) {
    return {rate(law, joint.state, joint.motion)};
  } else if constexpr (task == BatchTask::force_slopes) {
    using D = Dual<S, 2>;
    const D f = force(law, variable<2>(joint.state, 0), by_velocity(joint));
    return {f.value, f.slope[0], f.slope[1]};
  } else if constexpr (!StateLaw<L>) {
    // A law without a state has none to advance: it stays as it is, as do its derivatives.
    const S f = force(law, joint.state, joint.motion);
    if constexpr (task == BatchTask::advance) return {joint.state};
    else if constexpr (task == BatchTask::step) return {joint.state, f};
    else {
      const auto slid = force(law, Dual<S, 2>(joint.state), by_velocity(joint));
      return {joint.state, slid.value, S(1.0), S(0.0), S(0.0), slid.slope[1]};
    }
  } else if constexpr (task == BatchTask::advance) {
    return {advance(law, joint.state, joint.motion, joint.step)};
  } else if constexpr (task == BatchTask::step) {
    const auto now = take_step(law, joint.state, joint.motion, joint.step);
    return {now.state, now.force};
  } else {
    using D = Dual<S, 2>;
    const auto now = take_step(law, variable<2>(joint.state, 0), by_velocity(joint), D(joint.step));
    return {now.state.value,    now.force.value,    now.state.slope[0],
            now.state.slope[1], now.force.slope[0], now.force.slope[1]};
  }
}

// Flattened, so that the constants of the equations stay in registers from joint to joint.
template <BatchTask task, class L>
[[gnu::flatten]] void sweep_lanes(const L& law, const BatchCall& call) {
  const auto packs = [&](std::size_t first, const auto& load, const auto& store) {
    std::array<Pack, 5> x;
    for (std::size_t k = 0; k < 5; ++k)
      x[k] = call.single[k] ? Pack(*call.in[k]) : load(call.in[k] + first);
    const auto y = compute<task>(law, Joint<Pack>(x));
    for (std::size_t k = 0; k < y.size(); ++k) store(call.out[k] + first, y[k]);
  };
  const std::size_t whole = call.size - call.size % lanes, left = call.size - whole;
  for (std::size_t i = 0; i < whole; i += lanes)
    packs(
        i, [](const double* from) { return Pack::load_unaligned(from); },
        [](double* to, const Pack& y) { y.store_unaligned(to); });
  // The last joints fill a part of the lanes, the others repeat the first of them.
  if (left > 0)
    packs(
        whole,
        [&](const double* from) {
          alignas(64) std::array<double, lanes> some;
          some.fill(from[0]);
          std::copy(from, from + left, some.begin());
          return Pack::load_unaligned(some.data());
        },
        [&](double* to, const Pack& y) {
          alignas(64) std::array<double, lanes> some;
          y.store_unaligned(some.data());
          std::copy(some.begin(), some.begin() + std::ptrdiff_t(left), to);
        });
}

// One joint; `i` is its number among all.
template <BatchTask task, class L>
void one(const L& law, const BatchCall& call, std::size_t i) {
  std::array<double, 5> x;
  for (std::size_t k = 0; k < 5; ++k) x[k] = call.in[k][call.single[k] ? 0 : i];
  const auto y = compute<task>(law, Joint<double>(x));
  for (std::size_t k = 0; k < y.size(); ++k) call.out[k][i] = y[k];
}

// Rows of bristles, which have constants to be computed beforehand, are no equations for lanes.
template <class L>
constexpr bool has_lanes = !requires(const L& law) {
  law.prepared();
};

template <BatchTask task, class L>
void sweep(const L& law, const BatchCall& call) {
  if constexpr (!has_lanes<L>) {
    for (std::size_t i = 0; i < call.size; ++i) one<task>(law, call, i);
  } else {
    sweep_lanes<task>(law, call);
  }
}

template <Law L>
class Kernels final : public BatchLaw {
 public:
  explicit Kernels(const L& law) : law_(law) {}

  void run(BatchTask task, const BatchCall& call) const override {
    switch (task) {
      case BatchTask::advance: return sweep<BatchTask::advance>(law_, call);
      case BatchTask::force: return sweep<BatchTask::force>(law_, call);
      case BatchTask::rate: return sweep<BatchTask::rate>(law_, call);
      case BatchTask::force_slopes: return sweep<BatchTask::force_slopes>(law_, call);
      case BatchTask::step: return sweep<BatchTask::step>(law_, call);
      case BatchTask::slopes: return sweep<BatchTask::slopes>(law_, call);
    }
  }
  void run_one(BatchTask task, const BatchCall& call) const override {
    switch (task) {
      case BatchTask::advance: return one<BatchTask::advance>(law_, call, 0);
      case BatchTask::force: return one<BatchTask::force>(law_, call, 0);
      case BatchTask::rate: return one<BatchTask::rate>(law_, call, 0);
      case BatchTask::force_slopes: return one<BatchTask::force_slopes>(law_, call, 0);
      case BatchTask::step: return one<BatchTask::step>(law_, call, 0);
      case BatchTask::slopes: return one<BatchTask::slopes>(law_, call, 0);
    }
  }

 private:
  L law_;
};

using Made = std::unique_ptr<const BatchLaw>;

template <class L>
Made kernels_of(const Values& values) {
  constexpr bool remembers = requires(const L& l, Motion<double> m, Branch<> b) {
    l.engage(m, 1.0, b);
  };
  if constexpr (remembers) return nullptr;
  else return std::make_unique<Kernels<L>>(make<L>(values));
}

template <template <class> class... Laws>
Made find(const std::string& name, const Values& values, LawTypes<Laws...>) {
  Made made;
  (void)((Laws<double>::name == name && (made = kernels_of<Laws<double>>(values), true)) || ...);
  return made;
}

}  // namespace

Made make_batch(const std::string& law, const Values& values) {
  return find(law, values, AllLaws{});
}

}  // namespace bristle::python
