// SPDX-License-Identifier: MIT
// Unimodal maps: those with one peak, or one valley, between two monotone sides. Source: thesis
// definition 5.2.1.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "bristle/model/field.hpp"

namespace bristle {

class UnimodalMap {
 public:
  // q = top - left |y - centre| on the left of the centre and top - right |y - centre| on its
  // right; slopes of one sign. Positive slopes give a peak, negative ones a valley.
  static UnimodalMap absolute(double top = 1.0, double left = 1.0, double right = 1.0,
                              double centre = 0.0);
  // q = a (y - centre)^2 + b; a valley for positive a.
  static UnimodalMap quadratic(double a, double b, double centre = 0.0);
  // Straight lines through points, the outer ones going on. Throws InvalidInput for points that
  // do not increase or are not unimodal, with the row.
  static UnimodalMap points(std::vector<double> y, std::vector<double> q);
  // q = 2 sqrt(length^2 - y^2): from the pin of a two-bar linkage to the distance of its ends.
  static UnimodalMap linkage(double length);
  // Any function on [y0, y1], searched for its one extremum. Throws InvalidInput with the place of
  // a second one.
  static UnimodalMap function(std::function<double(double)> f, double y0, double y1);

  double operator()(double y) const { return f_(y); }
  double centre() const { return centre_; }    // where the peak or the valley is
  double extreme() const { return extreme_; }  // the value there
  bool valley() const { return valley_; }
  // Arguments at which it has a corner.
  const std::vector<double>& corners() const { return corners_; }
  // The argument on the left (-1) or the right (+1) of the centre that gives q. A q beyond the
  // extreme, as noise makes it, gives the centre. Throws InvalidInput for one that is not reached.
  double inverse(double q, int side) const;

 private:
  UnimodalMap(std::function<double(double)> f, double centre, bool valley, double low, double high);

  std::function<double(double)> f_;
  double centre_ = 0.0, extreme_ = 0.0;
  double low_ = 0.0, high_ = 0.0;  // arguments between which it is defined
  bool valley_ = false;
  std::vector<double> corners_{};
};

// The same from fields, for files and the command line.
struct MapShape {
  using Number = double;
  static constexpr std::string_view name = "map";
  static constexpr std::string_view summary =
      "unimodal map applied to the output of a closed curve";
  static constexpr std::array<std::string_view, 4> shapes{"absolute", "quadratic", "points",
                                                          "linkage"};
  enum Shape { absolute, quadratic, points, linkage };

  int shape = 0;
  double top = 1.0;
  double left = 1.0;
  double right = 1.0;
  double centre = 0.0;
  double a = 1.0;
  double b = 0.0;
  double length = 1.0;
  std::vector<double> y{};
  std::vector<double> q{};

  static constexpr auto fields() {
    using F = Field<MapShape>;
    using M = MapShape;
    return std::array{
        F{"shape",
          "absolute: top - slope |y - centre|; quadratic: a (y - centre)^2 + b; points: straight "
          "lines; linkage: 2 sqrt(length^2 - y^2)",
          shapes, &M::shape},
        F{"top", "", "value at the centre of absolute", any_number, &M::top},
        F{"left", "", "slope left of the centre of absolute", any_number, &M::left},
        F{"right", "", "fall right of the centre of absolute", any_number, &M::right},
        F{"centre", "", "place of the extreme", any_number, &M::centre},
        F{"a", "", "factor of quadratic", any_number, &M::a},
        F{"b", "", "value at the centre of quadratic", any_number, &M::b},
        F{"length", "m", "length of a bar of linkage", positive, &M::length},
        F{"y", "", "arguments of points, increasing", any_number, &M::y},
        F{"q", "", "values of points", any_number, &M::q}};
  }
  void check() const { map(); }
  UnimodalMap map() const;
};

}  // namespace bristle
