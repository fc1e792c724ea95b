// SPDX-License-Identifier: MIT
#include "bristle/io/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/io/verdict.hpp"
#include "bristle/version.hpp"
#include "build_case.hpp"
#include "field_path.hpp"
#include "posterior.hpp"
#include "section_fields.hpp"
#include "shown.hpp"
#include "sweep_figure.hpp"
#include "sweep_inside.hpp"

namespace bristle::io {
namespace {

double option_number(const std::string& text, const std::string& option) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(number))
    throw InputError(option + ": '" + shown(text) + "' is not a finite number");
  return number;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  return parts;
}

// "section.field=from:to:count", the same with ":log", or "section.field=1,2,5".
Axis axis_of_option(const std::string& text) {
  const std::string option = "--vary " + text;
  const auto equals = text.find('=');
  Axis axis;
  axis.field = text.substr(0, equals);
  const auto refuse = [&] {
    throw InputError(option +
                     ": must have the form section.field=from:to:count, with :log behind "
                     "it for a logarithmic range, or section.field=value,value,...");
  };
  if (equals == std::string::npos || split_path(axis.field).second.empty()) refuse();
  const std::string range = text.substr(equals + 1);
  if (range.find(':') == std::string::npos) {
    for (const auto& one : split_at(range, ',')) axis.values.push_back(option_number(one, option));
    return axis;
  }
  const auto parts = split_at(range, ':');
  if (parts.size() < 3 || parts.size() > 4 || (parts.size() == 4 && parts[3] != "log")) refuse();
  axis.from = option_number(parts[0], option), axis.to = option_number(parts[1], option);
  const double count = option_number(parts[2], option);
  if (!(count >= 0.0 && count <= 0x1p53) || count != std::floor(count))
    throw InputError(option + ": count = " + words(count) + " must be a whole number");
  axis.count = std::uint64_t(count);
  axis.log = parts.size() == 4;
  try {
    axis.check();
  } catch (const InvalidInput& error) {
    throw InputError(option + ": " + error.what());
  }
  return axis;
}

// Adds the axes of the command line; one of a field that the file varies or draws replaces it.
void add_axes(EnsemblePlan& e, const std::vector<std::string>& options) {
  std::map<std::string, std::string> given;
  for (const auto& text : options) {
    Axis axis = axis_of_option(text);
    const std::string place = "--vary " + text;
    if (const auto [other, added] = given.emplace(axis.field, place); !added)
      throw InputError(other->second + " and " + place + " contradict each other: both vary " +
                       axis.field);
    auto& axes = e.plan.axes;
    auto& drawn = e.plan.random_fields;
    const auto same = [&](const auto& one) { return one.field == axis.field; };
    if (const auto at = std::find_if(drawn.begin(), drawn.end(), same); at != drawn.end()) {
      e.places.erase(e.places.begin() + std::ptrdiff_t(axes.size()) + (at - drawn.begin()));
      drawn.erase(at);
    }
    const auto at = std::find_if(axes.begin(), axes.end(), same);
    if (at != axes.end()) {
      e.places[std::size_t(at - axes.begin())] = place;
      *at = std::move(axis);
    } else {
      e.places.insert(e.places.begin() + std::ptrdiff_t(axes.size()), place);
      axes.push_back(std::move(axis));
    }
  }
  if (e.plan.sensitivity && !options.empty())
    throw InputError("--vary " + options.front() + ": has no meaning beside [sensitivity]");
  if (e.plan.random_fields.empty() && e.posteriors.empty()) e.plan.draws = 0;
}

}  // namespace

std::vector<Setting> Sweep::Inside::settings_at(const std::vector<double>& values) const {
  std::vector<Setting> all = settings;
  const auto fields = ensemble.plan.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto [section, field] = split_path(fields[i]);
    all.push_back({section, field, fmt::format("{}", values[i]), ensemble.places[i]});
  }
  return all;
}

Case Sweep::Inside::case_at(const std::vector<double>& values) const {
  std::vector<std::string> unsaid;
  return case_at(values, unsaid);
}

