// SPDX-License-Identifier: MIT
#include "data_delay.hpp"

#include <cmath>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"

namespace bristle::cli {

DelayAsked delay_of(const DataArguments& a) {
  DelayAsked asked;
  if (a.delay.empty()) return asked;
  const std::string where = "--delay " + a.delay;
  std::string number = a.delay;
  if (a.delay.starts_with("auto")) {
    asked.automatic = true;
    number = a.delay.substr(4);
    if (!number.empty() && number.front() == ':') number.erase(0, 1);
    else if (!number.empty())
      throw io::InputError(where + ": must be auto, auto:SECONDS or a time");
  }
  if (a.choice.steady || !a.mechanism.empty())
    throw io::InputError(where + ": is for a force along a measured motion");
  if (number.empty()) return asked;
  const auto value = io::number_in(number);
  if (!value || !std::isfinite(*value) || (asked.automatic && !(*value > 0.0)))
    throw io::InputError(where + ": '" + number + "' is not a time in seconds");
  asked.seconds = *value;
  return asked;
}

std::optional<DelayEstimate> take_out_delay(const DataArguments& a, const std::string& law,
                                            FitInput& input, const FitOptions& options) {
  if (input.records.empty()) return std::nullopt;
  const DelayEstimate found =
      estimate_delay(law, input.records, {delay_of(a).seconds, input.preparing, options});
  if (found.seen() && !found.at_limit)
    for (std::size_t k = 0; k < input.records.size(); ++k)
      input.runs[k] = prepare(delayed(input.records[k], found.delay), input.preparing);
  input.records.clear();
  return found;
}

}  // namespace bristle::cli
