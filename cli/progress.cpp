// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "bristle/io/cancel.hpp"
#include "bristle/io/sweep.hpp"

namespace bristle::cli {
namespace {

std::atomic<bool> stop_asked{false};

// Asked a second time, the process ends at once.
void on_signal(int number) {
  if (stop_asked.exchange(true)) {
    ::signal(number, SIG_DFL);
    ::raise(number);
  }
}

}  // namespace

void listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A reader that closes the pipe is an error of writing, not a death.
  signal(SIGPIPE, SIG_IGN);
  // So is a limit of file size.
  signal(SIGXFSZ, SIG_IGN);
  io::stop_when(interrupted);
}

bool interrupted() { return stop_asked.load(); }

Progress::Progress(std::string what)
    : what_(std::move(what)),
      began_(std::chrono::steady_clock::now()),
      last_(began_),
      terminal_(::isatty(2) != 0) {}

Progress::~Progress() {
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

bool Progress::due(double& elapsed) {
  const auto now = std::chrono::steady_clock::now();
  elapsed = std::chrono::duration<double>(now - began_).count();
  const double since = std::chrono::duration<double>(now - last_).count();
  // On a terminal a line that renews itself; in a log a line every ten seconds.
  if (elapsed < 1.0 || since < (terminal_ ? 0.1 : 10.0)) return false;
  last_ = now;
  return true;
}

void Progress::write(const std::string& line) {
  shown_ = true;
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stderr);
}

bool Progress::show(double fraction, const std::function<std::string()>& more) {
  if (interrupted()) return false;
  const std::lock_guard lock(mutex_);
  double elapsed = 0.0;
  if (!due(elapsed)) return true;
  // A fraction below all that can be shown still says how hopeless the work is.
  const std::string left = fraction > 0.0
                               ? io::time_words(elapsed * (1.0 - fraction) / fraction) + " left"
                               : io::time_words(elapsed) + " so far";
  write(
      fmt::format("{}: {:3.0f} %, {}{}", what_, 100.0 * fraction, left, more ? ", " + more() : ""));
  return true;
}

bool Progress::count(const char* unit) {
  if (interrupted()) return false;
  const long counted = ++counted_;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  double elapsed = 0.0;
  if (!lock || !due(elapsed)) return true;
  write(fmt::format("{}: {} so far, {} {}", what_, io::time_words(elapsed), counted, unit));
  return true;
}

}  // namespace bristle::cli
