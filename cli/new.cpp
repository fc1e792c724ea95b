// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bristle/io/errors.hpp"
#include "commands.hpp"
#include "new_files.hpp"
#include "numbers.hpp"

namespace bristle::cli {
namespace {

struct NewArguments {
  std::string kind, file;
};

// Creates the file; what is there already stays as it is.
void write_new(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0)
    throw io::FileError(path +
                        (errno == EEXIST
                             ? ": exists already and is left as it is, choose another name"
                             : ": cannot be written (" + std::string(std::strerror(errno)) + ")"));
  const ssize_t written = ::write(file, text.data(), text.size());
  const bool whole = written == ssize_t(text.size()) && ::fsync(file) == 0;
  const std::string why = whole ? "" : std::strerror(errno);
  if (::close(file) == 0 && whole) return;
  ::unlink(path.c_str());
  throw io::FileError(path + ": cannot be written (" + why + ")");
}

int create(const NewArguments& a) {
  const std::string path = a.file.empty() ? a.kind + ".toml" : a.file;
  for (const NewFile& one : new_files()) {
    if (one.kind != a.kind) continue;
    std::string text(one.text);
    for (auto at = text.find("FILE"); at != std::string::npos; at = text.find("FILE", at))
      text.replace(at, 4, path), at += path.size();
    write_new(path, text);
    fmt::print("{}: {}\nnext: bristle run {}\n", path, one.summary, path);
  }
  return io::success;
}

}  // namespace

void add_new(CLI::App& program, Action& action) {
  auto* command =
      program.add_subcommand("new", "Write a commented file of a machine or operator that runs");
  auto a = std::make_shared<NewArguments>();
  std::vector<std::string> kinds;
  std::string listed = "Kinds:\n";
  for (const NewFile& one : new_files()) {
    kinds.emplace_back(one.kind);
    listed += fmt::format("  {:<10} {}\n", one.kind, one.summary);
  }
  command->add_option("kind", a->kind, "axis, drive, valve, stage or operator")
      ->required()
      ->check(one_of(kinds));
  command->add_option("file", a->file, "file to write, default KIND.toml; it must not exist yet");
  command->footer(listed +
                  "Examples:\n  bristle new axis\n  bristle new valve my_valve.toml\n"
                  "  bristle new axis axis.toml && bristle run axis.toml");
  command->callback([&action, a] { action = [a] { return create(*a); }; });
}

}  // namespace bristle::cli
