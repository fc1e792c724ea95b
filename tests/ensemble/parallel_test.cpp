// SPDX-License-Identifier: MIT
#include "bristle/ensemble/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "bristle/solve/cancel.hpp"

namespace bristle::parallel_test {
namespace {

TEST(InParallel, CallsEveryPieceOnceWhateverTheNumberOfThreads) {
  for (const int threads : {-1, 1, 2, 7}) {
    std::vector<std::atomic<int>> calls(1000);
    in_parallel(calls.size(), threads, [&](std::uint64_t i) { ++calls[i]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
  in_parallel(0, 4, [](std::uint64_t) { FAIL() << "there is no piece"; });
}

TEST(InParallel, ThrowsWhatAPieceThrewAndHandsOutNoMore) {
  std::atomic<int> calls{0};
  const auto each = [&](std::uint64_t i) {
    ++calls;
    if (i == 10) throw std::logic_error("ten");
  };
  EXPECT_THROW(in_parallel(1000000000, 3, each), std::logic_error);
  EXPECT_LT(calls, 1000000);
}

TEST(InParallel, PrefersAnErrorToACancellation) {
  // Both pieces are under way before either ends.
  std::atomic<int> begun{0};
  const auto each = [&](std::uint64_t i) {
    for (++begun; begun < 2;) {
    }
    if (i == 0) throw Cancelled();
    throw std::logic_error("an error");
  };
  EXPECT_THROW(in_parallel(2, 2, each), std::logic_error);
}

TEST(InParallel, EndsWithCancelledWhereAStopIsAskedFor) {
  static std::atomic<bool> asked;
  asked = false;
  stop_when([] { return asked.load(); });
  std::atomic<int> calls{0};
  const auto each = [&](std::uint64_t) {
    if (++calls == 5) asked = true;
  };
  EXPECT_THROW(in_parallel(1000000000, 2, each), Cancelled);
  stop_when(nullptr);
  EXPECT_LT(calls, 1000000);
}

}  // namespace
}  // namespace bristle::parallel_test
