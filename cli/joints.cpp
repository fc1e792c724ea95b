// SPDX-License-Identifier: MIT
#include "joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "law_fit.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

struct Joint {
  std::string name;
  FitArguments arguments;
};

double joint_number(const std::string& text, const std::string& where) {
  const auto value = io::number_in(text);
  if (!value) throw io::InputError(where + ": '" + text + "' is not a number");
  return *value;
}

// A name that can be a folder.
void check_joint_name(const std::string& name, const std::string& where) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  if (name.empty() || name.size() > 60 || !std::all_of(name.begin(), name.end(), plain))
    throw io::InputError(where + ": the name of a joint has 1 to 60 letters, digits, _ and -");
}

// NAME=POSITION,FORCE and, behind them, velocity=COLUMN, load=COLUMN, gear=N, motor-constant=K.
Joint joint_of(const std::string& text, const FitArguments& common) {
  const std::string where = "--joint " + text;
  const auto equals = text.find('=');
  Joint joint{text.substr(0, std::min(equals, text.size())), common};
  check_joint_name(joint.name, where);
  FitArguments& a = joint.arguments;
  std::vector<std::string> plain;
  for (std::size_t at = equals == text.npos ? text.size() : equals + 1; at < text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, comma - at);
    at = comma + 1;
    const auto middle = item.find('=');
    const std::string key = item.substr(0, std::min(middle, item.size()));
    const std::string value = middle == item.npos ? "" : item.substr(middle + 1);
    if (middle == item.npos) plain.push_back(item);
    else if (key == "velocity") a.choice.velocity = value;
    else if (key == "load") a.choice.load = value;
    else if (key == "gear") a.gear = joint_number(value, where);
    else if (key == "motor-constant") a.motor_constant = joint_number(value, where);
    else
      throw io::InputError(
          where + ": " +
          not_found("setting of a joint", key, {"velocity", "load", "gear", "motor-constant"}));
  }
  if (plain.size() != 2 || plain[0].empty() || plain[1].empty())
    throw io::InputError(where + ": must read NAME=POSITION,FORCE, the columns of the joint");
  a.choice.position = plain[0], a.choice.force = plain[1];
  a.joints.clear();
  return joint;
}

std::vector<Joint> joints_of(const FitArguments& a) {
  if (!a.machine.empty() || !a.mechanism.empty())
    throw io::InputError(
        "--joint: is for a measured torque along a measured motion; a machine has its joints in "
        "its file");
  std::vector<Joint> all;
  for (const auto& text : a.joints) {
    all.push_back(joint_of(text, a));
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      if (all[i].name == all.back().name)
        throw io::InputError("--joint " + text + ": there are two joints of the name " +
                             all.back().name);
  }
  return all;
}

// One row per joint, one column per parameter; a question mark for what is not determined.
void print_joint_rows(const std::vector<Joint>& joints, const std::vector<LawFit>& fits) {
  std::vector<std::string> names;
  for (const LawFit& one : fits)
    for (const auto& p : one.fit.parameters)
      if (p.free && std::find(names.begin(), names.end(), p.name) == names.end())
        names.push_back(p.name);
  const auto width = [](const std::string& name) { return std::max<std::size_t>(name.size(), 14); };
  fmt::print("\n{:<14} {:>12} {:>12}", "joint", "fitted rmse", "held out");
  for (const auto& name : names) fmt::print(" {:>{}}", name, width(name));
  fmt::print("\n");
  for (std::size_t k = 0; k < fits.size(); ++k) {
    const FitSummary& f = fits[k].fit;
    fmt::print("{:<14} {:>12.5g} {:>12}", joints[k].name, f.fitted.rmse,
               f.held_out.samples > 0 ? fmt::format("{:.5g}", f.held_out.rmse) : "");
    for (const auto& name : names) {
      std::string cell;
      for (const auto& p : f.parameters)
        if (p.name == name)
          cell = fmt::format("{:.5g}", p.value) + (p.free && !p.determined ? " ?" : "");
      fmt::print(" {:>{}}", cell, width(name));
    }
    fmt::print("{}\n", f.unusable.empty() ? "" : "  !! it must not be used: " + f.unusable);
  }
  fmt::print("\n");
  for (std::size_t k = 0; k < fits.size(); ++k) {
    const auto& name = joints[k].name;
    if (const auto& delay = fits[k].delay)
      fmt::print("  {}: {}\n", name, io::delay_words(*delay, fits[k].fit.problem.measured_unit()));
    for (const auto& w : fits[k].fit.warnings) fmt::print("  ! {}: {}\n", name, w);
    for (const auto& n : fits[k].measurement.notes) fmt::print("  note: {}: {}\n", name, n);
  }
}

}  // namespace

int run_joint_fits(const FitArguments& a) {
  const auto joints = joints_of(a);
  std::vector<LawFit> fits;
  {
    Progress progress("fitting joints");
    for (const Joint& joint : joints) {
      progress.show(double(fits.size()) / double(joints.size()));
      try {
        fits.push_back(fit_law(joint.arguments));
      } catch (const InvalidInput& error) {
        throw io::InputError("joint " + joint.name + ": " + error.what());
      }
    }
  }
  bool usable = true;
  ordered_json all{{"joints", ordered_json::array()}};
  for (std::size_t k = 0; k < fits.size(); ++k) {
    usable = usable && fits[k].fit.unusable.empty();
    if (!a.out.empty()) write_fit(a.out + "/" + joints[k].name, fits[k]);
    if (!a.json) continue;
    all["joints"].push_back({{"joint", joints[k].name}});
    all["joints"].back().update(io::fit_json(fits[k].report()));
  }
  if (a.json) {
    fmt::print("{}\n", all.dump(2));
  } else {
    fmt::print("{} fitted to {} joints of {}\n", a.model, joints.size(), fits.front().data);
    for (std::size_t k = 0; k < fits.size(); ++k)
      for (const io::ColumnReading& r : fits[k].measurement.columns)
        fmt::print("  {}, {}\n", joints[k].name, r.words());
    print_joint_rows(joints, fits);
    if (!a.out.empty()) fmt::print("\nresults: {}/NAME/report.html\n", a.out);
  }
  return usable ? io::success : io::fit_unfinished;
}

}  // namespace bristle::cli
