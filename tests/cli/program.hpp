// SPDX-License-Identifier: MIT
// Starts the command in a directory of its own and catches its streams and exit code.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "io/support.hpp"

namespace bristle::test {

using Words = std::vector<std::string>;

struct Outcome {
  int code = 0;  // exit code, or minus the signal that ended it
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

struct Surroundings {
  std::optional<std::string> path;          // PATH
  std::string standard_output;              // a file in place of the one that is caught
  std::optional<rlim_t> file_size, memory;  // limits [bytes]
  std::vector<int> closed;                  // streams that are closed
};

// A running command.
class Process {
 public:
  Process(const fs::path& directory, Words words, const Surroundings& around = {})
      : out_(directory / ".stdout"), err_(directory / ".stderr") {
    words.insert(words.begin(), BRISTLE_PROGRAM);
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = around.standard_output.empty() ? out_.string() : around.standard_output;
    id_ = ::fork();
    if (id_ != 0) return;
    const int input = ::open("/dev/null", O_RDONLY);
    const int output = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int error = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(error, 2) < 0 ||
        ::chdir(directory.c_str()) != 0)
      ::_exit(126);
    if (around.path) ::setenv("PATH", around.path->c_str(), 1);
    const auto limit = [](auto which, const std::optional<rlim_t>& bytes) {
      const rlimit both{bytes.value_or(0), bytes.value_or(0)};
      if (bytes) ::setrlimit(which, &both);
    };
    limit(RLIMIT_FSIZE, around.file_size);
    limit(RLIMIT_AS, around.memory);
    for (const int stream : around.closed) ::close(stream);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Process() {
    if (!ended_) ::kill(id_, SIGKILL), ::waitpid(id_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Waits until the command handles the signal, lets it work for a moment, then sends it.
  void signal(int number) const {
    const auto began = std::chrono::steady_clock::now();
    while (!handles(number) && std::chrono::steady_clock::now() - began < std::chrono::seconds(10))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(id_, number);
  }

  // True if the command ends within the time.
  bool ends_within(std::chrono::milliseconds patience) {
    const auto began = std::chrono::steady_clock::now();
    while (!ended_ && std::chrono::steady_clock::now() - began < patience) {
      if (::waitpid(id_, &status_, WNOHANG) == id_) ended_ = true;
      else std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return ended_;
  }

  Outcome outcome() {
    if (!ends_within(std::chrono::seconds(60))) {
      ADD_FAILURE() << "the command did not end within a minute";
      return {};
    }
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_),
            fs::exists(out_) ? read(out_) : "", read(err_)};
  }

 private:
  bool handles(int number) const {
    const std::string status = read("/proc/" + std::to_string(id_) + "/status");
    const auto at = status.find("SigCgt:");
    if (at == std::string::npos) return true;
    return (std::stoull(status.substr(at + 7), nullptr, 16) >> (number - 1) & 1) != 0;
  }

  fs::path out_, err_;
  pid_t id_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

// A directory to run the command in; what it prints is kept out of the listing.
class Bench : public TemporaryDirectory {
 public:
  Outcome bristle(const Words& words, const Surroundings& around = {}) const {
    return Process(root(), words, around).outcome();
  }
  std::set<std::string> files() const {
    auto all = names();
    all.erase(".stdout");
    all.erase(".stderr");
    return all;
  }
};

// Whether the command was built without SUNDIALS, and refuses the methods cvode and switch.
inline bool without_sundials() {
  static const bool answer = contains(Bench().bristle({"--version"}).out, "without SUNDIALS");
  return answer;
}

// The example of the help text, short.
inline const std::string stick_slip =
    "[model]\nname = \"lugre\"\nstiffness = 1e5\n"
    "[mechanism]\nname = \"dragged_mass\"\nspring = 2.0\ndrag_velocity = 0.1\n"
    "[solve]\nend = 20.0\n";  // 9 lines

// One line on the error stream that holds all of the given words, nothing on the other, and the
// code.
inline void expect_refused(const Outcome& outcome, int code, const Words& parts) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_PRED2(begins, outcome.err, "bristle: ");
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  for (const auto& part : parts) EXPECT_PRED2(contains, outcome.err, part);
}

}  // namespace bristle::test
