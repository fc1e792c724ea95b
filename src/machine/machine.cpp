// SPDX-License-Identifier: MIT
#include "bristle/machine/machine.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "bristle/model/load_dependence.hpp"

namespace bristle {

MotionPath between(std::string first, std::string second) {
  return {{{std::move(first), 1.0}, {std::move(second), -1.0}}};
}

namespace {

std::string counted(double number, const char* noun) {
  return words(number) + " " + noun + (number == 1.0 ? "" : "s");
}

// Resolves names of bodies and drives; every refusal says which part of which list is at fault.
class Names {
 public:
  explicit Names(const MachineParts& parts) : parts_(parts) {
    if (parts.bodies.empty() && (parts.drives.empty() || parts.contacts.empty()))
      throw InvalidPart("body", 0, "name", "a machine needs at least one [[body]]");
    for (std::size_t i = 0; i < parts.bodies.size(); ++i)
      add("body", i, parts.bodies[i].name, {int(i), -1});
    for (std::size_t i = 0; i < parts.drives.size(); ++i)
      add("drive", i, parts.drives[i].name, {-1, int(i)});
    apart("coupling", parts.couplings);
    apart("contact", parts.contacts);
    apart("input", parts.inputs);
    apart("controller", parts.controllers);
    apart("load", parts.loads);
  }

  struct Place {
    int body = -1, drive = -1;  // both -1: the ground
    bool operator==(const Place&) const = default;
  };
  Place find(const char* list, std::size_t index, const char* field,
             const std::string& name) const {
    if (name == ground) return {};
    if (const auto found = places_.find(name); found != places_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& body : parts_.bodies) known.push_back(body.name);
    for (const auto& drive : parts_.drives) known.push_back(drive.name);
    known.emplace_back(ground);
    throw InvalidPart(list, index, field,
                      std::string(list) + ": " + not_found("body", name, known));
  }

 private:
  void add(const char* list, std::size_t index, const std::string& name, const Place& place) {
    const std::string who = std::string(list) + ": name = \"" + name + "\" ";
    if (name.empty()) throw InvalidPart(list, index, "name", std::string(list) + " needs a name");
    if (name == ground)
      throw InvalidPart(list, index, "name", who + "is the name of what stands still");
    if (!places_.emplace(name, place).second)
      throw InvalidPart(list, index, "name",
                        who + "stands twice, every body and drive needs its own");
    taken_.insert(name);
  }
  // A name stands in columns, so that one part of the machine has it.
  template <class Parts>
  void apart(const char* list, const Parts& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].name.empty())
        throw InvalidPart(list, i, "name", std::string(list) + " needs a name");
      if (!taken_.insert(parts[i].name).second)
        throw InvalidPart(list, i, "name",
                          std::string(list) + ": name = \"" + parts[i].name +
                              "\" is that of another part, every part needs its "
                              "own");
    }
  }

  const MachineParts& parts_;
  std::map<std::string, Place, std::less<>> places_;  // of bodies and drives
  std::set<std::string> taken_;
};

// Checks the fields of a part and adds where it stands.
template <class T>
void check(const char* list, std::size_t index, const T& fields) {
  try {
    validate(fields);
  } catch (const InvalidInput& error) {
    throw InvalidPart(list, index, error.field, error.what());
  }
}

