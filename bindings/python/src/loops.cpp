// SPDX-License-Identifier: MIT
// Measured loops: split, classified, unfolded; the maps of the systems in a file; two series
// compared; tables read from files.
#include <cmath>

#include "bindings.hpp"
#include "bristle/analysis/butterfly.hpp"
#include "bristle/analysis/fit_relays.hpp"
#include "bristle/analysis/indicators.hpp"
#include "bristle/analysis/io_map.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/path_inverse.hpp"
#include "bristle/analysis/split_loops.hpp"
#include "bristle/io/column_reading.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/io/table_rows.hpp"
#include "bristle/model/describe.hpp"
#include "interrupt.hpp"
#include "law_object.hpp"
#include "machine_source.hpp"
#include "map_dicts.hpp"

namespace bristle::python {
namespace {

void require_equal(const std::vector<double>& x, const std::vector<double>& y,
                   const std::string& first, const std::string& second) {
  if (x.size() != y.size())
    throw InvalidInput(second, first + " has " + std::to_string(x.size()) + " numbers and " +
                                   second + " " + std::to_string(y.size()) +
                                   ", they must have as many");
}

py::dict loop_dict(std::span<const double> x, std::span<const double> y) {
  const Loop found = polygon_loop(x, y);
  py::dict all;
  all["area"] = found.area;
  all["width"] = found.width;
  all["height"] = found.height;
  all["closing_error"] = found.closing_error;
  all["orientation"] = std::string(found.orientation());
  return all;
}

py::dict loop(const py::object& x, const py::object& y) {
  const auto xs = numbers_from(x, "x"), ys = numbers_from(y, "y");
  if (xs.size() != ys.size() || xs.size() < 3)
    throw InvalidInput("y", "x has " + std::to_string(xs.size()) + " numbers and y " +
                                std::to_string(ys.size()) +
                                ", a loop needs at least three of each, as many of one as of the "
                                "other");
  return loop_dict(xs, ys);
}

// The periods of a record of many, and what is in none of them.
py::tuple loops(const py::object& input, const py::object& output) {
  const auto x = numbers_from(input, "x"), y = numbers_from(output, "y");
  require_equal(x, y, "x", "y");
  const auto stretches = split_loops(x, y);
  py::list found, left;
  for (const Stretch& s : stretches) {
    const std::size_t n = s.end - s.first;
    py::dict one = loop_dict(std::span(x).subspan(s.first, n), std::span(y).subspan(s.first, n));
    one["first"] = s.first;
    one["end"] = s.end;
    one["closing_error"] = s.closing_error;
    found.append(one);
  }
  for (const LeftOut& l : rows_left_out(x, stretches)) {
    py::dict one;
    one["first"] = l.first;
    one["end"] = l.end;
    one["why"] = l.why;
    left.append(one);
  }
  return py::make_tuple(found, left);
}

// A measured loop with lobes: its kind, and the simple loop it unfolds into.
py::dict butterfly(const py::object& input, const py::object& output, const std::string& shape,
                   double a, bool each, bool falling, double tolerance) {
  const auto x = numbers_from(input, "x"), y = numbers_from(output, "y");
  require_equal(x, y, "x", "y");
  const LoopBranches loop = split_branches(x, y);
  const FoldedCurve folded = classify(loop);
  py::list lobes;
  for (const Lobe& l : folded.lobes) {
    py::dict one;
    one["start"] = l.from;
    one["end"] = l.to;
    one["area"] = l.area;
    one["orientation"] = l.area > 0.0 ? "counterclockwise" : "clockwise";
    lobes.append(one);
  }
  py::dict all;
  all["kind"] = std::string(words(folded.kind));
  all["lobes"] = lobes;
  const double allowed = each ? std::max(0.1, tolerance) : tolerance;
  const Theorem valley = theorem_5_3_3(loop, true, allowed),
                peak = theorem_5_3_3(loop, false, allowed);
  all["unfolds"] = valley.applies || peak.applies;
  if (!valley.applies && !peak.applies) {
    all["why_not"] = py::make_tuple(valley.why, peak.why);
    return all;
  }
  // The valley or the peak of the loop decides which way the map opens.
  const bool up = valley.applies;
  const double size = up ? a : -a;
  const double centre = 0.5 * (loop.up.extreme(up).second + loop.down.extreme(up).second);
  const Unfolded simple =
      each ? unfold_each(loop, size, !falling, allowed)
           : unfold(loop,
                    shape == "quadratic" ? UnimodalMap::quadratic(size, centre)
                                         : UnimodalMap::absolute(centre, -size, -size),
                    !falling, tolerance);
  all["opens"] = up ? "up" : "down";
  all["extremes_at"] = (up ? valley : peak).places;
  all["extreme_gap"] = simple.extreme_gap;
  all["jump"] = simple.jump;
  all["x"] = array_of(simple.x);
  all["y"] = array_of(simple.y);
  return all;
}

// The first less the second, at the times of the first that the second covers.
py::dict errors(const py::object& time, const py::object& values, const py::object& other_time,
                const py::object& other) {
  const auto t = numbers_from(time, "time"), x = numbers_from(values, "values"),
             s = numbers_from(other_time, "other_time"), y = numbers_from(other, "other");
  require_equal(t, x, "time", "values");
  require_equal(s, y, "other_time", "other");
  for (const auto& [name, column] : {std::pair{"time", &t}, {"other_time", &s}})
    for (std::size_t i = 1; i < column->size(); ++i)
      if (!((*column)[i] > (*column)[i - 1]))
        throw InvalidInput(name, std::string(name) + "[" + std::to_string(i) +
                                     "] = " + words((*column)[i]) + " does not come after " +
                                     words((*column)[i - 1]));
  std::vector<double> left, right;
  for (std::size_t i = 0; i < t.size() && !s.empty(); ++i) {
    if (t[i] < s.front() || t[i] > s.back()) continue;
    left.push_back(x[i]);
    right.push_back(sample_at(s, y, t[i]));
  }
  if (left.empty()) throw InvalidInput("time", "time: none of it lies within other_time");
  const Indicators r = indicators(left, right);
  py::dict all;
  all["samples"] = left.size();
  all["rmse"] = r.rmse;
  all["mean"] = r.mean;
  all["std"] = r.std;
  all["max"] = r.largest;
  return all;
}

// The maps of a file: of each case with a periodic input its loop and what it tells.
py::list maps_of_file(const std::string& text, const std::string& path, const py::dict& settings,
                      py::object progress) {
  const io::Experiment experiment = parse(text, path, settings);
  struct Found {
    std::string label, system;
    double frequency;
    PeriodicMap map;
    MapProperties properties;
  };
  const auto all = interruptible(std::move(progress), [&](auto look) {
    std::vector<Found> found;
    MapOptions options;
    options.progress = look;
    for (const io::Case& c : experiment.cases) {
      Signal input;
      const auto system = io::system_of(c, input);
      if (!system || c.period <= 0.0) continue;
      input.change_time = 0.0;
      PeriodicMap map = periodic_map(*system, input, options);
      if (map.output.empty()) continue;
      map.area *= io::area_sign(c);
      found.push_back({c.label, std::string(system->name()), input.frequency, std::move(map),
                       properties(*system, input, options)});
    }
    return found;
  });
  if (all.empty())
    throw io::InputError(
        experiment.path +
        ": it describes no input-output map: that needs a [system], or a [model] in "
        "prescribed_motion or wall_spring_mass, with a periodic [input]");
  py::list maps;
  for (const Found& f : all) {
    py::dict one = dict_of(f.map);
    one["label"] = f.label;
    one["system"] = f.system;
    one["frequency"] = f.frequency;
    one["properties"] = dict_of(f.properties);
    maps.append(one);
  }
  return maps;
}

// All columns of a table that hold numbers, as they stand; cells that are none become NaN.
py::tuple read_table(const std::string& path, long skip) {
  const auto read = [&] {
    struct Columns {
      std::vector<std::string> names, units, notes;
      std::vector<std::vector<double>> values;
    } c;
    const auto rows = io::open_table(path, skip);
    c.names = rows->names();
    c.values.resize(c.names.size());
    for (std::size_t i = 0; i < c.names.size(); ++i)
      c.units.push_back(io::unit_in_header(c.names[i], rows->unit(i)));
    std::vector<std::size_t> every(c.names.size());
    for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
    rows->keep(every);
    for (long n = 0; rows->next(); ++n) {
      if (n % 4096 == 0) stop_if_asked();
      for (std::size_t i = 0; i < c.names.size(); ++i)
        c.values[i].push_back(rows->number(i).value_or(NAN));
    }
    c.notes = rows->notes();
    return c;
  };
  const auto c = watched(py::none(), [&](auto) { return read(); });
  py::dict columns, units;
  for (std::size_t i = 0; i < c.names.size(); ++i) {
    columns[py::str(c.names[i])] = array_of(c.values[i]);
    units[py::str(c.names[i])] = c.units[i];
  }
  return py::make_tuple(columns, units, c.notes);
}

}  // namespace

py::dict dict_of(const PeriodicMap& m) {
  py::dict all;
  all["input"] = array_of(m.input);
  all["output"] = array_of(m.output);
  all["area"] = m.area;
  all["height"] = m.height;
  all["closing_error"] = m.closing_error;
  all["periods"] = m.periods;
  all["closed"] = m.closed;
  return all;
}

py::dict dict_of(const MapProperties& p) {
  const auto answer = [](Answer a) -> py::object {
    if (a == Answer::unknown) return py::none();
    return py::bool_(a == Answer::yes);
  };
  py::dict all;
  all["hysteretic"] = answer(p.hysteretic);
  all["rate_dependent"] = answer(p.rate_dependent);
  all["local_memory"] = answer(p.local_memory);
  all["return_point"] = answer(p.return_point);
  all["congruent"] = answer(p.congruent);
  all["open_part"] = p.open_area;
  return all;
}

namespace {

DegradingBoucWen<> structural_law(const LawObject& object) {
  if (object.law->name() != DegradingBoucWen<>::name)
    throw InvalidInput("law", "law: " + std::string(object.law->name()) +
                                  " is not allowed, it must be degrading_bouc_wen");
  return make<DegradingBoucWen<>>(object.law->values());
}

py::array path_forces(const LawObject& object, const py::object& displacements) {
  const auto law = structural_law(object);
  const auto given = numbers_from(displacements, "displacements");
  return array_of(watched(py::none(), [&](auto) { return forces_along(law, given); }));
}

py::array path_displacements(const LawObject& object, const py::object& forces) {
  BoucWenInverse inverse(structural_law(object));
  const auto given = numbers_from(forces, "forces");
  return array_of(watched(py::none(), [&](auto) {
    std::vector<double> all;
    for (const double force : given) {
      stop_if_asked();
      all.push_back(inverse.update(force));
    }
    return all;
  }));
}

}  // namespace

void bind_loops(py::module_& module) {
  module.def("path_forces", path_forces);
  module.def("path_displacements", path_displacements);
  module.def("loop", loop, py::arg("x"), py::arg("y"));
  module.def("loops", loops);
  module.def("butterfly", butterfly);
  module.def("errors", errors);
  module.def("maps", maps_of_file);
  module.def("read_table", read_table);
}

}  // namespace bristle::python
