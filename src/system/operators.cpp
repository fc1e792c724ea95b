// SPDX-License-Identifier: MIT
#include "bristle/system/operators.hpp"

#include <algorithm>
#include <numeric>

#include "walk.hpp"

namespace bristle {
namespace {

class PlayWalker final : public Walker {
 public:
  // With `back` set, the inverse of an envelope acts on the sum.
  PlayWalker(const PrandtlIshlinskii& plays, double start, const std::vector<double>& states,
             const Envelope& back = {})
      : sum_(plays, start, states), back_(back) {}

  double update(double u) override { return back_.inverse(sum_.update(u)); }
  void kinks(double from, double to, std::vector<double>& all) const override {
    const auto& m = sum_.model();
    const auto states = sum_.states();
    const double v0 = m.envelope(from), v1 = m.envelope(to);
    const double sign = v1 > v0 ? 1.0 : -1.0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const double v = states[i] + sign * m.thresholds[i];
      if (sign * (v - v0) > 0.0 && sign * (v1 - v) > 0.0) all.push_back(m.envelope.inverse(v));
    }
  }
  std::unique_ptr<Walker> copy() const override { return std::make_unique<PlayWalker>(*this); }
  const PlaySum& sum() const { return sum_; }

 private:
  PlaySum sum_;
  Envelope back_;
};

class RelayWalker final : public Walker {
 public:
  RelayWalker(Preisach relays, std::vector<double> levels, bool inverse)
      : relays_(std::move(relays)), levels_(std::move(levels)), inverse_(inverse) {}

  double update(double u) override { return inverse_ ? relays_.invert(u) : relays_.update(u); }
  void kinks(double from, double to, std::vector<double>& all) const override {
    if (inverse_) return;
    const auto [low, high] = std::minmax(from, to);
    const auto first = std::upper_bound(levels_.begin(), levels_.end(), low);
    const auto end = std::lower_bound(first, levels_.end(), high);
    all.insert(all.end(), first, end);
  }
  std::unique_ptr<Walker> copy() const override { return std::make_unique<RelayWalker>(*this); }

 private:
  Preisach relays_;
  std::vector<double> levels_;
  bool inverse_;
};

// What the three operators share: a description, a way to begin and perhaps an inverse behind.
template <class Model>
class OperatorSystem : public AnySystem {
 public:
  explicit OperatorSystem(Model m) : m_(std::move(m)) { validate(m_); }
  std::string_view name() const override { return Model::name; }
  Values values() const override { return values_of(m_); }
  std::string_view second_name() const override { return m_.recover ? "recovered" : ""; }
  bool knows_no_time() const override { return true; }
  SystemModel inverse() const override { return m_.inverse(); }

  SystemResponse respond(const Signal& input, const Options& options) const override {
    validate(input);
    const double start = input.value(0.0, input.piece(0.0));
    std::unique_ptr<Walker> behind, front = begin(start, behind);
    return walk(*front, behind.get(), input, options);
  }
  Path path(const Signal& input, const Options& options) const override {
    validate(input);
    const double start = input.value(0.0, input.piece(0.0));
    std::unique_ptr<Walker> behind, front = begin(start, behind);
    return walk_path(*front, behind.get(), input, options);
  }
  std::vector<double> follow(std::span<const double> inputs) const override {
    std::unique_ptr<Walker> behind, front = begin(inputs.empty() ? 0.0 : inputs[0], behind);
    std::vector<double> out;
    for (const double u : inputs) out.push_back(front->update(u));
    return out;
  }

 protected:
  // The operator, and its inverse if it is to be recovered.
  virtual std::unique_ptr<Walker> begin(double start, std::unique_ptr<Walker>& behind) const = 0;
  Model m_;
};

class PlaysSystem final : public OperatorSystem<PlaysModel> {
 public:
  using OperatorSystem::OperatorSystem;

 protected:
  std::unique_ptr<Walker> begin(double start, std::unique_ptr<Walker>& behind) const override {
    const auto plays = m_.plays();
    auto front = std::make_unique<PlayWalker>(plays, start, m_.states,
                                              m_.envelope_at ? m_.envelope() : Envelope{});
    if (m_.recover)
      behind =
          std::make_unique<PlayWalker>(plays.inverse(), front->sum().output(),
                                       plays.inverse_states(front->sum().states()), m_.envelope());
    return front;
  }
};

class MaxwellSlipSystem final : public OperatorSystem<MaxwellSlipModel> {
 public:
  using OperatorSystem::OperatorSystem;

