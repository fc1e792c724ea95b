// SPDX-License-Identifier: MIT
// What the dynamic systems say of their parameters as a whole, and their inverses.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bristle/system/duhem.hpp"
#include "bristle/system/multiplay.hpp"
#include "bristle/system/nonlinear_feedback.hpp"

namespace bristle {
namespace {

void check_length(std::string_view owner, const char* field, std::size_t length,
                  const std::string& like, std::size_t wanted) {
  if (length == wanted) return;
  throw InvalidInput(field, std::string(owner) + ": " + field + " has " + std::to_string(length) +
                                " numbers, it must have " + std::to_string(wanted) + ", " + like);
}

}  // namespace

void Multiplay::check() const {
  const std::size_t n = thresholds.size();
  if (n == 0) throw InvalidInput("thresholds", "multiplay: thresholds must not be empty");
  for (std::size_t i = 1; i < n; ++i)
    if (!(thresholds[i] > thresholds[i - 1]))
      throw InvalidInput("thresholds", "multiplay: thresholds must increase, but number " +
                                           std::to_string(i + 1) + " = " + words(thresholds[i]) +
                                           " follows " + words(thresholds[i - 1]));
  check_length(name, "stiffnesses", stiffnesses.size(), "one for each threshold", n);
  const auto like = [&](const char* field, const std::vector<double>& list) {
    if (list.empty()) return;
    check_length(name, field, list.size(), "one for each threshold, or none", n);
    for (std::size_t i = 0; i < n; ++i)
      if (!(list[i] * stiffnesses[i] > 0.0))
        throw InvalidInput(field, "multiplay: " + std::string(field) + " number " +
                                      std::to_string(i + 1) + " = " + words(list[i]) +
                                      " must have the sign of its stiffness " +
                                      words(stiffnesses[i]) + ", or the system is unstable");
  };
  for (std::size_t i = 0; i < n; ++i)
    if (stiffnesses[i] == 0.0)
      throw InvalidInput("stiffnesses", "multiplay: stiffnesses number " + std::to_string(i + 1) +
                                            " = 0 is not allowed");
  like("masses", masses);
  like("dampings", dampings);
  if (role != 0) {
    const double total = std::accumulate(stiffnesses.begin(), stiffnesses.end(), 0.0);
    if (std::abs(total) <= 1e-14 * std::abs(stiffnesses.front()))
      throw InvalidInput("stiffnesses",
                         "multiplay: the stiffnesses add up to 0, so there is no inverse: (2.30)");
  }
  check_states(name, states, 2 * int(n));
}

SystemModel Multiplay::inverse() const {
  if (role != 0) throw InvalidInput("role", "multiplay: only the forward system can be inverted");
  Multiplay back = *this;
  back.role = 1;
  validate(back);
  return {std::string(name), values_of(back),
          "exact from the same initial states, for every amplitude; marginally stable while all "
          "masses slide"};
}

void NonlinearFeedback::check() const {
  const std::size_t n = b.size();
  if (n == 0) throw InvalidInput("b", "nonlinear_feedback: b must not be empty");
  check_length(name, "a", a.size(), "the square of the length of b", n * n);
  check_length(name, "c", c.size(), "as many as b", n);
  check_length(name, "d", d.size(), "as many as b", n);
  check_length(name, "e", e.size(), "as many as b", n);
  check_states(name, states, int(n));
}

void BoucWenSystem::check() const {
  if (!(std::abs(gamma) <= beta))
    throw InvalidInput("gamma", "bouc_wen: gamma = " + words(gamma) +
                                    " must lie between -beta and beta = " + words(beta) +
                                    ", or loops would give energy away");
  check_states(name, states, 1);
}

namespace {

class DuhemSystem final : public AnySystem, public Dynamics {
 public:
  explicit DuhemSystem(DuhemFunctions f) : f_(std::move(f)) {
    if (f_.states < 1 || f_.columns < 1 || !f_.f || !f_.g || !f_.h)
      throw InvalidInput("states", "duhem: needs states, columns and the functions f, g and h");
    check_states("duhem", f_.start, f_.states);
    std::vector<double> g(std::size_t(f_.columns), 1.0);
    f_.g(0.0, g);
    for (const double x : g)
      if (x != 0.0) throw InvalidInput("g", "duhem: g(0) = " + words(x) + " must be 0");
  }
  std::string_view name() const override { return "duhem"; }
  Values values() const override { return {}; }
  SystemResponse respond(const Signal& input, const Options& options) const override {
    SystemResponse r = integrate(*this, input, options);
    r.second.clear();
    return r;
  }

  int size() const override { return f_.states; }
  std::vector<double> start() const override {
    return f_.start.empty() ? std::vector<double>(std::size_t(size()), 0.0) : f_.start;
  }
  void rates(const double* x, double u, double du, double* dx) const override {
    const auto n = std::size_t(f_.states), columns = std::size_t(f_.columns);
    std::vector<double> f(n * columns), g(columns);
    f_.f({x, n}, u, f);
    f_.g(du, g);
    for (std::size_t i = 0; i < n; ++i)
      dx[i] = std::inner_product(g.begin(), g.end(), f.begin() + long(i * columns), 0.0);
  }
  double output(const double* x, double u) const override {
    return f_.h({x, std::size_t(f_.states)}, u);
  }

 private:
  DuhemFunctions f_;
};

}  // namespace

std::shared_ptr<const AnySystem> duhem(DuhemFunctions functions) {
  return std::make_shared<DuhemSystem>(std::move(functions));
}

void check_states(std::string_view system, std::span<const double> states, int size) {
  if (states.empty() || int(states.size()) == size) return;
  throw InvalidInput("states", std::string(system) + ": states has " +
                                   std::to_string(states.size()) + " numbers, it must have " +
                                   std::to_string(size) + " or none");
}

std::vector<double> AnySystem::follow(std::span<const double>) const {
  throw InvalidInput("name", std::string(name()) +
                                 ": its output depends on time, not only on the "
                                 "sequence of inputs");
}

SystemModel AnySystem::inverse() const {
  throw InvalidInput("name", std::string(name()) + ": no inverse is known for this system");
}

}  // namespace bristle
