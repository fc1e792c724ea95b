// SPDX-License-Identifier: MIT
// A map over two axes that is refined along a boundary: where a quantity passes a level, or where
// its word changes.
//
// Runs are numbered on the finest grid. The first round makes the grid of the file. A cell whose
// points lie on different sides of the boundary is split in four, which asks for the middles of its
// edges and its centre; so is a neighbour that finds the middle of an edge on another side. Rounds
// go on until no cell is left to split. What a round asks for follows from the rows before it, so
// that a sweep that was stopped goes on as if it had not been.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/sweep_results.hpp"
#include "bristle/solve/cancel.hpp"

namespace bristle::io {
namespace {

// Chunks of different rounds have different numbers in the journal.
constexpr std::uint64_t chunks_per_round = std::uint64_t(1) << 40;

struct BoundaryCell {
  std::uint64_t i, j, stride;  // its first corner on the finest grid, and how far it goes
};

// Which side of the boundary each run is on.
class BoundarySides {
 public:
  explicit BoundarySides(const Sweep& sweep) : sweep_(sweep) {
    const auto& all = sweep.quantities();
    const auto named = [&](const KeptQuantity& q) { return q.name == sweep.boundary()->quantity; };
    quantity_ = std::size_t(std::find_if(all.begin(), all.end(), named) - all.begin());
  }
  void add(const SweepRow& row) {
    const Measured& m = row.quantities[quantity_];
    std::string side = "none";
    if (const auto* word = std::get_if<std::string>(&m)) side = "word " + *word;
    const auto* value = std::get_if<double>(&m);
    if (value && sweep_.boundary()->level)
      side = *value > *sweep_.boundary()->level ? "above" : "below";
    else if (value)
      throw InputError(sweep_.boundary()->where + ": [ensemble] boundary: " +
                       sweep_.boundary()->quantity + " is a number, say which with level = ...");
    sides_[row.number - 1] = {side, value ? *value : NAN};
  }
  bool known(std::uint64_t i, std::uint64_t j) const { return sides_.contains(number(i, j)); }
  // Whether two points lie on different sides; not if one of them is not known.
  bool differ(std::uint64_t a, std::uint64_t b) const {
    const auto one = sides_.find(a), other = sides_.find(b);
    return one != sides_.end() && other != sides_.end() && one->second.side != other->second.side;
  }
  std::uint64_t number(std::uint64_t i, std::uint64_t j) const {
    return i * sweep_.plan().axes[1].size() + j;
  }
  // Where the level is passed between two points, as a part of the way; half of it for words.
  double crossing(std::uint64_t a, std::uint64_t b) const {
    const double one = sides_.at(a).value, other = sides_.at(b).value;
    if (!sweep_.boundary()->level || !std::isfinite(one) || !std::isfinite(other)) return 0.5;
    return (*sweep_.boundary()->level - one) / (other - one);
  }
  template <class F>
  void each(const F& f) const {
    const std::uint64_t columns = sweep_.plan().axes[1].size();
    for (const auto& [run, side] : sides_) f(run / columns, run % columns);
  }

