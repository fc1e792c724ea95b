// SPDX-License-Identifier: MIT
#include "campaign.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/solve/cancel.hpp"
#include "minimise.hpp"

namespace bristle::campaign {
namespace {

std::atomic<bool> stop_asked{false};

void on_signal(int number) {
  if (stop_asked.exchange(true)) {
    ::signal(number, SIG_DFL);
    ::raise(number);
  }
}

struct Failure {
  std::uint64_t index;
  Trial trial;
};

struct Result {
  std::uint64_t done = 0;
  double seconds = 0.0;
  std::map<std::string, std::uint64_t> kinds;
  std::map<std::string, std::map<std::string, std::uint64_t>> by_law;
  std::vector<Failure> failures;
};

// The machine of a trial as an experiment file.
std::string file_of(const Trial& trial, const std::string& title) {
  return trial.text.empty() ? toml_text(trial.machine, title) : trial.text;
}

Result run_all(const Request& request, const Try& one) {
  Result result;
  std::mutex guard;
  const std::uint64_t first = request.only < 0 ? request.first : std::uint64_t(request.only);
  const std::uint64_t count = request.only < 0 ? request.count : 1;
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const auto try_one = [&](std::uint64_t i) {
    if (interrupted() || (request.time > 0.0 && elapsed() >= request.time)) throw Cancelled();
    const std::uint64_t index = first + i;
    Trial trial = one(index);
    if (request.only >= 0) fmt::print("{}", file_of(trial, "trial"));
    if (interrupted()) throw Cancelled();
    const std::lock_guard lock(guard);
    ++result.done;
    ++result.kinds[trial.kind];
    ++result.by_law[trial.law][trial.kind];
    if (trial.failed) result.failures.push_back({index, std::move(trial)});
  };
  try {
    in_parallel(count, request.threads, try_one);
  } catch (const Cancelled&) {
    // The result says how many were tried.
  }
  result.seconds = elapsed();
  std::sort(result.failures.begin(), result.failures.end(),
            [](const Failure& a, const Failure& b) { return a.index < b.index; });
  return result;
}

void print(const std::string& name, const Request& request, const Result& result) {
  fmt::print("{}: {} trials of seed {} in {:.1f} s, {} failed\n", name, result.done, request.seed,
             result.seconds, result.failures.size());
  fmt::print("{:20}", "law");
  for (const auto& [kind, count] : result.kinds) fmt::print(" {:>14}", kind);
  fmt::print("\n");
  for (const auto& [law, kinds] : result.by_law) {
    fmt::print("{:20}", law);
    for (const auto& [kind, count] : result.kinds) {
      const auto at = kinds.find(kind);
      fmt::print(" {:>14}", at == kinds.end() ? 0 : at->second);
    }
    fmt::print("\n");
  }
  fmt::print("{:20}", "all");
  for (const auto& [kind, count] : result.kinds) fmt::print(" {:>14}", count);
  fmt::print("\n");
  // The worst of each kind, to look at first.
  std::vector<const Failure*> worst;
  for (const auto& failure : result.failures) worst.push_back(&failure);
  std::stable_sort(worst.begin(), worst.end(), [](const Failure* a, const Failure* b) {
    return a->trial.size > b->trial.size;
  });
  std::map<std::string, int> shown;
  for (const Failure* f : worst) {
    if (++shown[f->trial.kind] > 12) continue;
    fmt::print("  --seed {} --only {}: {} on {}: {}: {}\n", request.seed, f->index, f->trial.law,
               f->trial.mechanism, f->trial.kind, f->trial.words);
  }
}

nlohmann::json as_json(const std::string& name, const Request& request, const Result& result) {
  nlohmann::json out;
  out["campaign"] = name;
  out["seed"] = request.seed;
  out["first"] = request.first;
  out["asked"] = request.count;
  out["done"] = result.done;
  out["seconds"] = result.seconds;
  out["kinds"] = result.kinds;
  out["by_law"] = result.by_law;
  out["failures"] = nlohmann::json::array();
  for (const auto& [index, trial] : result.failures)
    out["failures"].push_back({{"index", index},
                               {"law", trial.law},
                               {"mechanism", trial.mechanism},
                               {"kind", trial.kind},
                               {"size", trial.size},
                               {"words", trial.words}});
  return out;
}

// Writes the failing machines, made small, as experiment files: at most three per law and kind.
void keep(const std::string& name, const Request& request, const Result& result,
          const Fails& fails) {
  std::filesystem::create_directories(request.keep);
  std::map<std::string, int> kept;
  for (const auto& [index, trial] : result.failures) {
    if (interrupted() || ++kept[trial.law + trial.kind] > 3) continue;
    const std::string kind = trial.kind;
    Trial small = trial;
    if (fails)
      small.machine = minimised(trial.machine, [&](const Machine& m) { return fails(m, kind); });
    std::string file = fmt::format("{}_{}_{}_{}.toml", name, trial.law, kind, index);
    std::replace(file.begin(), file.end(), ' ', '_');
    std::ofstream(request.keep + "/" + file)
        << file_of(small, fmt::format("{}: {} (campaign {}, seed {}, trial {})", trial.law, kind,
                                      name, request.seed, index));
  }
}

}  // namespace

bool interrupted() { return stop_asked.load(); }

void listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int carry_out(const std::string& name, const Request& request, const Try& one, const Fails& fails) {
  fmt::print("{}: seed {}, {} trials on {} threads\n", name, request.seed, request.count,
             request.threads);
  std::fflush(stdout);
  const Result result = run_all(request, one);
  print(name, request, result);
  std::fflush(stdout);
  if (!request.keep.empty() && !result.failures.empty()) keep(name, request, result, fails);
  if (!request.json.empty())
    std::ofstream(request.json) << as_json(name, request, result).dump(1) << "\n";
  if (interrupted()) {
    fmt::print("{}: interrupted after {} of {} trials\n", name, result.done, request.count);
    return 130;
  }
  return double(result.failures.size()) <= request.allow * double(result.done) ? 0 : 1;
}

}  // namespace bristle::campaign
