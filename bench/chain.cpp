// SPDX-License-Identifier: MIT
// Chains of 10 to 10,000 sliders on LuGre friction: the cost of a step of a block, and the time to
// a given error beside CVODE with a band solver and with KLU.
//
//   chain            10 to 10,000 blocks, up to 1000 of them beside CVODE
//   chain 10000      one length, beside CVODE whatever it is (10,000: an hour)
//   chain --points   prints every run behind the table as well
//   chain --short    two short chains: checks that it works
#include "chain.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>

#include "work_precision.hpp"

namespace {

using namespace bench;

constexpr std::array<double, 2> targets{1e-4, 1e-6};

// The largest difference of a position and of a friction force, each relative to its largest value.
double error_of(const ChainCurves& found, const ChainCurves& reference) {
  const auto relative = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0, off = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      largest = std::max(largest, std::abs(b[i]));
      const double d = std::abs(a[i] - b[i]);
      off = d <= off ? off : d;  // keeps a NaN
    }
    return off / largest;
  };
  return std::max(relative(found.position, reference.position),
                  relative(found.force, reference.force));
}

// Time of the processor: a long run shares it with other programs.
double seconds_of(ChainSolver& solve, const Chain& chain, double tolerance, ChainCurves& out) {
  const std::clock_t start = std::clock();
  const bool good = solve(chain, tolerance, out);
  const double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
  return good ? taken : std::numeric_limits<double>::quiet_NaN();
}

struct Contender {
  const char* name;
  ChainSolver* solve;
  double loosest;  // tolerance
};

Scan scan_of(const Contender& who, const Chain& chain, const ChainCurves& reference, int per_decade,
             bool list) {
  Scan all;
  ChainCurves found;
  for (int i = 0; i <= 7 * per_decade; ++i) {
    const double tolerance = who.loosest * std::pow(10.0, -double(i) / per_decade);
    double seconds = seconds_of(*who.solve, chain, tolerance, found);
    if (std::isnan(seconds)) continue;
    // Short runs are repeated, the best of them counts.
    for (double spent = seconds; spent < 0.1;) {
      const double again = seconds_of(*who.solve, chain, tolerance, found);
      seconds = std::min(seconds, again), spent += std::max(again, 1e-4);
    }
    const double error = error_of(found, reference);
    all.push_back({tolerance, error, seconds});
    if (list)
      std::printf("    %-12s tolerance %.1e  error %.2e  %9.4f s  %6ld steps\n", who.name,
                  tolerance, error, seconds, found.steps);
    if (error < 0.3 * targets[1]) break;
  }
  return all;
}

void length(int blocks, bool brief, bool list, bool beside) {
  Chain chain;
  chain.blocks = blocks;
  if (brief) chain.end = 1.0;
  const double tolerance = 1e-6;
  ChainCurves reference, found;
  double seconds = seconds_of(chain_bristle, chain, tolerance, found);
  for (double spent = seconds; spent < 0.1 && !brief; spent += seconds)
    seconds = std::min(seconds, seconds_of(chain_bristle, chain, tolerance, found));
  std::printf("%6d blocks: %6ld steps, %5.0f ns for a step of a block, ledger %.0e\n", blocks,
              found.steps, 1e9 * seconds / double(found.steps) / blocks, found.ledger);
  std::fflush(stdout);
  if (!beside) return;
  chain_bristle(chain, brief ? 1e-9 : 1e-10, reference);
  const Contender ours{"Bristle", chain_bristle, 1e-3};
  const int per_decade = brief ? 1 : blocks > 500 ? 2 : 4;
  const Scan own = scan_of(ours, chain, reference, per_decade, list);
  for (const Contender& other : {Contender{"CVODE band", chain_cvode_band, 1e-4},
                                 Contender{"CVODE KLU", chain_cvode_klu, 1e-4}}) {
    const Scan scan = scan_of(other, chain, reference, per_decade, list);
    std::printf("              %-12s", other.name);
    for (const double target : targets) {
      const double a = seconds_at(own, target), b = seconds_at(scan, target);
      std::printf("  at %.0e: %9.4f s, %9.4f s for Bristle, ratio %5.1f", target, b, a, b / a);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** words) {
  bool brief = false, list = false;
  int longest = 1000;  // beside CVODE
  std::vector<int> lengths{10, 100, 1000, 10000};
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--short") brief = true, lengths = {10, 40};
    else if (word == "--points") list = true;
    else lengths = {longest = std::stoi(word)};
  }
  std::printf("Chain of sliders on LuGre friction\n");
  for (const int blocks : lengths) length(blocks, brief, list, blocks <= longest);
}
