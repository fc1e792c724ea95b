// SPDX-License-Identifier: MIT
#include "bristle/ensemble/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "bristle/solve/cancel.hpp"

namespace bristle {

int available_threads() { return int(std::max(1u, std::thread::hardware_concurrency())); }

void in_parallel(std::uint64_t count, int threads, const std::function<void(std::uint64_t)>& each) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> ended{false};
  std::mutex guard;
  std::exception_ptr trouble;
  bool only_cancelled = false;
  const auto work = [&] {
    try {
      while (!ended) {
        const std::uint64_t i = next++;
        if (i >= count) return;
        stop_if_asked();
        each(i);
      }
    } catch (const Cancelled&) {
      const std::scoped_lock lock(guard);
      if (!trouble) trouble = std::current_exception(), only_cancelled = true;
      ended = true;
    } catch (...) {
      const std::scoped_lock lock(guard);
      if (!trouble || only_cancelled) trouble = std::current_exception(), only_cancelled = false;
      ended = true;
    }
  };
  // Where the system has no more threads the work goes on with those there are.
  std::vector<std::thread> others;
  try {
    for (std::uint64_t t = 1;
         t < std::min<std::uint64_t>(std::uint64_t(std::max(threads, 1)), count); ++t)
      others.emplace_back(work);
  } catch (const std::system_error&) {
  }
  work();
  for (auto& other : others) other.join();
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace bristle
