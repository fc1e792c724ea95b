// SPDX-License-Identifier: MIT
#include "bristle/identify/fit.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/fit_part.hpp"
#include "commands.hpp"
#include "data_conditions.hpp"
#include "data_delay.hpp"
#include "joints.hpp"
#include "law_fit.hpp"
#include "machine_fit.hpp"
#include "progress.hpp"
#include "start_part.hpp"

namespace bristle::cli {
namespace {

void print(const io::FitReport& r) {
  const FitSummary& f = r.fit;
  fmt::print("{} fitted to {} samples of {}\n", f.law, f.fitted.samples, r.data);
  print_columns(r.measurement);
  fmt::print("\n");
  print_parameters(f.parameters);
  const auto line = [&](const char* name, const Agreement& a) {
    fmt::print("  {:<22} rmse {:.5g} {}, {:.2f} % of the range, R2 {:.5f}\n", name, a.rmse,
               f.problem.measured_unit(), 100.0 * a.nrmse, a.r2);
  };
  fmt::print("\n");
  line("fitted", f.fitted);
  if (f.held_out.samples > 0) line("held out", f.held_out);
  if (f.runs.size() > 1)
    for (const RunAgreement& one : f.runs) {
      if (one.fitted.samples > 0) line(("  run " + one.run).c_str(), one.fitted);
      if (one.held_out.samples > 0) line(("  run " + one.run + ", held out").c_str(), one.held_out);
    }
  line("a constant", f.constant);
  const bool rollout = f.problem.kind == FitKind::rollout;
  line(rollout               ? "a line of the input"
       : f.problem.terms > 0 ? "mechanics, Coulomb"
                             : "sign of the velocity",
       f.coulomb);
  for (const std::string& one : io::dependence_words(f)) fmt::print("  {:<22} {}\n", "", one);
  if (const std::string gravity = io::gravity_words(f); !gravity.empty())
    fmt::print("  {:<22} {}\n", "gravity", gravity);
  if (rollout)
    fmt::print("  {:<22} halving them moves the fit by {:.3g} {} rms\n", "steps", f.step_error,
               f.problem.measured_unit());
  if (const std::string velocity = io::velocity_words(f); !velocity.empty())
    fmt::print("  {:<22} {}\n", "velocity", velocity);
  if (r.delay)
    fmt::print("  {:<22} {}\n", "delay", io::delay_words(*r.delay, f.problem.measured_unit()));
  if (const std::string motion = io::motion_words(f); !motion.empty())
    fmt::print("  {:<22} {}\n", "motion", motion);
  for (const Profile& p : r.profiles)
    fmt::print("  profile of {}: {} to {}\n", p.parameter,
               p.open_below ? "no limit" : fmt::format("{:.5g}", p.lower),
               p.open_above ? "no limit" : fmt::format("{:.5g}", p.upper));
  if (!f.warnings.empty() || !f.unusable.empty()) fmt::print("\n");
  if (!f.unusable.empty()) fmt::print("  !! this fit must not be used: {}\n", f.unusable);
  for (const auto& w : f.warnings) fmt::print("  ! {}\n", w);
  for (const auto& n : r.measurement.notes) fmt::print("  note: {}\n", n);
}

}  // namespace

void write_fit(const std::string& directory, const LawFit& fitted) {
  const io::FitReport r = fitted.report();
  io::ResultDirectory out(directory);
  const FitProblem& problem = r.fit.problem;
  const auto predicted = fit_predict(problem, r.fit.x);
  // Some thousand rows at a time.
  std::size_t k = 0, i = 0;
  bool begun = false;
  out.write("fit.csv", [&](std::string& block) {
    if (begun && k >= predicted.size()) return false;
    std::vector<double> run, time, position, velocity, force, fitted, held;
    for (; k < predicted.size() && run.size() < 4096; ++i) {
      if (i >= predicted[k].size()) {
        ++k, i = std::size_t(-1);
        continue;
      }
      const Sample& s = problem.runs[k].samples[i];
      run.push_back(double(k + 1)), time.push_back(s.time), position.push_back(s.position);
      velocity.push_back(s.velocity), force.push_back(s.force);
      fitted.push_back(predicted[k][i]), held.push_back(s.weight > 0.0 ? 0.0 : 1.0);
    }
    std::vector<std::pair<std::string, std::span<const double>>> columns{
        {"run", run}, {"time", time}, {"position", position}, {"velocity", velocity}};
    if (problem.kind != FitKind::rollout) columns.push_back({"force", force});
    columns.push_back({"fitted_" + std::string(problem.measured_name()), fitted});
    columns.push_back({"held_out", held});
    block = io::csv_text(columns);
    if (begun) block.erase(0, block.find('\n') + 1);
    begun = true;
    return true;
  });
  // What drives the mechanism, its time counted from the first sample.
  if (problem.kind == FitKind::rollout) {
    const Track& first = problem.runs.front();
    std::vector<double> clock = first.input_time;
    for (double& t : clock) t -= first.samples.front().time;
    out.write("input.csv", io::csv_text({{"time", clock}, {"input", first.input}}));
  }
  out.write("part.toml", io::part_text(io::part_of(r.fit, fitted.origin)));
  out.write("run.toml", io::fit_run_text(r.fit));
  out.write("report.html", io::fit_html(r));
  out.write(std::string(io::summary_name), io::fit_json(r).dump(2) + "\n");
  out.commit();
}

LawFit fit_law(const FitArguments& a) {
  check_contradictions(a);
  FitInput input = read_input(a, a.model);
  FitOptions options = fit_options(a, a.model, input);
  options.units = input.measurement.units;
  options.conditions = input.conditions;
  const auto delay = take_out_delay(a, a.model, input, options);
  Progress progress("fitting " + a.model);
  options.solver.stop = [&] { return !progress.count("solver steps"); };
  FitSummary summary = fit(a.model, std::move(input.runs), options);
  if (summary.status == FitStatus::stopped || interrupted()) throw io::Interrupted();
  if (summary.x.empty()) throw InvalidInput("model", a.model + ": " + summary.message);
  summary.warnings.insert(summary.warnings.begin(), input.warnings.begin(), input.warnings.end());
  LawFit fitted{
      std::move(summary),
      std::move(input.measurement),
      {},
      a.command_line,
      input.name,
      delay,
      {a.files, a.command_line, a.licence, a.source, input.unused_load, input.conditions}};
  for (const auto& name : a.profiles) fitted.profiles.push_back(profile(fitted.fit, name));
  return fitted;
}

namespace {

// What only a machine has.
void refuse_of_machines(const FitArguments& a) {
  if (!a.measured.empty())
    throw io::InputError("--measured " + a.measured.front() + ": needs --machine, its file");
  if (!a.leave_out.empty() || a.measured_start)
    throw io::InputError(std::string(a.measured_start ? "--measured-start" : "--leave-out") +
                         ": needs --machine, the file of a machine");
}

int run_fit(const FitArguments& given) {
  const FitArguments a = with_start(given);
  if (!a.machine.empty()) {
    if (!a.depends.empty() || a.backlash)
      throw io::InputError(
          (a.backlash ? std::string("--backlash") : "--depends " + a.depends.front()) +
          ": is for the fit of a law, not of a machine");
    if (a.joints.empty()) return run_machine_fit(a);
  }
  refuse_of_machines(a);
  if (a.model.empty())
    throw io::InputError("--model: is needed, the law to fit (or --machine FILE, or --start PART)");
  check_mechanism(a.mechanism);
  if (!a.joints.empty()) return run_joint_fits(a);
  const LawFit fitted = fit_law(a);
  if (!a.out.empty()) write_fit(a.out, fitted);
  if (a.json) fmt::print("{}\n", io::fit_json(fitted.report()).dump(2));
  else print(fitted.report());
  if (!a.out.empty() && !a.json) fmt::print("\nresults: {}/report.html\n", a.out);
  return fitted.fit.unusable.empty() ? io::success : io::fit_unfinished;
}

}  // namespace

void add_fit(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand(
      "fit", "Fit a law or a machine to measured data, with confidence intervals and warnings");
  auto a = std::make_shared<FitArguments>();
  a->command_line = command_line;
  add_data_options(*command, *a);
  command->add_option("--model", a->model, "law to fit (bristle models)")->type_name("NAME");
  add_torque_options(*command, *a);
  add_condition_options(*command, *a);
  command
      ->add_option("--joint", a->joints,
                   "one joint of a record with several joints: its columns, then velocity=COLUMN, "
                   "load=COLUMN, gear=N, motor-constant=K if needed; repeat it for each joint, one "
                   "fit and one row per joint")
      ->type_name("NAME=POSITION,FORCE")
      ->allow_extra_args(false);
  add_motion_options(*command, *a);
  command
      ->add_option("--machine", a->machine,
                   "fit motion of a machine: its file; --free names its parameters, such as "
                   "contact.bearing.viscous")
      ->type_name("FILE");
  command
      ->add_option("--measured", a->measured,
                   "what a column was measured of: an input, COUPLING.SIGNAL, BODY.position, "
                   "BODY.velocity, or a parameter that differs from run to run; may be repeated")
      ->type_name("NAME=COLUMN[:UNIT]");
  command
      ->add_option("--leave-out", a->leave_out,
                   "cross-validation of a machine: leave out the runs of each value of a column in "
                   "turn and report their held-out error; run: leave out each run")
      ->type_name("COLUMN");
  command->add_flag("--measured-start", a->measured_start,
                    "runs of a machine start at the measured positions, with the velocities of its "
                    "file; without this option their initial states are fitted");
  command
      ->add_option("--start", a->start,
                   "start from the result of another fit: its law, fixed values and parameters")
      ->type_name("PART");
  command->add_option("--guess", a->guess, "a starting value; may be repeated")
      ->type_name("NAME=VALUE");
  command->add_option("--bound", a->bound, "limits of a parameter; may be repeated")
      ->type_name("NAME=LOW:HIGH");
  command
      ->add_option("--profile", a->profiles, "also compute the profile likelihood of a parameter")
      ->type_name("NAME");
  command
      ->add_option(
          "--out", a->out,
          "directory for a report, the fit as CSV, its result as a part (see bristle part), a "
          "file that runs it and a summary")
      ->type_name("DIR");
  command->add_option("--licence", a->licence, "licence of the data, written into the part")
      ->type_name("TEXT");
  command->add_option("--source", a->source, "source of the data, written into the part")
      ->type_name("TEXT");
  command->add_flag("--json", a->json, "print everything as JSON");
  group_fit_options(*command);
  command->footer(
      "Columns are found by their usual names, or named by the options above. Their units are\n"
      "those of the header (position_mm, \"Force [kN]\", t/ms), or given: --force Friction:uN,\n"
      "--position x:mm, or by a factor to SI: --force volts:25; a minus reverses the sign:\n"
      "--force F:-N. Without a unit they are read in SI. Rotation is fitted in rad and N m.\n"
      "Units: bristle models units.\n"
      "The force of the law is simulated along the measured motion; --steady fits maps of force\n"
      "over speed. --terms fits mechanics beside the friction: tau = inertia a\n"
      "+ gravity sin(q + q0) + viscous v + offset + friction; --load is then a payload.\n"
      "--mechanism fits motion: the mechanism is simulated under --input from the first sample\n"
      "on; its parameters are mechanism.mass and so on, held unless named by --free.\n"
      "Examples:\n"
      "  bristle fit data/tribometer/strokes.csv --model lugre --from 10 --to 209 --hold-out 0.3\n"
      "  bristle fit data/screw-drives/steady_map.csv --model stribeck --steady --offset \\\n"
      "    --where drive=driveNo1 --velocity velocity_rad_s --force torque_Nm --out fitted\n"
      "  bristle fit drag.csv --model lugre --mechanism dragged_mass --input drag_position \\\n"
      "    --fix mechanism.mass=1 --fix mechanism.spring=100 --out fitted\n"
      "  bristle fit log.csv --model lugre --terms inertia,gravity,offset,friction \\\n"
      "    --position q --force current --motor-constant 0.11 --gear 50\n"
      "  bristle fit log.csv --machine drive.toml --measured torque=tau --measured "
      "motor.position=q \\\n"
      "    --free body.load.inertia --free contact.bearing.coulomb_force\n"
      "  bristle fit data/xl330-pendulum/runs.csv --machine data/xl330-pendulum/servo.toml \\\n"
      "    --measured arm.position=position_rad --measured servo.goal=goal_rad \\\n"
      "    --measured coupling.servo.gain=gain --free contact.teeth.viscous --leave-out gain");
  command->callback([&action, a] { action = [a] { return run_fit(*a); }; });
}

}  // namespace bristle::cli
