// SPDX-License-Identifier: MIT
// A law driven along the measured motion, one sample in each lane.
//
// Where the state is linear in itself, z' = left z + push with numbers that the motion alone gives.
// They are computed in lanes, curves and exponentials included; what is left from sample to sample
// is one multiplication and one addition for z and for each of its derivatives. Laws without a
// state have nothing of it at all.
//
// A source that includes this header names its namespace by BRISTLE_BLOCKS: it may be compiled for
// newer processors than others, whose functions must not be replaced by its own.
#pragma once

#include "block_table.hpp"
#include "direct_walk.hpp"

namespace bristle::BRISTLE_BLOCKS {

using namespace detail;

// A scalar in lanes, number by number: its value, then its derivatives.
template <class S>
inline constexpr int numbers_of = 1;
template <int N>
inline constexpr int numbers_of<Dual<Pack, N>> = N + 1;
inline Pack& number_of(Pack& x, int) { return x; }
template <int N>
Pack& number_of(Dual<Pack, N>& x, int i) {
  return i == 0 ? x.value : x.slope[std::size_t(i - 1)];
}

// (1 - exp(-decay step)) / decay beside exp(-decay step), the step without derivatives.
template <class S>
struct Decayed {
  S integral, left;
};
inline Decayed<Pack> decayed(const Pack& decay, const Pack& step) {
  const Pack f = decay_integral(decay, step);
  return {f, 1.0 - decay * f};
}
template <int N>
Decayed<Dual<Pack, N>> decayed(const Dual<Pack, N>& decay, const Pack& step) {
  using D = Dual<Pack, N>;
  const auto [f, left] = decayed(decay.value, step);
  const Pack x = decay.value * step;
  // Of (1 - exp(-x)) / x by x, for slow decay by its series.
  const Pack series =
      -1.0 / 2 +
      x * (1.0 / 3 +
           x * (-1.0 / 8 +
                x * (1.0 / 30 +
                     x * (-1.0 / 144 +
                          x * (1.0 / 840 +
                               x * (-1.0 / 5760 + x * (1.0 / 45360 + x * (-1.0 / 403200))))))));
  const auto slow = abs(x) < Pack(0.1);
  const Pack safe = select(slow, Pack(1.0), decay.value);
  const Pack by_decay = select(slow, step * step * series, (step * left - f) / safe);
  return {D::scaled(decay, f, by_decay), D::scaled(decay, left, -step * left)};
}

// S: Pack, or Dual<Pack, N>.
template <template <class> class L, class S>
class BlockWalker {
 public:
  BlockWalker(const FitProblem& problem, const S* x)
      : seen_(detail::seen<L, S>(problem, x)),
        biased_(!is_constant(seen_.offset, 0.0) || !is_constant(seen_.asymmetry, 0.0)) {}

  // each(weight, measured force, force) for the given samples, the first of a run, so many at a
  // time as there are lanes; those that are too many have no weight. Throws Cancelled if a stop is
  // asked for meanwhile.
  template <class Each>
  void run(const FitProblem& problem, const Track& run, std::span<const Sample> samples,
           const S& start, const Each& each) const {
    Block block;
    const bool steps = stateful && problem.kind != FitKind::steady;
    if constexpr (stateful) {
      S z = start * seen_.law.state_scale();
      for (int i = 0; i < numbers; ++i) block.last[std::size_t(i)] = number_of(z, i).get(0);
    }
    // The steps of a sample are those of a rollout if there is a mechanism.
    const bool parted = problem.mechanism.empty();
    const double* terms = run.terms.data();
    QuickLook stop;
    stop_if_asked();
    while (!samples.empty()) {
      stop();
      block.samples = int(std::min(samples.size(), std::size_t(size)));
      if constexpr (stateful) {
        if (steps) {
          cut(samples, parted, block);
          advance(block);
        }
      }
      read(samples, block);
      for (int i = 0; i < block.samples; i += lanes) {
        S f = force_at(problem, block, i, steps);
        for (int k = 0; k < problem.terms; ++k)
          f = S(f + seen_.terms[std::size_t(k)] * term(problem, terms, k, i, block.samples));
        each(at(block.weight, i), at(block.force, i), f);
      }
      samples = samples.subspan(std::size_t(block.samples));
      terms += std::size_t(problem.terms) * std::size_t(block.samples);
    }
  }

