// SPDX-License-Identifier: MIT
#include "data_column.hpp"

#include <algorithm>

#include "bristle/io/errors.hpp"
#include "bristle/model/field.hpp"
#include "place_of.hpp"

namespace bristle::io {
namespace {

using Names = std::vector<std::string>;

// One column that is wanted, and how it is found.
struct Wanted {
  std::size_t slot;
  ColumnRole role;
  std::string asked;
  Names usual;
  bool needed = false;
};

class Finder {
 public:
  Finder(const TableRows& rows, const std::string& path) : rows_(rows), path_(path) {
    for (const std::string& name : rows.names()) stems_.push_back(stem_of(name));
  }

  // Those asked for first: what they take is not tried for others.
  std::vector<Column> find(const std::vector<Wanted>& all) {
    std::size_t count = column_count;
    for (const Wanted& w : all) count = std::max(count, w.slot + 1);
    columns_.resize(count);
    for (const Wanted& w : all)
      if (!w.asked.empty()) take(w, asked_column(w.asked, rows_.names()));
    for (const Wanted& w : all) {
      if (!w.asked.empty()) continue;
      const std::string name = usual(w);
      if (!name.empty()) take(w, {name, ""});
      else if (w.needed)
        throw InputError(path_ + ": no column has a usual name of a " + w.role.name +
                         ", name it by " + w.role.option + " (columns: " + words_of(rows_.names()) +
                         ")");
    }
    return std::move(columns_);
  }

 private:
  std::string below(std::size_t at) const { return rows_.unit(at); }

  void take(const Wanted& w, const AskedColumn& asked) {
    const std::size_t at = rows_.index(asked.name);
    const std::string& name = rows_.names()[at];
    for (const Column& other : columns_)
      if (other.reading.column == name)
        throw InputError(path_ + ": column '" + name + "' cannot be both " + other.reading.role +
                         " and " + w.role.name);
    columns_[w.slot] = {at, read_column(w.role, {name, asked.suffix}, below(at), path_)};
  }

  bool taken(const std::string& name) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const Column& c) { return c.reading.column == name; });
  }

  // A field of a structure, such as log.t, goes by its last part.
  static std::string_view last_part(std::string_view stem) {
    const auto dot = stem.rfind('.');
    return dot == stem.npos ? stem : stem.substr(dot + 1);
  }

  // The first free column of a usual name whose unit fits, otherwise the first of such a name.
  std::string usual(const Wanted& w) const {
    for (const bool any_unit : {false, true})
      for (const std::string& word : w.usual)
        for (std::size_t i = 0; i < rows_.names().size(); ++i) {
          const std::string& name = rows_.names()[i];
          const std::string& stem = stems_[i];
          const auto at = stem.find(word);
          const bool alike =
              word.size() == 1
                  ? last_part(stem) == word
                  : at != stem.npos && (at == 0 || std::string_view("_ .").find(stem[at - 1]) !=
                                                       std::string_view::npos);
          // A single letter with the unit of something else is something else.
          if (!alike || taken(name) || (any_unit && word.size() == 1)) continue;
          if (any_unit || fits(w.role, name, below(i))) return name;
        }
    return "";
  }

  const TableRows& rows_;
  const std::string& path_;
  Names stems_;  // of the names of the columns
  std::vector<Column> columns_;
};

std::vector<Wanted> wanted_columns(const MeasurementChoice& c) {
  if (!c.others.empty()) {
    std::vector<Wanted> all{{time_column, {"time", {"s"}, "--time"}, c.time, {"time", "t"}, true},
                            {position_column,
                             {"position", {"rad"}, "--position"},
                             c.position,
                             {"position", "angle"},
                             true}};
    if (c.others_alone) all.pop_back();
    for (std::size_t i = 0; i < c.others.size(); ++i) {
      const OtherColumn& o = c.others[i];
      const Names units = o.unit.empty() ? Names{} : Names{o.unit};
      // They come first: a goal may be called goal_position.
      all.insert(
          all.begin() + long(i),
          {column_count + i, {o.usual.front(), units, o.option}, o.asked, o.usual, !o.optional});
    }
    return all;
  }
  const bool turns = c.motion && c.input_unit == "N m";
  const auto units = [&](const char* straight, const char* turning) {
    return c.motion ? Names{turns ? turning : straight} : Names{straight, turning};
  };
  std::vector<Wanted> all;
  if (c.motion) {
    const Names unit = c.input_unit.empty() ? Names{} : Names{c.input_unit};
    all.push_back({input_column, {"input", unit, "--input"}, c.input, {}});
  }
  if (!c.steady || !c.time.empty())
    all.push_back({time_column, {"time", {"s"}, "--time"}, c.time, {"time", "t"}});
  all.push_back({position_column,
                 {"position", units("m", "rad"), "--position"},
                 c.position,
                 {"position", "displacement", "angle", "x", "pos", "theta", "q"}});
  all.push_back({velocity_column,
                 {"velocity", units("m/s", "rad/s"), "--velocity"},
                 c.velocity,
                 {"velocity", "speed", "v", "vel", "omega", "dq", "qd"}});
  all.push_back(
      {load_column, {"load", {"N", "N m"}, "--load"}, c.load, {"normal_force", "load", "n"}});
  if (!c.motion)
    all.push_back({force_column,
                   {"force", c.motor_constant != 0.0 ? Names{"A"} : Names{"N", "N m"}, "--force"},
                   c.force,
                   {"friction_force", "friction", "force", "torque", "f", "tau"},
                   true});
  for (std::size_t i = 0; i < c.beside.size(); ++i) {
    const OtherColumn& o = c.beside[i];
    all.push_back({column_count + i, {"condition", {}, o.option}, o.asked, o.usual});
  }
  return all;
}

