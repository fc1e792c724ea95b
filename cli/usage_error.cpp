// SPDX-License-Identifier: MIT
#include "usage_error.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string_view>
#include <utility>

#include "bristle/model/describe.hpp"

namespace bristle::cli {
namespace {

// The dashes in front of options would make all of them alike, so they stay out.
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& dashes = "") {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : ", did you mean " + dashes + near + "?";
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back(name);
  return names;
}

// The first of the words left over that is an option, else the first of them.
std::string left_over(const CLI::App& command, const CLI::App& program) {
  auto words = command.remaining(true);
  if (words.empty()) words = program.remaining(true);
  const auto option =
      std::find_if(words.begin(), words.end(), [](const auto& w) { return w.starts_with("-"); });
  return option != words.end() ? *option : words.empty() ? "" : words.front();
}

}  // namespace

std::string unknown_command(const CLI::App& program, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.starts_with("-")) return "";
  std::vector<std::string> commands;
  for (const auto* one : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == first) return "";
    commands.push_back(one->get_name());
  }
  return "there is no command '" + first + "'" + suggestion(first, commands) +
         " (see bristle --help)";
}

std::string usage_error(const CLI::App& program, const CLI::ParseError& error, int argc,
                        char** argv) {
  if (const std::string unknown = unknown_command(program, argc, argv); !unknown.empty())
    return unknown;
  const std::string first = argc > 1 ? argv[1] : "";
  const CLI::App* command = &program;
  for (const auto* one : program.get_subcommands([](const CLI::App*) { return true; }))
    if (one->get_name() == first) command = one;
  const bool inside = command != &program;
  const std::string help = " (see bristle " + (inside ? first + " " : "") + "--help)";
  if (error.get_exit_code() == int(CLI::ExitCodes::ExtrasError)) {
    const std::string word = left_over(*command, program);
    const std::string owner = inside ? first + ": " : "";
    if (word.starts_with("-")) {
      const std::string name = word.substr(0, word.find('='));
      const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
      return owner + "there is no option " + name + suggestion(bare, option_names(*command), "--") +
             help;
    }
    return owner + "the argument '" + word + "' was not expected" + help;
  }
  std::string what = error.what();
  if (what.ends_with("s is required")) what.replace(what.size() - 11, 2, "are");
  // "--drive: At Most 2 required but received 3".
  for (const auto& [theirs, ours] : {std::pair{": At Most ", ": takes at most "},
                                     {": At Least ", ": takes at least "},
                                     {" required but received ", " values, not "}})
    if (const auto at = what.find(theirs); at != std::string::npos)
      what.replace(at, std::string_view(theirs).size(), ours);
  return (inside ? first + ": " : "") + what + help;
}

}  // namespace bristle::cli
