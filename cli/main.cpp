// SPDX-License-Identifier: MIT
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string_view>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/error.hpp"
#include "bristle/version.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "usage_error.hpp"

namespace {

constexpr const char* introduction =
    "bristle simulates machines with friction and hysteresis, fits friction laws to measured data\n"
    "and reproduces published figures.\n";

// Shown alone when there is no argument, and at the head of the help.
constexpr const char* first_steps =
    "Start here:\n"
    "  bristle new axis axis.toml           write a commented file of a machine that runs\n"
    "  bristle run axis.toml                simulate it: report, figures and CSV in out/axis\n"
    "  bristle fit log.csv --model lugre    fit a friction law to measured data, with confidence\n"
    "                                       intervals and warnings\n"
    "  bristle models                       list the laws, machines, operators and quantities\n"
    "  bristle reproduce --list             list the published figures that can be reproduced\n";

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0    done\n"
    "  1    reproduce --strict: a fact is not reproduced and no reason is given; part check: the\n"
    "       data have changed; part diff: a parameter differs significantly\n"
    "  2    wrong input: command line, file content, parameter out of range\n"
    "  3    a file is missing, unreadable or cannot be written\n"
    "  4    a simulation did not reach its end, or its numbers are not finite\n"
    "  5    a fit that must not be used: it did not converge, or explains or determines nothing;\n"
    "       its best result is kept and marked\n"
    "  130  interrupted; no partly written file is left";

// Descriptions of options in lines that fit a terminal of 100 columns, beside a column of 30 for
// the names.
class WrappingFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t width = 70;
    std::istringstream words(option->get_description());
    std::string text, word;
    for (std::size_t used = 0; words >> word; used += word.size() + 1) {
      const bool full = used + word.size() > width;
      text += text.empty() ? "" : full ? "\n" : " ";
      if (full) used = 0;
      text += word;
    }
    return text;
  }
};

// One line, whatever stands in the names and texts it quotes.
int complain(const std::string& sentence, int code) {
  std::string line;
  for (const char c : sentence) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  std::fprintf(stderr, "bristle: %s\n", line.c_str());
  return code;
}

// An argument as a shell reads it.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                          "0123456789_-+=./,:@%") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// What is wrong with an option is answered by the help of its command; a change of a file is not.
std::string with_help(const std::string& sentence, const std::string& command) {
  const bool option = sentence.starts_with("--") && !sentence.starts_with("--set ");
  if (!option && !sentence.starts_with(command + ": ")) return sentence;
  return sentence + " (see bristle " + command + " --help)";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bristle;
  // `bristle help run` means `bristle run --help`.
  static char help[] = "--help";
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    std::rotate(argv + 1, argv + 2, argv + argc);
    argv[argc - 1] = help;
  }
  std::string command_line = "bristle";
  for (int i = 1; i < argc; ++i) command_line += " " + shell_word(argv[i]);
  command_line = io::utf8(command_line);

  CLI::App program(std::string(introduction) + "\n" + first_steps, "bristle");
  program.set_version_flag("--version", std::string("bristle ") + version +
                                            (with_sundials ? "" : ", built without SUNDIALS"));
  program.require_subcommand(0, 1);
  program.footer(exit_codes);
  program.formatter(std::make_shared<WrappingFormatter>());
  cli::Action action;
  cli::add_new(program, action);
  cli::add_models(program, action);
  cli::add_run(program, action, command_line);
  cli::add_sweep(program, action, command_line);
  cli::add_loop(program, action, command_line);
  cli::add_invert(program, action);
  cli::add_butterfly(program, action);
  cli::add_errors(program, action);
  cli::add_spectrum(program, action);
  cli::add_indirect(program, action);
  cli::add_bifurcation(program, action, command_line);
  cli::add_fit(program, action, command_line);
  cli::add_compare(program, action, command_line);
  cli::add_part(program, action);
  cli::add_excite(program, action);
  cli::add_reproduce(program, action, command_line);
  cli::add_completion(program, action);
  for (auto* command : program.get_subcommands({}))
    command->footer(command->get_footer() + "\n\n" + exit_codes);

  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& asked) {
    const std::string unknown = cli::unknown_command(program, argc, argv);
    if (argc > 1 && !unknown.empty()) return complain(unknown, io::bad_input);
    return program.exit(asked);
  } catch (const CLI::CallForVersion& asked) {
    return program.exit(asked);
  } catch (const CLI::Success& done) {
    return program.exit(done);
  } catch (const CLI::ParseError& error) {
    return complain(cli::usage_error(program, error, argc, argv), io::bad_input);
  }
  if (!action) {
    std::printf(
        "%s\n%s\n`bristle --help` lists all commands, `bristle COMMAND --help` shows one.\n",
        introduction, first_steps);
    return io::success;
  }

  // What was printed counts only once it has arrived.
  const auto unwritten = [] { return std::fflush(stdout) != 0 || std::ferror(stdout); };
  const auto complain_of_output = [] {
    return complain("the standard output cannot be written", io::file_trouble);
  };
  cli::listen_for_interrupts();
  try {
    const int code = action();
    return unwritten() ? complain_of_output() : code;
  } catch (const io::Interrupted& error) {
    return complain(error.what(), io::interrupted);
  } catch (const std::exception& error) {
    // Work that was cut short fails in ways of its own: the request is the reason.
    if (cli::interrupted()) return complain(io::Interrupted().what(), io::interrupted);
    if (dynamic_cast<const io::InputError*>(&error) || dynamic_cast<const InvalidInput*>(&error))
      return complain(with_help(error.what(), argc > 1 ? argv[1] : ""), io::bad_input);
    if (dynamic_cast<const std::bad_alloc*>(&error))
      return complain("there is not enough memory; take fewer samples", io::run_failed);
    if (unwritten()) return complain_of_output();
    return complain(error.what(), io::file_trouble);
  }
}