// What a column says of translation and rotation.
bool is_one_of(const Column& c, std::initializer_list<const char*> units) {
  return c.there() && !c.reading.unit.empty() &&
         std::any_of(units.begin(), units.end(),
                     [&](const char* u) { return c.reading.read_as == u; });
}

// Words for those that turn, in names without a unit.
bool name_turns(const Column& c) {
  const std::string name = lower_case(c.reading.column);
  for (const char* word : {"angle", "torque", "moment", "theta", "tau"})
    if (c.there() && c.reading.unit.empty() && name.find(word) != name.npos) return true;
  return false;
}

// Whether the motion is a rotation; all columns must agree.
bool decide_rotation(const std::vector<Column>& columns, const std::string& path) {
  const Column *straight = nullptr, *turning = nullptr;
  bool by_name = false;
  for (const std::size_t k : {position_column, velocity_column, force_column}) {
    const Column& c = columns[k];
    if (is_one_of(c, {"m", "m/s", "N"})) straight = &c;
    if (is_one_of(c, {"rad", "rad/s", "N m"})) turning = &c;
    by_name = by_name || name_turns(c);
  }
  if (straight && turning)
    throw InputError(path + ": " + straight->reading.role + " is in " + straight->reading.unit +
                     " and " + turning->reading.role + " in " + turning->reading.unit +
                     ": a translation needs m and N, a rotation rad and N m; a factor converts one "
                     "of them, --" +
                     turning->reading.role + " " + turning->reading.column + ":FACTOR");
  return turning != nullptr || (straight == nullptr && by_name);
}

// A current stands for a force; without a unit it is in A, and a factor turns it into A.
void read_current(ColumnReading& r, double motor_constant, const std::string& force) {
  if (r.unit.empty()) r.unit = r.given ? words(r.factor) + " A" : "A";
  r.factor *= motor_constant, r.read_as = force;
  r.remark += (r.remark.empty() ? "" : "; ") + std::string("a current, times ") +
              words(motor_constant) + " " + force + "/A";
}

}  // namespace

std::string lower_case(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

ColumnChoice choose_columns(const TableRows& rows, const std::string& path,
                            const MeasurementChoice& choice) {
  ColumnChoice found{Finder(rows, path).find(wanted_columns(choice)), {}};
  auto& columns = found.columns;
  const bool force_alone = choice.others.empty() && !columns[velocity_column].there() &&
                           (choice.steady || !columns[position_column].there());
  if (force_alone)
    throw InputError(path + ": no column has a usual name of a " +
                     (choice.steady
                          ? "velocity, name it by --velocity"
                          : "position or a velocity, name it by --position or --velocity") +
                     " (columns: " + words_of(rows.names()) + ")");
  const bool turns = !choice.others.empty() || choice.motion
                         ? !choice.others.empty() || choice.input_unit == "N m"
                         : decide_rotation(columns, path);
  if (turns) found.units = {"N m", "rad"};
  // Columns without a unit, or with a factor, are read in what the others are in.
  if (choice.motor_constant != 0.0 && columns[force_column].there())
    read_current(columns[force_column].reading, choice.motor_constant, found.units.force);
  const std::pair<std::size_t, std::string> in_these[] = {{position_column, found.units.way},
                                                          {velocity_column, found.units.way + "/s"},
                                                          {force_column, found.units.force}};
  for (const auto& [k, unit] : in_these) {
    ColumnReading& r = columns[k].reading;
    if (!columns[k].there() || !r.unit.empty()) continue;
    if (!turns && name_turns(columns[k]) && r.remark.empty() && !r.given)
      r.remark = "its name suggests a rotation, those of the other columns do not";
    r.read_as = unit;
  }
  return found;
}

}  // namespace bristle::io
