// SPDX-License-Identifier: MIT
// Long work without the interpreter's lock, that Ctrl-C can still stop.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "bristle/solve/cancel.hpp"

namespace bristle::python {

namespace py = pybind11;

// Throws TypeError for what can be told nothing; None is told nothing.
inline void require_function(const py::object& told) {
  if (!told.is_none() && !PyCallable_Check(told.ptr()))
    throw py::type_error("progress must be a function of one number, not " +
                         std::string(py::repr(told)));
}

// What a run calls now and then: takes the lock, lets Python handle its signals and tells the
// caller's own function how far the run is. An exception of either ends the run and is raised by
// rethrow().
class Progress {
 public:
  explicit Progress(py::object told) : told_(std::move(told)) { require_function(told_); }

  bool operator()(double part) {
    const py::gil_scoped_acquire lock;
    if (raised_ || PyErr_Occurred()) return raised_ = true, false;  // equations written in Python
    if (PyErr_CheckSignals() != 0) return raised_ = true, false;
    if (told_.is_none()) return true;
    try {
      return !told_(part).is(py::bool_(false));
    } catch (py::error_already_set& error) {
      error.restore();
      return raised_ = true, false;
    }
  }
  // With the lock held again.
  void rethrow() const {
    if (raised_ || PyErr_Occurred()) throw py::error_already_set();
  }

 private:
  py::object told_;
  bool raised_ = false;
};

// After calls that may have asked equations written in Python.
inline void raise_pending() {
  if (PyErr_Occurred()) throw py::error_already_set();
}

// Set while Ctrl-C stops a fit: all long work in the process ends. See stop_when() in module.cpp.
inline std::atomic<bool> stop_request = false;
// What a thread that has no function to call now and then asks instead; null for none.
inline thread_local Progress* asked_here = nullptr;

// Computes without the lock; `compute` gets the function to call now and then.
template <class Compute>
auto interruptible(py::object told, const Compute& compute) {
  Progress progress(std::move(told));
  try {
    auto result = [&] {
      const py::gil_scoped_release unlocked;
      return compute([&](double part) { return progress(part); });
    }();
    progress.rethrow();
    return result;
  } catch (const Cancelled&) {
    progress.rethrow();
    throw;
  }
}

// The first exception of equations written in Python that a thread of the engine has called; null
// for none. Such a thread has no place of its own for it. Used with the lock held.
inline py::error_already_set* engine_error = nullptr;

// Computes in a thread of its own, or in several, while this one lets Python handle its signals and
// tells the caller's function how far the work is. `compute` gets the function to call now and
// then, from any thread; it must not touch Python.
template <class Compute>
auto watched(const py::object& told, const Compute& compute) {
  require_function(told);
  std::atomic<double> part = 0.0;
  std::atomic<bool> stop = false;
  auto result = std::async(std::launch::async, [&] {
    return compute([&](double now) {
      part = now;
      return !stop.load();
    });
  });
  std::optional<py::error_already_set> raised;
  const auto take_engine_error = [&] {
    if (engine_error == nullptr) return;
    if (!raised) raised.emplace(std::move(*engine_error));
    delete std::exchange(engine_error, nullptr);
  };
  while (true) {
    std::future_status status;
    {
      const py::gil_scoped_release unlocked;
      status = result.wait_for(std::chrono::milliseconds(20));
    }
    if (status == std::future_status::ready) break;
    if (raised) continue;
    take_engine_error();
    try {
      if (raised) {
        // Equations have failed; the work ends.
      } else if (PyErr_CheckSignals() != 0) {
        raised.emplace();
        stop_request = true;
      } else if (!stop && !told.is_none() && told(part.load()).is(py::bool_(false))) {
        stop = true;
      }
    } catch (py::error_already_set& error) {
      raised.emplace(std::move(error));
    }
    if (raised) stop = true;
  }
  take_engine_error();
  if (!raised) return result.get();
  stop_request = false;
  throw py::error_already_set(std::move(*raised));
}

}  // namespace bristle::python
