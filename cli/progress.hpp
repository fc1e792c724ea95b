// SPDX-License-Identifier: MIT
// Progress on the error stream, and interrupts.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace bristle::cli {

// From now on SIGINT and SIGTERM only set a flag; runs end at the next progress check at it.
void listen_for_interrupts();
bool interrupted();

// A line that appears after one second and says how far the work is and how long it will take.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();

  // Shows the fraction done, and what else there is to say; false if the user asked to stop.
  bool show(double fraction, const std::function<std::string()>& more = {});

 private:
  std::string what_;
  std::chrono::steady_clock::time_point began_, last_;
  bool terminal_, shown_ = false;
  std::mutex mutex_;
};

}  // namespace bristle::cli
