// SPDX-License-Identifier: MIT
// Quantities of systems and of closed curves.
#include <algorithm>
#include <cmath>

#include "bristle/analysis/lobes.hpp"
#include "bristle/analysis/loop.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

// The other output of a system, as a loop: its image under the map, or its second output.
std::vector<double> other_output(const Case& c, const CaseResult& r) {
  return system_column(c, r, c.map ? "image" : std::string(c.system->second_name()));
}

// The lobes of the last period as its samples show them: how many, and of which kind.
FoldedCurve lobes(const Case& c, const CaseResult& r) {
  if (c.kind == CaseKind::curve) return r.folded.folded;
  const auto column = other_output(c, r);
  return classify(last_branches(c, r.response, column.empty() ? r.response.output : column));
}

// The same with crossings and areas from the path of the system, which is integrated once more, a
// hundred times as accurately as the run. Where there is no path those of the samples stay.
FoldedCurve measured_lobes(const Case& c, const CaseResult& r) {
  const FoldedCurve found = lobes(c, r);
  if (c.kind == CaseKind::curve || found.lobes.empty()) return found;
  Options o = c.options;
  o.end = r.response.time.back();
  o.record_from = o.end - c.period;
  o.tolerance = std::max(1e-13, 0.01 * o.tolerance);
  if (o.record_from < 1e-9 * c.period) o.record_from = 0.0;
  const Path path = c.system->path(c.input, o);
  if (path.empty()) return found;
  DrawnOutput drawn{[](const PathPoint& p) { return p.output; }};
  if (c.map) {
    const UnimodalMap map = c.map->map();
    drawn = {[map](const PathPoint& p) { return map(p.output); }, map.corners()};
  } else if (!c.system->second_name().empty()) {
    drawn.value = [](const PathPoint& p) { return p.second; };
  }
  return exact_lobes(found, path, c.input, drawn);
}

// Quantities that a loop must be whole for; none otherwise.
template <class F>
CaseQuantity of_lobes(const F& pick, bool exactly = false) {
  return [pick, exactly](const Case& c, const CaseResult& r, double number) -> Measured {
    if (exactly && !index_of(number)) return {};
    try {
      return pick(exactly ? measured_lobes(c, r) : lobes(c, r), number);
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

// What the integrator noted at the start and at the end of each whole period. Marks are also made
// at other kinks: the ends of periods are at whole multiples.
std::vector<AreaMark> period_ends(const Case& c, const SystemResponse& r) {
  std::vector<AreaMark> ends;
  if (c.period <= 0.0 || r.time.empty()) return ends;
  const bool from_start = r.time.front() == 0.0;
  ends.push_back({.output = from_start ? r.output.front() : NAN,
                  .second = from_start && !r.second.empty() ? r.second.front() : NAN});
  for (const AreaMark& m : r.marks)
    if (std::abs(m.time / c.period - double(ends.size())) < 1e-9) ends.push_back(m);
  return ends;
}

Measured area_of_period(const Case& c, const CaseResult& r, std::size_t back,
                        double AreaMark::*area) {
  const auto ends = period_ends(c, r.response);
  const auto n = ends.size();
  if (n < 2 + back) return {};
  return ends[n - 1 - back].*area - ends[n - 2 - back].*area;
}

// The change of the output over the last whole period, from the states at its two ends and not from
// the samples next to them, over the height of the loop.
Measured closing_error(const Case& c, const CaseResult& r, double) {
  const auto ends = period_ends(c, r.response);
  const auto part = last_part(c, r.response, r.response.output);
  if (ends.size() < 2 || part.empty()) return {};
  const double first = ends[ends.size() - 2].output, last = ends.back().output;
  const double change = std::abs(last - first);
  // The ends of the period need not be among the samples.
  Range range = range_of(part);
  range.least = std::min({range.least, first, last});
  range.most = std::max({range.most, first, last});
  if (!std::isfinite(change) || !(range.most > range.least)) return {};
  return change / (range.most - range.least);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          double scale) {
  double most = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i])) most = std::max(most, std::abs(a[i] - b[i]));
  return scale > 0.0 ? most / scale : most;
}

}  // namespace

Measured theorem_words(const Theorem& t) {
  if (!t.applies) return "does not apply: " + t.why;
  return std::string(t.true_here ? "holds" : "fails");
}

std::vector<double> last_part(const Case& c, const SystemResponse& r,
                              const std::vector<double>& column) {
  const auto& t = r.time;
  if (c.period <= 0.0 || t.empty() || column.size() != t.size()) return {};
  const double from = t.back() - c.period * (1.0 + 1e-9);
  if (from < t.front() - 2e-9 * c.period) return {};
  const auto first = std::lower_bound(t.begin(), t.end(), from) - t.begin();
  return {column.begin() + first, column.end() - 1};
}

LoopBranches last_branches(const Case& c, const SystemResponse& r,
                           const std::vector<double>& column) {
  return split_branches(last_part(c, r, r.input), last_part(c, r, column));
}

