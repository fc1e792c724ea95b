// SPDX-License-Identifier: MIT
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/error.hpp"
#include "bristle/version.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace {

constexpr const char* introduction =
    "bristle: friction and hysteresis, simulated with true stick and a closed energy ledger.\n"
    "\n"
    "Start here:\n"
    "  bristle models                      the friction laws there are\n"
    "  bristle models lugre                one law with all its parameters\n"
    "  bristle reproduce --list            the published figures that come with it\n"
    "  bristle reproduce r_8_stick_slip --out out\n"
    "  bristle run my.toml --set model.stiffness=2e5 --out result\n"
    "  bristle sweep my.toml --vary mechanism.drag_velocity=0.01:1:50:log --quantity period\n"
    "  bristle fit measured.csv --model lugre --hold-out 0.3 --out fitted\n"
    "  bristle loop data.csv --fit 20 --out fitted && bristle invert fitted/model.toml";

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0    done\n"
    "  1    reproduce --strict: a fact is not met and nothing says why; part check: the data are\n"
    "       others; part diff: a parameter differs significantly\n"
    "  2    wrong input: command line, file content, parameter out of range\n"
    "  3    a file is missing, unreadable or cannot be written\n"
    "  4    a simulation did not reach its end, or its numbers are not finite\n"
    "  5    a fit nobody should use: not converged, or it explains or determines nothing; its "
    "best\n"
    "       result is kept and marked\n"
    "  130  interrupted; nothing half-written is left";

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

// "models, run, loop or completion"
std::string names_of(const CLI::App& program) {
  const auto all = program.get_subcommands([](const CLI::App*) { return true; });
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + all[i]->get_name();
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bristle;
  std::string command_line = "bristle";
  for (int i = 1; i < argc; ++i) command_line += " " + shell_word(argv[i]);
  command_line = io::utf8(command_line);

  CLI::App program(introduction, "bristle");
  program.set_version_flag("--version", std::string("bristle ") + version +
                                            (with_sundials ? "" : ", built without SUNDIALS"));
  program.require_subcommand(0, 1);
  program.footer(exit_codes);
  cli::Action action;
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
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help);
  } catch (const CLI::CallForVersion& asked) {
    return program.exit(asked);
  } catch (const CLI::Success& done) {
    return program.exit(done);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + " (see bristle --help)", io::bad_input);
  }
  if (!action)
    return complain("a command is needed: " + names_of(program) + " (see bristle --help)",
                    io::bad_input);

  cli::listen_for_interrupts();
  try {
    const int code = action();
    // What was printed counts only once it has arrived.
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
      return complain("the standard output cannot be written", io::file_trouble);
    return code;
  } catch (const io::Interrupted& error) {
    return complain(error.what(), io::interrupted);
  } catch (const std::exception& error) {
    // Work that was cut short fails in ways of its own: the request is the reason.
    if (cli::interrupted()) return complain(io::Interrupted().what(), io::interrupted);
    if (dynamic_cast<const io::InputError*>(&error) || dynamic_cast<const InvalidInput*>(&error))
      return complain(error.what(), io::bad_input);
    if (dynamic_cast<const std::bad_alloc*>(&error))
      return complain("there is not enough memory, fewer samples need less", io::run_failed);
    return complain(error.what(), io::file_trouble);
  }
}
