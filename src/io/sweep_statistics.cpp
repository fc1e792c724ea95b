// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "bristle/io/cancel.hpp"
#include "bristle/io/sweep_results.hpp"
#include "quantile.hpp"

namespace bristle::io {
namespace {

// Evenly spaced values of a list that may be longer than memory allows.
class ThinnedValues {
 public:
  void add(double value) {
    if (seen_++ % stride_ != 0) return;
    values_.push_back(value);
    if (values_.size() <= most_values) return;
    for (std::size_t i = 0; 2 * i < values_.size(); ++i) values_[i] = values_[2 * i];
    values_.resize((values_.size() + 1) / 2);
    stride_ *= 2;
  }
  std::vector<double>& values() { return values_; }

 private:
  static constexpr std::size_t most_values = std::size_t(1) << 20;
  std::vector<double> values_;
  std::uint64_t seen_ = 0, stride_ = 1;
};

}  // namespace

SweepStatistics statistics_of(const std::string& path, const Sweep& sweep) {
  constexpr std::size_t most_words = 1000;
  SweepStatistics s;
  const std::size_t count = sweep.quantities().size();
  s.quantities.resize(count);
  std::vector<ThinnedValues> kept(count);
  std::vector<double> squares(count);
  for (std::size_t i = 0; i < count; ++i) {
    s.quantities[i].name = sweep.quantities()[i].name;
    s.quantities[i].unit = sweep.unit(i);
  }
  each_row(path, sweep, [&](const SweepRow& row) {
    ++s.rows;
    s.longest_status = std::max(s.longest_status, row.status.size());
    if (!row.done()) {
      if (s.failed++ == 0) s.first_failed = row.number, s.first_failure = row.status;
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      QuantityStatistics& q = s.quantities[i];
      if (const auto* word = std::get_if<std::string>(&row.quantities[i])) {
        ++q.words;
        q.longest = std::max(q.longest, word->size());
        if (q.counts.size() < most_words || q.counts.contains(*word)) ++q.counts[*word];
      }
      const auto* value = std::get_if<double>(&row.quantities[i]);
      if (!value) {
        q.undefined += std::holds_alternative<std::monostate>(row.quantities[i]);
        continue;
      }
      if (!std::isfinite(*value)) {
        ++q.undefined;
        continue;
      }
      // Welford's recurrence.
      const double before = *value - q.mean;
      q.mean += before / double(++q.numbers);
      squares[i] += before * (*value - q.mean);
      if (!(q.smallest <= *value)) q.smallest = *value, q.smallest_at = row.number;
      if (!(q.largest >= *value)) q.largest = *value, q.largest_at = row.number;
      kept[i].add(*value);
    }
  });
  for (std::size_t i = 0; i < count; ++i) {
    QuantityStatistics& q = s.quantities[i];
    if (q.numbers > 1) q.deviation = std::sqrt(squares[i] / double(q.numbers - 1));
    auto& values = kept[i].values();
    std::sort(values.begin(), values.end());
    q.quantiles_of = values.size();
    q.low = sorted_quantile(values, 0.025), q.median = sorted_quantile(values, 0.5);
    q.high = sorted_quantile(values, 0.975);
  }
  return s;
}

std::map<std::string, SensitivityResult> sensitivities_of(const std::string& path,
                                                          const Sweep& sweep) {
  std::map<std::string, SensitivityResult> all;
  const auto& design = sweep.plan().sensitivity;
  if (!design) return all;
  for (std::size_t i = 0; i < sweep.quantities().size(); ++i) {
    // A run that failed or has no such number leaves a gap.
    std::vector<double> values(sweep.plan().size(), NAN);
    bool any = false;
    each_row(path, sweep, [&](const SweepRow& row) {
      const auto* value = std::get_if<double>(&row.quantities[i]);
      if (!row.done() || !value) return;
      values[row.number - 1] = *value;
      any = true;
    });
    if (any) all[sweep.quantities()[i].name] = sensitivities(*design, values);
  }
  return all;
}

}  // namespace bristle::io
