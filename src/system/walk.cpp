// SPDX-License-Identifier: MIT
#include "walk.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bristle/solve/locate.hpp"
#include "bristle/solve/pacer.hpp"
#include "sampler.hpp"

namespace bristle {
namespace {

// Gauss and Legendre, five points on [0, 1].
constexpr double nodes[]{0.046910077030668004, 0.23076534494715845, 0.5, 0.7692346550528415,
                         0.953089922969332};
constexpr double shares[]{0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                          0.23931433524968324, 0.11846344252809454};

class Walk {
 public:
  Walk(Walker& front, Walker* behind, double start) : front_(front), behind_(behind), u_(start) {
    step(start, 0.0);
  }

  // Goes to an input without turning on the way.
  void to(double u) {
    if (u != u_) {
      bends_.clear();
      front_.kinks(u_, u, bends_);
      bends_.push_back(u);
      std::sort(bends_.begin(), bends_.end());
      if (u < u_) std::reverse(bends_.begin(), bends_.end());
      double from = u_;
      for (const double bend : bends_) {
        // A kink between places that differ by rounding is none.
        if (std::abs(bend - from) > 1e-14 * std::abs(u - u_))
          for (int k = 0; k < 5; ++k)
            step(from + nodes[k] * (bend - from), shares[k] * (bend - from));
        from = bend;
      }
    }
    u_ = u;
    step(u, 0.0);
  }
  detail::ResponseSample sample(double t) const {
    return {t, u_, y_, second_, area_, second_area_};
  }

 private:
  void step(double u, double share) {
    y_ = front_.update(u);
    if (behind_) second_ = behind_->update(y_);
    area_ += share * y_;
    second_area_ += share * second_;
  }

  Walker& front_;
  Walker* behind_;
  double u_, y_ = 0.0, second_ = 0.0, area_ = 0.0, second_area_ = 0.0;
  std::vector<double> bends_;
};

}  // namespace

SystemResponse walk(Walker& front, Walker* behind, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  SystemResponse r;
  const auto began = std::chrono::steady_clock::now();
  detail::ResponseRecorder record(r, options);
  r.method = "turning points";
  int piece = input.piece(0.0);
  double t = 0.0, stop = std::min(options.end, input.next_kink(0.0));
  Walk w(front, behind, input.value(0.0, piece));
  record.at(w.sample(0.0));
  Pacer looks;
  try {
    while (t < options.end) {
      if (looks.due() && options.cancelled(t / options.end)) {
        r.status = Status::cancelled;
        break;
      }
      const double target = std::min({stop, record.next(), t + input.longest_step()});
      // A turn inside is walked to first.
      const double first = input.slope(t, piece), last = input.slope(target, piece);
      if (first * last < 0.0) {
        const double sign = first > 0.0 ? 1.0 : -1.0;
        w.to(input.value(locate([&](double at) { return sign * input.slope(at, piece); }, t,
                                sign * first, target, sign * last, 1e-15 * target, false),
                         piece));
      }
      w.to(input.value(target, piece));
      t = target;
      ++r.steps;
      record.at(w.sample(t));
      if (t != stop) continue;
      record.mark(t, w.sample(t));
      piece = input.piece(t);
      stop = std::min(options.end, input.next_kink(t));
    }
  } catch (const InvalidInput& error) {  // an inverse that is asked for what cannot be
    r.status = Status::out_of_range;
    finish(r, options, record);
    r.message += std::string(" ") + error.what();
    return r;
  }
  if (!behind) r.second.clear();
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  finish(r, options, record);
  return r;
}

Path walk_path(Walker& front, Walker* behind, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  Path path;
  const auto go = [&](double u) {
    const double y = front.update(u);
    if (behind) behind->update(y);
  };
  // From t to next the input goes one way.
  const auto leg = [&](double t, double next, int piece) {
    const double from = input.value(t, piece), to = input.value(next, piece);
    std::vector<double> times{t};
    if (next > options.record_from && from != to) {
      std::vector<double> bends;
      front.kinks(from, to, bends);
      const double sign = to > from ? 1.0 : -1.0;
      std::sort(bends.begin(), bends.end(),
                [&](double a, double b) { return sign * a < sign * b; });
      for (const double bend : bends)
        times.push_back(locate([&](double at) { return sign * (bend - input.value(at, piece)); }, t,
                               sign * (bend - from), next, sign * (bend - to), 0.0, false));
    }
    times.push_back(next);
    for (std::size_t i = 1; i < times.size(); ++i) {
      const double first = std::max(times[i - 1], options.record_from), last = times[i];
      if (last > first) {
        std::shared_ptr<const Walker> one = front.copy(), other = behind ? behind->copy() : nullptr;
        path.push_back({first, last, [one, other, piece, &input](double time) {
                          PathPoint p{input.value(time, piece), 0.0, 0.0};
                          p.output = one->copy()->update(p.input);
                          if (other) p.second = other->copy()->update(p.output);
                          return p;
                        }});
      }
      go(input.value(last, piece));
    }
  };
  double t = 0.0;
  Pacer looks;
  try {
    go(input.value(0.0, input.piece(0.0)));
    while (t < options.end) {
      if (looks.due() && options.cancelled(t / options.end)) return {};
      const int piece = input.piece(t);
      const double stop = std::min({options.end, input.next_kink(t), t + input.longest_step()});
      // A turn inside ends a leg.
      const double first = input.slope(t, piece), last = input.slope(stop, piece);
      if (first * last < 0.0) {
        const double sign = first > 0.0 ? 1.0 : -1.0;
        const double turn = locate([&](double at) { return sign * input.slope(at, piece); }, t,
                                   sign * first, stop, sign * last, 1e-15 * stop, false);
        leg(t, turn, piece);
        leg(turn, stop, piece);
      } else {
        leg(t, stop, piece);
      }
      t = stop;
    }
  } catch (const InvalidInput&) {  // an inverse that is asked for what cannot be
    path.clear();
  }
  return path;
}

}  // namespace bristle
