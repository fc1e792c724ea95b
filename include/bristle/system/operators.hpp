// SPDX-License-Identifier: MIT
// Operators as systems: their output depends on where the input turned, not on time.
//
// The operators themselves, made for one call per sample, are PlaySum and Preisach (model/); here
// are their fields, so that files, commands and analyses can use them. With `recover` the
// inverse runs behind the operator and its output is the second one.
#pragma once

#include "bristle/model/play_sum.hpp"
#include "bristle/model/preisach.hpp"
#include "bristle/system/system.hpp"

namespace bristle {

inline constexpr std::array<std::string_view, 2> yes_or_no{"no", "yes"};

struct PlaysModel {
  using Number = double;
  static constexpr std::string_view name = "prandtl_ishlinskii";
  static constexpr std::string_view summary =
      "sum of plays, under a tanh if its rate is not 0 (generalised)";
  static constexpr std::array<std::string_view, 2> places{"input", "output"};

  double direct = 1.0;
  std::vector<double> thresholds{1.0};
  std::vector<double> weights{1.0};
  double scale = 1.0;
  double rate = 0.0;
  double shift = 0.0;
  double level = 0.0;
  double offset = 0.0;
  int envelope_at = 0;
  int recover = 0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<PlaysModel>;
    using P = PlaysModel;
    return std::array{
        F{"direct", "", "weight q of the input itself", any_number, &P::direct},
        F{"thresholds", "", "thresholds w of the plays, increasing", non_negative, &P::thresholds},
        F{"weights", "", "weights p of the plays", any_number, &P::weights},
        F{"scale", "", "scale of the envelope scale tanh(rate u + shift) + level", any_number,
          &P::scale},
        F{"rate", "", "rate of the envelope, 0: none", any_number, &P::rate},
        F{"shift", "", "shift of the envelope", any_number, &P::shift},
        F{"level", "", "level of the envelope", any_number, &P::level},
        F{"offset", "", "number added to the sum", any_number, &P::offset},
        F{"envelope_at",
          "input: the envelope acts on the input; output: its inverse acts on the sum, as an "
          "inverse model needs it",
          places, &P::envelope_at},
        F{"recover", "whether the inverse runs behind it as second output", yes_or_no, &P::recover},
        F{"states", "", "states of the plays at the start, zeros if none are given", any_number,
          &P::states}};
  }
  void check() const;

  PrandtlIshlinskii plays() const;  // without the envelope where that is at the output
  Envelope envelope() const { return {scale, rate, shift, level}; }
  SystemModel inverse() const;
};

struct MaxwellSlipModel {
  using Number = double;
  static constexpr std::string_view name = "maxwell_slip";
  static constexpr std::string_view summary =
      "springs behind dry sliders side by side; a multiplay at vanishing frequency";

  std::vector<double> thresholds{1.0, 3.0};
  std::vector<double> stiffnesses{2.0, 4.0};
  int recover = 0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<MaxwellSlipModel>;
    using M = MaxwellSlipModel;
    return std::array{
        F{"thresholds", "m", "displacements at which the sliders move, increasing", non_negative,
          &M::thresholds},
        F{"stiffnesses", "N/m", "stiffnesses, of any sign", any_number, &M::stiffnesses},
        F{"recover", "whether the inverse runs behind it as second output", yes_or_no, &M::recover},
        F{"states", "m", "positions of the sliders at the start, zeros if none are given",
          any_number, &M::states}};
  }
  void check() const;

  SystemModel inverse() const;
};

struct PreisachModel {
  using Number = double;
  static constexpr std::string_view name = "preisach";
  static constexpr std::string_view summary = "weighted relays on a grid of levels";
  static constexpr std::array<std::string_view, 2> roles{"forward", "inverse"};
  static constexpr std::array<std::string_view, 2> starts{"down", "demagnetised"};

  std::vector<double> levels{-1.0, 0.0, 1.0};
  std::vector<double> weights{1.0, 1.0, 1.0};
  int start = 0;
  int role = 0;
  int recover = 0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<PreisachModel>;
    using P = PreisachModel;
    return std::array{
        F{"levels", "", "inputs at which relays switch, increasing", any_number, &P::levels},
        F{"weights", "",
          "weight of the relay up at level i, down at level j < i: (2,1), (3,1), (3,2), (4,1) ...",
          any_number, &P::weights},
        F{"start", "relays at the start: all down, or half of them up", starts, &P::start},
        F{"role", "forward, or inverse: finds the input for an output", roles, &P::role},
        F{"recover", "whether the inverse runs behind it as second output", yes_or_no, &P::recover},
        F{"states", "", "turning points that lead to the start, instead of `start`", any_number,
          &P::states}};
  }
  void check() const;

  Preisach relays() const;
  SystemModel inverse() const;
};

std::shared_ptr<const AnySystem> as_system(PlaysModel model);
std::shared_ptr<const AnySystem> as_system(MaxwellSlipModel model);
std::shared_ptr<const AnySystem> as_system(PreisachModel model);

}  // namespace bristle