Case Sweep::Inside::case_at(const std::vector<double>& values,
                            std::vector<std::string>& said) const {
  Case c = make_case(document, variant, settings_at(values), {}, said);
  for (const auto& kept : ensemble.quantities) c.expectations.push_back(kept.asked);
  return c;
}

// What is kept of a run.
void Sweep::Inside::measure_into(SweepRow& row, const Case& c, const CaseResult& r) const {
  if (!r.ok(c)) {
    row.status = r.message(c);
    return;
  }
  for (std::size_t i = 0; i < row.quantities.size(); ++i) {
    const Expectation& asked = ensemble.quantities[i].asked;
    row.quantities[i] = measure(c, r, asked.quantity, Argument(asked));
  }
  if (!ensemble.trajectory.empty())
    row.trajectory = trajectory_text(row.number, c, r, ensemble.trajectory);
}

// Of a map that is refined along a boundary the runs are numbered on the finest grid.
void Sweep::Inside::make_finest_grid() {
  const BoundarySpec& b = *ensemble.boundary;
  const auto refuse = [&](const std::string& why) {
    throw InputError(b.where + ": [ensemble] boundary: " + why);
  };
  Plan& plan = ensemble.plan;
  if (plan.axes.size() != 2 || plan.draws_fields())
    refuse("needs two [[vary]] and no [[draw]], it is refined over two axes");
  if (!ensemble.trajectory.empty()) refuse("trajectory has no meaning beside it");
  if (plan.size() > 1'000'000)
    refuse("the grid of " + std::to_string(plan.size()) +
           " points that is refined must have at most 1000000, give a smaller count");
  for (auto& axis : plan.axes) {
    if (!axis.values.empty() || axis.count < 2)
      refuse(axis.field + " must have a range of at least two points: from, to and count");
    axis.count = (axis.count - 1) * (std::uint64_t(1) << b.halvings) + 1;
  }
  std::vector<std::string> names;
  for (const auto& kept : ensemble.quantities) names.push_back(kept.name);
  if (std::find(names.begin(), names.end(), b.quantity) == names.end())
    refuse(not_found("quantity of this sweep", shown(b.quantity), names));
}

// The case that is run: the one that is named, or the only one there is.
void Sweep::Inside::choose_case(const std::string& wanted) {
  std::vector<std::string> labels;
  for (const auto& c : document.cases)
    if (c.sweep.empty()) labels.push_back(c.label);
  const std::string& label = wanted.empty() ? ensemble.label : wanted;
  if (label.empty() && labels.size() != 1) {
    std::string all;
    for (const auto& one : labels) all += (all.empty() ? "" : ", ") + one;
    throw InputError(document.path + ": has " + std::to_string(labels.size()) +
                     " cases, say which of them is swept with --case or case of [ensemble] "
                     "(cases: " +
                     all + ")");
  }
  const std::string& chosen = label.empty() ? labels.front() : label;
  for (auto& c : document.cases)
    if (c.sweep.empty() && c.label == chosen) {
      variant = c;
      return;
    }
  throw InputError(document.path + ": " + not_found("case", chosen, labels));
}

