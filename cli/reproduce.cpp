// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/io/verdict_json.hpp"
#include "bristle/version.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> keys;
  bool all = false, list = false, json = false, strict = false, no_figures = false;
  std::string out, folder, command;
};

// The experiments beside the program (build tree or installed), or where the user says.
std::string experiments_folder(const std::string& given) {
  if (!given.empty()) {
    if (fs::is_directory(given)) return given;
    throw io::FileError(given + ": is not a directory of experiments");
  }
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& place :
       {here / "../experiments", here / "../share/bristle/experiments", fs::path("experiments")})
    if (fs::is_directory(place)) return fs::weakly_canonical(place).string();
  throw io::FileError(
      "the experiments were not found beside the program, name their folder with --experiments");
}

std::vector<std::string> keys_in(const std::string& folder) {
  std::vector<std::string> keys;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".toml") keys.push_back(file.path().stem().string());
  std::sort(keys.begin(), keys.end());
  return keys;
}

struct Item {
  std::string key;
  io::Experiment experiment;
  io::ExperimentResult result;
  std::string error;  // why it did not run
  int code = io::success;
  std::string trouble;  // what could not be drawn
};

void run_item(Item& item, const Arguments& a, const std::string& folder, Progress& progress,
              std::atomic<int>& done, std::size_t total) {
  try {
    item.experiment = io::read_experiment(folder + "/" + item.key + ".toml");
    item.result = io::run_experiment(item.experiment, [&](double part) {
      return progress.show((double(done.load()) + part) / double(total));
    });
    if (!a.out.empty())
      item.trouble =
          io::write_results(item.experiment, item.result, a.out + "/" + item.key,
                            {!a.no_figures, "bristle reproduce " + item.key, false, interrupted});
    if (!item.result.ok(item.experiment))
      item.error = "a simulation did not reach its end", item.code = io::run_failed;
  } catch (const io::Interrupted&) {
    item.error = "interrupted", item.code = io::interrupted;
  } catch (const io::InputError& error) {
    item.error = error.what(), item.code = io::bad_input;
  } catch (const InvalidInput& error) {
    item.error = error.what(), item.code = io::bad_input;
  } catch (const std::bad_alloc&) {
    item.error = "there is not enough memory", item.code = io::run_failed;
  } catch (const std::exception& error) {
    item.error = error.what(), item.code = io::file_trouble;
  }
  ++done;
}

ordered_json as_json(const Item& item) {
  ordered_json j{{"key", item.key},
                 {"document", item.experiment.document},
                 {"figure", item.experiment.figure},
                 {"title", item.experiment.title},
                 {"seconds", item.result.seconds}};
  if (!item.error.empty()) j["error"] = item.error;
  double ledger = 0.0;
  for (const auto& c : item.result.cases)
    ledger = std::max(ledger, c.run.summary.ledger.relative_error);
  j["ledger_error"] = ledger;
  j["facts"] = ordered_json::array();
  for (const auto& v : item.result.verdicts) j["facts"].push_back(io::as_json(v));
  return j;
}

int list(const Arguments& a, const std::string& folder) {
  ordered_json all = ordered_json::array();
  for (const auto& key : keys_in(folder)) {
    const io::Experiment e = io::read_experiment(folder + "/" + key + ".toml");
    all.push_back(
        {{"key", key}, {"document", e.document}, {"figure", e.figure}, {"title", e.title}});
    if (!a.json) fmt::print("{:<28} {:<36} {}\n", key, e.document + ", " + e.figure, e.title);
  }
  if (a.json) fmt::print("{}\n", all.dump(2));
  return io::success;
}

