// SPDX-License-Identifier: MIT
#include "bristle/io/figure_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace bristle::io::figure_data_test {
namespace {

// A curve of many points.
void wave(int n, std::vector<double>& x, std::vector<double>& y) {
  for (int i = 0; i < n; ++i) {
    x.push_back(10.0 * i / (n - 1));
    y.push_back(std::sin(x.back()));
  }
}

TEST(Thinning, KeepsTheLineWithinTheTolerance) {
  std::vector<double> x, y;
  wave(20001, x, y);
  const auto kept = thinned(x, y, 1e-3);
  EXPECT_LT(kept.size(), 400u);
  EXPECT_EQ(kept.front(), 0u);
  EXPECT_EQ(kept.back(), x.size() - 1);
  double worst = 0.0;
  for (std::size_t k = 1; k < kept.size(); ++k)
    for (std::size_t i = kept[k - 1]; i <= kept[k]; ++i) {
      const double part = (x[i] - x[kept[k - 1]]) / (x[kept[k]] - x[kept[k - 1]]);
      const double line = y[kept[k - 1]] + part * (y[kept[k]] - y[kept[k - 1]]);
      worst = std::max(worst, std::abs(line - y[i]));
    }
  // The range of y is 2; where the curve is steepest, slope 5 of the ranges, the line is sqrt(26)
  // times as far straight up as it is away.
  EXPECT_LT(worst, 2.0 * 1e-3 * std::sqrt(26.0));
}

TEST(Thinning, NeedsTwoPointsForALine) {
  std::vector<double> x(400), y(400);
  for (int i = 0; i < 400; ++i) x[i] = i, y[i] = 3.0 * i;
  EXPECT_EQ(thinned(x, y), (std::vector<std::size_t>{0, 399}));
}

TEST(Thinning, KeepsToItsLimitWhateverTheCurve) {
  std::vector<double> x, y;
  for (int i = 0; i < 30000; ++i) x.push_back(i), y.push_back(i % 2);
  EXPECT_LE(thinned(x, y, 1e-4, 500).size(), 500u);
}

TEST(Thinning, LeavesOneGapWhereValuesAreMissing) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6}, y{NAN, 0, 1, NAN, NAN, 1, 0};
  EXPECT_EQ(thinned(x, y), (std::vector<std::size_t>{1, 2, 3, 5, 6}));
}

TEST(Thinning, HasNothingToSayOfNothing) {
  EXPECT_TRUE(thinned({}, {}).empty());
  const std::vector<double> none{NAN, NAN};
  EXPECT_TRUE(thinned(none, none).empty());
}

// The 16-bit numbers of packed text.
std::vector<unsigned> unpacked(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned> bytes, numbers;
  for (std::size_t i = 0; i + 3 < text.size(); i += 4) {
    unsigned group = 0, missing = 0;
    for (int k = 0; k < 4; ++k) {
      missing += text[i + k] == '=';
      group = group << 6 | (text[i + k] == '=' ? 0u : unsigned(letters.find(text[i + k])));
    }
    for (unsigned k = 0; k + missing < 3; ++k) bytes.push_back(group >> (16 - 8 * k) & 255u);
  }
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    numbers.push_back(bytes[i] | bytes[i + 1] << 8);
  return numbers;
}

TEST(FigureData, PacksPointsBetweenLeastAndLargest) {
  Plot plot{"f", "Title", "x [m]", "y [N]", "", "0:*", {}};
  plot.lines.push_back({"", "", "", "a", false, false, false, {1.0, 2.0, 3.0}, {-1.0, 1.0, 0.0}});
  const auto j = figure_data(plot);
  EXPECT_EQ(j.at("curves")[0].at("box"), (std::vector<double>{1.0, 3.0, -1.0, 1.0}));
  EXPECT_EQ(unpacked(j.at("curves")[0].at("data")),
            (std::vector<unsigned>{0, 0, 32767, 65534, 65534, 32767}));
  EXPECT_EQ(j.at("y_range")[0], 0.0);
  EXPECT_TRUE(j.at("y_range")[1].is_null());
}

TEST(FigureData, TakesLogarithmsForLogarithmicAxes) {
  Plot plot{"f", "Title", "x", "y", "", "", {}};
  plot.log_x = true;
  plot.lines.push_back({"", "", "", "a", false, true, false, {0.0, 1.0, 100.0}, {1.0, 1.0, 2.0}});
  const auto j = figure_data(plot);
  EXPECT_EQ(j.at("curves")[0].at("box")[1], 2.0);
  // A value that has no logarithm is a gap.
  EXPECT_EQ(unpacked(j.at("curves")[0].at("data"))[0], 65535u);
}

TEST(FigureData, DescribesTheFigureInWords) {
  Plot plot{"f", "Slip", "time [s]", "velocity v [m/s]", "", "", {}};
  plot.lines.push_back({"", "", "", "slow", false, false, false, {0.0, 1.0}, {0.0, 2.5}});
  EXPECT_EQ(figure_words(plot),
            "Slip: velocity v [m/s] over time [s], 0 to 2.5 over 0 to 1. 1 curve: slow.");
}

TEST(FigureData, LeavesACurveWithoutNumbersEmpty) {
  Plot plot{"f", "Slip", "x", "y", "", "", {}};
  plot.lines.push_back({"", "", "", "none", false, false, false, {NAN}, {NAN}});
  EXPECT_EQ(figure_data(plot).at("curves")[0].at("data"), "");
}

}  // namespace
}  // namespace bristle::io::figure_data_test
