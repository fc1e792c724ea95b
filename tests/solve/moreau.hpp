// SPDX-License-Identifier: MIT
// Time stepping after Moreau for machines with Coulomb friction: velocities and impulses of one
// step, contact after contact until nothing changes. It knows no events, modes or derivatives, and
// shares with the engine only the rows and numbers of the machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bristle/machine/machine.hpp"

namespace bristle::testing_machines {

class Moreau {
 public:
  Moreau(const Machine& machine, double h)
      : m_(machine), h_(h), q(machine.position0), v(machine.velocity0), impulse_(m_.lines.size()) {
    for (const auto& contact : m_.contacts) {
      const double limit = contact.block ? contact.block->radius(BlockMotion<double>{})
                                         : contact.law->limits(Motion<double>{}).upper;
      for (int axis = 0; axis < contact.dimension; ++axis) limit_.push_back(limit);
    }
    for (const MotionRow& row : m_.lines) {
      double sum = 0.0;
      for (const auto& term : row.coordinates)
        sum += term.weight * term.weight / m_.inertia[std::size_t(term.index)];
      mobility_.push_back(sum);
    }
  }

  void step() {
    const double middle = time + 0.5 * h_;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.5 * h_ * v[i];
    std::vector<double> force(q.size(), 0.0);
    for (const auto& input : m_.inputs)
      force[std::size_t(input.coordinate)] +=
          input.weight * input.value(middle, input.piece(middle));
    for (const auto& one : m_.linear)
      pull(one.row,
           one.pull.stiffness * (at(one.row, middle) - one.pull.rest) +
               one.pull.damping * rate(one.row, middle),
           force);
    for (const auto& one : m_.others) {
      const double s = at(one.row, middle), w = rate(one.row, middle);
      pull(one.row, one.coupling->pull(s, w, one.coupling->piece(s, w)).force, force);
    }
    for (std::size_t i = 0; i < q.size(); ++i) v[i] += h_ * force[i] / m_.inertia[i];
    // The impulses of the step before are the first guess.
    for (std::size_t k = 0; k < impulse_.size(); ++k) push(k, impulse_[k]);
    for (int sweep = 0; sweep < 2000; ++sweep)
      if (relax(time + h_) < 1e-14 * h_) break;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.5 * h_ * v[i];
    time += h_;
  }

  double body(std::size_t i) const {
    const MotionRow row = m_.row_of_body(i);
    return row.offset + row.coordinates[0].weight * q[std::size_t(row.coordinates[0].index)];
  }

 private:
  double at(const MotionRow& row, double t) const {
    double sum = row.offset;
    for (const auto& term : row.coordinates) sum += term.weight * q[std::size_t(term.index)];
    for (const auto& term : row.drives) sum += term.weight * motion(term.index, t).value;
    return sum;
  }
  double rate(const MotionRow& row, double t) const {
    double sum = 0.0;
    for (const auto& term : row.coordinates) sum += term.weight * v[std::size_t(term.index)];
    for (const auto& term : row.drives) sum += term.weight * motion(term.index, t).slope;
    return sum;
  }
  DrivePart::Motion motion(int drive, double t) const {
    const DrivePart& part = m_.parts().drives[std::size_t(drive)];
    return part.at(t, part.signal.piece(t), false);
  }
  static void pull(const MotionRow& row, double force, std::vector<double>& on) {
    for (const auto& term : row.coordinates) on[std::size_t(term.index)] -= term.weight * force;
  }
  void push(std::size_t line, double impulse) {
    for (const auto& term : m_.lines[line].coordinates)
      v[std::size_t(term.index)] -= term.weight * impulse / m_.inertia[std::size_t(term.index)];
  }
  double relax(double t) {
    double change = 0.0;
    for (const auto& contact : m_.contacts) {
      const auto k = std::size_t(contact.line);
      double next[2]{}, size = 0.0;
      // Along both axes with the larger mobility: a contraction for any shape of the disc problem.
      const double g = contact.dimension == 2 ? std::max(mobility_[k], mobility_[k + 1]) +
                                                    std::min(mobility_[k], mobility_[k + 1])
                                              : mobility_[k];
      for (std::size_t a = 0; a < std::size_t(contact.dimension); ++a) {
        next[a] = impulse_[k + a] + rate(m_.lines[k + a], t) / g;
        size = std::hypot(size, next[a]);
      }
      const double most = h_ * limit_[k], scale = size > most ? most / size : 1.0;
      for (std::size_t a = 0; a < std::size_t(contact.dimension); ++a) {
        const double by = scale * next[a] - impulse_[k + a];
        push(k + a, by);
        impulse_[k + a] += by;
        change = std::max(change, std::abs(by));
      }
    }
    return change;
  }

  const Machine& m_;
  double h_;
  std::vector<double> limit_, mobility_;

 public:
  double time = 0.0;
  std::vector<double> q, v;

 private:
  std::vector<double> impulse_;
};

}  // namespace bristle::testing_machines
