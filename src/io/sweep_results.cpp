// SPDX-License-Identifier: MIT
#include "bristle/io/sweep_results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/version.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

// A number, or null where it is none.
ordered_json finite(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json statistics_json(const SweepStatistics& statistics) {
  ordered_json all = ordered_json::object();
  for (const auto& q : statistics.quantities) {
    ordered_json j;
    j["runs"] = q.numbers + q.words;
    if (q.undefined > 0) j["runs_without"] = q.undefined;
    if (!q.unit.empty()) j["unit"] = q.unit;
    if (q.numbers > 0) {
      j["mean"] = finite(q.mean), j["standard_deviation"] = finite(q.deviation);
      j["smallest"] = {{"value", finite(q.smallest)}, {"run", q.smallest_at}};
      j["largest"] = {{"value", finite(q.largest)}, {"run", q.largest_at}};
      j["quantiles"] = {{"2.5 %", finite(q.low)},
                        {"50 %", finite(q.median)},
                        {"97.5 %", finite(q.high)},
                        {"of_runs", q.quantiles_of}};
    }
    if (q.words > 0) j["words"] = q.counts;
    all[q.name] = std::move(j);
  }
  return all;
}

// What makes the rows, so that a part can be merged without its file.
ordered_json sweep_json(const Sweep& sweep, const SweepRecord& record) {
  ordered_json settings = ordered_json::array();
  for (const auto& s : record.changes.settings)
    settings.push_back(s.section + "." + s.field + "=" + s.value);
  return {{"fingerprint", sweep.fingerprint()},
          {"runs", sweep.plan().size()},
          {"part", record.chunks.part},
          {"parts", record.chunks.parts},
          {"set", settings},
          {"vary", record.changes.vary},
          {"quantity", record.changes.quantities},
          {"case", record.changes.label},
          {"lanes", record.changes.lanes},
          {"columns", sweep.columns()}};
}

ordered_json summary_of(const std::string& directory) {
  const std::string path = directory + "/" + std::string(summary_name);
  if (!fs::is_regular_file(path)) return nullptr;
  const auto j = ordered_json::parse(read_text(path), nullptr, false);
  return j.is_object() ? j : ordered_json(nullptr);
}

void write_table(ResultDirectory& out, const std::string& name, const std::string& header,
                 const RowSource& rows) {
  bool first = true;
  out.write(name, [&](std::string& block) {
    if (!first) return rows(block);
    first = false;
    block = header;
    return true;
  });
}

// The trajectories as CSV and HDF5, and their bands where draws alone make the runs.
std::vector<Plot> write_trajectories(const Sweep& sweep, const SweepRows& rows,
                                     const SweepStatistics& statistics,
                                     const std::string& directory, ResultDirectory& out,
                                     std::string& note) {
  write_table(out, "trajectories.csv", header_text(trajectory_columns(sweep)), rows.trajectories);
  const std::string table = out.path("trajectories.csv");
  std::uint64_t samples = 0, runs = 0, last = 0;
  each_sample(table, sweep, [&](const TrajectorySample& s) {
    ++samples;
    runs += s.number != last;
    last = s.number;
  });
  if (runs != statistics.rows - statistics.failed)
    throw InputError("trajectories.csv has " + std::to_string(runs) + " runs of the " +
                     std::to_string(statistics.rows - statistics.failed) +
                     " that were made, a file is damaged");
  write_trajectories_hdf5(out.path("trajectories.h5"), directory + "/trajectories.h5", table, sweep,
                          samples);
  if (!sweep.plan().axes.empty() || runs < 2) return {};
  return write_bands(table, sweep, out, note);
}

void write_sensitivities(const Sweep& sweep, const std::map<std::string, SensitivityResult>& all,
                         ResultDirectory& out, ordered_json& summary) {
  if (all.empty()) return;
  std::string text = header_text(
      {"quantity", "field", "first", "first_half_width", "total", "total_half_width", "sigma"});
  for (const auto& [quantity, result] : all) {
    auto inputs = ordered_json::object();
    for (std::size_t i = 0; i < result.inputs.size(); ++i) {
      const InputSensitivity& s = result.inputs[i];
      const std::string& field = sweep.plan().random_fields[i].field;
      text += quantity + "," + field;
      for (const double v : {s.first, s.first_half_width, s.total, s.total_half_width, s.sigma})
        text += "," + (std::isfinite(v) ? words(v) : "");
      text += "\n";
      inputs[field] = {{"first", finite(s.first)},
                       {"first_half_width", finite(s.first_half_width)},
                       {"total", finite(s.total)},
                       {"total_half_width", finite(s.total_half_width)},
                       {"sigma", finite(s.sigma)}};
    }
    summary["sensitivity"][quantity] = {{"samples_used", result.used}, {"fields", inputs}};
  }
  out.write("sensitivity.csv", text);
}

}  // namespace

