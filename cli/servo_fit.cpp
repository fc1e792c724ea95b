// SPDX-License-Identifier: MIT
#include "servo_fit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/servo_report.hpp"
#include "bristle/model/registry.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

const std::string servo(ServoPendulum<>::name), gear(GearFriction<>::name);

// Options of other fits.
void refuse_without_meaning(const FitArguments& a) {
  const auto refuse = [](bool given, const std::string& option, const std::string& why) {
    if (given)
      throw InvalidInput(option, option + " has no meaning with --mechanism " + servo + ": " + why);
  };
  refuse(a.choice.steady, "--steady", "a map has no motion");
  refuse(!a.choice.force.empty(), "--force", "motion is fitted, not force");
  refuse(!a.choice.load.empty(), "--load", "the load of the gear follows from the motion");
  refuse(!a.choice.velocity.empty(), "--velocity", "positions are compared, nothing else");
  refuse(a.output != "position", "--output " + a.output, "positions are compared, nothing else");
  refuse(!a.bandwidth.empty(), "--bandwidth", "no velocity is made from position");
  refuse(a.offset, "--offset", "there is no force to add to");
  refuse(a.asymmetric, "--asymmetric", "the law tells driving from being driven instead");
  refuse(a.robust, "--robust", "large errors always weigh less there");
  refuse(a.steps.has_value(), "--steps", "its steps are of at most 2 ms");
  refuse(!a.bound.empty(), "--bound",
         "the bounds are those of the parameters (bristle models " + gear + ")");
  refuse(!a.profiles.empty(), "--profile", "intervals come from runs left out");
}

io::MeasurementChoice choice_of(const FitArguments& a) {
  io::MeasurementChoice choice = a.choice;
  choice.others = {{a.choice.input, {"goal", "target", "setpoint"}, "--input", false, "rad"},
                   {a.gain, {"gain", "kp"}, "--gain"},
                   {a.enabled, {"enabled", "torque_enable"}, "--enabled", true}};
  // Each run is a group of its own if they are told apart by the same column.
  choice.group = !a.leave_out.empty() && a.leave_out == a.choice.run ? "run" : a.leave_out;
  return choice;
}

ServoRun run_of(const io::Measurement& m, std::size_t i, std::vector<std::string>& groups) {
  const Record& r = m.records[i];
  const auto& gain = r.others[1];
  for (const double g : gain)
    if (g != gain.front())
      throw InvalidInput("gain", "the gain goes from " + words(gain.front()) + " to " + words(g) +
                                     " within run " + r.name +
                                     ", it must be the same throughout a run");
  const auto known = std::find(groups.begin(), groups.end(), r.group);
  const int kind = int(known - groups.begin());
  if (known == groups.end()) groups.push_back(r.group);
  const auto enabled = r.others[2].empty() ? std::vector<double>(r.time.size(), 1.0) : r.others[2];
  return {r.name,     kind,   gain.empty() ? 0.0 : gain.front(), r.time, r.others[0],
          r.position, enabled};
}

std::vector<ServoRun> runs_of(io::Measurement& m) {
  std::vector<ServoRun> runs;
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < m.records.size(); ++i) runs.push_back(run_of(m, i, groups));
  if (m.records.front().others[2].empty())
    m.notes.push_back("no column says when the motor is on (--enabled): it is taken to be always");
  return runs;
}

ServoChoice chosen(const FitArguments& a) {
  ServoNames names;
  const auto read = [](const auto& texts, const char* option, auto& into) {
    for (const auto& text : texts) {
      const auto [name, value] = named_number(text, option);
      into[name] = value;
    }
  };
  read(a.fix, "--fix", names.fix);
  read(a.guess, "--guess", names.guess);
  names.free = a.free;
  return choose_servo(names);
}

ServoStudyOptions options_of(const FitArguments& a, const std::vector<ServoRun>& runs) {
  ServoStudyOptions o;
  o.fit.starts = a.starts.value_or(128);
  o.fit.refined = std::min(8, o.fit.starts);
  o.fit.seed = unsigned(a.seed);
  o.fit.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
  o.hold_out = a.hold_out;
  o.leave_out = !a.leave_out.empty();
  if (o.leave_out && !o.hold_out.empty())
    throw InvalidInput("--leave-out", "--hold-out and --leave-out exclude each other");
  for (const auto& name : o.hold_out) {
    const auto part = io::number_in(name);
    const bool known = std::any_of(runs.begin(), runs.end(),
                                   [&](const ServoRun& run) { return run.name == name; });
    if (!known && part && *part > 0.0 && *part < 1.0)
      throw InvalidInput("--hold-out", "--hold-out " + name + ": of a servo whole runs are held " +
                                           "out, by their names");
  }
  return o;
}

