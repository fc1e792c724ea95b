// SPDX-License-Identifier: MIT
// Runs one kind of random trial many times on several threads and counts how the trials ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "machine.hpp"

namespace bristle::campaign {

struct Request {
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  std::uint64_t first = 0;  // number of the first trial
  double time = 0.0;        // [s] after which no further trial begins, 0: no limit
  int threads = 1;
  std::string json;        // file, empty: none
  std::string keep;        // folder for failing machines, empty: none
  std::int64_t only = -1;  // number of the one trial to run, -1: all
  double allow = 0.0;      // part of the trials that may fail
};

// How one trial ended: `kind` is counted, and a failure is listed with its words.
struct Trial {
  std::string law, mechanism, kind = "holds";
  bool failed = false;
  std::string words;
  double size = 0.0;  // of the failure, in units of what is allowed
  Machine machine;
  std::string text{};  // the experiment file, where it is more than a law in a mechanism
};

using Try = std::function<Trial(std::uint64_t index)>;
// Whether a machine fails in the given way, for making failing machines smaller; none if they are
// kept as they are.
using Fails = std::function<bool(const Machine&, const std::string& kind)>;

// True once Ctrl-C was pressed; progress() of a run asks it.
bool interrupted();
void listen_for_interrupts();

// Runs the trials, prints the tables, writes the files. Returns the exit code: 0 if no more failed
// than is allowed, 1 if more did, 130 if it was interrupted.
int carry_out(const std::string& name, const Request& request, const Try& one, const Fails& fails);

}  // namespace bristle::campaign
