// SPDX-License-Identifier: MIT
// A machine as a hybrid system: forces within a mode, their derivatives, guards and transitions.
//
// The states are the coordinates q, their velocities v, the lagged forces of inputs p, and the
// states z of the laws. The powers that ride along are the power of inputs and drives, what is
// dissipated, and what goes into each contact.
#pragma once

#include <span>
#include <vector>

#include "bristle/machine/machine.hpp"
#include "flat_couplings.hpp"
#include "mass_matrix.hpp"
#include "rest.hpp"
#include "velocity_history.hpp"
#include "wide_contact.hpp"

namespace bristle::detail {

struct MachineMode {
  // Of each contact; direction 0 of a set-valued law is stick. In the plane the direction is 1 in
  // slip, and `along` is where the contact was going when the step began. Where the law of a line
  // holds a velocity, that is the first number of `along`.
  std::vector<Branch<>> branch;
  std::vector<int> piece;  // of each coupling that is not linear
  std::vector<int> drive_piece, input_piece, load_piece;
  std::vector<ControllerState> controllers;
  std::vector<VelocityHistory> past;  // of each contact whose law looks back
  bool begun = false;
};

// A contact or coupling along its row: force and loss with derivatives. z: state of the law.
struct Local {
  double w = 0.0;
  double f = 0.0, f_s = 0.0, f_w = 0.0, f_z = 0.0, f_load = 0.0;
  double rate = 0.0, g_s = 0.0, g_w = 0.0, g_z = 0.0, g_load = 0.0;
  double loss = 0.0, l_s = 0.0, l_w = 0.0, l_z = 0.0, l_load = 0.0;

  double force_along(double s, double rate_of_s, double z) const {
    return f_s * s + f_w * rate_of_s + f_z * z;
  }
  double loss_along(double s, double rate_of_s, double z) const {
    return l_s * s + l_w * rate_of_s + l_z * z;
  }
};

class MachinePath;

// Refuses a machine that fixed steps alone can run.
void refuse_only_fixed(const Machine& machine);

class MachineSystem {
 public:
  explicit MachineSystem(const Machine& machine);

  const Machine& machine() const { return m_; }
  MassMatrix mass;  // as it was looked at last
  // Sizes and places of the states.
  int n, lags, laws, contacts, states, powers;
  int v_at() const { return n; }
  int p_at() const { return 2 * n; }
  int z_at() const { return 2 * n + lags; }

  // What a state, or an energy behind the states, is called where the machine is told as a
  // mechanism.
  std::string_view column_of(int i) const {
    if (i < states)
      return i < n ? "position" : i < 2 * n ? "velocity" : i < z_at() ? "pressure" : "state";
    return i == states ? "work_in" : i == states + 1 ? "dissipated" : "friction_work";
  }

  // The state at the start.
  void first_state(std::span<double> y) const;

  // Values at an instant, kept until the next call.
  std::vector<DrivePart::Motion> drives;
  struct Force {
    double value, slope;
  };
  std::vector<Force> inputs;    // of each input; of a lagged one what it follows
  std::vector<double> extra;    // a constant force added to each of them
  std::vector<Force> loads;     // of each contact
  std::vector<double> signals;  // that couplings follow
  void look_at(double t, const MachineMode& mode, bool with_third = false);
  // The signals of a coupling that is not linear.
  const double* signals_of(std::size_t other) const {
    return signals.data() + m_.others[other].signal;
  }