int reproduce(const Arguments& a) {
  const std::string folder = experiments_folder(a.folder);
  if (a.list) return list(a, folder);
  const auto known = keys_in(folder);
  std::vector<Item> items;
  for (const auto& key : a.all ? known : a.keys) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string near = nearest(key, known);
      throw io::InputError("there is no experiment '" + key + "'" +
                           (near.empty() ? "" : ", did you mean '" + near + "'?") +
                           " (bristle reproduce --list shows all)");
    }
    if (std::none_of(items.begin(), items.end(), [&](const Item& i) { return i.key == key; }))
      items.push_back({.key = key});
  }
  if (items.empty())
    throw io::InputError("reproduce needs the name of an experiment, --all or --list");

  // The cores share the experiments; results are printed in order afterwards.
  std::atomic<std::size_t> next{0};
  std::atomic<int> done{0};
  {
    Progress progress("reproduce");
    std::vector<std::thread> workers;
    const auto count =
        std::min<std::size_t>(items.size(), std::max(1u, std::thread::hardware_concurrency()));
    for (std::size_t w = 0; w < count; ++w)
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < items.size() && !interrupted(); i = next++)
          run_item(items[i], a, folder, progress, done, items.size());
      });
    for (auto& worker : workers) worker.join();
  }
  if (interrupted()) throw io::Interrupted();

  int failed = io::success;
  long met = 0, choice = 0, missed = 0, explained = 0, undefined = 0;
  ordered_json all = ordered_json::array();
  for (const auto& item : items) {
    all.push_back(as_json(item));
    if (failed == io::success) failed = item.code;
    for (const auto& v : item.result.verdicts) {
      if (v.verdict == "reproduced") ++met;
      else if (v.met()) ++choice;
      else if (v.verdict == "not defined") ++undefined;
      else if (!v.missed()) ++explained;
      else ++missed;
    }
    if (a.json) continue;
    fmt::print("{} ({}, {}; {:.2f} s)\n",
               item.experiment.title.empty() ? item.key : item.experiment.title,
               item.experiment.document, item.experiment.figure, item.result.seconds);
    print_verdicts(item.result.verdicts);
    if (!item.error.empty()) fmt::print("  failed: {}\n", item.error);
    if (!item.trouble.empty()) fmt::print("  {}\n", item.trouble);
  }
  if (!a.out.empty()) io::write_text(a.out + "/reproduce.json", all.dump(2) + "\n");
  if (a.json) fmt::print("{}\n", all.dump(2));
  else
    fmt::print(
        "\n{} experiments: {} reproduced, {} reproduced with stated choice, {} not reproduced{}, "
        "{} "
        "not defined\n{}",
        items.size(), met, choice, missed + explained,
        explained ? fmt::format(" ({} of them explained)", explained) : "", undefined,
        a.out.empty() ? "" : "results: " + a.out + "/*/report.html\n");
  for (const auto& item : items)
    if (!item.error.empty()) fmt::print(stderr, "bristle: {}: {}\n", item.key, item.error);
  if (failed != io::success) return failed;
  return a.strict && missed + undefined > 0 ? io::expectation_missed : io::success;
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command =
      program.add_subcommand("reproduce", "Run published figures: published, ours, verdict");
  auto a = std::make_shared<Arguments>();
  a->command = command_line;
  command->add_option("keys", a->keys, "experiments by name");
  command->add_flag("--all", a->all, "every experiment");
  command->add_flag("--list", a->list, "show the names and what they are");
  command->add_flag("--json", a->json, "print verdicts as JSON");
  command->add_flag("--strict", a->strict,
                    "exit with 1 if anything published was not reproduced and nothing says why");
  command->add_flag("--no-figures", a->no_figures,
                    "with --out: write data and scripts, do not draw");
  command->add_option("--out", a->out, "write a result directory for each experiment here")
      ->type_name("DIR");
  command->add_option("--experiments", a->folder, "folder of experiment files")->type_name("DIR");
  command->footer(
      "Examples:\n  bristle reproduce --list\n  bristle reproduce r_8_stick_slip\n"
      "  bristle reproduce --all --out out --json");
  command->callback([&action, a] { action = [a] { return reproduce(*a); }; });
}

}  // namespace bristle::cli
