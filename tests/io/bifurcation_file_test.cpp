// SPDX-License-Identifier: MIT
#include "bristle/io/bifurcation_file.hpp"

#include <gtest/gtest.h>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io::bifurcation_file_test {
namespace {

using test::contains;
using test::refusal;
using test::TemporaryDirectory;

const std::string head =
    "# mark\nnumber,input.amplitude,position,velocity,time,kind,beats\n0,0,0.1,0.2,1,1,1\n";

BifurcationOptions five() {
  BifurcationOptions options;
  options.from = 0.0, options.to = 1.0, options.values = 5.0;
  return options;
}

TEST(KeptDiagram, GoesOnFromTheColumnsThatAreDone) {
  const TemporaryDirectory dir;
  const Bifurcation b =
      read_diagram(dir.write("d.csv", head + "3,0.75,0.5,0.1,1,2,3\n"), five(), "mark");
  EXPECT_EQ(b.done(), 2u);
  EXPECT_TRUE(b.columns[3].done);
  EXPECT_EQ(b.columns[3].section.x, std::vector<double>{0.5});
}

TEST(KeptDiagram, BeginsAtItsFirstColumnWhereNoneIsDone) {
  const TemporaryDirectory dir;
  const std::string header = head.substr(0, head.find("beats\n") + 6);
  const Bifurcation b = read_diagram(dir.write("d.csv", header), five(), "mark");
  EXPECT_EQ(b.done(), 0u);
  ASSERT_EQ(b.columns.size(), 5u);
  EXPECT_EQ(b.columns[4].value, 1.0);
}

TEST(KeptDiagram, RefusesAColumnOfAnotherDiagram) {
  const TemporaryDirectory dir;
  for (const std::string number : {"5", "-1", "0.5", "1e300"}) {
    const std::string path = dir.write("d.csv", head + number + ",0.75,0.5,0.1,1,2,3\n");
    EXPECT_PRED2(contains, refusal<InputError>([&] { read_diagram(path, five(), "mark"); }),
                 "must be a whole number from 0 to 4")
        << number;
  }
}

TEST(DiagramPlot, HasUnitsInWhichItsNumbersReadWell) {
  const TemporaryDirectory dir;
  BifurcationPlan plan;
  plan.file = dir.write("e.toml",
                        "[model]\nname = \"dahl\"\n[mechanism]\nname = \"base_excited_mass\"\n"
                        "[input]\nshape = \"sine\"\namplitude = 0.01\n[solve]\nend = 1.0\n");
  plan.parameter = "input.amplitude";
  plan.x = "position";
  Bifurcation b;
  for (const double amplitude : {0.01, 1.0}) {
    BifurcationColumn column;
    column.value = amplitude;
    column.section.x = {1e-3, 2e-3};
    b.columns.push_back(column);
  }
  const Plot plot = diagram_plot(b, plan);
  EXPECT_EQ(plot.x_label, "input.amplitude [m]");
  EXPECT_EQ(plot.y_label, "position x [mm]");
  EXPECT_EQ(plot.lines.at(0).y, "(($3)*1000)");
}

}  // namespace
}  // namespace bristle::io::bifurcation_file_test
