// SPDX-License-Identifier: MIT
// Systems with one input and one output.
//
//   x' = f(x, u, u'),    y = h(x, u)
//
// A system is a plain struct with a table of fields, as a friction law is; its equations are
// templates on the scalar. as_system() wraps one for use at run time; rate-independent operators
// (operators.hpp) and a friction law in its mechanism (friction.hpp) answer through the same class,
// and every analysis of maps takes any of them.
//
//   struct Cubic {
//     using Number = double;
//     static constexpr std::string_view name = "cubic", summary = "...";
//     static constexpr auto fields() { ... }
//     std::vector<double> states{};                    // at the start, zeros if empty
//     int size() const { return 1; }
//     template <class T> void rates(const T* x, T u, T du, T* dx) const;
//     template <class T> T output(const T* x, T u) const;
//   };
//
// It may also have: second(x, u) with second_name, another output; edges() and edge(k, x, u), whose
// zeros are kinks of the equations, located while integrating; resting_input(y), the constant input
// that keeps the output at y, as a template on the scalar, so that its folds are found by its
// derivative; inverse().
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "bristle/mechanism/signal.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/scalar/dual.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/system/path.hpp"
#include "bristle/system/response.hpp"

namespace bristle {

// A system described by name and values, so that it can be written to a file and made again.
struct SystemModel {
  std::string name;
  Values values;
  std::string exact;  // of an inverse: when it is exact, in words
};

class AnySystem {
 public:
  virtual ~AnySystem() = default;

  virtual std::string_view name() const = 0;
  virtual Values values() const = 0;
  virtual Description description() const;                     // its table of fields
  virtual std::string_view second_name() const { return ""; }  // of the other output
  virtual bool knows_no_time() const { return false; }         // only the turning points matter

  // Throws InvalidInput before the first step; afterwards never.
  virtual SystemResponse respond(const Signal& input, const Options& options) const = 0;
  // The response from `record_from` to `end` as a function of time; empty where only samples exist
  // or the run failed. The system and the input must outlive it.
  virtual Path path(const Signal&, const Options&) const { return {}; }
  // The outputs for one input after the other, of a system that is rate-independent.
  virtual std::vector<double> follow(std::span<const double> inputs) const;

  // The output under a constant input, where it settles on one.
  virtual std::optional<double> steady(double) const { return {}; }
  // The constant input that keeps the output where it is, where there is just one.
  virtual std::optional<double> resting_input(double) const { return {}; }
  // The derivative of that input with respect to the output: it vanishes where equilibria fold.
  virtual std::optional<double> resting_slope(double) const { return {}; }
  // The other output there.
  virtual std::optional<double> resting_second(double) const { return {}; }
  // The system that recovers the input from the output. Throws InvalidInput where there is none.
  virtual SystemModel inverse() const;
};

// The interface of a system for the integrator.
class Dynamics {
 public:
  virtual ~Dynamics() = default;
  virtual int size() const = 0;
  virtual std::vector<double> start() const = 0;
  virtual void rates(const double* x, double u, double du, double* dx) const = 0;
  virtual double output(const double* x, double u) const = 0;
  virtual double second(const double*, double) const { return 0.0; }
  virtual int edges() const { return 0; }
  virtual double edge(int, const double*, double) const { return 1.0; }
};

// Integrates by DOP853 with kinks located, or by CVODE.
SystemResponse integrate(const Dynamics& system, const Signal& input, const Options& options);
// The steps of DOP853 from `record_from` on, with their dense output.
Path integrate_path(const Dynamics& system, const Signal& input, const Options& options);

template <class S>
concept DynamicSystem = Described<S> && requires(const S& s, const double* x, double* dx) {
  { s.size() } -> std::convertible_to<int>;
  s.rates(x, 0.0, 0.0, dx);
  { s.output(x, 0.0) } -> std::convertible_to<double>;
  s.states;
};

template <DynamicSystem S>
class ErasedSystem final : public AnySystem, public Dynamics {
 public:
  explicit ErasedSystem(S system) : s_(std::move(system)) { validate(s_); }

  std::string_view name() const override { return S::name; }
  Values values() const override { return values_of(s_); }
  std::string_view second_name() const override {
    if constexpr (requires { s_.second_name(); }) return s_.second_name();
    else return "";
  }
  SystemResponse respond(const Signal& input, const Options& options) const override {
    SystemResponse r = integrate(*this, input, options);
    if (second_name().empty()) r.second.clear();
    return r;
  }
  Path path(const Signal& input, const Options& options) const override {
    return integrate_path(*this, input, options);
  }
  std::optional<double> resting_input(double y) const override {
    if constexpr (requires { s_.resting_input(y); }) return s_.resting_input(y);
    else return {};
  }
  std::optional<double> resting_slope(double y) const override {
    if constexpr (requires { s_.resting_input(variable<1>(y, 0)); })
      return s_.resting_input(variable<1>(y, 0)).slope[0];
    else return {};
  }
  std::optional<double> resting_second(double y) const override {
    if constexpr (requires { s_.resting_second(y); }) return s_.resting_second(y);
    else return {};
  }
  SystemModel inverse() const override {
    if constexpr (requires { s_.inverse(); }) return s_.inverse();
    else return AnySystem::inverse();
  }

  int size() const override { return s_.size(); }
  std::vector<double> start() const override {
    std::vector<double> x(std::size_t(size()), 0.0);
    std::copy(s_.states.begin(), s_.states.end(), x.begin());
    if constexpr (requires { s_.settle(x); }) s_.settle(x);
    return x;
  }
  void rates(const double* x, double u, double du, double* dx) const override {
    s_.rates(x, u, du, dx);
  }
  double output(const double* x, double u) const override { return s_.output(x, u); }
  double second(const double* x, double u) const override {
    if constexpr (requires { s_.second(x, u); }) return s_.second(x, u);
    else return 0.0;
  }
  int edges() const override {
    if constexpr (requires { s_.edges(); }) return s_.edges();
    else return 0;
  }
  double edge(int k, const double* x, double u) const override {
    if constexpr (requires { s_.edge(k, x, u); }) return s_.edge(k, x, u);
    else return 1.0;
  }

  const S& system() const { return s_; }

 private:
  S s_;
};

template <DynamicSystem S>
std::shared_ptr<const AnySystem> as_system(S system) {
  return std::make_shared<ErasedSystem<S>>(std::move(system));
}

// Refuses a list of states whose length is neither 0 nor the size of the system.
void check_states(std::string_view system, std::span<const double> states, int size);

}  // namespace bristle
