// SPDX-License-Identifier: MIT
// The options of a fit are too many for one list: the help shows them by what they are about.
#include <utility>
#include <vector>

#include "data_options.hpp"

namespace bristle::cli {
namespace {

using OptionGroup = std::pair<const char*, std::vector<const char*>>;

const std::vector<OptionGroup>& option_groups() {
  static const std::vector<OptionGroup> all{
      {"What is fitted",
       {"--model", "--models", "--machine", "--mechanism", "--start", "--fix", "--free", "--guess",
        "--bound", "--offset", "--asymmetric", "--backlash", "--depends", "--forms"}},
      {"Columns of the data",
       {"--time", "--position", "--velocity", "--force", "--load", "--run", "--input", "--output",
        "--measured"}},
      {"Rows of the data",
       {"--join", "--clock", "--skip", "--where", "--from", "--to", "--steady"}},
      {"Noise, delay and filter", {"--bandwidth", "--differentiate", "--delay", "--robust"}},
      {"Measured torque or current", {"--terms", "--motor-constant", "--gear", "--joint"}},
      {"Validation", {"--hold-out", "--leave-out", "--nested", "--profile"}},
      {"Search and simulation", {"--starts", "--seed", "--steps", "--measured-start"}},
      {"Results", {"--out", "--licence", "--source", "--json"}}};
  return all;
}

}  // namespace

void group_fit_options(CLI::App& command) {
  for (const auto& [title, names] : option_groups())
    for (const char* name : names)
      if (auto* option = command.get_option_no_throw(name)) option->group(title);
}

}  // namespace bristle::cli