void print_errors(const io::ServoReport& r) {
  const ServoStudy& s = r.study;
  const auto line = [](const std::string& name, const ServoError& e) {
    fmt::print("  {:<26} {:>13.4f} {:>16.4f} {:>9.3f}\n", name, e.mean_absolute, e.root_mean_square,
               e.largest);
  };
  fmt::print("\n  {:<26} {:>13} {:>16} {:>9}\n", "error [rad], mean of runs", "mean absolute",
             "root mean square", "largest");
  line("fitted", s.fitted);
  if (s.any_held_out()) line("held out", s.held);
  if (!s.folds.empty()) line("each " + r.left_out + " left out", s.unseen);
  line("at the mean of the run", s.at_mean);
  line("at the goal", s.at_goal);
  fmt::print("  {:<26} a quarter of them moves the rollouts by {:.2g} rad\n", "steps",
             s.step_error);
}

void print_runs(const io::ServoReport& r) {
  const ServoStudy& s = r.study;
  const bool folds = !s.folds.empty();
  fmt::print("\n  {:<12} {:>8} {:>13} {:>16}{}\n", "run", "gain", "mean absolute",
             "root mean square", folds ? "   left out: mean absolute, root mean square" : "");
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    fmt::print("  {:<12} {:>8g} {:>13.4f} {:>16.4f}", s.runs[i].name, s.runs[i].gain,
               s.errors[i].mean_absolute, s.errors[i].root_mean_square);
    if (folds)
      fmt::print("   {:>23.4f} {:>17.4f}", s.unseen_errors[i].mean_absolute,
                 s.unseen_errors[i].root_mean_square);
    fmt::print("{}\n", s.held_out[i] ? "   held out" : "");
  }
}

void print(const io::ServoReport& r) {
  std::size_t runs = 0, samples = 0;
  for (std::size_t i = 0; i < r.study.runs.size(); ++i)
    if (!r.study.held_out[i]) ++runs, samples += r.study.runs[i].time.size();
  fmt::print("{} of a {} fitted to {} runs, {} samples of {}\n", gear, servo, runs, samples,
             r.data);
  print_columns(r.measurement);
  fmt::print("\n");
  print_parameters(all_estimates(r.study.fit));
  print_errors(r);
  print_runs(r);
  if (!r.study.warnings.empty()) fmt::print("\n");
  for (const auto& w : r.study.warnings) fmt::print("  ! {}\n", w);
  for (const auto& n : r.measurement.notes) fmt::print("  note: {}\n", n);
}

void write(io::ResultDirectory& out, const io::ServoReport& r) {
  out.write("fit.csv", io::servo_fit_csv(r.study));
  if (!r.study.folds.empty()) {
    out.write("left_out.csv", io::servo_unseen_csv(r.study));
    out.write("folds.csv", io::servo_folds_csv(r.study));
  }
  out.write("report.html", io::servo_html(r));
  out.write(std::string(io::summary_name), io::servo_json(r).dump(2) + "\n");
  out.commit();
}

}  // namespace

bool asks_for_servo(const FitArguments& a) { return a.mechanism == servo; }

void check_servo_words(const FitArguments& a) {
  if (a.mechanism == servo) {
    find_law(a.model);
    if (a.model != gear)
      throw InvalidInput("--model", a.model + " cannot be fitted with --mechanism " + servo +
                                        ", only " + gear +
                                        " can; simpler laws are it with terms held at 0 by --fix");
    return;
  }
  if (a.model == gear && !a.mechanism.empty())
    throw InvalidInput("--mechanism", gear + " cannot be fitted with --mechanism " + a.mechanism +
                                          ", only with " + servo);
  for (const auto& [option, given] :
       {std::pair{"--gain", a.gain}, {"--enabled", a.enabled}, {"--leave-out", a.leave_out}})
    if (!given.empty())
      throw InvalidInput(option, std::string(option) + " needs --mechanism " + servo);
}

int run_servo_fit(const FitArguments& a) {
  refuse_without_meaning(a);
  const ServoChoice choice = chosen(a);
  io::Measurement measurement = io::read_measurement(a.files, choice_of(a));
  std::vector<ServoRun> runs = runs_of(measurement);
  ServoStudyOptions options = options_of(a, runs);
  // A directory that must not be replaced is better refused now than after the fit.
  std::optional<io::ResultDirectory> out;
  if (!a.out.empty()) out.emplace(a.out);
  ServoStudy study;
  {
    Progress progress("fit");
    options.fit.progress = [&](double done) { return progress.show(done); };
    study = study_servo(std::move(runs), choice, options);
  }
  if (study.stopped() || interrupted()) throw io::Interrupted();
  const io::ServoReport report{study,       measurement,    options.fit,
                               a.leave_out, a.command_line, file_names(a.files)};
  if (out) write(*out, report);
  if (a.json) fmt::print("{}\n", io::servo_json(report).dump(2));
  else print(report);
  if (out && !a.json) fmt::print("\nresults: {}/report.html\n", a.out);
  return study.converged() ? io::success : io::fit_unfinished;
}

}  // namespace bristle::cli
