// SPDX-License-Identifier: MIT
#include "bristle/analysis/bifurcation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

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

  std::atomic<std::size_t> next{0};
  std::atomic<bool> cancelled{false};
  std::mutex mutex;
  std::exception_ptr trouble;
  std::size_t done = b.done();
  auto last = std::chrono::steady_clock::now();
  const auto work = [&] {
    while (!cancelled) {
      const std::size_t i = next++;
      if (i >= count) return;
      if (b.columns[i].done) continue;
      try {
        Section s = section(b.columns[i].value);
        const MotionVerdict motion = classify_motion(s);
        const std::scoped_lock lock(mutex);
        b.columns[i].section = std::move(s);
        b.columns[i].motion = motion;
        b.columns[i].done = true;
        ++done;
        if (hooks.progress && !hooks.progress(double(done) / double(count))) cancelled = true;
        const auto now = std::chrono::steady_clock::now();
        if (hooks.checkpoint &&
            std::chrono::duration<double>(now - last).count() >= hooks.checkpoint_seconds) {
          last = now;
          hooks.checkpoint(b);
        }
      } catch (const Cancelled&) {
        cancelled = true;  // what is done is handed back
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!trouble) trouble = std::current_exception();
        cancelled = true;
      }
    }
  };
  const std::size_t wanted =
      options.threads > 0.0 ? std::size_t(options.threads) : std::thread::hardware_concurrency();
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::clamp<std::size_t>(wanted, 1, count); ++i)
    threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
  if (trouble) std::rethrow_exception(trouble);
  if (cancelled && b.done() < count) b.status = Status::cancelled;
  return b;
}

}  // namespace bristle
