// SPDX-License-Identifier: MIT
#include "bristle/analysis/bifurcation.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/solve/cancel.hpp"

namespace bristle {

std::size_t Bifurcation::done() const {
  return std::size_t(
      std::count_if(columns.begin(), columns.end(), [](const auto& c) { return c.done; }));
}

Bifurcation bifurcation(const SectionAt& section, const BifurcationOptions& options,
                        const BifurcationHooks& hooks, Bifurcation earlier) {
  validate(options);
  const auto count = std::size_t(options.values);
  Bifurcation b = std::move(earlier);
  if (!b.columns.empty() && b.columns.size() != count)
    throw InvalidInput("values", "bifurcation: values = " + words(options.values) +
                                     " where the earlier diagram has " +
                                     std::to_string(b.columns.size()));
  b.columns.resize(count);
  b.status = Status::done;
  for (std::size_t i = 0; i < count; ++i) {
    if (b.columns[i].done && b.columns[i].value != options.value(i))
      throw InvalidInput("from", "bifurcation: value " + std::to_string(i + 1) + " is " +
                                     words(options.value(i)) + " where the earlier diagram has " +
                                     words(b.columns[i].value));
    b.columns[i].value = options.value(i);
  }

  std::mutex mutex;
  std::size_t done = b.done();
  auto last = std::chrono::steady_clock::now();
  const auto run = [&](std::uint64_t i) {
    if (b.columns[i].done) return;
    Section s = section(b.columns[i].value);
    const MotionVerdict motion = classify_motion(s);
    const std::scoped_lock lock(mutex);
    b.columns[i].section = std::move(s);
    b.columns[i].motion = motion;
    b.columns[i].done = true;
    ++done;
    const auto now = std::chrono::steady_clock::now();
    if (hooks.checkpoint &&
        std::chrono::duration<double>(now - last).count() >= hooks.checkpoint_seconds) {
      last = now;
      hooks.checkpoint(b);
    }
    if (hooks.progress && !hooks.progress(double(done) / double(count))) throw Cancelled();
  };
  try {
    in_parallel(count, options.threads > 0.0 ? int(options.threads) : available_threads(), run);
  } catch (const Cancelled&) {
    // What is done is handed back.
    if (b.done() < count) b.status = Status::cancelled;
  }
  return b;
}

}  // namespace bristle