std::vector<double> system_column(const Case& c, const CaseResult& result,
                                  const std::string& name) {
  const SystemResponse& r = result.response;
  if (name == "time") return r.time;
  if (name == "input") return r.input;
  if (name == "output") return r.output;
  if (name == "area") return r.area;
  if (!name.empty() && name == c.system->second_name()) return r.second;
  if (name == "identified" || name == "identified_image") {
    if (!result.identified) return {};
    const auto output = result.identified->follow(r.input);
    return name == "identified" ? output : image_of(c, r, output);
  }
  if (name == "image") return image_of(c, r, r.output);
  if (name == "unfolded") return unfolded_of(c, r, false);
  return name == "unfolded_each" ? unfolded_of(c, r, true) : std::vector<double>{};
}

const std::map<std::string, CaseQuantity>& system_quantities() {
  static const auto all = [] {
    std::map<std::string, CaseQuantity> q;
    const auto area = [](std::size_t back, double AreaMark::*which) {
      return [=](const Case& c, const CaseResult& r, double) {
        return area_of_period(c, r, back, which);
      };
    };
    q["loop_area"] = area(0, &AreaMark::area);
    q["loop_area_before"] = area(1, &AreaMark::area);
    q["second_area"] = area(0, &AreaMark::second_area);
    q["orientation"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      const Measured m = area_of_period(c, r, 0, &AreaMark::area);
      if (!std::holds_alternative<double>(m)) return {};
      return std::string(std::get<double>(m) > 0.0 ? "clockwise" : "counterclockwise");
    };
    const auto of_column = [&q](const std::string& name, const auto& pick) {
      q[name] = [pick](const Case& c, const CaseResult& r, double time) -> Measured {
        const auto& t = r.response.time;
        if (t.empty() || time < t.front() || time > t.back()) return {};
        const auto column = pick(c, r);
        return column.size() == t.size() ? Measured(sample_at(t, column, time)) : Measured{};
      };
      q["max_" + name] = [pick](const Case& c, const CaseResult& r, double) -> Measured {
        const auto column = pick(c, r);
        if (column.empty()) return {};
        return range_of(column).most;
      };
      q["min_" + name] = [pick](const Case& c, const CaseResult& r, double) -> Measured {
        const auto column = pick(c, r);
        if (column.empty()) return {};
        return range_of(column).least;
      };
    };
    of_column("output", [](const Case&, const CaseResult& r) { return r.response.output; });
    of_column("second", [](const Case&, const CaseResult& r) { return r.response.second; });
    q["end_output"] = [](const Case&, const CaseResult& r, double) -> Measured {
      if (r.response.output.empty()) return {};
      return r.response.output.back();
    };
    q["steady_force"] = [](const Case& c, const CaseResult&, double u) -> Measured {
      const auto y = c.system ? c.system->steady(u) : std::nullopt;
      return y ? Measured(*y) : Measured{};
    };
    q["round_trip_error"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      if (!c.system || c.system->second_name() != "recovered") return {};
      double most = 0.0;
      for (const double u : r.response.input) most = std::max(most, std::abs(u));
      return largest_difference(r.response.second, r.response.input, most);
    };
    q["closing_error"] = closing_error;
    q["unfold_error"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      if (!c.map || c.kind != CaseKind::system) return {};
      const auto unfolded = last_part(c, r.response, unfolded_of(c, r.response, false));
      const auto output = last_part(c, r.response, r.response.output);
      if (unfolded.empty() || !std::isfinite(unfolded[0])) return {};
      const Range range = range_of(output);
      return largest_difference(unfolded, output, range.most - range.least);
    };
    q["kind"] = of_lobes([](const FoldedCurve& f, double) -> Measured {
      return std::string(bristle::words(f.kind));
    });
    q["lobes"] =
        of_lobes([](const FoldedCurve& f, double) -> Measured { return double(f.lobes.size()); });
    q["lobe_area"] = of_lobes(
        [](const FoldedCurve& f, double number) -> Measured {
          return counted(f.lobes, number, [](const auto& lobe) { return lobe.area; });
        },
        true);
    q["crossing"] = of_lobes(
        [](const FoldedCurve& f, double number) -> Measured {
          // The last lobe ends where the curve does, not at a crossing.
          const auto i = index_of(number);
          return i && *i + 1 < f.lobes.size() ? Measured(f.lobes[*i].to) : Measured{};
        },
        true);
    q["theorem_5_3_1"] = [](const Case& c, const CaseResult&, double) -> Measured {
      if (c.kind != CaseKind::curve) return {};
      return theorem_words(theorem_5_3_1(c.curve->curve(), c.map->map()));
    };
    q["theorem_5_3_2"] = [](const Case& c, const CaseResult&, double) -> Measured {
      if (c.kind != CaseKind::curve) return {};
      return theorem_words(theorem_5_3_2(c.curve->curve(), c.map->map()));
    };
    q["symmetry"] = [](const Case& c, const CaseResult&, double) -> Measured {
      if (c.kind != CaseKind::curve) return {};
      const bool across = left_right_symmetric(c.curve->curve()),
                 over = up_down_symmetric(c.curve->curve());
      return std::string(across && over ? "both"
                         : across       ? "left-right"
                         : over         ? "up-down"
                                        : "none");
    };
    return q;
  }();
  return all;
}

}  // namespace bristle::io