  // Stretch and rate of a row.
  double stretch(const MotionRow& row, const double* q) const {
    double s = row.offset;
    for (const auto& term : row.coordinates) s += term.weight * q[term.index];
    for (const auto& term : row.drives) s += term.weight * drives[std::size_t(term.index)].value;
    return s;
  }
  double rate(const MotionRow& row, const double* v) const {
    double w = drive_rate(row);
    for (const auto& term : row.coordinates) w += term.weight * v[term.index];
    return w;
  }
  double drive_stretch(const MotionRow& row) const {
    double s = 0.0;
    for (const auto& term : row.drives) s += term.weight * drives[std::size_t(term.index)].value;
    return s;
  }
  double drive_rate(const MotionRow& row) const {
    double w = 0.0;
    for (const auto& term : row.drives) w += term.weight * drives[std::size_t(term.index)].slope;
    return w;
  }
  // Whether the drives of a row are accelerated now.
  bool drives_bend(const MotionRow& row) const {
    for (const auto& term : row.drives)
      if (m_.parts().drives[std::size_t(term.index)].bends()) return true;
    return false;
  }
  static double sum(const MotionRow& row, const double* x) {
    double s = 0.0;
    for (const auto& term : row.coordinates) s += term.weight * x[term.index];
    return s;
  }
  // The same of the line of a contact.
  double line_sum(int line, const double* x) const {
    const FlatRow& row = flat_lines_[std::size_t(line)];
    return row.whole ? row.sum(x) : sum(m_.lines[std::size_t(line)], x);
  }
  double line_rate(int line, const double* v) const {
    const double own = line_sum(line, v);
    return driven(line) ? own + drive_rate(m_.lines[std::size_t(line)]) : own;
  }
  double line_stretch(int line, const double* q) const {
    const double own = flat_lines_[std::size_t(line)].offset + line_sum(line, q);
    return driven(line) ? own + drive_stretch(m_.lines[std::size_t(line)]) : own;
  }
  bool driven(int line) const { return flat_lines_[std::size_t(line)].driven; }
  void line_pull(int line, double force, double* push) const {
    const FlatRow& row = flat_lines_[std::size_t(line)];
    if (!row.whole) return pull(m_.lines[std::size_t(line)], force, push);
    push[row.first] -= row.weight * force;
    push[row.second] -= row.other_weight * force;
  }
  static void pull(const MotionRow& row, double force, double* push) {
    for (const auto& term : row.coordinates) push[term.index] -= term.weight * force;
  }

  // The forces on the coordinates without those of stuck contacts, the rates of p and z, and the
  // powers. Looks at t first.
  void evaluate(double t, const double* y, const MachineMode& mode, double* push, double* p_rate,
                double* z_rate, double* power);
  // The rates of all states followed by the powers, with the forces of stuck contacts.
  void rates(double t, const double* y, const MachineMode& mode, double* rate);
  // The same forces alone.
  void forces(double t, const double* y, const MachineMode& mode, double* push);
  // The derivatives at an instant, into `local` and `bent`, and the explicit slopes in time of the
  // forces, rates and powers.
  void linearise(double t, const double* y, const MachineMode& mode, double* push_t, double* p_t,
                 double* z_t, double* power_t);
  FlatCouplings linear;           // the linear couplings of the machine
  std::vector<Local> local;       // of each contact
  std::vector<Local> bent;        // of each coupling that is not linear
  std::vector<WideContact> wide;  // the contacts with block laws
  std::vector<int> wide_of;       // their number among those, -1 for the others

  double stored(double t, const double* y, const MachineMode& mode);

  // Guards: two of each contact (velocity or stick, and the law's own margin), one of each coupling
  // that is not linear. Positive inside the mode.
  int guards() const { return 2 * contacts + int(m_.others.size()); }
  // Whether a contact keeps its velocity, by whatever force that takes: at rest, or in a piece of
  // its law that holds one.
  bool sticks(int contact, const MachineMode& mode) const {
    const auto c = std::size_t(contact);
    if (memory[c]) return memory[c]->held(mode.branch[c]);
    return set_valued[c] && mode.branch[c].direction == 0.0;
  }
  // The velocity it keeps.
  double held_speed(int contact, const MachineMode& mode) const {
    const auto c = std::size_t(contact);
    return memory[c] ? mode.branch[c].along[0] : 0.0;
  }
  void guard_values(double t, const double* y, const MachineMode& mode, std::span<double> values);
  double guard(int index, double t, const double* y, const MachineMode& mode);
  // How far outside its interval a stuck contact may be by rounding alone.
  double stick_slack(int contact) const { return slack_[std::size_t(contact)]; }
  std::vector<char> set_valued;  // contacts that can stick to what they hold