// Groups of bodies and of the ground that something joins.
class Groups {
 public:
  explicit Groups(std::size_t n) : leader_(n) { std::iota(leader_.begin(), leader_.end(), 0u); }
  std::size_t of(std::size_t i) const {
    while (leader_[i] != i) i = leader_[i];
    return i;
  }
  bool join(std::size_t a, std::size_t b) {
    a = of(a), b = of(b);
    if (a == b) return false;
    leader_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::size_t> leader_;
};

// The bodies of a coupling: as many as its kind asks for, each once.
void check_ends(const Names& names, const CouplingPart& part, std::size_t index) {
  const auto refuse = [&](const std::string& sentence) {
    throw InvalidPart("coupling", index, "between", "coupling: " + sentence);
  };
  const bool linkage = part.coupling->kind() == AnyCoupling::Kind::linkage;
  const std::string kind(part.coupling->name());
  const auto wanted = std::size_t(linkage ? part.coupling->joints() : 2);
  if (part.between.size() != wanted)
    refuse(kind + " joins " + std::to_string(wanted) + " bodies, between has " +
           std::to_string(part.between.size()));
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto place = names.find("coupling", index, "between", part.between[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (place == names.find("coupling", index, "between", part.between[j]))
        refuse("couples \"" + part.between[i] + "\" with itself");
    if (linkage && place.body < 0)
      refuse("the joints of a " + kind + " are bodies that move freely, \"" + part.between[i] +
             "\" is not");
  }
}

void add_term(std::vector<MotionRow::Term>& terms, int index, double weight) {
  for (auto& term : terms)
    if (term.index == index) {
      term.weight += weight;
      return;
    }
  terms.push_back({index, weight});
}

}  // namespace

MotionRow Machine::row_of_body(std::size_t body) const {
  const int c = coordinate_of_[body];
  MotionRow row;
  row.coordinates = {{c, weight_of_[body]}};
  row.offset = parts_.bodies[body].body.position - weight_of_[body] * position0[std::size_t(c)];
  return row;
}

void Machine::add_contact(std::size_t index, MotionRow first, MotionRow second) {
  const ContactPart& part = parts_.contacts[index];
  const std::string name(part.law->name());
  const auto refuse = [&](const char* field, const std::string& sentence) {
    throw InvalidPart("contact", index, field, "contact: " + sentence);
  };
  if (part.law->lift())
    refuse("law", name + " carries its body, which a machine cannot have yet; use [mechanism]");
  Contact contact{int(lines.size()), part.across.of.empty() ? 1 : 2, part.law};
  if (contact.dimension == 2 || !part.law->single()) {
    contact.block = part.law->block(contact.dimension);
    if (!contact.block)
      refuse("law", name + (contact.dimension == 2 ? " has no form in the plane"
                                                   : " acts in the plane only, it needs two axes"));
  }
  contact.load = part.settings.load;
  if (!(contact.load > 0.0) && !part.law->signed_load())
    refuse("load",
           "load = " + words(contact.load) + " N is not allowed, it must be greater than 0 N");
  contact.per_load = part.settings.forces == ContactSettings::per_load;
  if (contact.per_load && depends_on_load(*part.law))
    refuse("forces",
           "the friction of " + name + " depends on the load already, forces must be \"given\"");
  contact.set_valued = contact.block ? contact.block->set_valued() : part.law->set_valued();
  contact.tells_stick = contact.set_valued || (contact.block && contact.block->stuck({}));
  const bool remembers = contact.block && contact.block->memory();
  contact.may_hold = contact.set_valued || remembers;
  contact.states = contact.block ? contact.block->states() : contact.set_valued ? 0 : 1;
  if (contact.states > 0) contact.state = law_states;
  law_states += contact.states;
  const auto& given = part.settings.states;
  if (!given.empty() && int(given.size()) != contact.states)
    refuse("states", "states has " + counted(double(given.size()), "number") + ", " + name +
                         " has " + counted(double(contact.states), "state"));
  if (remembers && (!given.empty() || part.settings.state != 0.0))
    refuse(given.empty() ? "state" : "states",
           "what " + name + " remembers follows from the motion at the start, leave it out");
  if (!given.empty() && part.settings.state != 0.0)
    refuse("states", "state and states exclude each other");
  if (part.settings.state != 0.0 && contact.states == 0)
    refuse("state", "state = " + words(part.settings.state) + " m has no meaning, " + name +
                        " has no state: leave it out");
  if (part.settings.state != 0.0 && contact.states > 1)
    refuse("state",
           name + " has " + words(double(contact.states)) + " states, give them by states");
  contact.first_states.assign(std::size_t(contact.states), part.settings.state);
  if (!given.empty()) contact.first_states = given;
  planar = planar || contact.dimension == 2;
  lines.push_back(std::move(first));
  if (contact.dimension == 2) lines.push_back(std::move(second));
  contact_of_line.resize(lines.size(), int(contacts.size()));
  contacts.push_back(std::move(contact));
}

void Machine::add_loads() {
  for (std::size_t i = 0; i < parts_.loads.size(); ++i) {
    const LoadPart& part = parts_.loads[i];
    check("load", i, part.load);
    std::vector<std::string> known;
    Contact* found = nullptr;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      known.push_back(parts_.contacts[c].name);
      if (known.back() == part.on) found = &contacts[c];
    }
    if (!found) throw InvalidPart("load", i, "on", "load: " + not_found("contact", part.on, known));
    if (found->load_part >= 0)
      throw InvalidPart("load", i, "on", "load: \"" + part.on + "\" has another load already");
    if (!found->per_load && !depends_on_load(*found->law))
      throw InvalidPart("load", i, "on",
                        "load: the friction of " + std::string(found->law->name()) +
                            " does not depend on the load; set forces = \"per_load\" in the "
                            "contact \"" +
                            part.on + "\" to multiply it by the load");
    found->load_part = int(i);
  }
}

