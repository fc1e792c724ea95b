// SPDX-License-Identifier: MIT
// Fills a SystemResponse sample by sample.
#pragma once

#include <limits>

#include "bristle/solve/options.hpp"
#include "bristle/system/response.hpp"

namespace bristle::detail {

struct ResponseSample {
  double time, input, output, second, area, second_area;
};

class ResponseRecorder {
 public:
  ResponseRecorder(SystemResponse& response, const Options& options)
      : r_(response),
        from_(options.record_from),
        end_(options.end),
        count_(std::size_t(options.samples)) {
    for (auto* column : {&r_.time, &r_.input, &r_.output, &r_.second, &r_.area})
      column->reserve(count_);
  }

  // The time of the next sample; infinity after the last.
  double next() const {
    const std::size_t i = r_.time.size();
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
  }
  void mark(double time, const ResponseSample& s) {
    r_.marks.push_back({time, s.area, s.second_area, s.output, s.second});
  }

 private:
  SystemResponse& r_;
  double from_, end_;
  std::size_t count_;
};

}  // namespace bristle::detail

namespace bristle {

// The sentence that says how it went.
void finish(SystemResponse& response, const Options& options);

}  // namespace bristle
