// SPDX-License-Identifier: MIT
// The runs of a sweep on all threads.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <mutex>
#include <numeric>
#include <sstream>
#include <thread>

#include "bristle/ensemble/lanes.hpp"
#include "bristle/ensemble/parallel.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/sweep.hpp"

namespace bristle::io {
namespace {

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double processor_time() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace

// Some thousand chunks, so that all threads end together; each of few runs, so that a
// sweep that is stopped loses little.
std::uint64_t SweepChunks::length() const {
  return std::clamp<std::uint64_t>(runs / 4096, std::min(shortest, longest), longest);
}

std::uint64_t SweepChunks::count() const {
  const std::uint64_t all = (runs + length() - 1) / length();
  return all >= part ? (all - part) / parts + 1 : 0;
}

std::uint64_t SweepChunks::own_runs() const {
  if (count() == 0) return 0;
  const std::uint64_t last = chunk(count() - 1);
  return (count() - 1) * length() + (end(last) - first(last));
}

bool SweepChunks::own(std::uint64_t chunk) const {
  return chunk >= offset && (chunk - offset) % parts == part - 1 && first(chunk) < runs;
}

std::string time_words(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200.0) return fmt::format("{:.0f} min", seconds / 60.0);
  if (seconds < 172800.0) return fmt::format("{:.0f} h", seconds / 3600.0);
  if (seconds < 6.3e7) return fmt::format("{:.0f} days", seconds / 86400.0);
  const double years = seconds / 31557600.0;
  if (years < 1e5) return fmt::format("{:.0f} years", years);
  return fmt::format("{:.1g} years", years);
}

void refuse_endless(const Sweep& sweep, const SweepChunks& chunks, int threads,
                    const std::string& budget, const std::function<bool(double)>& progress) {
  // A sweep of fewer runs is begun without timing one of them.
  constexpr std::uint64_t few_runs = 1000;
  constexpr double longest_unasked = 24.0 * 3600.0;  // [s]
  if (chunks.own_runs() <= few_runs) return;
  const std::uint64_t chunk = chunks.chunk(0), at = chunks.first(chunk);
  const std::uint64_t most = sweep.in_lanes() ? std::uint64_t(lane_sets().front().lanes) : 1;
  std::vector<std::uint64_t> first;
  while (first.size() < std::min(most, chunks.end(chunk) - at))
    first.push_back(chunks.run(at + first.size()));
  const auto began = std::chrono::steady_clock::now();
  sweep.run_together(first, progress);
  const double one = seconds_since(began) / double(first.size());
  const double all = one * double(chunks.own_runs()) / threads;
  if (all > longest_unasked)
    throw InputError(fmt::format(
        "{}: {} runs would take about {} on {} thread{} (the first took {:.3g} s); give {}, or a "
        "smaller grid",
        sweep.experiment().path, chunks.own_runs(), time_words(all), threads,
        threads == 1 ? "" : "s", one, budget));
}

namespace {

// When a sweep has to end.
class SweepClock {
 public:
  explicit SweepClock(double budget) : budget_(budget) {}
  double seconds() const { return seconds_since(began_); }
  bool over() const { return budget_ > 0.0 && seconds() > budget_; }
  // Ends a run in its middle.
  bool goes_on() const { return !stop_asked() && !over(); }

 private:
  double budget_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// From each chunk of a grid to the next: about the golden section of all of them, so that however
// few are made they lie all over the grid. Without a common divisor every chunk has its turn.
std::uint64_t spreading_stride(std::uint64_t chunks) {
  auto stride = std::uint64_t(0.6180339887 * double(chunks));
  while (std::gcd(stride, chunks) > 1) ++stride;
  return std::max<std::uint64_t>(stride, 1);
}

// The rows of a chunk; `row_made` is called for each. Throws Cancelled where the clock says so.
std::string rows_of_chunk(const Sweep& sweep, const SweepChunks& chunks, std::uint64_t chunk,
                          const SweepClock& clock,
                          const std::function<void(const SweepRow&)>& row_made) {
  std::string rows, trajectories;
  // Runs in lanes are made together, others one by one, so that each is heard of as it ends.
  const std::uint64_t together = sweep.in_lanes() ? chunks.longest : 1;
  for (std::uint64_t at = chunks.first(chunk); at < chunks.end(chunk);) {
    if (!clock.goes_on()) throw Cancelled();
    std::vector<std::uint64_t> runs;
    for (; at < chunks.end(chunk) && runs.size() < together; ++at) runs.push_back(chunks.run(at));
    for (const SweepRow& row : sweep.run_together(runs, [&](double) { return clock.goes_on(); })) {
      rows += row_text(row);
      trajectories += row.trajectory;
      row_made(row);
    }
  }
  if (!sweep.trajectory().empty()) rows += trajectories_begin + trajectories;
  return rows;
}

// Messages: an empty one asks for a chunk, "NUMBER SMALLEST LARGEST\nROWS" brings one and asks for
// the next; the answer is a number, or "end". Every process has this many chunks to work on, so
// that it need not wait for an answer.
constexpr int chunks_ahead = 8;
constexpr auto between_looks = std::chrono::milliseconds(1);

// The sweep as the process that writes sees it.
class SweepLeader {
 public:
  SweepLeader(const Sweep& sweep, const SweepChunks& chunks, SweepJournal& journal,
              const SweepOptions& options, Messages* messages)
      : sweep_(sweep),
        chunks_(chunks),
        journal_(journal),
        options_(options),
        messages_(messages),
        clock_(options.budget) {
    now_.runs = chunks.own_runs();
    if (!sweep.plan().draws_fields()) stride_ = spreading_stride(chunks.count());
    for (const std::uint64_t chunk : journal.numbers())
      if (chunks.own(chunk)) now_.done += chunks.end(chunk) - chunks.first(chunk);
  }

