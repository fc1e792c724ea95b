// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bristle/io/errors.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

std::string model_names() {
  std::string all;
  for (const auto& law : laws()) all += (all.empty() ? "" : " ") + law.description.name;
  for (const auto& system : systems()) all += " " + system.description.name;
  return all;
}

int print_script(const std::string& shell) {
  const std::string names = model_names();
  if (shell == "bash") {
    fmt::print(
        "# bristle completion bash > /etc/bash_completion.d/bristle\n"
        "_bristle() {{\n"
        "  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}}\n"
        "  case \"$command\" in\n"
        "    models) COMPREPLY=($(compgen -W \"{} --json --help\" -- \"$word\"));;\n"
        "    run) COMPREPLY=($(compgen -W \"--set --out --method --json --no-figures --animate "
        "--help\" -- "
        "\"$word\") "
        "$(compgen -f -X '!*.toml' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    reproduce) COMPREPLY=($(compgen -W \"$(bristle reproduce --list 2>/dev/null | cut -d' "
        "' -f1) --all "
        "--list --json --strict --no-figures --out --experiments --help\" -- \"$word\"));;\n"
        "    loop) COMPREPLY=($(compgen -W \"--x --y --time --by --fit --relays --asymmetric --out "
        "--json "
        "--help\" -- "
        "\"$word\") "
        "$(compgen -f -X '!*.csv' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    invert) COMPREPLY=($(compgen -W \"--case --amplitude --out --json --help\" -- "
        "\"$word\") $(compgen -f -X '!*.toml' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    butterfly) COMPREPLY=($(compgen -W \"--x --y --map --a --each --falling --tolerance "
        "--fit --out --json --help\" -- \"$word\") "
        "$(compgen -f -X '!*.csv' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    errors) COMPREPLY=($(compgen -W \"--column --other --time --json --help\" -- "
        "\"$word\") $(compgen -f -X '!*.csv' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    spectrum) COMPREPLY=($(compgen -W \"--column --time --drive --beat --velocity --out "
        "--json --help\" -- \"$word\") $(compgen -f -X '!*.csv' -- \"$word\") $(compgen -d -- "
        "\"$word\"));;\n"
        "    indirect) COMPREPLY=($(compgen -W \"--position --velocity --acceleration --base "
        "--mass "
        "--spring --damping --half-width --degree --out --help\" -- \"$word\") $(compgen -f -X "
        "'!*.csv' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    bifurcation) COMPREPLY=($(compgen -W \"--parameter --from --to --values --periods "
        "--keep "
        "--threads --case --x --y --set --out --resume --json --help\" -- \"$word\") $(compgen -f "
        "-X "
        "'!*.toml' -- \"$word\") $(compgen -d -- \"$word\"));;\n"
        "    completion) COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\"));;\n"
        "    *) COMPREPLY=($(compgen -W \"models run loop invert butterfly errors spectrum "
        "indirect bifurcation reproduce completion "
        "--help --version\" "
        "-- "
        "\"$word\"));;\n"
        "  esac\n"
        "}}\n"
        "complete -o filenames -F _bristle bristle\n",
        names);
  } else if (shell == "zsh") {
    fmt::print(
        "#compdef bristle\n"
        "_bristle() {{\n"
        "  case \"$words[2]\" in\n"
        "    models) _values model {};;\n"
        "    run) _arguments '*--set:field' '--out:directory:_files -/' "
        "'--method:method:(rosenbrock cvode coupled switch "
        "bristle_only)' '--json' '--no-figures' '*:file:_files -g \"*.toml\"';;\n"
        "    reproduce) _values experiment $(bristle reproduce --list 2>/dev/null | cut -d' ' -f1) "
        "--all --list "
        "--json --out;;\n"
        "    *) _values command models run loop invert butterfly errors spectrum indirect "
        "bifurcation "
        "reproduce completion;;\n"
        "  esac\n"
        "}}\n"
        "compdef _bristle bristle\n",
        names);
  } else if (shell == "fish") {
    fmt::print(
        "complete -c bristle -f -n __fish_use_subcommand -a 'models run loop invert butterfly "
        "errors spectrum indirect bifurcation reproduce "
        "completion'\n"
        "complete -c bristle -f -n '__fish_seen_subcommand_from models' -a '{}'\n"
        "complete -c bristle -n '__fish_seen_subcommand_from run' -l set -l out -l method -l json "
        "-l no-figures\n"
        "complete -c bristle -f -n '__fish_seen_subcommand_from reproduce' -a '(bristle reproduce "
        "--list | cut -d\" "
        "\" -f1)' -l all -l list -l json -l out\n",
        names);
  } else {
    throw io::InputError("completion: shell = \"" + shell +
                         "\" is not allowed, it must be one of bash, zsh, fish");
  }
  return io::success;
}

}  // namespace

void add_completion(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("completion", "Print a completion script for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->required();
  command->footer(
      "Example:\n  bristle completion bash > ~/.local/share/bash-completion/completions/bristle");
  command->callback([&action, shell] { action = [shell] { return print_script(*shell); }; });
}

}  // namespace bristle::cli
