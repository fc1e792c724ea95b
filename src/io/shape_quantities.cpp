// SPDX-License-Identifier: MIT
// Quantities of shapes: what the theorems of the thesis say of curves and butterflies, slopes of
// loops, the continuity of laws, and the model identified from a loop.
#include <cmath>

#include "bristle/analysis/continuity.hpp"
#include "bristle/analysis/loop.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

template <class F>
CaseQuantity of_curve(const F& pick) {
  return [pick](const Case& c, const CaseResult&, double) -> Measured {
    return c.kind == CaseKind::curve ? pick(c.curve->curve()) : Measured{};
  };
}

// The butterfly of a curve or of a system with a map.
LoopBranches butterfly(const Case& c, const CaseResult& r) {
  if (c.kind == CaseKind::curve) return folded_loop(c.curve->curve(), c.map->map());
  return last_branches(c, r.response, image_of(c, r.response, r.response.output));
}

template <class F>
CaseQuantity of_butterfly(const F& pick) {
  return [pick](const Case& c, const CaseResult& r, double) -> Measured {
    if (!c.map) return {};
    try {
      return pick(c, butterfly(c, r));
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

// The slope of the last loop at an input, on one of its ways, over a ten-thousandth of its width.
CaseQuantity slope(bool up) {
  return [up](const Case& c, const CaseResult& r, double at) -> Measured {
    if (c.kind != CaseKind::system) return {};
    try {
      const LoopBranches l = last_branches(c, r.response, r.response.output);
      const double h = 1e-4 * (l.x1 - l.x0);
      if (!(at - h > l.x0 && at + h < l.x1)) return {};
      const Branch1D& way = up ? l.up : l.down;
      return (way.at(at + h) - way.at(at - h)) / (2.0 * h);
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

std::optional<Continuity> continuity_of(const Case& c) {
  if (c.law) return continuity(*c.law);
  return c.system ? continuity(*c.system) : std::nullopt;
}

CaseQuantity of_identified(const std::function<double(const IdentifiedPlays&)>& pick) {
  return [pick](const Case&, const CaseResult& r, double) -> Measured {
    return r.identified ? Measured(pick(*r.identified)) : Measured{};
  };
}

void add_identified(std::map<std::string, CaseQuantity>& q) {
  using I = IdentifiedPlays;
  q["identified_q"] = of_identified([](const I& i) { return i.q; });
  q["identified_rho"] = of_identified([](const I& i) { return i.rho; });
  q["identified_tau"] = of_identified([](const I& i) { return i.tau; });
  q["identified_beta"] = of_identified([](const I& i) { return i.beta; });
  q["identified_rate"] = of_identified([](const I& i) { return i.model.envelope.rate; });
  q["identified_shift"] = of_identified([](const I& i) { return i.model.envelope.shift; });
  q["identified_level"] = of_identified([](const I& i) { return i.model.envelope.level; });
  q["identified_cost"] = of_identified([](const I& i) { return i.cost; });
  q["identified_error"] = of_identified([](const I& i) { return i.error; });
}

}  // namespace

void add_shape_quantities(std::map<std::string, CaseQuantity>& q) {
  q["proposition_5_3_1"] =
      of_curve([](const ClosedCurve& c) { return theorem_words(proposition_5_3_1(c)); });
  q["proposition_5_3_2"] =
      of_curve([](const ClosedCurve& c) { return theorem_words(proposition_5_3_2(c)); });
  q["butterfly_maps"] =
      of_curve([](const ClosedCurve& c) -> Measured { return double(try_maps(c).butterflies); });
  q["multibutterfly_maps"] = of_curve(
      [](const ClosedCurve& c) -> Measured { return double(try_maps(c).multibutterflies); });
  q["theorem_5_3_3"] = of_butterfly([](const Case& c, const LoopBranches& l) {
    return theorem_words(theorem_5_3_3(l, (c.unfold ? *c.unfold : *c.map).map()));
  });
  q["unfold_jump"] = of_butterfly([](const Case& c, const LoopBranches& l) -> Measured {
    return unfold(l, c.map->map(), true, 0.2).jump;
  });
  q["unfold_jump_each"] = of_butterfly([](const Case& c, const LoopBranches& l) -> Measured {
    return c.map_down ? Measured(unfold_each(l, c.map->a, true, 0.2).jump) : Measured{};
  });
  q["unfold_error_each"] = [](const Case& c, const CaseResult& r, double) -> Measured {
    if (!c.map_down) return {};
    const auto unfolded = last_part(c, r.response, unfolded_of(c, r.response, true)),
               output = last_part(c, r.response, r.response.output);
    if (output.empty()) return {};
    double most = 0.0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (!std::isfinite(unfolded[i])) return {};
      most = std::max(most, std::abs(unfolded[i] - output[i]));
    }
    const Range range = range_of(output);
    return most / (range.most - range.least);
  };
  q["closing_a"] = of_butterfly([](const Case& c, const LoopBranches& l) -> Measured {
    return c.map_down ? Measured(closing_maps(l, c.map->a).a_down) : Measured{};
  });
  q["closing_b"] = of_butterfly([](const Case& c, const LoopBranches& l) -> Measured {
    return c.map_down ? Measured(closing_maps(l, c.map->a).b_down) : Measured{};
  });
  q["slope_up"] = slope(true);
  q["slope_down"] = slope(false);
  q["continuity"] = [](const Case& c, const CaseResult&, double) -> Measured {
    const auto found = continuity_of(c);
    return found ? Measured(std::string(bristle::words(*found))) : Measured{};
  };
  q["holder_exponent"] = [](const Case& c, const CaseResult&, double) -> Measured {
    const auto found = continuity_of(c);
    return found ? Measured(found->exponent) : Measured{};
  };
  add_identified(q);
}

}  // namespace bristle::io
