// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/gallery.hpp"
#include "bristle/io/models_page.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/io/verdict_json.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> keys;
  bool all = false, list = false, json = false, strict = false, no_figures = false, fresh = false;
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
  // As people number figures: 3_9 before 3_10.
  const auto spread = [](const std::string& key) {
    std::string s;
    for (std::size_t i = 0; i < key.size();) {
      std::size_t end = i;
      while (end < key.size() && key[end] >= '0' && key[end] <= '9') ++end;
      if (end > i) s += std::string(end - i < 9 ? 9 - (end - i) : 0, '0') + key.substr(i, end - i);
      else s += key[end++];
      i = end;
    }
    return s;
  };
  std::sort(keys.begin(), keys.end(),
            [&](const auto& x, const auto& y) { return spread(x) < spread(y); });
  return keys;
}

struct Item {
  std::string key;
  io::Section section;
  bool kept = false;  // from an earlier run, nothing has changed
  int code = io::success;
  std::string trouble;  // what could not be drawn

  void fail(const io::Experiment& experiment, const std::string& why, int with) {
    section = io::failed_section(key, experiment, why);
    code = with;
  }
};

// What the program is: its own bytes.
std::string program_fingerprint() {
  static const std::string made = io::fingerprint(io::read_text("/proc/self/exe"));
  return made;
}

// Runs an experiment and writes its results; does neither if those there are its own.
void work_on(Item& item, io::Experiment& experiment, const Arguments& a, const std::string& folder,
             const std::function<bool(double)>& progress) {
  experiment = io::read_experiment(folder + "/" + item.key + ".toml");
  if (a.out.empty()) {
    const auto result = io::run_experiment(experiment, progress);
    item.section = io::make_section(experiment, result, {}, "");
    if (!result.ok(experiment)) item.code = io::run_failed;
  } else {
    const std::string directory = a.out + "/" + item.key;
    const std::string stamp =
        io::stamp(experiment, program_fingerprint(), a.no_figures ? "no figures" : "");
    if (!a.fresh) {
      if (auto stored = io::stored_section(directory, stamp)) {
        item.section = std::move(*stored);
        item.kept = true;
        return;
      }
    }
    const auto result = io::run_experiment(experiment, progress);
    // Half a run is written, but bears no stamp: it is tried again next time.
    const bool ok = result.ok(experiment);
    item.trouble = io::write_results(
        experiment, result, directory,
        {!a.no_figures, "bristle reproduce " + item.key, false, interrupted, ok ? stamp : ""});
    auto stored = io::stored_section(directory, stamp);
    item.section = stored ? std::move(*stored) : io::make_section(experiment, result, {}, "");
    if (!ok) item.code = io::run_failed;
  }
  if (item.code == io::run_failed)
    item.section.content["error"] = "a simulation did not reach its end";
}

void run_item(Item& item, const Arguments& a, const std::string& folder,
              const std::function<bool(double)>& progress) {
  io::Experiment experiment;
  try {
    work_on(item, experiment, a, folder, progress);
  } catch (const io::Interrupted&) {
    item.fail(experiment, "interrupted", io::interrupted);
  } catch (const io::InputError& error) {
    item.fail(experiment, error.what(), io::bad_input);
  } catch (const InvalidInput& error) {
    item.fail(experiment, error.what(), io::bad_input);
  } catch (const std::bad_alloc&) {
    item.fail(experiment, "there is not enough memory", io::run_failed);
  } catch (const std::exception& error) {
    item.fail(experiment, error.what(), io::file_trouble);
  }
}

