// SPDX-License-Identifier: MIT
// Sweeps: an experiment at many values of its fields, on all cores, read back as columns.
#include <cstdlib>
#include <filesystem>

#include "bindings.hpp"
#include "bristle/ensemble/parallel.hpp"
#include "bristle/io/errors.hpp"
#include "experiment_object.hpp"
#include "interrupt.hpp"
#include "machine_source.hpp"
#include "sweep_table.hpp"

namespace bristle::python {
namespace {

struct SweepObject {
  std::shared_ptr<const io::Sweep> sweep;
  io::SweepChanges changes;
};

// A folder that is gone with its owner: for a sweep that leaves no files.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "bristle-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw io::FileError(name + ": no folder can be made there for the rows of the sweep");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct SweepCall {
  std::string out;
  int threads = 0;
  double budget = 0.0;
  std::pair<std::uint64_t, std::uint64_t> part{1, 1};
  bool figures = true, fresh = false;
};

// Without the lock: the rows go to a journal, as those of the command do, and are read back.
SweepTable make_rows(const SweepObject& object, const SweepCall& call,
                     const std::function<bool(double)>& look) {
  const io::Sweep& sweep = *object.sweep;
  std::optional<ScratchFolder> scratch;
  std::string place = call.out;
  if (place.empty()) place = scratch.emplace().path() + "/sweep";
  else io::refuse_other_results(place, sweep);

  io::SweepRecord record{"bristle.sweep", object.changes, {}, {}, call.threads, call.figures};
  if (record.threads <= 0) record.threads = available_threads();
  record.chunks = sweep.chunks();
  record.chunks.part = call.part.first, record.chunks.parts = call.part.second;
  if (record.chunks.count() == 0)
    throw InvalidInput("part", "part: a sweep of " + std::to_string(record.chunks.runs) +
                                   " runs has no part " + std::to_string(call.part.first) + " of " +
                                   std::to_string(call.part.second));
  if (call.budget == 0.0 && !sweep.boundary())
    io::refuse_endless(sweep, record.chunks, record.threads, "budget, such as budget=3600.0",
                       [&](double) { return look(0.0); });
  const std::string kept = place + ".unfinished";
  io::SweepJournal journal(kept,
                           sweep.fingerprint() + " " + std::to_string(call.part.first) + "/" +
                               std::to_string(call.part.second),
                           call.fresh);
  io::SweepOptions options{record.threads, call.budget, {}};
  options.progress = [&](const io::SweepProgress& p) {
    return look(double(p.done) / double(p.runs));
  };
  std::vector<std::string> refined;
  if (sweep.boundary()) {
    if (call.part.second > 1)
      throw InvalidInput("part", "part: a map that is refined along a boundary has no parts");
    record.outcome = io::refine_sweep(sweep, journal, options, refined);
    record.chunks.runs = refined.size();
  } else {
    record.outcome = io::run_sweep(sweep, record.chunks, journal, options);
  }
  if (journal.chunks() == 0) {
    journal.remove();
    throw InvalidInput(
        "budget", "budget = " + words(call.budget) + " s: not one chunk of runs ended within it");
  }
  io::SweepRows rows = io::rows_in(journal);
  if (sweep.boundary()) rows.rows = io::rows_of(std::move(refined));
  std::string table = place + "/sweep.csv", trouble;
  if (scratch) {
    std::string text = io::header_text(sweep.columns()), block;
    while (rows.rows(block)) text += block;
    io::write_text(table = place + ".csv", text);
  } else {
    io::SweepStatistics statistics;
    trouble = io::write_sweep(sweep, record, rows, place, statistics);
  }
  if (!record.outcome.budget_spent) journal.remove();
  SweepTable t = read_back(sweep, table);
  t.outcome = record.outcome;
  t.trouble = trouble;
  return t;
}

py::dict run_it(const SweepObject& object, const std::string& out, int threads, double budget,
                std::pair<std::uint64_t, std::uint64_t> part, bool figures, bool fresh,
                const py::object& progress) {
  if (threads < 0 || threads > 1024)
    throw InvalidInput("threads", "threads = " + std::to_string(threads) +
                                      " is not allowed, it must be at least 0 and at most 1024");
  if (!(budget >= 0.0 && budget <= 1e9))
    throw InvalidInput("budget", "budget = " + words(budget) +
                                     " s is not allowed, it must be at least 0 and at most 1e9 s");
  if (part.first < 1 || part.first > part.second || part.second > 1000000)
    throw InvalidInput("part", "part = (" + std::to_string(part.first) + ", " +
                                   std::to_string(part.second) +
                                   ") is not allowed, (3, 64) is part 3 of 64");
  const SweepCall call{out, threads, budget, part, figures, fresh};
  const SweepTable table =
      watched(progress, [&](auto look) { return make_rows(object, call, look); });
  return table_dict(table, *object.sweep);
}

SweepObject make_sweep(const std::string& text, const std::string& path, const py::dict& settings,
                       const std::vector<std::string>& vary,
                       const std::vector<std::string>& quantities, const std::string& label,
                       bool lanes) {
  io::SweepChanges changes{settings_from(settings), vary, quantities, label, lanes};
  auto sweep = text.empty() ? std::make_shared<const io::Sweep>(path, changes)
                            : std::make_shared<const io::Sweep>(text, path, changes);
  return {std::move(sweep), std::move(changes)};
}

std::uint64_t index_in(const SweepObject& object, std::uint64_t number) {
  const std::uint64_t size = object.sweep->plan().size();
  if (number >= 1 && number <= size) return number - 1;
  throw InvalidInput("number", "number = " + std::to_string(number) +
                                   " is not allowed, it must be at least 1 and at most " +
                                   std::to_string(size));
}

py::dict read_results(const std::string& directory) {
  io::SweepRecord record;
  const io::Sweep sweep = io::sweep_of_results(directory, record);
  return table_dict(read_back(sweep, directory + "/sweep.csv"), sweep);
}

py::dict merge_results(const std::vector<std::string>& directories, const std::string& out,
                       bool figures) {
  if (directories.empty())
    throw InvalidInput("directories", "directories: at least one result directory is needed");
  io::SweepRecord record;
  const io::Sweep sweep = io::sweep_of_results(directories.front(), record);
  record.command = "bristle.merge_sweeps";
  record.figures = figures;
  const SweepTable table = watched(py::none(), [&](auto) {
    io::refuse_other_results(out, sweep);
    io::SweepStatistics statistics;
    const std::string trouble =
        io::write_sweep(sweep, record, io::merged_rows(sweep, directories), out, statistics);
    SweepTable t = read_back(sweep, out + "/sweep.csv");
    t.trouble = trouble;
    return t;
  });
  return table_dict(table, sweep);
}

}  // namespace

