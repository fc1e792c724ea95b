// SPDX-License-Identifier: MIT
// Fills a SystemResponse sample by sample.
#pragma once

#include "bristle/solve/sample_times.hpp"
#include "bristle/system/response.hpp"

namespace bristle::detail {

struct ResponseSample {
  double time, input, output, second, area, second_area;
};

class ResponseRecorder {
 public:
  ResponseRecorder(SystemResponse& response, const Options& options)
      : r_(response), times_(options) {
    for (auto* column : {&r_.time, &r_.input, &r_.output, &r_.second, &r_.area})
      column->reserve(std::size_t(options.samples));
  }

  // The time of the next sample; infinity after the last.
  double next() const { return times_.next(); }
  // Keeps a sample if its time has come.
  void at(const ResponseSample& s) {
    if (s.time != next()) return;
    r_.time.push_back(s.time);
    r_.input.push_back(s.input);
    r_.output.push_back(s.output);
    r_.second.push_back(s.second);
    r_.area.push_back(s.area);
    r_.not_finite.look(s.time, std::array{s.input, s.output, s.second, s.area}, names);
    times_.taken();
  }
  // Whether a request to stop was heard while samples were taken.
  bool stopped() const { return times_.stopped(); }
  void mark(double time, const ResponseSample& s) {
    r_.marks.push_back({time, s.area, s.second_area, s.output, s.second});
  }

 private:
  static constexpr std::array<std::string_view, 4> names{"input", "output", "second", "area"};

  SystemResponse& r_;
  SampleTimes times_;
};

}  // namespace bristle::detail

namespace bristle {

// Looks for numbers that are not finite and says in a sentence how it went.
void finish(SystemResponse& response, const Options& options,
            const detail::ResponseRecorder& record);

}  // namespace bristle
