// SPDX-License-Identifier: MIT
#include "bristle/solve/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/solve/cancel.hpp"
#include "bristle/solve/pacer.hpp"
#include "machine_drive.hpp"
#include "machine_slopes.hpp"

namespace bristle {
namespace detail {

// The rows of what is read.
struct RolloutRows {
  RolloutRows(const Machine& machine, const std::vector<Reading>& readings) {
    std::vector<std::string> names;
    for (const auto& body : machine.parts().bodies) names.push_back(body.name);
    for (const auto& reading : readings) {
      const auto at = std::find(names.begin(), names.end(), reading.body);
      if (at == names.end()) throw InvalidInput("body", not_found("body", reading.body, names));
      rows.push_back(machine.row_of_body(std::size_t(at - names.begin())));
      velocity.push_back(reading.velocity);
    }
  }
  // What a row is of a vector of states; derivatives have no offset.
  double read(const MachineSystem& system, std::size_t k, const double* y,
              bool slope = false) const {
    const double sum = MachineSystem::sum(rows[k], velocity[k] ? y + system.v_at() : y);
    return velocity[k] || slope ? sum : sum + rows[k].offset;
  }
  std::size_t size() const { return rows.size(); }

  std::vector<MotionRow> rows;
  std::vector<char> velocity;
};

}  // namespace detail

namespace {

using detail::RolloutRows;

// Takes readings at given times while the driver steps.
class Reader final : public detail::MachineObserver {
 public:
  Reader(const detail::MachineSystem& system, const RolloutRows& rows,
         std::span<const double> times, std::vector<double>& values)
      : sys_(system), rows_(rows), times_(times), values_(values) {}

  void step(detail::MachinePath& path, const detail::MachineMode&, double t, double end) override {
    if (next_ >= times_.size() || !(times_[next_] <= end)) return;
    if (end > t) path.open_dense();
    for (; next_ < times_.size() && times_[next_] <= end; ++next_) {
      const double s = end > t ? std::clamp((times_[next_] - t) / (end - t), 0.0, 1.0) : 1.0;
      const auto& y = s == 1.0 ? path.y1() : path.dense(s);
      for (std::size_t i = 0; i < rows_.size(); ++i)
        values_[next_ * rows_.size() + i] = rows_.read(sys_, i, y.data());
    }
  }
  void event(double, const std::vector<double>&, const detail::MachineMode&,
             const detail::MachineMode&) override {}
  bool cancelled(double) override { return stop_asked(); }

 private:
  const detail::MachineSystem& sys_;
  const RolloutRows& rows_;
  std::span<const double> times_;
  std::vector<double>& values_;
  std::size_t next_ = 0;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Status read_machine(const Machine& machine, const std::vector<Reading>& readings,
                    std::span<const double> times, double tolerance, std::vector<double>& values) {
  const RolloutRows rows(machine, readings);
  values.assign(times.size() * rows.size(), nan);
  if (times.empty()) return Status::done;
  detail::MachineSystem system(machine);
  detail::MachineDriver driver(system, {tolerance, 20'000'000});
  driver.reset();
  Reader reader(system, rows, times, values);
  return driver.run(times.back(), reader).status;
}

struct Rollout::State {
  State(const Machine& m, const std::vector<Reading>& readings,
        const std::vector<std::string>& parameters)
      : machine(m),
        system(machine),
        fixed(system),
        slopes(fixed, parameters),
        rows(machine, readings) {}

  double read(std::size_t k, const double* y, bool slope) const {
    return rows.read(system, k, y, slope);
  }

  // Moves a coordinate with its derivatives to or from what was measured.
  void draw(std::size_t k, double dt, std::vector<double>& y, bool with_slopes) {
    if (!(samples > 0.0) || !(dt > 0.0)) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double target = (*measured)[k * rows.size() + i];
      if (!std::isfinite(target) || rows.rows[i].coordinates.size() != 1) continue;
      const auto& term = rows.rows[i].coordinates.front();
      const auto x = std::size_t(term.index), v = std::size_t(system.v_at() + term.index);
      const double off = (target - read(i, y.data(), false)) / term.weight;
      const double first = rows.velocity[i] ? 0.0 : 2.0 / samples;
      const double second = rows.velocity[i] ? 1.0 / samples : 1.0 / (samples * samples * dt);
      y[x] += first * off, y[v] += second * off;
      for (std::size_t j = 0; with_slopes && j < slopes.count(); ++j) {
        auto& slope = slopes.of(j);
        const double by = slope[rows.velocity[i] ? v : x];
        slope[x] -= first * by, slope[v] -= second * by;
      }
    }
  }

  Machine machine;
  detail::MachineSystem system;
  detail::MachineFixed fixed;
  detail::MachineSlopes slopes;
  RolloutRows rows;
  double samples = 0.0;
  const std::vector<double>* measured = nullptr;
};

Rollout::Rollout(const Machine& machine, const std::vector<Reading>& readings,
                 const std::vector<std::string>& parameters)
    : state_(std::make_unique<State>(machine, readings, parameters)) {}
Rollout::~Rollout() = default;
Rollout::Rollout(Rollout&&) noexcept = default;

void Rollout::follow(double samples, const std::vector<double>& measured) {
  state_->samples = samples;
  state_->measured = &measured;
}

Status Rollout::run(std::span<const double> times, double step, std::vector<double>& values,
                    std::vector<double>* slopes) {
  State& s = *state_;
  const std::size_t readings = s.rows.size(), parameters = s.slopes.count();
  values.assign(times.size() * readings, nan);
  if (slopes) slopes->assign(values.size() * parameters, nan);
  if (times.empty()) return Status::done;
  const auto put = [&](std::size_t k, const std::vector<double>& y) {
    for (std::size_t i = 0; i < readings; ++i) {
      const std::size_t at = k * readings + i;
      values[at] = s.read(i, y.data(), false);
      for (std::size_t j = 0; slopes && j < parameters; ++j)
        (*slopes)[at * parameters + j] = s.read(i, s.slopes.of(j).data(), true);
    }
  };
  std::vector<double> y(std::size_t(s.system.states + s.system.powers), 0.0);
  s.system.first_state({y.data(), std::size_t(s.system.states)});
  detail::MachineMode mode;
  s.fixed.begin(times[0], y, mode);
  s.fixed.follower = slopes ? &s.slopes : nullptr;
  if (slopes) s.slopes.begin();
  put(0, y);
  Pacer looks;
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double width = times[k] - times[k - 1];
    const long count = std::max(1L, long(std::ceil(width / step * (1.0 - 1e-9))));
    for (long i = 0; i < count; ++i) {
      if (looks.due() && stop_asked()) return Status::cancelled;
      const double t = times[k - 1] + width * double(i) / double(count);
      if (!s.fixed.step(t, width / double(count), y, mode, false)) return Status::failed;
      if (slopes) s.slopes.accept();
    }
    if (!std::isfinite(s.read(0, y.data(), false))) return Status::not_finite;
    put(k, y);
    s.draw(k, width, y, slopes != nullptr);
  }
  return Status::done;
}

}  // namespace bristle