 private:
  static constexpr int lanes = int(Pack::size), size = std::max(16, lanes);
  static constexpr int numbers = numbers_of<S>;
  static constexpr bool stateful = StateLaw<L<double>>;
  using Row = std::array<double, std::size_t(size)>;
  using Rows = std::array<Row, std::size_t(numbers)>;

  // Steps in a row, and the samples that some of them lead to.
  struct alignas(64) Block {
    Row velocity{}, position{}, load{}, time{}, step{};  // of the steps, in their middle
    Rows state{};                                        // after each step
    Row sample_velocity{}, sample_position{}, sample_load{}, sample_time{}, force{}, weight{};
    std::array<double, std::size_t(numbers)> last{};  // the state after the last step
    std::array<int, std::size_t(size)> step_of{};     // the step that ends at a sample
    int steps = 0, samples = 0;
    int piece = 0;        // of the steps to the next sample, where it was cut
    double before = 0.0;  // the velocity at the sample before it
    bool whole = true;    // every step ends at a sample
  };

  static Pack at(const Row& all, int i) { return Pack::load_aligned(&all[std::size_t(i)]); }

  // Fills a block with the steps to the next samples, as advanced_sample() makes them.
  static void cut(std::span<const Sample> samples, bool parted, Block& b) {
    b.steps = b.samples = 0;
    b.whole = b.piece == 0;
    for (const Sample& s : samples) {
      const int pieces = parted && s.step > 0.0 ? std::max(s.steps, 1) : 1;
      const double rise = (s.velocity - b.before) / pieces;
      b.whole = b.whole && pieces == 1;
      for (; b.piece < pieces; ++b.piece, ++b.steps) {
        if (b.steps == size) return;
        const auto k = std::size_t(b.steps);
        b.velocity[k] = s.middle_velocity + rise * (b.piece + 0.5 - 0.5 * pieces);
        b.position[k] = s.middle_position, b.load[k] = s.load, b.time[k] = s.time;
        b.step[k] = s.step > 0.0 ? s.step / pieces : 0.0;
      }
      b.step_of[std::size_t(b.samples++)] = b.steps - 1;
      b.piece = 0, b.before = s.velocity;
      if (b.steps == size) return;
    }
  }

  // The states after all steps of a block.
  void advance(Block& b) const {
    alignas(64) Rows left, push;
    int first = 0;
    do {
      const Motion<S> middle{S(at(b.position, first)), S(at(b.velocity, first)),
                             S(at(b.load, first)), S(at(b.time, first))};
      const auto bristle = seen_.law.affine(middle, branch_of(seen_.law, S(0.0), middle));
      auto d = decayed(bristle.decay, at(b.step, first));
      S added = S(bristle.drive * d.integral);
      for (int i = 0; i < numbers; ++i) {
        number_of(added, i).store_aligned(&push[std::size_t(i)][std::size_t(first)]);
        number_of(d.left, i).store_aligned(&left[std::size_t(i)][std::size_t(first)]);
      }
      first += lanes;
    } while (first < b.steps);
    alignas(64) Row from;  // the state before each step
    double z = b.last[0];
    for (std::size_t k = 0; k < std::size_t(b.steps); ++k) {
      from[k] = z;
      z = left[0][k] * z + push[0][k];
      b.state[0][k] = z;
    }
    b.last[0] = z;
    if constexpr (numbers > 1) follow_slopes(left, from, push, b);
  }

