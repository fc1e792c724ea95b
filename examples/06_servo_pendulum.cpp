// SPDX-License-Identifier: MIT
// Identifies the gear friction of a servo from runs of a pendulum, and tests the result on runs the
// fit has not seen: all runs of one gain (or of one trajectory, or each run) are held out in turn.
//
//   example_06_servo_pendulum data/xl330-pendulum/runs.csv [MODEL [SPLIT [DIRECTORY]]]
//
// MODEL is coulomb, stribeck, load or gear, or one of these followed by + to fit the motor too.
// SPLIT is gain, trajectory or run. The directory gets the parameters of each fit and the held-out
// rollouts. Without a file the program makes its own runs from known parameters.
#include <bristle/identify/servo_fit.hpp>
#include <bristle/identify/servo_rollout.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

using namespace bristle;

std::vector<ServoRun> read(const char* path) {
  std::ifstream in(path);
  std::vector<std::vector<double>> c(11);
  std::string line, cell;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (auto& column : c) std::getline(row, cell, ','), column.push_back(std::stod(cell));
  }
  return servo_runs({c[0], c[1], c[2], c[3], c[4], c[5], c[10]});
}

std::vector<ServoRun> make() {
  std::vector<ServoRun> runs;
  for (int i = 0; i < 4; ++i) {
    ServoRun run{i, i % 2, i < 2 ? 200.0 : 400.0, {}, {}, {}, {}};
    for (double t = 0.0; t < 4.0; t += 5e-3) {
      run.time.push_back(t), run.goal.push_back(1.2 * std::sin((1.5 + 2.0 * (i % 2)) * t));
      run.position.push_back(0.0), run.enabled.push_back(t < 3.0);
    }
    std::vector<double> q(run.time.size());
    servo_rollout(GearFriction<>{}, ServoPendulum<>{}, run, 1e-3, q);
    run.position = q;
    runs.push_back(run);
  }
  return runs;
}

// What is free, and the friction to start from: each model holds the one before.
ServoModel<> choose(const std::string& model, std::vector<std::string>& free) {
  ServoModel<> start;
  auto& f = start.friction;
  f.driving = f.driving_rise = f.driving_growth = f.backdriving = f.backdriving_rise = 0.0;
  free = {"armature", "tilt", "coulomb_torque", "viscous"};
  const auto add = [&](std::initializer_list<const char*> more) {
    free.insert(free.end(), more.begin(), more.end());
  };
  const std::string kind = model.substr(0, model.find('+'));
  if (kind != "coulomb") add({"stribeck_velocity"});
  if (kind == "stribeck" || kind == "load") f.coulomb_rise = 0.02, add({"coulomb_rise"});
  if (kind == "load")
    f.driving = f.driving_rise = f.backdriving = f.backdriving_rise = 0.2,
    add({"driving", "driving_rise", "backdriving", "backdriving_rise"});
  if (kind == "gear")
    f.driving_rise = 0.4, f.driving_growth = 1.0, f.backdriving_rise = 0.3,
    add({"driving_rise", "driving_growth", "backdriving_rise"});
  if (kind == "coulomb" || kind == "stribeck") f.coulomb_torque = 0.02;
  if (model.back() == '+') add({"motor_constant", "resistance"});
  return start;
}

void write(const std::string& directory, const std::vector<ServoRun>& runs,
           const std::vector<ServoFold>& folds) {
  std::ofstream fits(directory + "/fits.csv"), rolled(directory + "/rollouts.csv");
  fits.precision(9);
  rolled << "run,time_s,goal_rad,position_rad,rollout_rad\n";
  for (const auto& fold : folds) {
    if (&fold == &folds.front()) {
      fits << "trajectory,gain";
      for (const auto& e : fold.fit.estimates) fits << ',' << e.name;
    }
    for (const int i : fold.held_out) {
      const ServoRun& run = runs[i];
      fits << '\n' << run.trajectory << ',' << run.gain;
      for (const auto& e : fold.fit.estimates) fits << ',' << e.value;
      std::vector<double> q(run.time.size());
      servo_rollout(fold.fit.model.friction, fold.fit.model.pendulum, run, 2e-3, q);
      for (std::size_t k = 0; k < q.size(); ++k)
        rolled << run.number << ',' << run.time[k] << ',' << run.goal[k] << ',' << run.position[k]
               << ',' << q[k] << '\n';
    }
  }
  fits << '\n';
}

int main(int count, char** words) {
  const auto word = [&](int i, const char* other) {
    return std::string(count > i ? words[i] : other);
  };
  const auto runs = count > 1 ? read(words[1]) : make();
  ServoFitOptions options;
  ServoModel<> start = choose(word(2, "gear"), options.free);
  options.starts = 128, options.refined = 8;
  if (count == 1) {
    start = {}, start.friction.driving = 0.4;
    options.free = {"viscous", "driving", "driving_rise"};
    options.starts = 8, options.refined = 1;
  }
  const auto fit = fit_servo(runs, start, options);
  std::printf("%s\n", fit.message.c_str());
  for (const auto& e : fit.estimates)
    std::printf("  %-18s %10.4g   %.4g to %.4g %s\n", e.name.c_str(), e.value, e.lower, e.upper,
                e.unit.c_str());
  const auto kind = word(3, "gain");
  const auto split = kind == "run"          ? ServoSplit::run
                     : kind == "trajectory" ? ServoSplit::trajectory
                                            : ServoSplit::gain;
  const auto folds = cross_validate_servo(runs, start, options, split);
  double absolute = 0.0, square = 0.0;
  for (const auto& fold : folds)
    for (std::size_t i = 0; i < fold.errors.size(); ++i) {
      const auto& run = runs[fold.held_out[i]];
      std::printf("held out: trajectory %d at gain %.0f, mean error %.4f rad\n", run.trajectory,
                  run.gain, fold.errors[i].mean_absolute);
      absolute += fold.errors[i].mean_absolute / double(runs.size());
      square += fold.errors[i].root_mean_square / double(runs.size());
    }
  std::printf("in sample: mean absolute %.4f rad, root mean square %.4f rad\n", fit.mean_absolute,
              fit.root_mean_square);
  std::printf("held out:  mean absolute %.4f rad, root mean square %.4f rad\n", absolute, square);
  if (count > 4) write(words[4], runs, folds);
  return count > 1 || absolute < 1e-3 ? 0 : 1;
}
