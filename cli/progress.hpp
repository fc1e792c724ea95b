// SPDX-License-Identifier: MIT
// Progress on the error stream, and interrupts.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace bristle::cli {

// From now on SIGINT and SIGTERM only set a flag; runs stop at the next progress check.
void listen_for_interrupts();
bool interrupted();

// A line that appears after one second and says how far the work is and how long it will take.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();

  // Shows the fraction done, and what else there is to say; false if the user asked to stop.
  bool show(double fraction, const std::function<std::string()>& more = {});
  // The same of work whose end is not known: how long it has taken and how far it is.
  bool count(const char* unit);

 private:
  bool due(double& elapsed);
  void write(const std::string& line);

  std::string what_;
  std::chrono::steady_clock::time_point began_, last_;
  bool terminal_, shown_ = false;
  std::mutex mutex_;
  std::atomic<long> counted_{0};
};

}  // namespace bristle::cli
