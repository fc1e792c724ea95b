// SPDX-License-Identifier: MIT
#include "bristle/solve/cancel.hpp"

#include <atomic>

namespace bristle {
namespace {

std::atomic<bool (*)()> asked_by{nullptr};

}  // namespace

void stop_when(bool (*asked)()) { asked_by.store(asked); }

bool stop_asked() {
  const auto asked = asked_by.load();
  return asked != nullptr && asked();
}

void stop_if_asked() {
  if (stop_asked()) throw Cancelled();
}

}  // namespace bristle