void Machine::add_signals(std::size_t index) {
  const CouplingPart& part = parts_.couplings[index];
  const auto rest = part.coupling->signal_rest();
  if (part.signals.size() > rest.size())
    throw InvalidPart("coupling", index, "shape",
                      "coupling: " + std::string(part.coupling->name()) + " follows " +
                          words(double(rest.size())) + " signals, " +
                          words(double(part.signals.size())) + " are given");
  for (std::size_t k = 0; k < rest.size(); ++k) {
    if (k < part.signals.size()) {
      check("coupling", index, part.signals[k]);
      signals.push_back(part.signals[k]);
      continue;
    }
    Signal constant;
    constant.shape = Signal::ramp;
    constant.offset = rest[k];
    signals.push_back(constant);
  }
  if (!rest.empty()) only_fixed = "follows the signals of \"" + part.name + "\"";
}

// Friction that falls with the acceleration leaves one acceleration only where the bodies are heavy
// enough: I - sqrt(s) G sqrt(s) must be positive definite, with the mobility G of such contacts and
// the steepest fall s of each.
void Machine::check_masses() const {
  std::vector<std::size_t> all;
  std::vector<double> steep;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const BlockMemory* memory = contacts[c].block ? contacts[c].block->memory() : nullptr;
    if (!memory || !memory->by_acceleration()) continue;
    if (!linkages.empty())
      throw InvalidPart(
          "contact", c, "law",
          std::string(contacts[c].law->name()) +
              " uses the acceleration, which a machine with a linkage does not provide");
    double load = contacts[c].load;
    if (contacts[c].load_part >= 0)
      load = parts_.loads[std::size_t(contacts[c].load_part)].load.scale();
    all.push_back(c);
    steep.push_back(memory->steepest(load));
  }
  const auto n = all.size();
  std::vector<double> factor(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double g = 0.0;
      for (const auto& a : line(contacts[all[i]]).coordinates)
        for (const auto& b : line(contacts[all[j]]).coordinates)
          if (a.index == b.index) g += a.weight * b.weight / inertia[std::size_t(a.index)];
      double sum = (i == j ? 1.0 : 0.0) - std::sqrt(steep[i] * steep[j]) * g;
      for (std::size_t k = 0; k < j; ++k) sum -= factor[i * n + k] * factor[j * n + k];
      if (i != j) factor[i * n + j] = sum / factor[j * n + j];
      else if (sum > 0.0) factor[i * n + i] = std::sqrt(sum);
      else
        throw InvalidPart(
            "contact", all[i], "delay",
            std::string(contacts[all[i]].law->name()) + ": a mass of " + words(1.0 / g) +
                " kg in contact must be greater than " + words(steep[i]) +
                " kg, or this delay leaves several accelerations to choose from" +
                (n > 1 && steep[i] * g < 1.0 ? ", together with other contacts" : ""));
    }
}