 private:
  struct Side {
    std::string side;
    double value;
  };
  const Sweep& sweep_;
  std::size_t quantity_ = 0;
  std::map<std::uint64_t, Side> sides_;
};

// Splits the cells that the boundary passes through, with the runs this asks for; false if there
// are none.
bool split_cells(const BoundarySides& sides, std::vector<BoundaryCell>& cells,
                 std::set<std::uint64_t>& asked) {
  std::vector<BoundaryCell> next;
  for (const auto& cell : cells) {
    stop_if_asked();
    const std::uint64_t half = cell.stride / 2;
    bool passes = false;
    const std::uint64_t first = sides.number(cell.i, cell.j);
    // Without halves only the corners are points of the grid.
    for (std::uint64_t a = 0; a <= 2 && half > 0; ++a)
      for (std::uint64_t b = 0; b <= 2; ++b)
        passes = passes || sides.differ(first, sides.number(cell.i + a * half, cell.j + b * half));
    if (!passes) {
      next.push_back(cell);
      continue;
    }
    for (std::uint64_t a = 0; a <= 2; ++a)
      for (std::uint64_t b = 0; b <= 2; ++b)
        if (!sides.known(cell.i + a * half, cell.j + b * half))
          asked.insert(sides.number(cell.i + a * half, cell.j + b * half));
    for (const std::uint64_t a : {0, 1})
      for (const std::uint64_t b : {0, 1})
        next.push_back({cell.i + a * half, cell.j + b * half, half});
  }
  const bool split = next.size() > cells.size();
  cells = std::move(next);
  return split;
}

}  // namespace

SweepOutcome refine_sweep(const Sweep& sweep, SweepJournal& journal, const SweepOptions& options,
                          std::vector<std::string>& rows) {
  const std::uint64_t stride = std::uint64_t(1) << sweep.boundary()->halvings;
  const std::uint64_t ni = sweep.plan().axes[0].size(), nj = sweep.plan().axes[1].size();
  BoundarySides sides(sweep);
  std::vector<BoundaryCell> cells;
  std::vector<std::uint64_t> asked;
  for (std::uint64_t i = 0; i < ni; i += stride)
    for (std::uint64_t j = 0; j < nj; j += stride) {
      asked.push_back(sides.number(i, j));
      if (i + stride < ni && j + stride < nj) cells.push_back({i, j, stride});
    }
  SweepOutcome all;
  std::map<std::uint64_t, std::string> lines;
  for (std::uint64_t round = 0; !asked.empty() && !all.budget_spent; ++round) {
    SweepChunks chunks = sweep.chunks();
    chunks.runs = asked.size();
    chunks.list = std::make_shared<std::vector<std::uint64_t>>(asked);
    chunks.offset = round * chunks_per_round;
    SweepOptions rest = options;
    if (options.budget > 0.0) rest.budget = std::max(1e-6, options.budget - all.seconds);
    const SweepOutcome one = run_sweep(sweep, chunks, journal, rest);
    all.made += one.made, all.seconds += one.seconds;
    all.processor_seconds += one.processor_seconds;
    all.budget_spent = one.budget_spent;
    std::uint64_t position = chunks.offset;
    for (std::string block;
         journal.next(position, block) && position <= chunks.offset + chunks_per_round;) {
      std::istringstream in(block);
      for (std::string line; std::getline(in, line);) {
        const SweepRow row = row_from(line, 2, sweep.quantities().size(), "the journal");
        sides.add(row);
        lines[row.number] = line + "\n";
      }
    }
    if (all.budget_spent) break;
    // A cell that is split may show by points that are known that parts of it are to be split too.
    std::set<std::uint64_t> next;
    while (next.empty() && split_cells(sides, cells, next)) continue;
    asked.assign(next.begin(), next.end());
  }
  rows.clear();
  for (auto& [number, line] : lines) rows.push_back(std::move(line));
  return all;
}

Line write_boundary(const std::string& table, const Sweep& sweep, ResultDirectory& out) {
  BoundarySides sides(sweep);
  each_row(table, sweep, [&](const SweepRow& row) { sides.add(row); });
  const auto& axes = sweep.plan().axes;
  const auto between = [](const Axis& axis, std::uint64_t i, double part) {
    if (part == 0.0) return axis.value(i);
    const double a = axis.value(i), b = axis.value(i + 1);
    return axis.log ? a * std::pow(b / a, part) : a + (b - a) * part;
  };
  std::vector<double> x, y;
  sides.each([&](std::uint64_t i, std::uint64_t j) {
    for (const std::uint64_t along : {0, 1}) {
      const std::uint64_t here = sides.number(i, j);
      if (along == 0 ? i + 1 >= axes[0].size() : j + 1 >= axes[1].size()) continue;
      const std::uint64_t next = along == 0 ? sides.number(i + 1, j) : sides.number(i, j + 1);
      if (!sides.differ(here, next)) continue;
      const double part = sides.crossing(here, next);
      x.push_back(between(axes[0], i, along == 0 ? part : 0.0));
      y.push_back(between(axes[1], j, along == 0 ? 0.0 : part));
    }
  });
  out.write("boundary.csv", csv_text({{axes[0].field, x}, {axes[1].field, y}}));
  Line line{"boundary.csv", "($1)", "($2)", "boundary"};
  line.dots = line.behind = true;
  line.xs = std::move(x), line.ys = std::move(y);
  return line;
}

}  // namespace bristle::io
