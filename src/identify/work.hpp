// SPDX-License-Identifier: MIT
// How much of a fit is done while it goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace bristle::detail {

// How much of a whole is done, told to whoever asked for it; any thread may add.
class Work {
 public:
  using Listener = std::function<bool(double)>;
  Work(Listener listener, double total) : listener_(std::move(listener)), total_(total) {}

  // False once the listener wants no more.
  bool add(double done) {
    double before = done_.load();
    while (!done_.compare_exchange_weak(before, before + done)) {
    }
    if (listener_ && !stopped_ && !listener_(std::min(1.0, (before + done) / total_)))
      stopped_ = true;
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

  // A listener for a part of this work.
  Listener part(double share) {
    auto last = std::make_shared<std::atomic<double>>(0.0);
    return [this, share, last](double done) { return add(share * (done - last->exchange(done))); };
  }

 private:
  Listener listener_;
  double total_;
  std::atomic<double> done_{0.0};
  std::atomic<bool> stopped_{false};
};

}  // namespace bristle::detail