  // Contacts whose laws remember, null for the others, and the relative accelerations of those that
  // look at it: at the last evaluation, and how they change in time at the last linearisation.
  std::vector<const BlockMemory*> memory;
  std::vector<int> accelerated, delayed;  // numbers of those contacts
  std::vector<double> felt, felt_t;
  bool feels(int contact, const MachineMode& mode) const {
    const auto c = std::size_t(contact);
    return memory[c] && memory[c]->by_acceleration() && !sticks(contact, mode);
  }
  // What the drives add to the acceleration of a row, and to its derivative.
  double drive_bend(const MotionRow& row) const {
    double a = 0.0;
    for (const auto& term : row.drives)
      a += term.weight * drives[std::size_t(term.index)].curvature;
    return a;
  }
  double drive_third(const MotionRow& row) const {
    double a = 0.0;
    for (const auto& term : row.drives) a += term.weight * drives[std::size_t(term.index)].third;
    return a;
  }
  // Keeps the velocities of a step for laws that look back.
  void remember(MachinePath& path, double t, double end, MachineMode& mode);
  // Contacts whose reversals are corners within a step instead of events: those of bristles where
  // there are more than `most_located`, since with many of them some contact turns round at any
  // time.
  static constexpr int most_located = 32;
  std::vector<char> cornered;
  bool all_cornered() const { return cornered_ == contacts; }
  // Whether any of them slides against its direction now, with the drives last looked at, and the
  // directions brought up to date.
  bool corners_passed(const double* y, const MachineMode& mode) const;
  void turn_corners(const double* y, MachineMode& mode) const;
  // The speed below which a contact in the plane counts as arrived at rest; set by the driver.
  std::vector<double> rest_speed;
  // 1 or -1 for the direction of sliding, in the plane 1; 0 at rest. Velocities line by line.
  double mode_of(std::size_t contact, const double* velocity, const MachineMode& mode) const;
  // The same of a branch, whose law may tell stick from slip.
  double mode_of(std::size_t contact, const Branch<>& branch) const;
  bool planar(int contact) const { return m_.contacts[std::size_t(contact)].dimension == 2; }

  // The forces of all contacts at an instant, and their relative velocities, line by line.
  void contact_forces(double t, const double* y, const MachineMode& mode, std::span<double> force,
                      std::span<double> velocity);

  // The mode at a start or after a kink, and after guard `index` reached zero. Velocities of what
  // sticks are set to be exactly equal. `arrived` is a contact whose relative velocity is zero.
  void start(double t, std::span<double> y, MachineMode& mode);
  void after(int index, double t, std::span<double> y, MachineMode& mode);
  // Lets every contact stick that does not move, whatever force that takes.
  void hold_still(double t, std::span<double> y, MachineMode& mode);
  // The other direction of a contact at rest that turned out to leave the first one at once.
  void turn(int contact, double t, std::span<double> y, MachineMode& mode);
  // Makes the velocities of stuck contacts exactly equal.
  void snap(double t, double* y, const MachineMode& mode);
  // Turns the branches of contacts in the plane to where they go now.
  void follow(double t, const double* y, MachineMode& mode);

  // Makes ready for a mode that was entered before.
  void take_up(const MachineMode& mode);

  // The contacts that stick, ready for the forces that hold them.
  Rest& held() { return held_; }
  // False if it was not found which contacts stick after the last change of mode.
  bool settled() const { return trial_.solved(); }
  const std::vector<double>& wanted() const { return wanted_; }  // their accelerations
  void find_wanted(const Rest& rest, std::vector<double>& wanted) const;
  bool held_move() const { return held_move_; }  // some stick to a drive or hold a velocity

  double next_kink(double t, const MachineMode& mode) const;
  double longest_step() const;

  // The motion of a contact and its response.
  Motion<double> motion(std::size_t contact, double t, double s, double w) const {
    return {s, w, loads[contact].value, t};
  }
  // The branch of a contact at a velocity.
  const Branch<>& branch_at(std::size_t contact, double w, const MachineMode& mode) const {
    if (!cornered[contact] || w == 0.0) return mode.branch[contact];
    return w > 0.0 ? forward_ : backward_;
  }
  // The size of the terms of the velocity of a contact.
  double speed(std::size_t contact, const double* v) const;
  double forward_speed(std::size_t contact, const double* v, const MachineMode& mode) const;
  BlockMotion<double> block_motion(std::size_t contact, double t, const double* q,
                                   const double* v) const;
  // The energy of the bristles per newton of a load that varies.
  double per_load(std::size_t contact, double t, const double* y, const MachineMode& mode) const;