Machine::Machine(MachineParts given) : parts_(std::move(given)) {
  const MachineParts& parts = parts_;
  const Names names(parts);
  const std::size_t count = parts.bodies.size();
  for (std::size_t i = 0; i < count; ++i) check("body", i, parts.bodies[i].body);
  for (std::size_t i = 0; i < parts.drives.size(); ++i) {
    const Signal& e = parts.drives[i].signal;
    check("drive", i, parts.drives[i].settings);
    check("drive", i, e);
    if (parts.drives[i].by_velocity() && !e.has_integral())
      throw InvalidPart("drive", i, "gives",
                        "drive: a signal of shape = \"duffing\" gives a position, not a velocity");
    if (!parts.drives[i].by_velocity() && e.change_time > 0.0 && e.amplitude_after != e.amplitude)
      throw InvalidPart("drive", i, "change_time",
                        "drive: a motion whose amplitude changes from " + words(e.amplitude) +
                            " to " + words(e.amplitude_after) + " at change_time = " +
                            words(e.change_time) + " s jumps there (set change_time = 0)");
  }

  // Gears: every body moves in proportion to the coordinate of its group.
  Groups geared(count);
  struct Tooth {
    std::size_t body;
    double weight;
  };
  std::vector<std::vector<Tooth>> meshes(count);
  for (std::size_t i = 0; i < parts.couplings.size(); ++i) {
    const auto& part = parts.couplings[i];
    if (!part.coupling) throw InvalidPart("coupling", i, "kind", "coupling: needs a kind");
    check_ends(names, part, i);
    const auto a = names.find("coupling", i, "between", part.between[0]);
    const auto b = names.find("coupling", i, "between", part.between[1]);
    if (a.body < 0 && b.body < 0)
      throw InvalidPart("coupling", i, "between",
                        "coupling: neither \"" + part.between[0] + "\" nor \"" + part.between[1] +
                            "\" is a body that moves freely");
    if (part.coupling->kind() != AnyCoupling::Kind::rigid) continue;
    if (a.body < 0 || b.body < 0)
      throw InvalidPart("coupling", i, "between",
                        "coupling: a " + std::string(part.coupling->name()) +
                            " joins two bodies, it cannot end at \"" +
                            part.between[a.body < 0 ? 0 : 1] + "\"");
    if (!geared.join(std::size_t(a.body), std::size_t(b.body)))
      throw InvalidPart("coupling", i, "between",
                        "coupling: the " + std::string(part.coupling->name()) + " from \"" +
                            part.between[0] + "\" to \"" + part.between[1] +
                            "\" closes a loop of rigid couplings, leave one of them out or make "
                            "it elastic");
    const double ratio = part.coupling->ratio();
    meshes[std::size_t(b.body)].push_back({std::size_t(a.body), ratio});
    meshes[std::size_t(a.body)].push_back({std::size_t(b.body), 1.0 / ratio});
  }
  coordinate_of_.assign(count, -1);
  weight_of_.assign(count, 1.0);
  for (std::size_t root = 0; root < count; ++root) {
    if (coordinate_of_[root] >= 0) continue;
    const int c = int(inertia.size());
    inertia.push_back(0.0);
    position0.push_back(parts.bodies[root].body.position);
    velocity0.push_back(parts.bodies[root].body.velocity);
    coordinate_of_[root] = c;
    std::vector<std::size_t> open{root};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const double weight = weight_of_[at];
      inertia.back() += weight * weight * parts.bodies[at].body.inertia;
      const double own = parts.bodies[at].body.velocity, led = weight * velocity0.back();
      if (own != 0.0 && std::abs(own - led) > 1e-12 * std::abs(led))
        throw InvalidPart("body", at, "velocity",
                          "body: velocity = " + words(own) + " of \"" + parts.bodies[at].name +
                              "\" contradicts its gear, which gives " + words(led));
      for (const Tooth& tooth : meshes[at]) {
        if (coordinate_of_[tooth.body] >= 0) continue;
        coordinate_of_[tooth.body] = c;
        weight_of_[tooth.body] = weight * tooth.weight;
        open.push_back(tooth.body);
      }
    }
  }

  const auto add_place = [&](MotionRow& row, const Names::Place& place, double weight) {
    if (place.drive >= 0) add_term(row.drives, place.drive, weight);
    if (place.body < 0) return;
    const MotionRow body = row_of_body(std::size_t(place.body));
    add_term(row.coordinates, body.coordinates[0].index, weight * body.coordinates[0].weight);
    row.offset += weight * body.offset;
  };
  const auto tidy = [](MotionRow& row) {
    std::erase_if(row.coordinates, [](const MotionRow::Term& term) { return term.weight == 0.0; });
    std::erase_if(row.drives, [](const MotionRow::Term& term) { return term.weight == 0.0; });
    return !row.coordinates.empty();
  };

  Groups joined(count + 1);  // the last one is the ground, with all drives
  const auto join = [&](const Names::Place& a, const Names::Place& b) {
    joined.join(a.body < 0 ? count : std::size_t(a.body), b.body < 0 ? count : std::size_t(b.body));
  };
  for (std::size_t i = 0; i < parts.couplings.size(); ++i) {
    const auto& part = parts.couplings[i];
    const auto a = names.find("coupling", i, "between", part.between[0]);
    const auto b = names.find("coupling", i, "between", part.between[1]);
    join(a, b);
    if (part.coupling->kind() == AnyCoupling::Kind::rigid) continue;
    if (part.coupling->kind() == AnyCoupling::Kind::linkage) {
      Linkage linkage{{}, part.coupling, i};
      for (const auto& name : part.between) {
        const auto place = names.find("coupling", i, "between", name);
        const MotionRow row = row_of_body(std::size_t(place.body));
        linkage.joints.push_back({row.coordinates[0].index, row.coordinates[0].weight, row.offset});
        join(a, place);
      }
      linkages.push_back(std::move(linkage));
      continue;
    }
    const auto weights = part.coupling->weights();
    MotionRow row;
    add_place(row, a, weights[0]);
    add_place(row, b, weights[1]);
    if (!tidy(row))
      throw InvalidPart("coupling", i, "between",
                        "coupling: \"" + part.between[0] + "\" and \"" + part.between[1] +
                            "\" cannot move relative to each other");
    if (part.coupling->kind() == AnyCoupling::Kind::linear)
      linear.push_back({std::move(row), part.coupling->linear(), i});
    else others.push_back({std::move(row), part.coupling, i, int(signals.size())});
    add_signals(i);
  }
  for (std::size_t i = 0; i < parts.contacts.size(); ++i) {
    const auto& part = parts.contacts[i];
    check("contact", i, part.settings);
    if (!part.law) throw InvalidPart("contact", i, "law", "contact: needs a law");
    MotionRow rows[2];
    Names::Place first{};
    bool any = false;
    for (const MotionPath* path : {&part.path, &part.across}) {
      if (path->of.empty()) continue;
      MotionRow& row = rows[path == &part.across];
      for (const auto& [name, weight] : path->of) {
        const auto place = names.find("contact", i, "on", name);
        add_place(row, place, weight);
        if (any) join(first, place);
        else first = place;
        any = true;
      }
      if (path->of.size() == 1) join(first, {});
      // A law may be driven along a given motion; one that is set-valued along a line.
      const bool led = !part.law->set_valued() || (part.law->single() && part.across.of.empty());
      if (!tidy(row) && (row.drives.empty() || !led))
        throw InvalidPart("contact", i, "on",
                          "contact: \"" + part.name + "\" depends on the motion of no body");
    }
    add_contact(i, std::move(rows[0]), std::move(rows[1]));
  }
  add_loads();
  check_masses();
  for (std::size_t i = 0; i < parts.inputs.size(); ++i) {
    const auto& part = parts.inputs[i];
    check("input", i, part.settings);
    check("input", i, part.signal);
    const auto place = names.find("input", i, "on", part.on);
    if (place.body < 0)
      throw InvalidPart(
          "input", i, "on",
          "input: a force acts on a body that moves freely, not on \"" + part.on + "\"");
    const MotionRow row = row_of_body(std::size_t(place.body));
    Input input{row.coordinates[0].index, row.coordinates[0].weight, part.signal, part.settings};
    if (part.settings.lag > 0.0) input.state = lags++;
    inputs.push_back(std::move(input));
  }
  for (std::size_t i = 0; i < parts.controllers.size(); ++i) {
    const auto& part = parts.controllers[i];
    check("controller", i, part.controller);
    check("controller", i, part.reference);
    const auto eye = names.find("controller", i, "reads", part.reads);
    const auto hand = names.find("controller", i, "on", part.on);
    if (eye.body < 0 || hand.body < 0)
      throw InvalidPart("controller", i, eye.body < 0 ? "reads" : "on",
                        "controller: \"" + (eye.body < 0 ? part.reads : part.on) +
                            "\" is not a body that moves freely");
    const MotionRow row = row_of_body(std::size_t(hand.body));
    Signal none;
    none.amplitude = none.amplitude_after = 0.0;
    controllers.push_back(
        {row_of_body(std::size_t(eye.body)), inputs.size(), part.controller, part.reference});
    inputs.push_back({row.coordinates[0].index, row.coordinates[0].weight, none, {}});
    join(eye, hand);
  }
  check_inertia();
  add_carried();
  for (std::size_t i = 1; i < count; ++i)
    if (joined.of(i) != joined.of(0))
      throw InvalidPart("body", i, "name",
                        "body: \"" + parts.bodies[i].name + "\" is not connected with \"" +
                            parts.bodies[0].name + "\" by couplings or contacts");
}