// Refuses at once what no run could have: fields that there are not and ends out of their bounds.
void Sweep::Inside::check_fields() {
  const Plan& plan = ensemble.plan;
  const std::vector<double> first = plan.middle();
  refuse_twice(settings_at(first));
  base = case_at(first, warnings);
  check_questions(base, {});
  auto taken = plan.fields();
  taken.insert(taken.end(), {"number", "status"});
  for (const auto& kept : ensemble.quantities)
    if (std::find(taken.begin(), taken.end(), kept.name) != taken.end())
      throw InputError(kept.asked.where + ": name = \"" + kept.name +
                       "\" is that of another column of the table, give the quantity another");
  const auto known = columns_of(base, {});
  for (const auto& name : ensemble.trajectory)
    if (name == "time" || std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(
          ensemble.trajectory_where + ": [ensemble] trajectory: " +
          (name == "time" ? "the time is kept anyway" : not_found("column", shown(name), known)));
  if (!ensemble.trajectory.empty() && base.kind != CaseKind::run &&
      base.kind != CaseKind::machine && base.kind != CaseKind::system)
    throw InputError(ensemble.trajectory_where +
                     ": [ensemble] trajectory: this case is no motion over time");
  // Without it a column would be taken at 0.
  const auto& columns = column_names();
  for (const auto& kept : ensemble.quantities) {
    const std::string& name = kept.asked.quantity;
    const bool of_velocity = name == "steady_force";
    if (base.kind == CaseKind::machine || kept.asked.has_argument) continue;
    if (of_velocity || std::find(columns.begin(), columns.end(), name) != columns.end())
      throw InputError(kept.asked.where + ": quantity '" + name + "' needs a " +
                       (of_velocity ? "velocity" : "time") + ": { quantity = \"" + name + "\", " +
                       (of_velocity ? "velocity" : "time") + " = ... } in [ensemble]");
  }
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    auto last = first;
    last[i] = plan.axes[i].value(plan.axes[i].size() - 1);
    case_at(last);
  }
  // Of a uniform draw the ends as well.
  for (std::size_t i = 0; i < plan.random_fields.size(); ++i)
    if (plan.random_fields[i].kind == RandomField::uniform)
      for (const double end : {plan.random_fields[i].first, plan.random_fields[i].second}) {
        auto other = first;
        other[plan.axes.size() + i] = end;
        case_at(other);
      }
}

Sweep::Sweep(const std::string& path, const SweepChanges& changes)
    : Sweep(read_text(path), path, changes) {}

Sweep::Sweep(const std::string& text, const std::string& path, const SweepChanges& changes)
    : inside_(std::make_unique<Inside>()) {
  Inside& in = *inside_;
  in.document = parse_document(text, path);
  in.ensemble = in.document.experiment.ensemble;
  in.settings = changes.settings;
  add_axes(in.ensemble, changes.vary);
  if (!changes.quantities.empty()) {
    in.ensemble.quantities.clear();
    const auto& known = quantity_names();
    for (const auto& name : changes.quantities) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError("--quantity " + shown(name) + ": " + not_found("quantity", name, known));
      KeptQuantity kept;
      kept.name = kept.asked.key = kept.asked.quantity = name;
      kept.asked.where = "--quantity " + name;
      in.ensemble.quantities.push_back(std::move(kept));
    }
  }
  in.choose_case(changes.label);
  for (const auto& draw : in.ensemble.posteriors) {
    auto joint =
        posterior_fields(draw, in.document, in.variant, in.settings, in.ensemble.plan.fields());
    in.ensemble.places.insert(in.ensemble.places.end(), joint.fields.size(),
                              draw.where + ": [[draw]]");
    in.ensemble.plan.joint_fields.push_back(std::move(joint));
  }
  const Plan& plan = in.ensemble.plan;
  if (plan.axes.empty() && !plan.draws_fields())
    throw InputError(path +
                     ": varies nothing: add [[vary]] or [[draw]], or give --vary "
                     "section.field=from:to:count");
  if (in.ensemble.quantities.empty() && in.ensemble.trajectory.empty())
    throw InputError(path +
                     ": keeps nothing: add quantity = [\"period\"] to [ensemble], or give "
                     "--quantity");
  try {
    plan.check();
    if (in.ensemble.boundary) in.make_finest_grid();
    plan.check();
  } catch (const InvalidInput& error) {
    throw InputError(path + ": " + error.what());
  }
  in.check_fields();
  in.attachments = in.base.attachments;
  in.ensemble.lanes = in.ensemble.lanes || changes.lanes;
  if (in.ensemble.lanes) in.why_no_lanes = in.lanes_trouble();
  if (in_lanes()) in.find_parts();

  std::string all = std::string(version) + "\n" + in.document.experiment.text;
  for (const auto& [name, content] : in.attachments) all += "\n" + name + "\n" + content;
  for (const auto& s : changes.settings) all += "\n" + s.section + "." + s.field + "=" + s.value;
  for (const auto& one : changes.vary) all += "\n--vary " + one;
  for (const auto& one : changes.quantities) all += "\n--quantity " + one;
  if (in_lanes()) all += "\n--lanes";
  in.fingerprint = io::fingerprint(all + "\n--case " + in.variant.label);
}

Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;

