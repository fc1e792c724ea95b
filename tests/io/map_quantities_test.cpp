// SPDX-License-Identifier: MIT
// Quantities of maps that are read from the integrator and not from the samples.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::map_quantities_test {
namespace {

using test::TemporaryDirectory;

// The number of a quantity of a file with one case; NaN where it is not defined.
double number(const std::string& text, const std::string& quantity, double argument = 0.0) {
  const TemporaryDirectory directory;
  const Experiment e = read_experiment(directory.write("case.toml", text));
  const CaseResult r = run_case(e.cases.at(0), directory.path("case.toml"));
  const Measured m = measure(e.cases.at(0), r, quantity, argument);
  const auto* x = std::get_if<double>(&m);
  return x ? *x : std::nan("");
}

std::string maxwell_slip(int samples) {
  return "[system]\nname = \"maxwell_slip\"\n"
         "[input]\nshape = \"sine\"\namplitude = 4.0\nfrequency = 1.0\nphase = 0.4\n"
         "[solve]\nend = 18.849555921538759\nsamples = " +
         std::to_string(samples) + "\n";
}

TEST(MapQuantities, TheClosingErrorOfAClosedLoopDoesNotDependOnItsSamples) {
  // Three periods; 3001 samples meet the ends of the periods, the other numbers do not.
  for (const int samples : {3001, 2000, 317, 50})
    EXPECT_LT(number(maxwell_slip(samples), "closing_error"), 1e-12) << samples;
}

TEST(MapQuantities, TheClosingErrorOfAnOpenLoopIsItsGap) {
  // Critically damped from rest over its first period: x = (-cos(t) + (1 + t) exp(-t)) / 2.
  const std::string lag =
      "[system]\nname = \"linear_lag\"\n[input]\namplitude = 1.0\nfrequency = 1.0\n"
      "[solve]\nend = 6.283185307179586\nsamples = 1200\ntolerance = 1e-12\n";
  const double period = 2.0 * std::numbers::pi;
  const double change = 0.5 * ((1.0 + period) * std::exp(-period) - 1.0);
  const double height = number(lag, "max_output") - number(lag, "min_output");
  EXPECT_NEAR(number(lag, "closing_error"), std::abs(change) / height, 1e-10);
}

// A squared play, piece by piece; the polygon through 401 samples is off by 1e-3.
TEST(MapQuantities, LobeAreasAndCrossingsDoNotDependOnTheSamples) {
  const std::string play =
      "[system]\nname = \"prandtl_ishlinskii\"\ndirect = 0.0\nthresholds = [0.5]\n"
      "weights = [1.0]\n[map]\nshape = \"quadratic\"\na = 1.0\n"
      "[input]\namplitude = 3.0\nfrequency = 1.0\nphase = 0.8\n"
      "[solve]\nend = 18.849555921538759\nsamples = 401\n";
  const double area = 4.0 + 6.25 - (15.625 - 3.375) / 3.0;
  EXPECT_NEAR(number(play, "lobe_area", 2.0), area, 1e-10);
  EXPECT_NEAR(number(play, "crossing", 1.0), 0.0, 1e-12);
}

const std::string coulomb =
    "[model]\nname = \"coulomb\"\ncoulomb_force = 2.0\n"
    "[mechanism]\nname = \"wall_spring_mass\"\n"
    "[input]\namplitude = 3.0\nfrequency = 0.08\n"
    "[solve]\nend = 235.61944901923448\ntolerance = 1e-10\n";

TEST(MapQuantities, TheSlowAreaHasTheSignOfTheLoopArea) {
  EXPECT_GT(number(coulomb, "loop_area"), 0.0);
  EXPECT_NEAR(number(coulomb, "slow_area"), 8.0, 2e-3);
}

TEST(MapQuantities, TheErrorOfTheSlowAreaCoversTheClosedForm) {
  const double off = std::abs(number(coulomb, "slow_area") - 8.0);
  const double error = number(coulomb, "slow_area_error");
  EXPECT_LE(off, error);
  EXPECT_LT(error, 0.02);
  // A linear lag: the area pi c w / ((1 - w^2)^2 + (c w)^2) vanishes with the frequency.
  const std::string lag =
      "[system]\nname = \"linear_lag\"\n[input]\namplitude = 1.0\nfrequency = 0.01\n"
      "[solve]\nend = 1256.6370614359173\ntolerance = 1e-10\n";
  EXPECT_LE(std::abs(number(lag, "slow_area")), number(lag, "slow_area_error"));
}

}  // namespace
}  // namespace bristle::io::map_quantities_test
