// SPDX-License-Identifier: MIT
// Machines of several bodies at random: rows of two to four bodies with springs and play, friction
// on the ground, on a belt and between neighbours, inputs with a lag and loads that vary.
#pragma once

#include "bristle/machine/machine.hpp"
#include "bristle/solve/machine_run.hpp"
#include "draw.hpp"
#include "properties.hpp"

namespace bristle::campaign {

// One part of a machine as a file has it: the fields of a [[list]], and the law of a contact.
struct Piece {
  std::string list;
  Values values;
  Values law{};  // with its name
};

struct ManyBodies {
  std::vector<Piece> pieces;
  Values solve;
};

ManyBodies draw_bodies(Random& random, std::uint64_t index);
// Throws InvalidInput.
bristle::Machine built(const ManyBodies& machine);
std::string toml_text(const ManyBodies& machine, const std::string& title);

// Of an adaptive run: finite, the last sample at the end, contacts that stick exactly at rest, the
// ledger closes.
std::vector<Violation> violations(const bristle::Machine& machine, const Options& options,
                                  const MachineResult& run);

}  // namespace bristle::campaign