const Plan& Sweep::plan() const { return inside_->ensemble.plan; }
const Experiment& Sweep::experiment() const { return inside_->document.experiment; }
const std::vector<KeptQuantity>& Sweep::quantities() const { return inside_->ensemble.quantities; }
const std::string& Sweep::fingerprint() const { return inside_->fingerprint; }
const Attachments& Sweep::attachments() const { return inside_->attachments; }
const std::vector<std::string>& Sweep::warnings() const { return inside_->warnings; }
const std::vector<std::string>& Sweep::trajectory() const { return inside_->ensemble.trajectory; }

std::vector<std::string> Sweep::columns() const {
  std::vector<std::string> all{"number"};
  for (const auto& field : plan().fields()) all.push_back(field);
  for (const auto& kept : quantities()) all.push_back(kept.name);
  all.emplace_back("status");
  return all;
}

std::string Sweep::unit(std::size_t i) const {
  const Expectation& asked = quantities()[i].asked;
  return quantity_unit(inside_->base, {}, asked.quantity, Argument(asked));
}

std::string Sweep::quantity_label(std::size_t i) const {
  return label_with_unit(quantities()[i].name, unit(i));
}

std::string Sweep::label(const std::string& field) const {
  return meaning_of(inside_->base, field) + bracketed_unit_of(inside_->base, field);
}

const std::optional<BoundarySpec>& Sweep::boundary() const { return inside_->ensemble.boundary; }

bool Sweep::in_lanes() const { return inside_->ensemble.lanes && why_no_lanes().empty(); }
const std::string& Sweep::why_no_lanes() const { return inside_->why_no_lanes; }

std::string Sweep::column_label(const std::string& column) const {
  return axis_label(inside_->base, {}, column);
}

SweepChunks Sweep::chunks() const {
  SweepChunks all;
  all.runs = plan().size();
  // Enough for all lanes to have work.
  if (in_lanes()) all.shortest = 64, all.longest = 1024;
  // A chunk of trajectories is held in memory until it is whole.
  constexpr double most_numbers = 0x1p20;
  if (!trajectory().empty())
    all.longest = std::uint64_t(
        std::clamp(most_numbers / (inside_->base.options.samples * double(trajectory().size() + 2)),
                   1.0, double(all.longest)));
  return all;
}

SweepRow Sweep::run(std::uint64_t index, const std::function<bool(double)>& progress) const {
  SweepRow row{index + 1, plan().values(index), {}, "done", {}};
  row.quantities.resize(quantities().size());
  try {
    const Case c = inside_->case_at(row.values);
    inside_->measure_into(row, c, run_case(c, inside_->document.path, progress));
  } catch (const Interrupted&) {
    throw;
  } catch (const std::bad_alloc&) {
    row.status = "there is not enough memory";
  } catch (const std::exception& error) {
    row.status = error.what();
  }
  if (!row.done()) row.trajectory.clear(), row.quantities.assign(row.quantities.size(), {});
  return row;
}

Experiment Sweep::experiment_of(std::uint64_t index) const {
  const auto values = plan().values(index);
  Experiment e = inside_->document.experiment;
  e.cases = {
      make_case(inside_->document, inside_->variant, inside_->settings_at(values), {}, e.warnings)};
  // Figures of other cases and of sweeps have no data here.
  const std::string& label = inside_->variant.label;
  std::erase_if(e.figures, [&](const FigureSpec& f) {
    return !f.sweeps.empty() ||
           (!f.cases.empty() && std::find(f.cases.begin(), f.cases.end(), label) == f.cases.end());
  });
  for (auto& f : e.figures) f.cases.clear();
  e.title += " (run " + std::to_string(index + 1) + " of a sweep:";
  const auto fields = plan().fields();
  for (std::size_t i = 0; i < fields.size(); ++i)
    e.title += (i == 0 ? " " : ", ") + fields[i] + " = " + words(values[i]);
  e.title += ")";
  return e;
}

}  // namespace bristle::io
