// SPDX-License-Identifier: MIT
// Quantities of measurements on an oscillator: the indirect friction force, viscous and Coulomb
// friction by decrements, dwell times, and the statistics of the random part.
#include <cmath>

#include "bristle/analysis/decrements.hpp"
#include "bristle/analysis/indirect_force.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/solve/stop_look.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

// What transducers on the rig measure; without its own, the mass moves as the contact does.
MeasuredSignals signals_of(const Case& c, const CaseResult& r, bool displacement_only) {
  const Trajectory& t = r.run.trajectory;
  const bool rig = c.as<Rig>() != nullptr;
  MeasuredSignals s;
  s.time = t.time;
  s.position = rig ? column(c, r, "body_position") : t.position;
  if (displacement_only) {
    s.base = t.input;
  } else {
    s.velocity = rig ? column(c, r, "body_velocity") : t.velocity;
    s.body_acceleration = column(c, r, "body_acceleration");
  }
  return s;
}

// The root of the mean square difference of two forces, over the root of the mean square of one.
double relative_error(const std::vector<double>& force, const std::vector<double>& estimate) {
  double off = 0.0, size = 0.0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    off += (estimate[i] - force[i]) * (estimate[i] - force[i]);
    size += force[i] * force[i];
  }
  return std::sqrt(off / size);
}

CaseQuantity indirect_error(bool displacement_only) {
  return [=](const Case& c, const CaseResult& r, double) -> Measured {
    const auto body = body_on_base(c);
    if (!body) return {};
    try {
      const auto estimate = indirect_force(*body, signals_of(c, r, displacement_only));
      return relative_error(r.run.trajectory.force, estimate.force);
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

// Of a body left to itself on its spring.
template <class F>
CaseQuantity of_decrements(const F& pick) {
  return [pick](const Case& c, const CaseResult& r, double) -> Measured {
    const auto body = body_on_base(c);
    if (!body) return {};
    try {
      return pick(decrements(
          turning_points(column(c, r, "time"), column(c, r, "position"), column(c, r, "velocity")),
          body->mass, body->spring));
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

// The mean time from a reversal to the break-away that follows it.
Measured dwell_time(const Case& c, const CaseResult& r, double) {
  const auto all = break_aways(r.run.trajectory);
  if (c.kind != CaseKind::run || all.empty()) return {};
  double sum = 0.0;
  for (const BreakAway& b : all) sum += b.dwell;
  return sum / double(all.size());
}

Measured max_breakaway_velocity(const Case& c, const CaseResult& r, double) {
  const auto all = break_aways(r.run.trajectory);
  if (c.kind != CaseKind::run || all.empty()) return {};
  double most = 0.0;
  for (const BreakAway& b : all) most = std::max(most, std::abs(b.event.velocity));
  return most;
}

CaseQuantity of_surface(
    const std::function<Measured(const Case&, const SurfaceResult&, double)>& f) {
  return [f](const Case& c, const CaseResult& r, double number) -> Measured {
    return c.kind == CaseKind::surface ? f(c, r.surface, number) : Measured{};
  };
}

}  // namespace

SurfaceResult draw_surface(const Case& c) {
  SurfaceResult s;
  Roughness given = *c.roughness;
  const auto n = std::size_t(c.surface.points);
  const double step = c.surface.length / double(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    s.place.push_back(step * double(i));
    s.expected.push_back(std::exp(-given.decay * s.place[i]));
  }
  s.correlation.assign(n, 0.0);
  std::vector<double> counts(n, 0.0), f(n);
  double first = 0.0, second = 0.0, fourth = 0.0;
  const int draws = int(c.surface.draws);
  StopLook stop;
  for (int d = 0; d < draws; ++d, given.seed += 1.0) {
    const RoughSurface surface(given);
    for (std::size_t i = 0; i < n; ++i) {
      stop();
      f[i] = surface(s.place[i]);
      first += f[i], second += f[i] * f[i], fourth += f[i] * f[i] * f[i] * f[i];
    }
    if (d == 0) s.roughness = f;
    // From every tenth place to all places after it.
    for (std::size_t i = 0; i < n; i += 10) {
      stop();
      for (std::size_t k = 0; i + k < n; ++k) s.correlation[k] += f[i] * f[i + k], counts[k] += 1.0;
    }
  }
  const double all = double(n) * draws;
  s.mean = first / all;
  s.deviation = std::sqrt(second / all);
  s.kurtosis = second > 0.0 ? fourth * all / (second * second) : 0.0;
  const double size = s.correlation[0] / counts[0];
  for (std::size_t k = 0; k < n; ++k) s.correlation[k] /= counts[k] * size;
  return s;
}

void add_rig_quantities(std::map<std::string, CaseQuantity>& q) {
  q["indirect_error"] = indirect_error(false);
  q["indirect_error_differentiated"] = indirect_error(true);
  q["transducer_error"] = [](const Case& c, const CaseResult& r, double) -> Measured {
    if (c.kind != CaseKind::run || !c.as<Rig>()) return {};
    return relative_error(r.run.trajectory.force, column(c, r, "transducer"));
  };
  q["decrement_viscous"] = of_decrements([](const Decrements& d) -> Measured { return d.viscous; });
  q["decrement_coulomb"] = of_decrements([](const Decrements& d) -> Measured { return d.coulomb; });
  q["decrement_scatter"] = of_decrements([](const Decrements& d) -> Measured { return d.scatter; });
  q["dwell_time"] = dwell_time;
  q["max_breakaway_velocity"] = max_breakaway_velocity;
  q["surface_mean"] =
      of_surface([](const Case&, const SurfaceResult& s, double) -> Measured { return s.mean; });
  q["surface_deviation"] = of_surface(
      [](const Case&, const SurfaceResult& s, double) -> Measured { return s.deviation; });
  q["surface_kurtosis"] = of_surface(
      [](const Case&, const SurfaceResult& s, double) -> Measured { return s.kurtosis; });
  q["surface_correlation"] =
      of_surface([](const Case&, const SurfaceResult& s, double lag) -> Measured {
        if (lag < 0.0 || lag > s.place.back()) return {};
        return sample_at(s.place, s.correlation, lag);
      });
  // Over all phases, of the terms there are.
  q["series_deviation"] = of_surface([](const Case& c, const SurfaceResult&, double) -> Measured {
    return c.roughness->deviation();
  });
}

}  // namespace bristle::io