void bind_sweep(py::module_& module) {
  py::class_<SweepObject>(module, "Sweep")
      .def(py::init(&make_sweep))
      .def("size", [](const SweepObject& o) { return o.sweep->plan().size(); })
      .def("fields", [](const SweepObject& o) { return o.sweep->plan().fields(); })
      .def("quantities",
           [](const SweepObject& o) {
             std::vector<std::string> names;
             for (const auto& kept : o.sweep->quantities()) names.push_back(kept.name);
             return names;
           })
      .def("warnings",
           [](const SweepObject& o) {
             std::vector<std::string> all = o.sweep->warnings();
             if (const std::string& why = o.sweep->why_no_lanes(); !why.empty())
               all.push_back("runs do not go in lanes: " + why);
             return all;
           })
      .def("in_lanes", [](const SweepObject& o) { return o.sweep->in_lanes(); })
      .def("values",
           [](const SweepObject& o, std::uint64_t number) {
             return o.sweep->plan().values(index_in(o, number));
           })
      .def("only",
           [](const SweepObject& o, std::uint64_t number, py::object progress) {
             return run_experiment(o.sweep->experiment_of(index_in(o, number)),
                                   std::move(progress));
           })
      .def("run", &run_it);
  module.def("read_sweep", read_results);
  module.def("merge_sweeps", merge_results);
}

}  // namespace bristle::python