// Every coordinate needs inertia, its own or that of a linkage.
void Machine::check_inertia() const {
  std::vector<double> all = inertia;
  for (const auto& linkage : linkages) {
    const std::size_t n = linkage.joints.size();
    std::vector<double> q, v(n, 0.0), mass(n * n), force(n);
    for (const auto& joint : linkage.joints)
      q.push_back(joint.offset + joint.weight * position0[std::size_t(joint.coordinate)]);
    linkage.coupling->forces(q.data(), v.data(), mass.data(), force.data());
    for (std::size_t i = 0; i < n; ++i)
      all[std::size_t(linkage.joints[i].coordinate)] += mass[i * n + i];
  }
  for (std::size_t i = 0; i < coordinate_of_.size(); ++i)
    if (!(all[std::size_t(coordinate_of_[i])] > 0.0))
      throw InvalidPart("body", i, "inertia",
                        "body: inertia = " + words(parts_.bodies[i].body.inertia) + " of \"" +
                            parts_.bodies[i].name +
                            "\" is not allowed, it must be greater than 0: only a body to which a "
                            "linkage gives inertia may have none of its own");
}

// A normal force may fall to zero, not below; the torque of a gear may. Looked at on a grid.
void check_loads(const Machine& machine, double end) {
  const auto& loads = machine.parts().loads;
  std::vector<char> either(loads.size(), 0);
  for (const auto& contact : machine.contacts)
    if (contact.load_part >= 0) either[std::size_t(contact.load_part)] = contact.law->signed_load();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (either[i]) continue;
    constexpr int points = 20'000;
    for (int k = 0; k <= points; ++k) {
      const double t = end * k / points, value = loads[i].load.value(t, loads[i].load.piece(t));
      if (value >= -1e-12 * loads[i].load.scale()) continue;
      throw InvalidPart("load", i, "amplitude",
                        "load: \"" + loads[i].name + "\" is " + words(value) +
                            " N at t = " + words(t) + " s, a load must not become negative");
    }
  }
}

}  // namespace bristle
