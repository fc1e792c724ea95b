// SPDX-License-Identifier: MIT
// A machine: bodies, couplings between them, contacts with friction, and inputs.
//
//   MachineParts parts;
//   parts.bodies = {{"motor", {.inertia = 2e-4}}, {"load", {.inertia = 1.1e-3}}};
//   parts.couplings = {{"shaft", {"motor", "load"}, couple(SpringDamper{120.0, 0.02})}};
//   parts.contacts = {{"bearing", between("motor", "ground"), erase(LuGre<>{...})}};
//   parts.inputs = {{"torque", "motor", Signal{...}}};
//   const Machine machine(parts);                    // checked, const, may be shared
//   auto run = simulate(machine, {.end = 4.0});      // solve/machine_run.hpp
//
// Positions and velocities are those of the bodies in a frame at rest, "ground" stands still, and a
// drive is a body whose motion is given. A contact acts on the relative motion along its path, a
// weighted sum of bodies; in the plane it has a second path across the first one. Rigid gears
// remove coordinates: each body then moves in proportion to one of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bristle/machine/controller.hpp"
#include "bristle/machine/couplings.hpp"
#include "bristle/machine/drive.hpp"
#include "bristle/mechanism/signal.hpp"
#include "bristle/model/any_law.hpp"

namespace bristle {

inline constexpr std::string_view ground = "ground";

struct Body {
  using Number = double;
  static constexpr std::string_view name = "body";
  static constexpr std::string_view summary = "mass that moves or rotor that turns";

  enum Motion : int { translation, rotation };
  static constexpr std::array<std::string_view, 2> motions{"translation", "rotation"};

  double inertia = 1.0;
  double position = 0.0;
  double velocity = 0.0;
  int motion = translation;

  static constexpr auto fields() {
    using F = Field<Body>;
    return std::array{
        F{"inertia", "kg or kg m2", "mass, or moment of inertia; 0 only if a linkage gives it one",
          non_negative, &Body::inertia},
        F{"position", "m or rad", "position at the start", any_number, &Body::position},
        F{"velocity", "m/s or rad/s", "velocity at the start", any_number, &Body::velocity},
        F{"motion", "whether it moves along a line or turns", motions, &Body::motion}};
  }
};

// A weighted sum of bodies and drives; "ground" may stand in it with any weight.
struct MotionPath {
  std::vector<std::pair<std::string, double>> of;
};
// The motion of the first relative to the second.
MotionPath between(std::string first, std::string second);

struct ContactSettings {
  using Number = double;
  static constexpr std::string_view name = "contact";
  static constexpr std::string_view summary = "where a friction law acts";

  enum Forces : int { given, per_load };
  static constexpr std::array<std::string_view, 2> force_kinds{"given", "per_load"};

  double load = 1.0;
  double state = 0.0;
  std::vector<double> states{};
  int forces = given;

  static constexpr auto fields() {
    using C = ContactSettings;
    using F = Field<C>;
    return std::array{
        F{"load", "N", "normal force, or what the law calls so; negative for few laws only",
          any_number, &C::load},
        F{"state", "m", "state of the law at the start", any_number, &C::state},
        F{"states", "m", "states at the start of a law with several", any_number, &C::states},
        F{"forces",
          "given: the law gives forces; per_load: its forces are coefficients of friction, to be "
          "multiplied by the load",
          force_kinds, &C::forces}};
  }
};

struct InputSettings {
  using Number = double;
  static constexpr std::string_view name = "input";
  static constexpr std::string_view summary = "force or torque on a body";

  double gain = 1.0;
  double bias = 0.0;
  double lag = 0.0;
  double delay = 0.0;

  static constexpr auto fields() {
    using C = InputSettings;
    using F = Field<C>;
    return std::array{
        F{"gain", "N per unit", "force per unit of the signal", any_number, &C::gain},
        F{"bias", "N", "force at signal zero", any_number, &C::bias},
        F{"lag", "s", "time constant with which the force follows the signal, 0: at once",
          non_negative, &C::lag},
        F{"delay", "s", "how much later the signal acts, which goes back beyond time zero",
          non_negative, &C::delay}};
  }
};

struct BodyPart {
  std::string name;
  Body body{};
};
struct CouplingPart {
  std::string name;
  std::vector<std::string> between;  // two bodies, or the joints of a linkage
  std::shared_ptr<const AnyCoupling> coupling;
  std::vector<Signal> signals{};  // that it follows, in its order; at rest where none is given
};
struct ContactPart {
  std::string name;
  MotionPath path;
  std::shared_ptr<const AnyLaw> law;
  ContactSettings settings{};
  MotionPath across{};  // the second axis of a contact in the plane; empty along a line
  // A gear coupling whose first body the contact is on: the load is then what the gear carries.
  std::string load_from{};
};
// A normal force that varies in time: it takes the place of the load of a contact.
struct LoadPart {
  std::string name;
  std::string on;
  Signal load{};
};
struct InputPart {
  std::string name;
  std::string on;
  Signal signal{};
  InputSettings settings{};
};

// Reads the motion of one body and acts on one; they may be the same.
struct ControllerPart {
  std::string name;
  std::string reads;
  std::string on;
  Controller controller{};
  Signal reference{};
};

// What a machine is made from. Lists may be empty but for the bodies.
struct MachineParts {
  std::vector<BodyPart> bodies;
  std::vector<DrivePart> drives;
  std::vector<CouplingPart> couplings;
  std::vector<ContactPart> contacts;
  std::vector<InputPart> inputs;
  std::vector<ControllerPart> controllers;
  std::vector<LoadPart> loads{};
};

// Says which part of the lists is at fault: list is "body", "drive", "coupling", "contact",
// "input", "controller" or "load"; field as in InvalidInput.
struct InvalidPart : InvalidInput {
  std::string list;
  std::size_t index;