 private:
  const double* states_of(std::size_t contact, const double* y) const {
    return y + z_at() + std::max(m_.contacts[contact].state, 0);
  }
  double* states_of(std::size_t contact, double* y) const {
    return y + z_at() + std::max(m_.contacts[contact].state, 0);
  }
  Response<double> respond(std::size_t contact, double z, const Motion<double>& motion,
                           const Branch<>& branch) const;
  void respond(std::size_t contact, const double* z, const BlockMotion<double>& motion,
               const Branch<>& branch, BlockResponse<double>& out) const;
  void linearise_contact(std::size_t contact, double t, const double* y, const MachineMode& mode);
  void linearise_wide(std::size_t contact, double t, const double* y, const Branch<>& branch);
  double stored_in(std::size_t contact, double t, const double* y, const MachineMode& mode,
                   double load) const;
  void aim(std::size_t contact, double first, double second, double t, const double* y,
           MachineMode& mode);
  void hold_stuck(const MachineMode& mode);  // rebuilds held_
  void control(double t, const double* y, MachineMode& mode);
  // `kept` is a contact that has just begun to hold its velocity.
  void settle(double t, std::span<double> y, MachineMode& mode, int arrived, int kept = -1);
  void rest_within(double t, const double* y, const MachineMode& mode);
  void direct(std::size_t contact, double direction, double t, const double* y, MachineMode& mode);
  void snap_to(const Rest& rest, double* y, const MachineMode& mode);
  // What evaluate() does, without the work of drives on contacts that stick to them.
  void add_forces(double t, const double* y, const MachineMode& mode, double* push, double* p_rate,
                  double* z_rate, double* power);
  // The load that a gear carries to a contact, with `push` from all but that contact: the force of
  // the contact is then known too.
  void carry(std::size_t contact, double t, const double* y, const MachineMode& mode,
             const double* push);
  void bounds_of(Rest& rest, double t, const double* y, const MachineMode& mode) const;

  // machine_accelerations.cpp
  struct Powers {
    double work = 0.0, loss = 0.0;
  };
  void add_accelerated(double t, const double* y, const MachineMode& mode, double* push,
                       double* z_rate, double* power, Powers& sum);
  void linearise_accelerated(double t, const double* y, const MachineMode& mode, double* push_t,
                             double* power_t, Powers& sum);
  void find_mobility();
  void solve_accelerations(double t, const double* y, const MachineMode& mode);
  double alone_acceleration(std::size_t contact, const BlockMotion<double>& seen, const double* z,
                            const Branch<>& branch, double free, double mobility) const;
  double free_acceleration(const MotionRow& row, const double* push) const;
  void begin_memory(double t, std::span<double> y, MachineMode& mode);
  void reverse(std::size_t contact, double t, std::span<double> y, MachineMode& mode);

  const Machine& m_;
  const Branch<> forward_{1.0}, backward_{-1.0};
  int cornered_ = 0;
  std::vector<FlatRow> flat_lines_;
  Rest held_, trial_;
  std::vector<int> list_;
  std::vector<double> wanted_, push_, acceleration_, effort_, slack_;
  std::vector<double> guards_, p_rate_, z_rate_, power_, moved_;
  std::vector<Branch<>> before_;
  std::vector<char> known_, placed_;
  bool held_move_ = false;
  // Of the contacts that look at their acceleration and are not held, in the order of feeling_.
  std::vector<int> feeling_;
  std::vector<double> mobility_, free_, found_, slope_, jacobian_, unit_, all_;
  std::vector<int> order_;
  std::vector<VelocityHistory::Node> past_;  // of each contact
  bool frozen_ = false;                      // accelerations are taken as they are
  bool starting_ = false;                    // contacts whose laws remember do not act yet
};

}  // namespace bristle::detail