  // z_i' = left z_i + push_i + left_i z for the derivatives.
  static void follow_slopes(const Rows& left, const Row& from, Rows& push, Block& b) {
    std::array<double, std::size_t(numbers)> slope = b.last;
    for (int k = 0; k < b.steps; k += lanes)
      for (std::size_t i = 1; i < std::size_t(numbers); ++i)
        (at(push[i], k) + at(left[i], k) * at(from, k)).store_aligned(&push[i][std::size_t(k)]);
    for (std::size_t k = 0; k < std::size_t(b.steps); ++k)
      for (std::size_t i = 1; i < std::size_t(numbers); ++i) {
        slope[i] = left[0][k] * slope[i] + push[i][k];
        b.state[i][k] = slope[i];
      }
    b.last = slope;
  }

  // What is needed of the samples of a block; behind the last one it is repeated without weight.
  static void read(std::span<const Sample> samples, Block& b) {
    const int end = (b.samples + lanes - 1) / lanes * lanes;
    for (int i = 0; i < end; ++i) {
      const Sample& s = samples[std::size_t(std::min(i, b.samples - 1))];
      const auto k = std::size_t(i);
      b.sample_velocity[k] = s.velocity, b.sample_position[k] = s.position;
      b.sample_load[k] = s.load, b.sample_time[k] = s.time;
      b.force[k] = s.force, b.weight[k] = i < b.samples ? s.weight : 0.0;
    }
  }

  // The force of the law at the samples from the i-th on.
  S force_at(const FitProblem& problem, const Block& b, int i, bool steps) const {
    const Motion<S> motion{S(at(b.sample_position, i)), S(at(b.sample_velocity, i)),
                           S(at(b.sample_load, i)), S(at(b.sample_time, i))};
    S f(0.0);
    if (problem.kind == FitKind::steady) {
      f = steady_force(seen_.law, motion);
    } else {
      S z(0.0);
      if (steps)
        for (int n = 0; n < numbers; ++n) number_of(z, n) = state_at(b, n, i);
      f = bristle::force(seen_.law, z, motion);
    }
    return biased_ ? seen_.friction(f) : f;
  }

  static Pack state_at(const Block& b, int number, int i) {
    const Row& all = b.state[std::size_t(number)];
    if (b.whole) return at(all, i);
    alignas(64) std::array<double, std::size_t(lanes)> one;
    for (int l = 0; l < lanes; ++l)
      one[std::size_t(l)] =
          all[std::size_t(b.step_of[std::size_t(std::min(i + l, b.samples - 1))])];
    return Pack::load_aligned(one.data());
  }

  static Pack term(const FitProblem& problem, const double* terms, int k, int i, int samples) {
    alignas(64) std::array<double, std::size_t(lanes)> one;
    for (int l = 0; l < lanes; ++l)
      one[std::size_t(l)] = terms[problem.terms * std::min(i + l, samples - 1) + k];
    return Pack::load_aligned(one.data());
  }

