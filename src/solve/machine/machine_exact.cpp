// SPDX-License-Identifier: MIT
#include "machine_exact.hpp"

#include <algorithm>
#include <cmath>

#include "machine_fixed.hpp"

namespace bristle::detail {

bool MachineExact::knows(const Machine& m) {
  const bool given = m.coordinates() == 0;
  for (const auto& c : m.contacts)
    if (c.block || c.carried >= 0 || c.law->remembers() || (c.set_valued && !given)) return false;
  for (const auto& input : m.inputs)
    if (input.state >= 0) return false;
  return m.linkages.empty();
}

MachineExact::MachineExact(MachineSystem& system) : sys_(system) {
  const auto all = std::size_t(sys_.states + sys_.powers);
  for (auto* v : {&y0_, &y1_, &at_, &dense_}) v->assign(all, 0.0);
  for (auto* v : {&push_, &acceleration_}) v->assign(std::size_t(sys_.n), 0.0);
  p_rate_.assign(std::size_t(sys_.lags), 0.0);
  z_rate_.assign(std::size_t(sys_.laws), 0.0);
  power_.assign(std::size_t(sys_.powers), 0.0);
}

void MachineExact::begin(double t, std::vector<double>& y, MachineMode& mode) {
  mode = {};
  sys_.start(t, {y.data(), std::size_t(sys_.states)}, mode);
  mode_ = mode;
}

// The bristles at the end of the step into y1_, those whose forces act into at_.
void MachineExact::advance_bristles(double t, double ahead, double h) {
  const Machine& m = sys_.machine();
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    const auto& contact = m.contacts[c];
    const MotionRow& row = m.line(contact);
    const double w = sys_.rate(row, at_.data() + sys_.v_at());
    const Motion<double> seen = sys_.motion(c, t, sys_.stretch(row, at_.data()), w);
    double z = 0.0;
    if (contact.state >= 0) {
      const auto k = std::size_t(sys_.z_at() + contact.state);
      y1_[k] = contact.law->advance(y0_[k], seen, h);
      z = at_[k] = ahead == h ? y1_[k] : contact.law->advance(y0_[k], seen, ahead);
    }
    mode_.branch[c] = contact.law->engage(z, seen, w < 0.0 ? -1.0 : 1.0, mode_.branch[c]);
  }
}

bool MachineExact::step(double t, double h, std::vector<double>& y, MachineMode& mode) {
  y0_ = y1_ = at_ = y;
  h_ = h;
  mode_.controllers = mode.controllers;
  const bool given = sys_.n == 0;
  const double when = given ? t + 0.5 * h : t;
  MachineFixed::find_pieces(sys_.machine(), when, mode_);
  sys_.look_at(when, mode_);
  for (std::size_t i = 0; i < mode_.piece.size(); ++i) {
    const auto& other = sys_.machine().others[i];
    mode_.piece[i] =
        other.coupling->piece(sys_.stretch(other.row, at_.data()),
                              sys_.rate(other.row, at_.data() + sys_.v_at()), sys_.signals_of(i));
  }
  advance_bristles(when, given ? 0.5 * h : h, h);
  sys_.take_up(mode_);
  sys_.evaluate(when, at_.data(), mode_, push_.data(), p_rate_.data(), z_rate_.data(),
                power_.data());
  ++sweeps_;
  if (!given) sys_.mass.divide(push_.data(), acceleration_.data());
  for (std::size_t i = 0; i < std::size_t(sys_.n); ++i) {
    double& v = y1_[std::size_t(sys_.n) + i];
    v += h * acceleration_[i];
    y1_[i] += h * v;
  }
  for (std::size_t k = 0; k < power_.size(); ++k)
    y1_[std::size_t(sys_.states) + k] += h * power_[k];
  y = y1_;
  mode.branch = mode_.branch;
  mode.piece = mode_.piece;
  return true;
}

const std::vector<double>& MachineExact::dense(double s) {
  MachineFixed::read_between(std::size_t(sys_.n), y0_, y1_, h_, s, dense_);
  return dense_;
}

}  // namespace bristle::detail
