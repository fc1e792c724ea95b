// SPDX-License-Identifier: MIT
// The lines of contacts and the linear couplings of a machine with their numbers side by side: a
// long chain runs through thousands of them at every stage, and the lists of terms of a MotionRow
// would be read from all over memory. Forces of couplings are computed coupling by coupling and
// then summed coordinate by coordinate, since couplings that are neighbours would wait for each
// other to add to the same place.
#pragma once

#include <vector>

#include "bristle/machine/machine.hpp"

namespace bristle::detail {

// A row of at most two coordinates; with one, the second is the same with weight zero.
struct FlatRow {
  int first = 0, second = 0;
  double weight = 0.0, other_weight = 0.0, offset = 0.0;
  bool whole = true;    // one or two coordinates
  bool driven = false;  // some drive moves one of its ends

  explicit FlatRow(const MotionRow& row) : offset(row.offset), driven(!row.drives.empty()) {
    const auto& terms = row.coordinates;
    whole = !terms.empty() && terms.size() <= 2;
    if (terms.empty()) return;
    first = second = terms[0].index;
    weight = terms[0].weight;
    if (terms.size() < 2) return;
    second = terms[1].index;
    other_weight = terms[1].weight;
  }

  double sum(const double* x) const { return weight * x[first] + other_weight * x[second]; }
};

// The force is stiffness (sum + offset - rest + drives) + damping rate.
struct FlatCoupling : FlatRow {
  double stiffness, damping, rest;

  explicit FlatCoupling(const Machine::Linear& one)
      : FlatRow(one.row),
        stiffness(one.pull.stiffness),
        damping(one.pull.damping),
        rest(one.pull.rest) {}
};

struct FlatCouplings {
  std::vector<FlatCoupling> all;
  std::vector<double> force;  // of each, room for who computes them

  void build(const Machine& machine) {
    for (const auto& one : machine.linear) all.emplace_back(one);
    force.resize(all.size());
    begin_.assign(std::size_t(machine.coordinates()) + 1, 0);
    std::vector<std::vector<Share>> shares(begin_.size());
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const auto& term : machine.linear[k].row.coordinates)
        shares[std::size_t(term.index)].push_back({int(k), term.weight});
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
      shares_.insert(shares_.end(), shares[i].begin(), shares[i].end());
      begin_[i + 1] = int(shares_.size());
    }
  }

  // Lets the forces act on the coordinates.
  void pull(double* push) const {
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
      double sum = 0.0;
      for (int k = begin_[i]; k < begin_[i + 1]; ++k) {
        const Share& share = shares_[std::size_t(k)];
        sum += share.weight * force[std::size_t(share.coupling)];
      }
      push[i] -= sum;
    }
  }

 private:
  struct Share {
    int coupling;
    double weight;
  };
  std::vector<Share> shares_;  // of the coordinates, one after the other
  std::vector<int> begin_;
};

}  // namespace bristle::detail
