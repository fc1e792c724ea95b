// SPDX-License-Identifier: MIT
// Friction for a simulator that owns the mechanics: one implicit step of all contacts.
//
// The host gives the relative velocities of its contacts at the end of the step as they would be
// without friction, and their response to impulses (the Delassus matrix J M^-1 J'). The kernel
// finds velocities v and forces F with
//
//   v = v_free - h W F(v),      z' = z + h rate(z', v),  F = force(z', v)     (a law with a state)
//                               F in the interval of the law where v = 0       (a set-valued law)
//
// Friction is implicit, so a stiff bristle holds at any step: its velocity decays to zero instead
// of chattering, and a set-valued contact that sticks has exactly v = 0. The force opposes positive
// velocity; the host applies -J' F.
//
//   HostFriction friction(7);                                   // room for 7 contacts
//   friction.contact(0).law = make_law("lugre", ...);           // and so on
//   friction.step(v_free, delassus, 1e-3);                      // changes its results only
//   apply(friction.forces()); friction.commit();                // the bristles move on
//
// Laws with several states are supported as well (their states are in HostContact::states) unless
// their equations have pieces, as those of gms do; laws in the plane are not. A step that is like
// the one before is solved by Newton's method on all contacts from there, others contact after
// contact until the answer settles, with Newton's method for what is left. Where friction falls
// with speed so steeply that several velocities fit one step, a contact that can stick does.
// Neither step() nor commit() throws, nor allocates but for a law with several states that was not
// there at the step before.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bristle/model/any_law.hpp"

namespace bristle {

namespace detail {
class StageContacts;
}

struct HostContact {
  std::shared_ptr<const AnyLaw> law;
  double load = 1.0;             // normal force [N], for laws normalised by it
  double state = 0.0;            // of a law with one
  double position = 0.0;         // relative [m], for laws that depend on it; moved on by commit()
  std::vector<double> states{};  // of a law with several; padded with zeros
};

struct HostReport {
  bool converged = false;
  int sweeps = 0;         // over all contacts
  int newton = 0;         // iterations
  double residual = 0.0;  // largest |v - v_free + h W F| [m/s]
};

class HostFriction {
 public:
  explicit HostFriction(std::size_t contacts);

  std::size_t size() const { return contacts_.size(); }
  HostContact& contact(std::size_t i) { return contacts_[i]; }
  const HostContact& contact(std::size_t i) const { return contacts_[i]; }

  // `delassus` is symmetric, row by row, in velocity per impulse. Throws nothing: wrong sizes, a
  // step that is not positive, a contact without a law, with one in the plane, with one that lifts
  // its body or with one of several states whose equations have pieces, or numbers that are not
  // finite give converged = false and leave forces and velocities at zero friction.
  HostReport step(std::span<const double> free_velocity, std::span<const double> delassus,
                  double h) noexcept;
  std::span<const double> velocities() const;
  std::span<const double> forces() const;
  // At the end of the step, contact by contact: as many numbers as its law has states, at least
  // one.
  std::span<const double> states() const;
  bool sticks(std::size_t i) const;
  // The derivative of the force over the step with respect to the velocity, infinite in stick: for
  // hosts that iterate themselves.
  double tangent(std::size_t i) const;

  // Commits the step that was computed last.
  void commit() noexcept;

  HostFriction(const HostFriction&);
  HostFriction& operator=(const HostFriction&);
  HostFriction(HostFriction&&) noexcept;
  HostFriction& operator=(HostFriction&&) noexcept;
  ~HostFriction();

 private:
  void take_laws();

  std::vector<HostContact> contacts_;
  std::unique_ptr<detail::StageContacts> kernel_;
  double h_ = 0.0;
};

}  // namespace bristle
