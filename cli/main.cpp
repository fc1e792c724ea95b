// SPDX-License-Identifier: MIT
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <exception>

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
    "  bristle run my.toml --set model.stiffness=2e5 --out result";

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0    done\n"
    "  1    reproduce --strict: something published was not reproduced\n"
    "  2    wrong input: command line, file content, parameter out of range\n"
    "  3    a file is missing, unreadable or cannot be written\n"
    "  4    a simulation did not reach its end\n"
    "  130  interrupted; nothing half-written is left";

}  // namespace

int main(int argc, char** argv) {
  using namespace bristle;
  std::string command_line = "bristle";
  for (int i = 1; i < argc; ++i) command_line += std::string(" ") + argv[i];

  CLI::App program(introduction, "bristle");
  program.set_version_flag("--version", std::string("bristle ") + version);
  program.require_subcommand(1);
  program.footer(exit_codes);
  cli::Action action;
  cli::add_models(program, action);
  cli::add_run(program, action, command_line);
  cli::add_reproduce(program, action, command_line);
  cli::add_completion(program, action);

  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help);
  } catch (const CLI::CallForVersion& asked) {
    return program.exit(asked);
  } catch (const CLI::Success& done) {
    return program.exit(done);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "bristle: %s (see bristle --help)\n", error.what());
    return io::bad_input;
  }

  cli::listen_for_interrupts();
  try {
    return action();
  } catch (const io::InputError& error) {
    std::fprintf(stderr, "bristle: %s\n", error.what());
    return io::bad_input;
  } catch (const InvalidInput& error) {
    std::fprintf(stderr, "bristle: %s\n", error.what());
    return io::bad_input;
  } catch (const io::Interrupted& error) {
    std::fprintf(stderr, "bristle: %s\n", error.what());
    return io::interrupted;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bristle: %s\n", error.what());
    return io::file_trouble;
  }
}
