// SPDX-License-Identifier: MIT
// Completion for shells, made from the commands and options as they were added.
#include <fmt/format.h>

#include "bristle/io/errors.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

struct Completed {
  std::string name;
  std::string options;  // "--set --out ..."
  bool takes_files = false;
};

std::vector<Completed> commands_of(const CLI::App& program) {
  std::vector<Completed> all;
  for (const auto* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    Completed c{command->get_name(), "", false};
    for (const auto* option : command->get_options()) {
      if (option->get_group().empty()) continue;  // one that is refused here, and not shown
      if (option->get_positional()) c.takes_files = true;
      for (const auto& name : option->get_lnames()) c.options += " --" + name;
    }
    all.push_back(c);
  }
  return all;
}

std::string names_of(const std::vector<Completed>& commands) {
  std::string all;
  for (const auto& c : commands) all += (all.empty() ? "" : " ") + c.name;
  return all;
}

std::string model_names() {
  std::string all;
  for (const auto& law : laws()) all += (all.empty() ? "" : " ") + law.description.name;
  for (const auto& system : systems()) all += " " + system.description.name;
  return all;
}

constexpr const char* experiments = "$(bristle reproduce --list 2>/dev/null | cut -d' ' -f1)";

// The words a command is completed with, beside its options and files.
std::string words_of(const std::string& command) {
  if (command == "models") return model_names();
  if (command == "reproduce") return experiments;
  if (command == "completion") return "bash zsh fish";
  return "";
}

void print_bash(const std::vector<Completed>& commands) {
  fmt::print(
      "# bristle completion bash > /etc/bash_completion.d/bristle\n"
      "_bristle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}}\n"
      "  case \"$command\" in\n");
  for (const auto& c : commands) {
    const std::string own = words_of(c.name);
    fmt::print("    {}) COMPREPLY=($(compgen -W \"{}{}\" -- \"$word\"){});;\n", c.name, own,
               c.options, c.takes_files && own.empty() ? " $(compgen -f -- \"$word\")" : "");
  }
  fmt::print(
      "    *) COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"));;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _bristle bristle\n",
      names_of(commands));
}

void print_zsh(const std::vector<Completed>& commands) {
  fmt::print("#compdef bristle\n_bristle() {{\n  case \"$words[2]\" in\n");
  for (const auto& c : commands) {
    const std::string own = words_of(c.name);
    fmt::print("    {}) compadd -- {}{}{};;\n", c.name, own, c.options,
               c.takes_files && own.empty() ? "; _files" : "");
  }
  fmt::print("    *) compadd -- {};;\n  esac\n}}\ncompdef _bristle bristle\n", names_of(commands));
}

void print_fish(const std::vector<Completed>& commands) {
  fmt::print("complete -c bristle -f -n __fish_use_subcommand -a '{}'\n", names_of(commands));
  for (const auto& c : commands) {
    const std::string seen = "complete -c bristle -n '__fish_seen_subcommand_from " + c.name + "'";
    if (c.name == "reproduce")
      fmt::print("{} -f -a '(bristle reproduce --list | cut -d\" \" -f1)'\n", seen);
    else if (const std::string own = words_of(c.name); !own.empty())
      fmt::print("{} -f -a '{}'\n", seen, own);
    std::string long_options = c.options;
    for (std::size_t at = 0; (at = long_options.find("--", at)) != std::string::npos;)
      long_options.replace(at, 2, "-l ");
    fmt::print("{}{}\n", seen, long_options);
  }
}

int print_script(const CLI::App& program, const std::string& shell) {
  const auto commands = commands_of(program);
  if (shell == "bash") print_bash(commands);
  else if (shell == "zsh") print_zsh(commands);
  else if (shell == "fish") print_fish(commands);
  else
    throw io::InputError("completion: shell = \"" + shell +
                         "\" is not allowed, it must be one of bash, zsh, fish");
  return io::success;
}

}  // namespace

void add_completion(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("completion", "Print a completion script for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->required();
  command->footer(
      "Example:\n  bristle completion bash > ~/.local/share/bash-completion/completions/bristle");
  command->callback([&program, &action, shell] {
    action = [&program, shell] { return print_script(program, *shell); };
  });
}

}  // namespace bristle::cli