  InvalidPart(std::string list_name, std::size_t which, std::string field_name,
              const std::string& sentence)
      : InvalidInput(std::move(field_name), sentence), list(std::move(list_name)), index(which) {}
};

// A weighted sum of coordinates and of given motions: s = sum weight q + offset + sum weight e(t).
struct MotionRow {
  struct Term {
    int index;
    double weight;
  };
  std::vector<Term> coordinates;
  std::vector<Term> drives;
  double offset = 0.0;
};

// A machine ready to run: every name resolved, gears eliminated. Const and free of shared state.
class Machine {
 public:
  // Throws InvalidPart.
  explicit Machine(MachineParts parts);

  const MachineParts& parts() const { return parts_; }
  int coordinates() const { return int(inertia.size()); }
  MotionRow row_of_body(std::size_t body) const;

  struct Linear {
    MotionRow row;
    LinearPull pull;
    std::size_t part;
  };
  struct Other {
    MotionRow row;
    std::shared_ptr<const AnyCoupling> coupling;
    std::size_t part;
    int signal = 0;  // place of its first signal in `signals`
  };
  // What a gear carries between a contact on its first body, which moves at the rate r, and its
  // second body: sum of factor force over what acts on the second body, less inertia r'.
  struct Carried {
    struct Share {
      std::size_t index;  // of an input, or of a coupling that is not linear
      double factor;      // its rate over r
    };
    std::vector<Share> inputs, others;
    double inertia = 0.0;    // of the second body, as the contact feels it
    double per_force = 0.0;  // by how much the load changes with the force of the contact
  };
  // Each joint is a body: its coordinate, how far the body moves with it, and from where.
  struct Linkage {
    struct Joint {
      int coordinate;
      double weight, offset;
    };
    std::vector<Joint> joints;
    std::shared_ptr<const AnyCoupling> coupling;
    std::size_t part;
  };
  struct Contact {
    int line;           // of its motion in `lines`; the second axis is the next one
    int dimension = 1;  // 2 in the plane
    std::shared_ptr<const AnyLaw> law;
    std::shared_ptr<const BlockLaw> block{};  // of several states or in the plane, else null
    double load = 1.0;
    int load_part = -1;     // number of the load that varies, -1 for a constant one
    int carried = -1;       // number of the gear that gives the load, -1 for none
    bool per_load = false;  // forces of the law are multiplied by the load
    bool set_valued = false;
    bool tells_stick = false;    // set-valued, or with pieces among which is stick
    bool may_hold = false;       // its velocity may be kept by whatever force that takes
    int state = -1, states = 0;  // place among the states of the laws, -1 without
    std::vector<double> first_states{};
  };
  struct Input {
    int coordinate;
    double weight;  // of the body in the coordinate
    Signal signal;
    InputSettings settings;
    int state = -1;  // index among the lagged forces, -1 without lag

    // The number of the piece of the signal that acts at a time, and when the next one does. The
    // time of the signal is rounded: what is within that of a kink belongs to the next piece.
    double clock(double t) const {
      const double d = settings.delay;
      return d > 0.0 ? t - d + 4e-16 * (std::abs(t) + d) : t;
    }
    int piece(double t) const { return signal.piece(clock(t)); }
    double next_kink(double t) const { return signal.next_kink(clock(t)) + settings.delay; }
    double value(double t, int piece) const {
      return settings.gain * signal.value(t - settings.delay, piece) + settings.bias;
    }
  };

  struct Control {
    MotionRow sensor;
    std::size_t input;  // the one that carries its output
    Controller settings;
    Signal reference;
  };

  std::vector<double> inertia;               // of each coordinate, without linkages
  std::vector<double> position0, velocity0;  // at the start
  std::vector<Linear> linear;
  std::vector<Other> others;
  std::vector<Linkage> linkages;
  std::vector<Signal> signals;  // of the couplings, one after the other
  std::vector<Carried> carried;
  std::vector<Contact> contacts;
  std::vector<MotionRow> lines;  // the motions that contacts see, axis by axis
  std::vector<int> contact_of_line;
  std::vector<Input> inputs;  // those of controllers after the others
  std::vector<Control> controllers;
  int law_states = 0, lags = 0;
  bool planar = false;  // some contact is in the plane
  // Why fixed steps alone can run it (method "coupled"): a sentence without its subject, or empty.
  std::string only_fixed;

  const MotionRow& line(const Contact& contact, int axis = 0) const {
    return lines[std::size_t(contact.line + axis)];
  }

 private:
  MachineParts parts_;
  void add_contact(std::size_t index, MotionRow first, MotionRow second);
  void add_loads();
  void check_inertia() const;
  void add_carried();
  void add_signals(std::size_t coupling);
  void check_masses() const;

  std::vector<int> coordinate_of_;  // of each body
  std::vector<double> weight_of_;   // the body moves that many times as far as its coordinate
};

// Throws InvalidPart if a load becomes negative before `end`.
void check_loads(const Machine& machine, double end);

}  // namespace bristle
