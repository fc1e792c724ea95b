// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/version.hpp"
#include "commands.hpp"
#include "note.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "reproduce_item.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

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

// Whether an experiment has a case that this program cannot run; says so.
bool left_out(const std::string& folder, const std::string& key) {
  if (with_sundials) return false;
  try {
    for (const auto& c : io::read_experiment(folder + "/" + key + ".toml").cases)
      if (c.options.method == Options::cvode || c.options.method == Options::switch_model) {
        note("bristle: {} is left out: its method {} needs SUNDIALS\n", key,
             Options::methods[std::size_t(c.options.method)]);
        return true;
      }
  } catch (const std::exception&) {
    // What cannot be read is told where it is run.
  }
  return false;
}

int list(const ReproduceArguments& a, const std::string& folder) {
  ordered_json all = ordered_json::array();
  for (const auto& key : keys_in(folder)) {
    const io::Experiment e = io::read_experiment(folder + "/" + key + ".toml");
    all.push_back({{"key", key},
                   {"document", e.document},
                   {"figure", e.figure},
                   {"title", e.title},
                   {"covers", io::covered(e)}});
    if (!a.json) fmt::print("{:<28} {:<36} {}\n", key, e.document + ", " + e.figure, e.title);
  }
  if (a.json) fmt::print("{}\n", all.dump(2));
  return io::success;
}

void print_whole(const Item& item) {
  const auto& content = item.section.content;
  fmt::print("{} ({}, {}; {:.2f} s{})\n", item.section.text("title"), item.section.text("document"),
             item.section.text("figure"), content.at("seconds").get<double>(),
             item.kept ? ", unchanged" : "");
  if (!item.kept) print_verdicts(item.section.verdicts);
  if (!item.section.text("error").empty()) fmt::print("  failed: {}\n", item.section.text("error"));
  if (!item.trouble.empty()) fmt::print("  {}\n", item.trouble);
}

// One line: facts, time, the verdict.
void print_line(const Item& item) {
  const std::size_t facts = item.section.verdicts.size();
  const std::string verdict = !item.section.text("error").empty() ? "failed"
                              : facts == 0                        ? "no facts"
                                           : io::overall(item.section.verdicts);
  fmt::print("{:<28} {:>4} {} {:>8.2f} s  {}{}{}\n", item.key, facts,
             facts == 1 ? "fact " : "facts", item.section.content.at("seconds").get<double>(),
             verdict, item.kept ? ", unchanged" : "",
             item.trouble.empty() ? "" : "; " + item.trouble);
}

int report(const ReproduceArguments& a, const std::string& folder, const std::vector<Item>& items) {
  int failed = io::success;
  ordered_json all = ordered_json::array();
  std::vector<io::GallerySection> sections;
  for (const auto& item : items) {
    all.push_back(as_json(item));
    sections.push_back(item.section);
    if (failed == io::success) failed = item.code;
    if (!a.json) (a.verbose || !a.all ? print_whole : print_line)(item);
  }
  const io::FactCounts counts = io::count(sections);
  const ordered_json report{{"counts", io::as_json(counts)}, {"experiments", std::move(all)}};
  std::string where;
  if (!a.out.empty()) {
    fs::create_directories(a.out);
    io::write_text(a.out + "/reproduce.json", report.dump(2) + "\n");
    if (a.all) io::write_text(a.out + "/counts.md", io::counts_markdown(counts));
    where = "results: " + a.out + "/*/report.html\n";
    if (a.all) where = "page: " + write_pages(a, folder, sections) + "\n";
  }
  if (a.json) fmt::print("{}\n", report.dump(2));
  else
    fmt::print("\n{}{} fact{} of {} experiment{}:\n{}", where, counts.total(),
               counts.total() == 1 ? "" : "s", items.size(), items.size() == 1 ? "" : "s",
               io::counts_table(counts));
  for (const auto& item : items)
    if (!item.section.text("error").empty())
      note("bristle: {}: {}\n", item.key, item.section.text("error"));
  if (failed != io::success) return failed;
  return a.strict && counts.open() > 0 ? io::expectation_missed : io::success;
}

