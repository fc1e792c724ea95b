// SPDX-License-Identifier: MIT
// One program for all entries: bristle_fuzz ENTRY [options of libFuzzer] [corpus folders].
//
// An input that takes more than a second of computing counts as a crash; computing time is taken,
// not the time on the wall, so that a busy machine raises no false alarm.
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "entries.hpp"

namespace {

const bristle::fuzz::Entry* chosen = nullptr;
// Sanitizers slow the program down; without them the same work takes a fifth of this.
double most_seconds = 5.0;

double seconds_used() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return double(used.tv_sec) + 1e-9 * double(used.tv_nsec);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  const std::string name = *count > 1 ? (*arguments)[1] : "";
  for (const auto& entry : bristle::fuzz::entries())
    if (entry.name == name) chosen = &entry;
  if (chosen == nullptr) {
    std::fprintf(stderr, "bristle_fuzz: the first argument must be one of:");
    for (const auto& entry : bristle::fuzz::entries())
      std::fprintf(stderr, " %s", std::string(entry.name).c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  if (const char* given = std::getenv("BRISTLE_FUZZ_MOST_SECONDS")) most_seconds = std::atof(given);
  // libFuzzer would take the name for a corpus.
  (*arguments)[1] = (*arguments)[0];
  ++*arguments;
  --*count;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const double began = seconds_used();
  chosen->run({reinterpret_cast<const char*>(data), size});
  const double took = seconds_used() - began;
  if (took > most_seconds) {
    std::fprintf(stderr, "bristle_fuzz: the input took %.2f s of computing\n", took);
    std::abort();
  }
  return 0;
}
