// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "bristle/io/control_character.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/library_reading.hpp"
#include "bristle/model/error.hpp"
#include "bristle/version.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "usage_error.hpp"

#if defined(__has_feature)
#define BRISTLE_CLANG_SANITIZES \
  (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define BRISTLE_CLANG_SANITIZES 0
#endif

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

// One line, whatever stands in the names and texts it quotes. Where one of them is as long as a
// file, the middle is left out: the place stands at the front, the reason at the end.
int complain(std::string sentence, int code) {
  constexpr std::size_t most = 4000, side = 1000;
  if (sentence.size() > most) {
    const auto goes_on = [&](std::size_t i) {
      return (static_cast<unsigned char>(sentence[i]) & 0xC0) == 0x80;
    };
    std::size_t from = side, to = sentence.size() - side;
    while (from > 0 && goes_on(from)) --from;
    while (to < sentence.size() && goes_on(to)) ++to;
    sentence.replace(from, to - from, " [...] ");
  }
  std::string line;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const std::size_t length = bristle::io::control_length(std::string_view(sentence).substr(i));
    line += length > 0 ? ' ' : sentence[i];
    if (length > 1) ++i;
  }
  std::fprintf(stderr, "bristle: %s\n", line.c_str());
  return code;
}

// The first file that is opened would take the place of a stream that is closed, and what is
// printed would stand in that file. Printing on a closed output stays an error.
void hold_closed_streams() {
  for (const int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
}

// What a crash leaves time for: a sentence, and the exit code if it is known what is wrong.
void say_what_crashed(int signal) {
  const auto say = [](const char* words) {
    if (::write(STDERR_FILENO, words, std::strlen(words)) < 0) return;
  };
  say("bristle: ");
  if (bristle::io::file_in_library) {
    say(bristle::io::file_in_library);
    say(": cannot be read, it is damaged: the library for its format crashed\n");
    ::_exit(bristle::io::bad_input);
  }
  say("crashed, which is a defect of bristle: please report the command and its input\n");
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Neither damaged files nor defects end the command without a word. Sanitizers have their own
// words.
void listen_for_crashes() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !BRISTLE_CLANG_SANITIZES
  static std::array<char, 65536> ground;  // where the stack itself has run out
  stack_t stack{};
  stack.ss_sp = ground.data();
  stack.ss_size = ground.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = say_what_crashed;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    ::sigaction(signal, &action, nullptr);
#endif
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
  hold_closed_streams();
  listen_for_crashes();
  // `bristle help run` means `bristle run --help`.
  static char help[] = "--help";
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    std::rotate(argv + 1, argv + 2, argv + argc);
    argv[argc - 1] = help;
  }
  // They are printed again in many places, and no terminal shall obey a name of a file.
  for (int i = 1; i < argc; ++i)
    if (const std::string found = io::control_character(argv[i]); !found.empty())
      return complain("argument " + std::to_string(i) + " holds the control character " + found +
                          ", which is not allowed",
                      io::bad_input);
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

  // What was printed counts only once it has arrived.
  const auto unwritten = [] { return std::fflush(stdout) != 0 || std::ferror(stdout); };
  const auto complain_of_output = [] {
    return complain("the standard output cannot be written", io::file_trouble);
  };
  const auto shown = [&](const CLI::Error& text) {
    const int code = program.exit(text);
    return unwritten() ? complain_of_output() : code;
  };
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& asked) {
    const std::string unknown = cli::unknown_command(program, argc, argv);
    if (argc > 1 && !unknown.empty()) return complain(unknown, io::bad_input);
    return shown(asked);
  } catch (const CLI::CallForVersion& asked) {
    return shown(asked);
  } catch (const CLI::Success& done) {
    return shown(done);
  } catch (const CLI::ParseError& error) {
    return complain(cli::usage_error(program, error, argc, argv), io::bad_input);
  }
  if (!action) {
    std::printf(
        "%s\n%s\n`bristle --help` lists all commands, `bristle COMMAND --help` shows one.\n",
        introduction, first_steps);
    return unwritten() ? complain_of_output() : io::success;
  }

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
