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
          {"columns", sweep.columns()}};
}

ordered_json summary_of(const std::string& directory) {
  const std::string path = directory + "/" + std::string(summary_name);
  if (!fs::is_regular_file(path)) return nullptr;
  const auto j = ordered_json::parse(read_text(path), nullptr, false);
  return j.is_object() ? j : ordered_json(nullptr);
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

std::string write_sweep(const Sweep& sweep, const SweepRecord& record, const RowSource& rows,
                        const std::string& directory, SweepStatistics& statistics) {
  ResultDirectory out(directory);
  bool first = true;
  out.write("sweep.csv", [&](std::string& block) {
    if (!first) return rows(block);
    first = false;
    block = header_text(sweep.columns());
    return true;
  });
  const std::string table = out.path("sweep.csv");
  statistics = statistics_of(table, sweep);
  std::string trouble;
  if (!write_sweep_hdf5(out.path("sweep.h5"), table, sweep, statistics))
    trouble = "no sweep.h5: this program was built without HDF5";
  const auto sensitivity = sensitivities_of(table, sweep);

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
  std::string note, why;
  for (const auto& plot : sweep_plots(table, sweep, statistics, sensitivity, out, note)) {
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
  } catch (const nlohmann::json::exception&) {
    throw InputError(directory + "/" + std::string(summary_name) + ": is damaged");
  }
  Sweep sweep(directory + "/experiment.toml", record.changes);
  record.chunks.runs = sweep.plan().size();
  return sweep;
}

RowSource merged_rows(const Sweep& sweep, const std::vector<std::string>& directories) {
  struct Part {
    std::string path;
    std::ifstream in;
    std::string line;
    std::uint64_t number = 0;  // of the line, 0 after the last
  };
  auto parts = std::make_shared<std::vector<Part>>();
  const auto advance = [](Part& part) {
    const std::uint64_t before = part.number;
    part.number = 0;
    if (!std::getline(part.in, part.line)) return;
    const char* const end = part.line.data() + part.line.size();
    if (std::from_chars(part.line.data(), end, part.number).ec != std::errc() ||
        part.number <= before)
      throw InputError(part.path + ": '" + shown(part.line) +
                       "' is not the next row of a sweep, the file is damaged");
  };
  for (const auto& directory : directories) {
    const ordered_json j = summary_of(directory);
    if (!j.is_object() || !j.contains("sweep"))
      throw InputError(directory + ": is not the result directory of a sweep");
    if (j["sweep"].value("fingerprint", "") != sweep.fingerprint())
      throw InputError(directory + ": is of another sweep than " + directories.front() +
                       " (another file, other changes or another version), they cannot be merged");
    Part& part = parts->emplace_back();
    part.path = directory + "/sweep.csv";
    part.in.open(part.path);
    if (!std::getline(part.in, part.line) || part.line + "\n" != header_text(sweep.columns()))
      throw InputError(part.path + ": is not the table of this sweep");
    advance(part);
  }
  const std::uint64_t runs = sweep.plan().size();
  auto next = std::make_shared<std::uint64_t>(1);
  return [=](std::string& block) {
    if (*next > runs) {
      for (const auto& part : *parts)
        if (part.number > 0)
          throw InputError(part.path + ": run " + std::to_string(part.number) +
                           " is there twice or is none of this sweep");
      return false;
    }
    // A block of rows, each from the part that has the number.
    for (std::size_t i = 0; i < 4096 && *next <= runs; ++i, ++*next) {
      const auto at = std::find_if(parts->begin(), parts->end(),
                                   [&](const Part& part) { return part.number == *next; });
      if (at == parts->end())
        throw InputError("run " + std::to_string(*next) + " of " + std::to_string(runs) +
                         " is in none of the given directories, merge needs all parts whole");
      block += at->line + "\n";
      advance(*at);
    }
    return true;
  };
}

}  // namespace bristle::io