ordered_json as_json(const Item& item) {
  const auto& content = item.section.content;
  ordered_json j{{"key", item.key},
                 {"document", content.at("document")},
                 {"figure", content.at("figure")},
                 {"title", content.at("title")},
                 {"covers", content.at("covers")}};
  // The fact that stands for the experiment; all of them follow.
  const io::Verdict* main = io::headline(item.section.verdicts);
  j["claim"] = main ? ordered_json(main->key) : ordered_json(nullptr);
  j["published"] = main ? ordered_json(main->published) : ordered_json(nullptr);
  j["ours"] = main ? ordered_json(main->ours) : ordered_json(nullptr);
  j["tolerance"] = main ? ordered_json(main->tolerance) : ordered_json(nullptr);
  j["verdict"] = io::overall(item.section.verdicts);
  j["seconds"] = content.at("seconds");
  if (!item.section.text("error").empty()) j["error"] = item.section.text("error");
  j["ledger_error"] =
      content.at("ledger_error").is_null() ? ordered_json(0.0) : content.at("ledger_error");
  j["facts"] = ordered_json::array();
  for (const auto& v : item.section.verdicts) j["facts"].push_back(io::as_json(v));
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

void print(const Item& item) {
  const auto& content = item.section.content;
  fmt::print("{} ({}, {}; {:.2f} s{})\n", item.section.text("title"), item.section.text("document"),
             item.section.text("figure"), content.at("seconds").get<double>(),
             item.kept ? ", unchanged" : "");
  if (!item.kept) print_verdicts(item.section.verdicts);
  if (!item.section.text("error").empty()) fmt::print("  failed: {}\n", item.section.text("error"));
  if (!item.trouble.empty()) fmt::print("  {}\n", item.trouble);
}

// What the page of models shows; kept beside it, as it takes some seconds.
ordered_json kept_models(const Arguments& a) {
  const std::string path = a.out + "/models.json";
  std::error_code none;
  if (!a.fresh && fs::is_regular_file(path, none)) try {
      ordered_json kept = ordered_json::parse(io::read_text(path));
      if (kept.value("stamp", "") == program_fingerprint()) return kept.at("entries");
    } catch (const ordered_json::exception&) {
      // Damaged: it is made again.
    }
  ordered_json entries = io::model_entries();
  io::write_text(path, ordered_json{{"stamp", program_fingerprint()}, {"entries", entries}}.dump());
  return entries;
}

// The pages that gather all experiments; gives the path of the first.
std::string write_pages(const Arguments& a, const std::string& folder,
                        const std::vector<io::Section>& sections) {
  std::map<std::string, std::vector<std::string>> used;
  for (const auto& s : sections)
    for (const auto& model : s.content.at("models"))
      used[model.get<std::string>()].push_back(s.text("key"));
  io::write_text(a.out + "/models.html", io::models_html(kept_models(a), used));
  const std::string path = a.out + "/index.html";
  io::write_text(path, io::gallery_html({sections, io::listed_figures(folder), a.command, true}));
  return fs::absolute(path).lexically_normal().string();
}

int report(const Arguments& a, const std::string& folder, const std::vector<Item>& items) {
  int failed = io::success;
  ordered_json all = ordered_json::array();
  std::vector<io::Section> sections;
  for (const auto& item : items) {
    all.push_back(as_json(item));
    sections.push_back(item.section);
    if (failed == io::success) failed = item.code;
    if (!a.json) print(item);
  }
  const io::Counts c = io::count(sections);
  std::string where;
  if (!a.out.empty()) {
    fs::create_directories(a.out);
    io::write_text(a.out + "/reproduce.json", all.dump(2) + "\n");
    where = "results: " + a.out + "/*/report.html\n";
    if (a.all) where = "page: " + write_pages(a, folder, sections) + "\n";
  }
  if (a.json) fmt::print("{}\n", all.dump(2));
  else
    fmt::print(
        "\n{}{} experiments: {} reproduced, {} reproduced with stated choice, {} not "
        "reproduced{}, {} not defined\n",
        where, items.size(), c.reproduced, c.with_choice, c.not_reproduced,
        c.explained ? fmt::format(" ({} of them explained)", c.explained) : "", c.not_defined);
  for (const auto& item : items)
    if (!item.section.text("error").empty())
      fmt::print(stderr, "bristle: {}: {}\n", item.key, item.section.text("error"));
  if (failed != io::success) return failed;
  const bool missed = c.not_reproduced > c.explained || c.not_defined > 0;
  return a.strict && missed ? io::expectation_missed : io::success;
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
        for (std::size_t i = next++; i < items.size() && !interrupted(); i = next++) {
          run_item(items[i], a, folder, [&](double part) {
            return progress.show((double(done.load()) + part) / double(items.size()));
          });
          ++done;
        }
      });
    for (auto& worker : workers) worker.join();
  }
  if (interrupted()) {
    const auto whole = std::count_if(items.begin(), items.end(), [](const Item& i) {
      return !i.section.content.empty() && i.code == io::success;
    });
    if (a.out.empty() || whole == 0) throw io::Interrupted();
    throw io::Interrupted(fmt::format(
        "interrupted; {} of {} experiments are whole in {}, the same command goes on from there",
        whole, items.size(), a.out));
  }
  return report(a, folder, items);
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
  command->add_flag("--fresh", a->fresh, "with --out: run again what has not changed, too");
  command
      ->add_option("--out", a->out,
                   "write a result directory for each experiment here, and with --all index.html; "
                   "what is there and has not changed is kept")
      ->type_name("DIR");
  command->add_option("--experiments", a->folder, "folder of experiment files")->type_name("DIR");
  command->footer(
      "Examples:\n  bristle reproduce --list\n  bristle reproduce r_8_stick_slip\n"
      "  bristle reproduce --all --out out --json");
  command->callback([&action, a] { action = [a] { return reproduce(*a); }; });
}

}  // namespace bristle::cli