SweepRows rows_in(const SweepJournal& journal) {
  const auto side = [&journal](bool behind) -> RowSource {
    auto position = std::make_shared<std::uint64_t>(0);
    return [&journal, position, behind](std::string& block) {
      if (!journal.next(*position, block)) return false;
      const auto at = block.find(trajectories_begin);
      if (!behind) block.resize(std::min(at, block.size()));
      else block.erase(0, at == std::string::npos ? at : at + 1);
      return true;
    };
  };
  return {side(false), side(true)};
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the functions own what they share

RowSource rows_of(std::vector<std::string> rows) {
  return [rows = std::move(rows), at = std::size_t(0)](std::string& block) mutable {
    if (at == rows.size()) return false;
    block = std::move(rows[at++]);
    return true;
  };
}

std::string write_sweep(const Sweep& sweep, const SweepRecord& record, const SweepRows& rows,
                        const std::string& directory, SweepStatistics& statistics) {
  ResultDirectory out(directory);
  write_table(out, "sweep.csv", header_text(sweep.columns()), rows.rows);
  const std::string table = out.path("sweep.csv");
  statistics = statistics_of(table, sweep);
  std::string trouble;
  if (!write_sweep_hdf5(out.path("sweep.h5"), directory + "/sweep.h5", table, sweep, statistics))
    trouble = "no sweep.h5: this program was built without HDF5";
  const auto sensitivity = sensitivities_of(table, sweep);
  std::string note;
  std::vector<Plot> plots;
  if (!sweep.trajectory().empty())
    plots = write_trajectories(sweep, rows, statistics, directory, out, note);

  ordered_json j;
  j["sweep"] = sweep_json(sweep, record);
  j["title"] = sweep.experiment().title;
  j["runs"] = {{"planned", record.chunks.own_runs()},
               {"made", statistics.rows},
               {"failed", statistics.failed}};
  if (statistics.failed > 0)
    j["first_failure"] = {{"run", statistics.first_failed}, {"why", statistics.first_failure}};
  j["quantities"] = statistics_json(statistics);
  write_sensitivities(sweep, sensitivity, out, j);

  std::vector<std::string> scripts;
  std::string why;
  for (auto& plot : sweep_plots(table, sweep, statistics, sensitivity, out, note))
    plots.push_back(std::move(plot));
  for (const auto& plot : plots) {
    scripts.push_back(plot.name + ".gp");
    out.write(scripts.back(), gnuplot_script(plot));
  }
  if (!note.empty()) trouble += (trouble.empty() ? "" : "; ") + note;
  if (record.figures && !draw(out.working(), scripts, why))
    trouble += (trouble.empty() ? "" : "; ") + ("no figures: " + why) +
               "; data and gnuplot scripts are written";
  j["provenance"] = {{"bristle", version},
                     {"command", record.command},
                     {"seed", sweep.plan().seed},
                     {"threads", record.threads},
                     {"lanes", sweep.in_lanes()},
                     {"runs_of_this_call", record.outcome.made},
                     {"seconds", record.outcome.seconds},
                     {"processor_seconds", record.outcome.processor_seconds}};
  out.write(std::string(summary_name),
            j.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  write_inputs(sweep.experiment().text, sweep.attachments(), out);
  out.commit();
  return trouble;
}

void refuse_other_results(const std::string& directory, const Sweep& sweep) {
  const ordered_json j = summary_of(directory);
  if (!j.is_object() || !j.contains("provenance")) return;
  if (j.contains("sweep") && j["sweep"].value("fingerprint", "") == sweep.fingerprint()) return;
  throw InputError(directory + ": holds the results of another " +
                   (j.contains("sweep") ? "sweep" : "experiment") + " ('" +
                   shown(j.value("title", "")) + "'); give another --out, or remove it");
}

Sweep sweep_of_results(const std::string& directory, SweepRecord& record) {
  const ordered_json j = summary_of(directory);
  if (!j.is_object() || !j.contains("sweep"))
    throw InputError(directory + ": is not the result directory of a sweep");
  try {
    const auto& s = j.at("sweep");
    for (const auto& one : s.at("set"))
      record.changes.settings.push_back(parse_setting(one.get<std::string>()));
    record.changes.vary = s.at("vary").get<std::vector<std::string>>();
    record.changes.quantities = s.at("quantity").get<std::vector<std::string>>();
    record.changes.label = s.at("case").get<std::string>();
    record.changes.lanes = s.at("lanes").get<bool>();
  } catch (const nlohmann::json::exception&) {
    throw InputError(directory + "/" + std::string(summary_name) + ": is damaged");
  }
  Sweep sweep(directory + "/experiment.toml", record.changes);
  record.chunks = sweep.chunks();
  return sweep;
}

namespace {

// One table of a part, read line by line; lines begin with the number of their run.
struct PartTable {
  std::string path;
  std::ifstream in;
  std::string line;
  std::uint64_t number = 0;  // of the line, 0 after the last

  PartTable(std::string where, const std::string& header) : path(std::move(where)), in(path) {
    if (!std::getline(in, line) || line + "\n" != header)
      throw InputError(path + ": is not the table of this sweep");
    advance();
  }
  void advance() {
    const std::uint64_t before = number;
    number = 0;
    if (!std::getline(in, line)) return;
    const char* const end = line.data() + line.size();
    if (std::from_chars(line.data(), end, number).ec != std::errc() || number < before)
      throw InputError(path + ": '" + shown(line) +
                       "' is not the next row of a sweep, the file is damaged");
  }
};
using PartTables = std::shared_ptr<std::vector<PartTable>>;

// Every run once, each from the part that has its number.
RowSource merged_table(const PartTables& parts, std::uint64_t runs) {
  auto next = std::make_shared<std::uint64_t>(1);
  return [=](std::string& block) {
    if (*next > runs) {
      for (const auto& part : *parts)
        if (part.number > 0)
          throw InputError(part.path + ": run " + std::to_string(part.number) +
                           " is there twice or does not belong to this sweep");
      return false;
    }
    for (std::size_t i = 0; i < 4096 && *next <= runs; ++i, ++*next) {
      const auto at = std::find_if(parts->begin(), parts->end(),
                                   [&](const PartTable& part) { return part.number == *next; });
      if (at == parts->end())
        throw InputError("run " + std::to_string(*next) + " of " + std::to_string(runs) +
                         " is in none of the given directories, merge needs all parts whole");
      block += at->line + "\n";
      at->advance();
    }
    return true;
  };
}

// The trajectories of all parts in the order of their numbers; runs that failed have none.
RowSource merged_trajectories(const PartTables& parts) {
  return [=](std::string& block) {
    PartTable* first = nullptr;
    for (auto& part : *parts)
      if (part.number > 0 && (!first || part.number < first->number)) first = &part;
    if (!first) return false;
    for (const std::uint64_t number = first->number; first->number == number; first->advance())
      block += first->line + "\n";
    return true;
  };
}

}  // namespace

SweepRows merged_rows(const Sweep& sweep, const std::vector<std::string>& directories) {
  const auto tables = std::make_shared<std::vector<PartTable>>();
  const auto trajectories = std::make_shared<std::vector<PartTable>>();
  for (const auto& directory : directories) {
    const ordered_json j = summary_of(directory);
    if (!j.is_object() || !j.contains("sweep"))
      throw InputError(directory + ": is not the result directory of a sweep");
    if (j["sweep"].value("fingerprint", "") != sweep.fingerprint())
      throw InputError(
          directory + ": is of another sweep than " + directories.front() +
          " (another file, other changes or another version), so they cannot be merged");
    tables->emplace_back(directory + "/sweep.csv", header_text(sweep.columns()));
    if (!sweep.trajectory().empty())
      trajectories->emplace_back(directory + "/trajectories.csv",
                                 header_text(trajectory_columns(sweep)));
  }
  return {merged_table(tables, sweep.plan().size()), merged_trajectories(trajectories)};
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the functions own what they share

}  // namespace bristle::io
