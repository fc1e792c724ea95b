// SPDX-License-Identifier: MIT
// Time to solve stick-slip to a given error: Bristle against general-purpose solvers.
//
//   stick_slip                     the table of the main parameter set, then nine other sets
//   stick_slip --scans FILE        with the runs of other programs added (stick_slip_scipy.py)
//   stick_slip --reference FILE    only writes x and F of the reference solution
//   stick_slip --points            prints every run behind the table as well
//   stick_slip --short             few tolerances and runs: checks that it works
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "work_precision.hpp"

namespace {

using namespace bench;

constexpr std::array<double, 2> targets{1e-4, 1e-6};
using Times = std::array<double, 2>;

struct Request {
  bool brief = false, list_points = false;
  std::string reference, scans;

  Effort effort() const { return brief ? Effort{1, 0.0} : Effort{7, 0.1}; }
  int per_decade() const { return brief ? 1 : 6; }
};

Request read(int count, char** words) {
  Request r;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--short") r.brief = true;
    else if (word == "--points") r.list_points = true;
    else if (word == "--reference" && i + 1 < count) r.reference = words[++i];
    else if (word == "--scans" && i + 1 < count) r.scans = words[++i];
    else std::fprintf(stderr, "stick_slip: ignored %s\n", words[i]);
  }
  return r;
}

// The reference, and how far a solver of another family is from it.
struct Reference {
  Curves curves;
  double doubt = 0.0;
};
Reference reference_of(const Problem& p, bool brief) {
  Reference r;
  solve_bristle(p, brief ? 1e-12 : 1e-13, r.curves);
  Curves other;
  solve_odeint_scaled(p, brief ? 1e-10 : 1e-12, other);
  r.doubt = error_of(other, r.curves);
  return r;
}

Times times_of(const Scan& scan) {
  return {seconds_at(scan, targets[0]), seconds_at(scan, targets[1])};
}

void print_points(const std::string& name, const Scan& scan) {
  for (const Point& p : scan)
    std::printf("    %-22s tolerance %.1e  error %.2e  %9.3f ms\n", name.c_str(), p.tolerance,
                p.error, 1e3 * p.seconds);
}

// Runs of other programs: lines of name, tolerance, error, seconds.
std::map<std::string, Scan> read_scans(const std::string& file) {
  std::map<std::string, Scan> all;
  std::ifstream in(file);
  std::string name;
  Point p{};
  while (in >> name >> p.tolerance >> p.error >> p.seconds) all[name].push_back(p);
  return all;
}

void main_set(const Request& request) {
  const Problem p;
  const Reference reference = reference_of(p, request.brief);
  std::printf("Stick-slip, coupled. Reference confirmed by odeint to %.1e.\n", reference.doubt);
  std::printf("%-24s %10s %8s %12s %8s\n", "", "1e-4 [ms]", "ratio", "1e-6 [ms]", "ratio");
  std::map<std::string, Scan> others = read_scans(request.scans);
  const auto own = [&](Solver& solve) {
    return scan(solve, p, reference.curves, request.per_decade(), request.effort());
  };
  std::vector<std::pair<std::string, Scan>> all{{"Bristle", own(solve_bristle)},
                                                {"odeint rosenbrock4", own(solve_odeint)},
                                                {"odeint, scaled states", own(solve_odeint_scaled)},
                                                {"CVODE BDF", own(solve_cvode)}};
  for (const auto& [name, scan] : others) all.push_back({"scipy " + name, scan});
  const Times ours = times_of(all[0].second);
  for (const auto& [name, scan] : all) {
    const Times t = times_of(scan);
    std::printf("%-24s %10.3f %8.1f %12.3f %8.1f\n", name.c_str(), 1e3 * t[0], t[0] / ours[0],
                1e3 * t[1], t[1] / ours[1]);
    if (request.list_points) print_points(name, scan);
  }
}

struct Variant {
  const char* name;
  Problem problem;
};
std::vector<Variant> variants() {
  std::vector<Variant> all;
  const auto add = [&](const char* name, auto change) {
    all.push_back({name, {}});
    change(all.back().problem);
  };
  add("stiffness 1e4", [](Problem& p) { p.stiffness = 1e4; });
  add("stiffness 1e6", [](Problem& p) { p.stiffness = 1e6; });
  add("Stribeck velocity 1e-4", [](Problem& p) { p.stribeck_velocity = 1e-4; });
  add("Stribeck velocity 1e-2", [](Problem& p) { p.stribeck_velocity = 1e-2; });
  add("spring 20", [](Problem& p) { p.spring = 20.0; });
  // Ten times slower needs ten times longer to slip at all.
  add("drag 0.01, 400 s", [](Problem& p) { p.drag = 0.01, p.end = 400.0; });
  add("drag 1", [](Problem& p) { p.drag = 1.0; });
  add("damping 10", [](Problem& p) { p.damping = 10.0; });
  add("stiffness 1e6, damping 1e3", [](Problem& p) { p.stiffness = 1e6, p.damping = 1e3; });
  return all;
}

void other_sets(const Request& request) {
  std::printf(
      "\nOther sets: time of odeint rosenbrock4 (the better of its two) over that of Bristle\n");
  std::printf("%-28s %8s %8s %12s %12s %10s\n", "", "1e-4", "1e-6", "1e-4 [ms]", "1e-6 [ms]",
              "reference");
  for (const Variant& v : variants()) {
    const Reference reference = reference_of(v.problem, request.brief);
    const auto times = [&](Solver& solve) {
      return times_of(
          scan(solve, v.problem, reference.curves, request.per_decade(), request.effort()));
    };
    const Times ours = times(solve_bristle), raw = times(solve_odeint),
                scaled = times(solve_odeint_scaled);
    Times ratio{};
    for (int i = 0; i < 2; ++i) ratio[i] = std::fmin(raw[i], scaled[i]) / ours[i];
    std::printf("%-28s %8.1f %8.1f %12.3f %12.3f %10.0e\n", v.name, ratio[0], ratio[1],
                1e3 * ours[0], 1e3 * ours[1], reference.doubt);
  }
}

bool write_reference(const std::string& file, bool brief) {
  const Reference r = reference_of(Problem{}, brief);
  std::ofstream out(file);
  out.precision(17);
  for (int i = 0; i < points; ++i) out << r.curves.x[i] << ' ' << r.curves.force[i] << '\n';
  return bool(out);
}

}  // namespace

int main(int count, char** words) {
  const Request request = read(count, words);
  if (!request.reference.empty()) return write_reference(request.reference, request.brief) ? 0 : 1;
  main_set(request);
  other_sets(request);
}
