// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "bristle/io/cancel.hpp"

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

bool Progress::show(double fraction, const std::function<std::string()>& more) {
  if (interrupted()) return false;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const double since = std::chrono::duration<double>(now - last_).count();
  // On a terminal a line that renews itself; in a log a line every ten seconds.
  if (elapsed < 1.0 || since < (terminal_ ? 0.1 : 10.0)) return true;
  last_ = now;
  shown_ = true;
  const double left = fraction > 1e-6 ? elapsed * (1.0 - fraction) / fraction : 0.0;
  const std::string line = fmt::format("{}: {:3.0f} %, {:.0f} s left{}", what_, 100.0 * fraction,
                                       left, more ? ", " + more() : "");
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stderr);
  return true;
}

}  // namespace bristle::cli