  Seen<L<S>, S> seen_;
  bool biased_;
};

template <template <class> class L>
double block_cost(const FitProblem& problem, std::span<const double> x) {
  std::vector<Pack> u(x.begin(), x.end());
  const BlockWalker<L, Pack> walker(problem, u.data());
  const std::size_t shared = problem.shared().size();
  Pack sum(0.0), share(0.0);
  for (std::size_t k = 0; k < problem.runs.size(); ++k)
    walker.run(problem, problem.runs[k], fitted_part(problem.runs[k]),
               Pack(start_of(problem, x, shared, k)[0]),
               [&](const Pack& weight, const Pack& measured, const Pack& f) {
                 const Pack r = select(weight > Pack(0.0), f - measured, Pack(0.0));
                 sum += weight * loss_of(problem, r, share);
               });
  return hadd(sum);
}

// Normal equations of one run, in lanes: the gradient, and one half of the matrix.
template <int N>
class LaneEquations {
 public:
  // Adds w (f' r, f' f'^T); w is zero where a sample does not count, whatever f is there.
  void add(const Pack& w, const Pack& r, const Dual<Pack, N>& f) {
    for (int i = 0, at = 0; i < N; ++i) {
      const Pack wi = w * f.slope[std::size_t(i)];
      gradient_[std::size_t(i)] += wi * r;
      for (int j = 0; j <= i; ++j, ++at) matrix_[std::size_t(at)] += wi * f.slope[std::size_t(j)];
    }
  }
  // place(i): where the i-th unknown of the run is among all of them.
  template <class Place>
  void put(NormalEquations& all, int used, const Place& place) const {
    for (int i = 0, at = 0; i < N; ++i) {
      if (i < used) all.gradient[std::size_t(place(i))] += hadd(gradient_[std::size_t(i)]);
      for (int j = 0; j <= i; ++j, ++at) {
        if (i >= used) continue;
        const double one = hadd(matrix_[std::size_t(at)]);
        all.at(place(i), place(j)) += one;
        if (i != j) all.at(place(j), place(i)) += one;
      }
    }
  }

 private:
  std::array<Pack, std::size_t(N)> gradient_ = filled<std::size_t(N)>();
  std::array<Pack, std::size_t(N*(N + 1) / 2)> matrix_ = filled<std::size_t(N*(N + 1) / 2)>();

  template <std::size_t count>
  static std::array<Pack, count> filled() {
    std::array<Pack, count> all;
    all.fill(Pack(0.0));
    return all;
  }
};

template <template <class> class L, int N>
[[gnu::flatten]] double linearise_blocks(const FitProblem& problem, std::span<const double> x,
                                         NormalEquations& equations) {
  using D = Dual<Pack, N>;
  const int shared = int(problem.shared().size()), starts = problem.starts_per_run();
  const auto unknown = [&](std::size_t at, int slot) { return variable<N>(Pack(x[at]), slot); };
  std::array<D, N> u{};
  for (int i = 0; i < shared; ++i) u[std::size_t(i)] = unknown(std::size_t(i), i);
  const BlockWalker<L, D> walker(problem, u.data());
  Pack sum(0.0), share(0.0);
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    // The start of this run takes the place behind the shared unknowns.
    const int own = shared + int(k) * starts;
    const D start = starts > 0 ? unknown(std::size_t(own), shared) : D(Pack(0.0));
    LaneEquations<N> lanes;
    walker.run(problem, problem.runs[k], fitted_part(problem.runs[k]), start,
               [&](const Pack& weight, const Pack& measured, D f) {
                 const auto held_out = weight <= Pack(0.0);
                 if (any(held_out)) f = select(held_out, D(measured), f);
                 const Pack r = f.value - measured;
                 sum += weight * loss_of(problem, r, share);
                 lanes.add(Pack(weight * share), r, f);
               });
    lanes.put(equations, shared + starts, [&](int i) { return i < shared ? i : own + i - shared; });
  }
  return hadd(sum);
}

// `most` unknowns are possible, in steps of two from four on.
template <template <class> class L, int most, int least = 4>
double linearise_in_blocks(const FitProblem& problem, std::span<const double> x,
                           NormalEquations& equations) {
  const int used = int(problem.shared().size()) + problem.starts_per_run();
  if (used <= least) return linearise_blocks<L, least>(problem, x, equations);
  if constexpr (most > least) return linearise_in_blocks<L, most, least + 2>(problem, x, equations);
  return 0.0;  // there are no more unknowns
}

template <template <class> class L>
BlockKernel block_kernel() {
  constexpr int most = SetLaw<L<double>> ? 10 : 8;
  return {L<double>::name, most, block_cost<L>, linearise_in_blocks<L, most>};
}

}  // namespace bristle::BRISTLE_BLOCKS
