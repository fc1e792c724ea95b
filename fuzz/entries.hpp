// SPDX-License-Identifier: MIT
// What is fuzzed: each entry takes any bytes and feeds them to one reader of the program.
//
// An entry returns if the reader accepts its input or refuses it in words (InputError,
// InvalidInput, FileError). Whatever else is thrown, and a property that does not hold, leaves the
// entry as an exception: libFuzzer takes it for a crash, the replay test for a failure.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bristle::fuzz {

struct Entry {
  std::string_view name;  // also the folder of its corpus
  void (*run)(std::string_view input);
};

// All entries, by name.
std::span<const Entry> entries();

void csv(std::string_view input);          // a table of numbers
void join(std::string_view input);         // two tables with a line between them, joined by time
void cache(std::string_view input);        // kept results: gallery.json, diagrams, models.json
void experiment(std::string_view input);   // an experiment file, read, checked and set up
void figures(std::string_view input);      // documents/figures.toml
void formula(std::string_view input);      // the closed form of a figure
void measurement(std::string_view input);  // choices in the first line, then a table
void model(std::string_view input);        // model.toml: read, inverted, written and read again
void part(std::string_view input);         // part.toml: read, drawn from, written and read again
void run(std::string_view input);          // an experiment file, run briefly, all results written
void setting(std::string_view input);      // --set, one per line, behind the name of a base file
void unit(std::string_view input);         // units of columns, in headers and options

// A property that the input breaks.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool holds, const std::string& property) {
  if (!holds) throw Broken(property);
}

// Calls a reader; false if it refuses its input in words.
bool accepts(const std::function<void()>& reader);

// A folder of this process alone, removed at its end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  // Writes a file there and returns its path.
  std::string write(const std::string& name, std::string_view text) const;
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};
const Scratch& scratch();

// The first line, and what follows it.
std::pair<std::string_view, std::string_view> first_line(std::string_view text);

}  // namespace bristle::fuzz
