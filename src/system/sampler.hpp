// SPDX-License-Identifier: MIT
// Fills a SystemResponse sample by sample.
#pragma once

#include <limits>

#include "bristle/solve/options.hpp"
#include "bristle/solve/pacer.hpp"
#include "bristle/system/response.hpp"

namespace bristle::detail {

struct ResponseSample {
  double time, input, output, second, area, second_area;
};

class ResponseRecorder {
 public:
  ResponseRecorder(SystemResponse& response, const Options& options)
      : r_(response),
        options_(options),
        from_(options.record_from),
        end_(options.end),
        count_(std::size_t(options.samples)) {
    for (auto* column : {&r_.time, &r_.input, &r_.output, &r_.second, &r_.area})
      column->reserve(count_);
  }

  // The time of the next sample; infinity after the last.
  double next() const {
    const std::size_t i = r_.time.size();
    if (stopped_) return std::numeric_limits<double>::infinity();
    if (i >= count_) return std::numeric_limits<double>::infinity();
    if (i + 1 == count_) return end_;
    return from_ + (end_ - from_) * (double(i) / double(count_ - 1));
  }
  // Keeps a sample if its time has come.
  void at(const ResponseSample& s) {
    if (s.time != next()) return;
    r_.time.push_back(s.time);
    r_.input.push_back(s.input);
    r_.output.push_back(s.output);
    r_.second.push_back(s.second);
    r_.area.push_back(s.area);
    r_.not_finite.look(s.time, std::array{s.input, s.output, s.second, s.area}, names);
    // One step may hold any number of samples.
    if (looks_.due() && options_.cancelled(s.time / end_)) stopped_ = true;
  }
  // Whether a request to stop was heard while samples were taken.
  bool stopped() const { return stopped_; }
  void mark(double time, const ResponseSample& s) {
    r_.marks.push_back({time, s.area, s.second_area, s.output, s.second});
  }

 private:
  static constexpr std::array<std::string_view, 4> names{"input", "output", "second", "area"};

  SystemResponse& r_;
  const Options& options_;
  double from_, end_;
  std::size_t count_;
  bool stopped_ = false;
  Pacer looks_;
};

}  // namespace bristle::detail

namespace bristle {

// Looks for numbers that are not finite and says in a sentence how it went.
void finish(SystemResponse& response, const Options& options,
            const detail::ResponseRecorder& record);

}  // namespace bristle