int reproduce(const ReproduceArguments& a) {
  const std::string folder = experiments_folder(a.folder);
  const auto known = keys_in(folder);
  if (known.empty())
    throw io::InputError(folder + ": holds no experiment file (*.toml), name another folder with " +
                         "--experiments");
  if (a.list) return list(a, folder);
  std::vector<Item> items;
  for (const auto& key : a.all ? known : a.keys) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string near = nearest(key, known);
      throw io::InputError("there is no experiment '" + key + "'" +
                           (near.empty() ? "" : ", did you mean '" + near + "'?") +
                           " (bristle reproduce --list shows all)");
    }
    if (a.all && left_out(folder, key)) continue;
    if (std::none_of(items.begin(), items.end(), [&](const Item& i) { return i.key == key; }))
      items.push_back({.key = key});
  }
  if (items.empty())
    throw io::InputError("reproduce needs the name of an experiment, --all or --list");

  if (!a.out.empty() && fs::exists(a.out) && !fs::is_directory(a.out))
    throw io::FileError(a.out + ": exists and is not a directory");
  if (a.all && !a.out.empty()) refuse_foreign_pages(a.out);

  // The cores share the experiments; results are printed in order afterwards.
  std::atomic<int> done{0};
  try {
    Progress progress("reproduce");
    in_parallel(items.size(), available_threads(), [&](std::uint64_t i) {
      run_item(items[i], a, folder, [&](double part) {
        return progress.show((double(done.load()) + part) / double(items.size()));
      });
      ++done;
    });
  } catch (const io::Interrupted&) {
    // What is whole is counted below.
  }
  if (interrupted()) {
    const auto whole = std::count_if(items.begin(), items.end(), [](const Item& i) {
      return !i.section.content.empty() && i.code == io::success;
    });
    if (a.out.empty() || whole == 0) throw io::Interrupted();
    throw io::Interrupted(
        fmt::format("interrupted; {} of {} experiments are complete in {}, the same command "
                    "continues from there",
                    whole, items.size(), a.out));
  }
  return report(a, folder, items);
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand(
      "reproduce", "Reproduce published figures: reference, tolerance, own value and verdict");
  auto a = std::make_shared<ReproduceArguments>();
  a->command = command_line;
  command->add_option("keys", a->keys, "experiments by name");
  command->add_flag("--all", a->all, "every experiment");
  command->add_flag("--list", a->list, "show the names and what they are");
  command->add_flag("--json", a->json, "print verdicts as JSON");
  command->add_flag("--strict", a->strict,
                    "exit with 1 if a fact is not reproduced and no reason is given");
  command->add_flag("--no-figures", a->no_figures,
                    "with --out: write data and scripts, do not draw");
  command->add_flag("--fresh", a->fresh, "with --out: run everything again, changed or not");
  command->add_flag(
      "--full", a->full,
      "with --all: keep the tables (CSV) and gnuplot scripts of all runs, some hundred "
      "MB; otherwise a gallery holds pages, figures and summaries");
  command->add_flag("--verbose", a->verbose,
                    "with --all: print every fact; otherwise one line per experiment");
  command
      ->add_option(
          "--out", a->out,
          "write a result directory for each experiment here, and with --all a gallery with "
          "index.html; results that have not changed are kept")
      ->type_name("DIR");
  command->add_option("--experiments", a->folder, "folder of experiment files")->type_name("DIR");
  command->footer(
      "Examples:\n  bristle reproduce --list\n  bristle reproduce r_8_stick_slip\n"
      "  bristle reproduce --all --out out --json");
  command->callback([&action, a] { action = [a] { return reproduce(*a); }; });
}

}  // namespace bristle::cli
