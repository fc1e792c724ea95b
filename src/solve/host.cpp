// SPDX-License-Identifier: MIT
#include "bristle/solve/host.hpp"

#include <algorithm>
#include <cmath>

#include "stage_contacts.hpp"

namespace bristle {

HostFriction::HostFriction(std::size_t contacts)
    : contacts_(contacts), kernel_(std::make_unique<detail::StageContacts>()) {
  kernel_->resize(std::vector<detail::StageElement>(contacts));
}
HostFriction::HostFriction(const HostFriction& other)
    : contacts_(other.contacts_),
      kernel_(std::make_unique<detail::StageContacts>(*other.kernel_)),
      h_(other.h_) {}
HostFriction& HostFriction::operator=(const HostFriction& other) {
  if (this != &other) *this = HostFriction(other);
  return *this;
}
HostFriction::HostFriction(HostFriction&&) noexcept = default;
HostFriction& HostFriction::operator=(HostFriction&&) noexcept = default;
HostFriction::~HostFriction() = default;

std::span<const double> HostFriction::velocities() const { return kernel_->velocity; }
std::span<const double> HostFriction::forces() const { return kernel_->force; }
std::span<const double> HostFriction::states() const { return kernel_->state; }
bool HostFriction::sticks(std::size_t i) const { return kernel_->stuck[i]; }
double HostFriction::tangent(std::size_t i) const { return kernel_->slope[i]; }

// Makes the kernel speak of the laws as they are now.
void HostFriction::take_laws() {
  auto& kernel = *kernel_;
  // Laws with at most one state take the place of each other; room is made for those with several.
  bool room = false;
  for (std::size_t i = 0; i < size(); ++i) {
    auto& e = kernel.elements[i];
    const AnyLaw* law = contacts_[i].law.get();
    if (law->single() && !e.block) e.law = law;
    else room = room || law->single() || e.block != law->block(1).get();
  }
  if (room) {
    std::vector<detail::StageElement> list(size());
    for (std::size_t i = 0; i < size(); ++i) {
      const AnyLaw* law = contacts_[i].law.get();
      if (law->single()) list[i].law = law;
      else list[i].block = law->block(1).get();
    }
    kernel.resize(std::move(list));
  }
  for (std::size_t i = 0; i < size(); ++i) {
    auto& e = kernel.elements[i];
    HostContact& c = contacts_[i];
    e.load = c.load, e.position = c.position;
    if (!e.block) {
      kernel.base[std::size_t(e.state)] = c.state;
      continue;
    }
    c.states.resize(std::size_t(e.states()), 0.0);
    std::copy(c.states.begin(), c.states.end(), kernel.base.begin() + e.state);
  }
}

HostReport HostFriction::step(std::span<const double> free, std::span<const double> delassus,
                              double h) noexcept {
  const std::size_t n = size();
  auto& kernel = *kernel_;
  h_ = h;
  bool sound = free.size() == n && delassus.size() == n * n && h > 0.0 && std::isfinite(h);
  for (std::size_t i = 0; i < n && sound; ++i) {
    const AnyLaw* law = contacts_[i].law.get();
    const HostContact& c = contacts_[i];
    sound = law && !law->lift() && std::isfinite(free[i]) && delassus[i * n + i] >= 0.0 &&
            std::isfinite(c.load) && std::isfinite(c.state) && std::isfinite(c.position);
    if (sound && !law->single()) {
      const auto block = law->block(1);
      sound = block && !block->pieces();
      for (const double state : c.states) sound = sound && std::isfinite(state);
    }
    for (std::size_t j = 0; j < n; ++j) sound = sound && std::isfinite(delassus[i * n + j]);
  }
  if (sound) take_laws();
  for (std::size_t i = 0; i < n; ++i) {
    kernel.velocity[i] = i < free.size() ? free[i] : 0.0;
    kernel.force[i] = kernel.slope[i] = 0.0;
    kernel.stuck[i] = 0;
  }
  kernel.state = kernel.base;
  if (!sound) return {};
  const auto report = kernel.solve(free, delassus, h);
  return {report.converged, report.sweeps, report.newton, report.residual};
}

void HostFriction::commit() noexcept {
  auto& kernel = *kernel_;
  kernel.keep();
  for (std::size_t i = 0; i < size(); ++i) {
    const auto& e = kernel.elements[i];
    HostContact& c = contacts_[i];
    c.position += h_ * kernel.velocity[i];
    if (e.block) std::copy_n(kernel.state.begin() + e.state, e.states(), c.states.begin());
    else c.state = kernel.state[std::size_t(e.state)];
  }
}

}  // namespace bristle
