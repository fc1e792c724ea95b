// SPDX-License-Identifier: MIT
// The runs of a sweep on all threads.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>

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

// Some thousand chunks, so that all threads end together; each of at most 1024 runs, so that a
// sweep that is stopped loses little.
std::uint64_t SweepChunks::length() const {
  return std::clamp<std::uint64_t>(runs / 4096, 1, 1024);
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

SweepOutcome run_sweep(const Sweep& sweep, const SweepChunks& chunks, SweepJournal& journal,
                       const SweepOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  const double processor = processor_time();
  std::mutex guard;
  SweepProgress now;
  now.runs = chunks.own_runs();
  now.done = std::min(now.runs, journal.chunks() * chunks.length());
  std::uint64_t made = 0;
  SweepOutcome outcome;

  // Ends a run in its middle where the time is over.
  const auto goes_on = [&](double) {
    return !stop_asked() && !(options.budget > 0.0 && seconds_since(began) > options.budget);
  };
  const auto count_row = [&](const SweepRow& row) {
    const std::scoped_lock lock(guard);
    ++now.done, ++made;
    now.rate = double(made) / std::max(1e-9, seconds_since(began));
    if (!row.quantities.empty())
      if (const auto* value = std::get_if<double>(&row.quantities.front())) {
        now.smallest = std::fmin(now.smallest, *value);
        now.largest = std::fmax(now.largest, *value);
      }
    if (options.progress && !options.progress(now)) throw Cancelled();
  };
  const auto work = [&](std::uint64_t i) {
    const std::uint64_t chunk = chunks.chunk(i);
    if (journal.has(chunk)) return;
    std::string rows;
    for (std::uint64_t run = chunks.first(chunk); run < chunks.end(chunk); ++run) {
      if (!goes_on(0.0)) throw Cancelled();
      const SweepRow row = sweep.run(run, goes_on);
      rows += row_text(row);
      count_row(row);
    }
    journal.append(chunk, rows);
    const std::scoped_lock lock(guard);
    outcome.made += chunks.end(chunk) - chunks.first(chunk);
  };
  try {
    in_parallel(chunks.count(), options.threads, work);
  } catch (const Cancelled&) {
    if (stop_asked() || goes_on(0.0)) throw;
    outcome.budget_spent = true;
  }
  outcome.seconds = seconds_since(began);
  outcome.processor_seconds = processor_time() - processor;
  return outcome;
}

}  // namespace bristle::io