  SweepOutcome run() {
    const double processor = processor_time();
    const bool serves = messages_ != nullptr && messages_->size() > 1;
    try {
      // The first piece of work talks to the others, on a thread of its own.
      in_parallel(chunks_.count() + serves, options_.threads + serves, [&](std::uint64_t i) {
        try {
          if (serves && i == 0) serve();
          else work();
        } catch (...) {
          ended_ = true;
          throw;
        }
      });
    } catch (const Cancelled&) {
      if (stop_asked() || !clock_.over()) throw;
      outcome_.budget_spent = true;
    }
    outcome_.seconds = clock_.seconds();
    outcome_.processor_seconds = processor_time() - processor;
    return outcome_;
  }

 private:
  // The next chunk that nobody has; false if there is none.
  bool take(std::uint64_t& chunk) {
    const std::scoped_lock lock(guard_);
    while (taken_ < chunks_.count()) {
      ++taken_;
      chunk = chunks_.chunk(next_);
      next_ = (next_ + stride_) % chunks_.count();
      if (!journal_.has(chunk)) return true;
    }
    return false;
  }
  void count(std::uint64_t runs, double smallest, double largest) {
    const std::scoped_lock lock(guard_);
    now_.done += runs, seen_ += runs;
    now_.rate = double(seen_) / std::max(1e-9, clock_.seconds());
    now_.smallest = std::fmin(now_.smallest, smallest);
    now_.largest = std::fmax(now_.largest, largest);
    if (options_.progress && !options_.progress(now_)) throw Cancelled();
  }
  void keep(std::uint64_t chunk, std::string_view rows) {
    journal_.append(chunk, rows);
    const std::scoped_lock lock(guard_);
    outcome_.made += chunks_.end(chunk) - chunks_.first(chunk);
  }
  void work() {
    std::uint64_t chunk = 0;
    if (!take(chunk)) return;
    keep(chunk, rows_of_chunk(sweep_, chunks_, chunk, clock_, [&](const SweepRow& row) {
           const double value = first_number(row);
           count(1, value, value);
         }));
  }
  // Hands out chunks until every other process was told that none is left.
  void serve() {
    int told = 0;
    std::string message;
    while (told < chunks_ahead * (messages_->size() - 1)) {
      if (ended_ && !clock_.over()) throw Cancelled();
      stop_if_asked();
      int from = 0;
      if (!messages_->receive(from, message)) {
        std::this_thread::sleep_for(between_looks);
        continue;
      }
      if (!message.empty()) take_in(message);
      std::uint64_t chunk = 0;
      const bool left = !clock_.over() && take(chunk);
      told += !left;
      messages_->send(from, left ? std::to_string(chunk) : "end");
    }
  }
  void take_in(const std::string& message) {
    std::istringstream head(message.substr(0, message.find('\n')));
    std::uint64_t chunk = 0;
    std::string smallest, largest;
    head >> chunk >> smallest >> largest;
    keep(chunk, std::string_view(message).substr(message.find('\n') + 1));
    count(chunks_.end(chunk) - chunks_.first(chunk), std::strtod(smallest.c_str(), nullptr),
          std::strtod(largest.c_str(), nullptr));
  }

 public:
  // The first quantity of a row if it is a number.
  static double first_number(const SweepRow& row) {
    const auto* value =
        row.quantities.empty() ? nullptr : std::get_if<double>(&row.quantities.front());
    return value ? *value : NAN;
  }

 private:
  const Sweep& sweep_;
  const SweepChunks& chunks_;
  SweepJournal& journal_;
  const SweepOptions& options_;
  Messages* messages_;
  SweepClock clock_;
  std::mutex guard_;
  std::uint64_t next_ = 0, stride_ = 1, taken_ = 0;  // the order of the chunks
  std::uint64_t seen_ = 0;
  SweepProgress now_;
  SweepOutcome outcome_;
  std::atomic<bool> ended_{false};
};

}  // namespace

SweepOutcome run_sweep(const Sweep& sweep, const SweepChunks& chunks, SweepJournal& journal,
                       const SweepOptions& options, Messages* messages) {
  return SweepLeader(sweep, chunks, journal, options, messages).run();
}

void work_for_sweep(const Sweep& sweep, const SweepChunks& chunks, const SweepOptions& options,
                    Messages& messages) {
  const SweepClock clock(options.budget);
  std::deque<std::uint64_t> queue;
  for (int i = 0; i < chunks_ahead; ++i) messages.send(0, "");
  int told = 0;
  const auto look = [&] {
    int from = 0;
    std::string answer;
    while (messages.receive(from, answer)) {
      if (answer == "end") ++told;
      else queue.push_back(std::strtoull(answer.c_str(), nullptr, 10));
    }
  };
  while (true) {
    look();
    stop_if_asked();
    if (queue.empty()) {
      if (told == chunks_ahead) return;
      std::this_thread::sleep_for(between_looks);
      continue;
    }
    const std::uint64_t chunk = queue.front();
    queue.pop_front();
    double smallest = NAN, largest = NAN;
    std::string rows;
    try {
      rows = rows_of_chunk(sweep, chunks, chunk, clock, [&](const SweepRow& row) {
        const double value = SweepLeader::first_number(row);
        smallest = std::fmin(smallest, value), largest = std::fmax(largest, value);
      });
    } catch (const Cancelled&) {
      if (!clock.over()) throw;
      // The chunk is left undone; the answer to this will be the end.
      messages.send(0, "");
      continue;
    }
    messages.send(0, fmt::format("{} {} {}\n{}", chunk, smallest, largest, rows));
  }
}

}  // namespace bristle::io