 protected:
  std::unique_ptr<Walker> begin(double start, std::unique_ptr<Walker>& behind) const override {
    auto front =
        std::make_unique<PlayWalker>(maxwell_slip(m_.thresholds, m_.stiffnesses), start, m_.states);
    if (m_.recover) {
      const auto back = invert_multiplay(m_.thresholds, m_.stiffnesses, front->sum().states());
      behind = std::make_unique<PlayWalker>(back.plays(), front->sum().output(), back.states);
    }
    return front;
  }
};

class PreisachSystem final : public OperatorSystem<PreisachModel> {
 public:
  using OperatorSystem::OperatorSystem;

 protected:
  std::unique_ptr<Walker> begin(double start, std::unique_ptr<Walker>& behind) const override {
    Preisach relays = m_.relays();
    if (m_.role == 0) relays.update(start);
    if (m_.recover) behind = std::make_unique<RelayWalker>(relays, m_.levels, true);
    return std::make_unique<RelayWalker>(std::move(relays), m_.levels, m_.role == 1);
  }
};

}  // namespace

void PlaysModel::check() const {
  PrandtlIshlinskii p = plays();
  p.envelope = envelope();
  p.check();
  check_states(name, states, int(thresholds.size()));
  if (recover && envelope_at)
    throw InvalidInput("recover",
                       "prandtl_ishlinskii: recover has no meaning where the envelope "
                       "is at the output");
  if (recover) p.inverse();
}

PrandtlIshlinskii PlaysModel::plays() const {
  return {direct, thresholds, weights, envelope_at ? Envelope{} : envelope(), offset};
}

SystemModel PlaysModel::inverse() const {
  const auto front = plays();
  const auto back = front.inverse();
  PlaysModel m;
  m.direct = back.direct;
  m.thresholds = back.thresholds;
  m.weights = back.weights;
  m.offset = back.offset;
  m.states =
      front.inverse_states(states.empty() ? std::vector<double>(thresholds.size(), 0.0) : states);
  m.scale = scale, m.rate = rate, m.shift = shift, m.level = level;
  m.envelope_at = envelope_at ? 0 : 1;
  return {
      std::string(name), values_of(m),
      "exact for every input, minor loops included, if both operators start from matching states"};
}

void MaxwellSlipModel::check() const {
  const auto plays = maxwell_slip(thresholds, stiffnesses);
  check_states(name, states, int(thresholds.size()));
  if (plays.thresholds.empty())
    throw InvalidInput("thresholds", "maxwell_slip: thresholds must not be empty");
  if (recover) invert_multiplay(thresholds, stiffnesses, states);
}

SystemModel MaxwellSlipModel::inverse() const {
  const auto back = invert_multiplay(thresholds, stiffnesses, states);
  MaxwellSlipModel m;
  m.thresholds = back.thresholds;
  m.stiffnesses = back.stiffnesses;
  m.states = back.states;
  return {std::string(name), values_of(m),
          "exact, on minor loops too, while the input stays between -" + words(back.reach) +
              " and " + words(back.reach) + ", so that the widest slider never moves"};
}

void PreisachModel::check() const {
  const std::size_t n = levels.size();
  if (weights.size() != n * (n - std::min<std::size_t>(n, 1)) / 2)
    throw InvalidInput("weights", "preisach: weights has " + std::to_string(weights.size()) +
                                      " numbers, it must have " + std::to_string(n * (n - 1) / 2) +
                                      ", one for each pair of levels");
  relays();
  if (recover && role)
    throw InvalidInput("recover", "preisach: recover has no meaning for an inverse");
  if (role || recover)
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] < 0.0)
        throw InvalidInput("weights", "preisach: there is no inverse: weight " +
                                          std::to_string(i + 1) + " = " + words(weights[i]) +
                                          " is negative");
}

Preisach PreisachModel::relays() const {
  const std::size_t n = levels.size();
  std::vector<std::vector<double>> rows(n);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) rows[i].push_back(weights[k++]);
  Everett everett = relay_grid(levels, std::move(rows));
  Preisach p(std::move(everett), levels.front(), levels.back());
  if (!states.empty()) p.load(states);
  else if (start == 1) p.demagnetise(int(2 * n));
  return p;
}

SystemModel PreisachModel::inverse() const {
  PreisachModel m = *this;
  m.role = 1;
  m.recover = 0;
  validate(m);
  return {std::string(name), values_of(m),
          "found between two inputs that bracket the output; relays step, so the input is met to "
          "the distance of the levels"};
}

std::shared_ptr<const AnySystem> as_system(PlaysModel m) {
  return std::make_shared<PlaysSystem>(std::move(m));
}
std::shared_ptr<const AnySystem> as_system(MaxwellSlipModel m) {
  return std::make_shared<MaxwellSlipSystem>(std::move(m));
}
std::shared_ptr<const AnySystem> as_system(PreisachModel m) {
  return std::make_shared<PreisachSystem>(std::move(m));
}

}  // namespace bristle
