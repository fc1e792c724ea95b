// SPDX-License-Identifier: MIT
#include "mass_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bristle::detail {

MassMatrix::MassMatrix(const Machine& machine) : machine_(&machine) {
  const std::size_t n = machine.inertia.size();
  for (const double one : machine.inertia) inverse_.push_back(1.0 / one);
  block_of_.assign(n, -1);
  place_.assign(n, 0);
  // Coordinates that linkages join, directly or through others, form a block.
  std::vector<int> leader(n);
  std::iota(leader.begin(), leader.end(), 0);
  for (const auto& linkage : machine.linkages) {
    const int first = leader[std::size_t(linkage.joints[0].coordinate)];
    for (const auto& joint : linkage.joints) {
      const int other = leader[std::size_t(joint.coordinate)];
      std::replace(leader.begin(), leader.end(), other, first);
    }
    Link link;
    const std::size_t size = linkage.joints.size();
    for (auto* v : {&link.q, &link.v, &link.a, &link.force}) v->assign(size, 0.0);
    for (auto* v : {&link.mass, &link.by_q, &link.by_v}) v->assign(size * size, 0.0);
    links_.push_back(std::move(link));
  }
  std::vector<char> linked(n, 0);
  for (const auto& linkage : machine.linkages)
    for (const auto& joint : linkage.joints) linked[std::size_t(joint.coordinate)] = 1;
  std::vector<int> number(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    if (!linked[i]) continue;
    int& b = number[std::size_t(leader[i])];
    if (b < 0) b = int(blocks_.size()), blocks_.emplace_back();
    auto& members = blocks_[std::size_t(b)].members;
    block_of_[i] = b;
    place_[i] = int(members.size());
    members.push_back(int(i));
  }
  std::size_t most = 0;
  for (Block& block : blocks_) {
    const std::size_t size = block.members.size();
    block.mass.assign(size * size, 0.0);
    block.inverse.assign(size * size, 0.0);
    most = std::max(most, size * size);
  }
  seen_.assign(n, std::numeric_limits<double>::quiet_NaN());
  work_.assign(most, 0.0);
  if (varies()) look(machine.position0.data());
}

bool MassMatrix::same(const double* q) const {
  for (const Block& block : blocks_)
    for (const int i : block.members)
      if (!(seen_[std::size_t(i)] == q[i])) return false;
  return true;
}

void MassMatrix::look(const double* q, const double* v) {
  const bool known = same(q);
  if (known && !v) return;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const auto& linkage = machine_->linkages[k];
    Link& link = links_[k];
    for (std::size_t i = 0; i < link.q.size(); ++i) {
      const auto& joint = linkage.joints[i];
      link.q[i] = joint.offset + joint.weight * q[joint.coordinate];
      link.v[i] = v ? joint.weight * v[joint.coordinate] : 0.0;
    }
    linkage.coupling->forces(link.q.data(), link.v.data(), link.mass.data(), link.force.data());
  }
  if (known) return;
  ++stamp_;
  for (Block& block : blocks_) {
    std::fill(block.mass.begin(), block.mass.end(), 0.0);
    const std::size_t n = block.members.size();
    for (std::size_t i = 0; i < n; ++i) {
      const int c = block.members[i];
      seen_[std::size_t(c)] = q[c];
      block.mass[i * n + i] = machine_->inertia[std::size_t(c)];
    }
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const auto& joints = machine_->linkages[k].joints;
    Block& block = blocks_[std::size_t(block_of_[std::size_t(joints[0].coordinate)])];
    const std::size_t n = joints.size(), size = block.members.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto row = std::size_t(place_[std::size_t(joints[i].coordinate)]);
        const auto column = std::size_t(place_[std::size_t(joints[j].coordinate)]);
        block.mass[row * size + column] +=
            joints[i].weight * joints[j].weight * links_[k].mass[i * n + j];
      }
  }
  for (Block& block : blocks_) invert(block);
}

// By Cholesky factors: M = L L', then the columns of the inverse.
void MassMatrix::invert(Block& block) {
  const std::size_t n = block.members.size();
  double* const l = work_.data();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = block.mass[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? std::sqrt(sum) : sum / l[j * n + j];
    }
  for (std::size_t c = 0; c < n; ++c) {
    const auto x = [&](std::size_t i) -> double& { return block.inverse[i * n + c]; };
    for (std::size_t i = 0; i < n; ++i) {
      x(i) = i == c ? 1.0 : 0.0;
      for (std::size_t k = 0; k < i; ++k) x(i) -= l[i * n + k] * x(k);
      x(i) /= l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) x(i) -= l[k * n + i] * x(k);
      x(i) /= l[i * n + i];
    }
  }
}

void MassMatrix::multiply(const double* x, double* out) const {
  for (std::size_t i = 0; i < block_of_.size(); ++i) {
    if (block_of_[i] < 0) {
      out[i] = machine_->inertia[i] * x[i];
      continue;
    }
    out[i] = 0.0;
    for (const int j : members(block_of_[i])) out[i] += at(int(i), j) * x[j];
  }
}

void MassMatrix::divide(const double* x, double* out) const {
  for (std::size_t i = 0; i < block_of_.size(); ++i) {
    if (block_of_[i] < 0) {
      out[i] = x[i] / machine_->inertia[i];
      continue;
    }
    out[i] = 0.0;
    for (const int j : members(block_of_[i])) out[i] += inverse(int(i), j) * x[j];
  }
}

double MassMatrix::kinetic(const double* v) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < block_of_.size(); ++i) {
    if (block_of_[i] < 0) {
      sum += 0.5 * machine_->inertia[i] * v[i] * v[i];
      continue;
    }
    for (const int j : members(block_of_[i])) sum += 0.5 * v[i] * at(int(i), j) * v[j];
  }
  return sum;
}

double MassMatrix::potential(const double* q) {
  double sum = 0.0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const auto& linkage = machine_->linkages[k];
    Link& link = links_[k];
    for (std::size_t i = 0; i < link.q.size(); ++i)
      link.q[i] =
          linkage.joints[i].offset + linkage.joints[i].weight * q[linkage.joints[i].coordinate];
    sum += linkage.coupling->potential(link.q.data());
  }
  return sum;
}

void MassMatrix::pull(double* push) const {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const auto& joints = machine_->linkages[k].joints;
    for (std::size_t i = 0; i < joints.size(); ++i)
      push[joints[i].coordinate] -= joints[i].weight * links_[k].force[i];
  }
}

void MassMatrix::linearise(const double* q, const double* v, const double* a) {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const auto& linkage = machine_->linkages[k];
    Link& link = links_[k];
    for (std::size_t i = 0; i < link.q.size(); ++i) {
      const auto& joint = linkage.joints[i];
      link.q[i] = joint.offset + joint.weight * q[joint.coordinate];
      link.v[i] = joint.weight * v[joint.coordinate];
      link.a[i] = joint.weight * a[joint.coordinate];
    }
    linkage.coupling->slopes(link.q.data(), link.v.data(), link.a.data(), link.by_q.data(),
                             link.by_v.data());
  }
}

void MassMatrix::pull_slopes(const double* q, const double* v, double scale, double* push) const {
  slopes([&](int i, int j, double by_q, double by_v) {
    double force = by_q * q[j];
    if (v) force += by_v * v[j];
    push[i] -= scale * force;
  });
}

}  // namespace bristle::detail
