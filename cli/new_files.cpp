// SPDX-License-Identifier: MIT
#include "new_files.hpp"

namespace bristle::cli {
namespace {

constexpr std::string_view axis =
    R"(# A positioning axis: one mass with friction in its guide under a sampled PID controller.
# Units are SI. Every field left out has a default: `bristle models body`, `bristle models lugre`.
title = "A positioning axis with friction"

# What moves. motion = "rotation" makes it a rotor: inertia in kg m2, positions in rad.
[[body]]
name = "axis"
inertia = 20.0               # mass [kg]
position = 0.0               # where it starts [m]

# Where friction acts, and by which law (`bristle models` lists all laws).
[[contact]]
name = "guide"
on = "axis"
law = { name = "lugre", stiffness = 2e6, damping = 3e3, coulomb_force = 30.0, static_force = 45.0, stribeck_velocity = 5e-3, viscous = 50.0 }

# The controller samples the position and holds its force over each step.
[[controller]]
name = "servo"
on = "axis"
step = 1e-3                  # sampling time [s]
position_gain = 4e4          # [N/m]
velocity_gain = 1.2e3        # [N s/m]
integral_gain = 2e5          # [N/(m s)]; 0 leaves a standing error where the axis first sticks
saturation = 400.0           # largest force [N]
resolution = 0.0             # of the encoder [m], such as 1e-7; 0 reads the position exactly
shape = "sine"               # the reference; `bristle models input` lists other shapes
amplitude = 0.02             # [m]
frequency = 3.0              # [rad/s]

[solve]
end = 4.2                    # two periods [s]
samples = 2101               # rows of the table that is written

[[figure]]
name = "position"
title = "Position of the axis"
y = "axis.position"

[[figure]]
name = "friction"
title = "Friction force in the guide, and the force of the controller"
y = "guide.force"
with = ["servo.force"]

[[figure]]
name = "curve"
title = "Friction force over velocity"
x = "axis.velocity"
y = "guide.force"

# What to try next:
#   bristle run FILE --set controller.servo.integral_gain=0
#   bristle sweep FILE --vary controller.servo.position_gain=1e4:1e5:20:log --quantity ledger_error
)";

constexpr std::string_view drive =
    R"(# A drive of two inertias: a motor turns a load through an elastic shaft; both bearings have
# friction. Units are SI, angles in rad. Fields and defaults: `bristle models spring_damper`.
title = "A two-mass drive with friction in both bearings"

[[body]]
name = "motor"
motion = "rotation"
inertia = 2e-4               # [kg m2]

[[body]]
name = "load"
motion = "rotation"
inertia = 1.1e-3             # [kg m2]

# The shaft. kind = "backlash" has a gap as well: width = 1e-3 [rad].
[[coupling]]
name = "shaft"
kind = "spring_damper"
between = ["motor", "load"]
stiffness = 120.0            # [N m/rad]
damping = 0.02               # [N m s/rad]

[[contact]]
name = "motor_bearing"
on = "motor"
law = { name = "coulomb", coulomb_force = 0.02 }   # of a rotor: a torque [N m]

[[contact]]
name = "load_bearing"
on = "load"
law = { name = "stribeck", coulomb_force = 0.05, static_force = 0.08, stribeck_velocity = 0.5, viscous = 1e-3 }

# The torque of the motor over time. `bristle models input` lists the other shapes.
[[input]]
name = "torque"
on = "motor"
shape = "sine"
amplitude = 0.2              # [N m]
frequency = 6.283185307179586  # [rad/s]

[solve]
end = 3.0
samples = 3001

[[figure]]
name = "speed"
title = "Speeds of motor and load"
y = "motor.velocity"
overlay = true               # they nearly coincide: drawn thick to thin
with = ["load.velocity"]

[[figure]]
name = "friction"
title = "Friction torque at the load over its speed"
x = "load.velocity"
y = "load_bearing.force"

# What to try next:
#   bristle run FILE --set contact.load_bearing.static_force=0.15
#   bristle sweep FILE --vary input.torque.amplitude=0.05:0.4:30 --quantity dissipated
)";

constexpr std::string_view valve =
    R"(# A pneumatic diaphragm valve: the command in per cent moves a stem that rubs in its packing.
# Fields and defaults: `bristle models diaphragm_valve`, `bristle models frbd`.
title = "A pneumatic valve whose stem sticks"

# Friction of the packing. Its static coefficient is the larger one, so the stem can stick.
[model]
name = "frbd"
stiffness = 6.82e7
damping = 700.0
viscous = 3e3
dynamic_coefficient = 120.0
static_coefficient = 200.0
stribeck_velocity = 6.4e-3

[mechanism]
name = "diaphragm_valve"

# The command [%]: a slow sine around half open.
[input]
shape = "sine"
offset = 50.0
amplitude = 10.0
frequency = 0.5              # [rad/s]

[initial]
position = 0.0146            # height of the stem at the start [m]

[solve]
end = 25.0                   # [s]
samples = 4001

[[figure]]
name = "signature"
title = "Position of the stem over the command: the width of the loop is the dead band"
x = "input"
y = "position"

[[figure]]
name = "position"
title = "Position of the stem over time"
x = "time"
y = "position"

[[figure]]
name = "friction"
title = "Friction force over time"
x = "time"
y = "force"

# What to try next:
#   bristle run FILE --set model.dynamic_coefficient=40 --set model.static_coefficient=60
#   bristle sweep FILE --vary input.amplitude=1:20:20 --quantity loop_area
)";

constexpr std::string_view stage =
    R"(# A stage that slides in the plane: two bodies, one for each direction, share one contact, whose
# friction force is a vector. Fields and defaults: `bristle models contact`.
title = "A planar stage drawn round a circle"

[[body]]
name = "x"
inertia = 1.0                # [kg]
position = 0.02              # it starts on the circle [m]

[[body]]
name = "y"
inertia = 1.0

# Springs pull the stage after a point that goes round a circle of 20 mm.
[[drive]]
name = "guide_x"
shape = "sine"
amplitude = 0.02             # [m]
frequency = 1.0              # [rad/s]
phase = 1.5707963267948966   # a quarter turn ahead: a cosine

[[drive]]
name = "guide_y"
shape = "sine"
amplitude = 0.02
frequency = 1.0

[[coupling]]
name = "spring_x"
kind = "spring_damper"
between = ["x", "guide_x"]
stiffness = 100.0            # [N/m]

[[coupling]]
name = "spring_y"
kind = "spring_damper"
between = ["y", "guide_y"]
stiffness = 100.0

# One contact over both directions. "lugre" and "elasto_plastic" have planar forms as well.
[[contact]]
name = "pad"
on = ["x", "y"]
law = { name = "coulomb", coulomb_force = 0.5 }

[solve]
end = 20.0
samples = 4001

[[figure]]
name = "path"
title = "Path of the stage"
x = "x.position"
y = "y.position"

[[figure]]
name = "speed"
title = "Velocities along both directions"
y = "x.velocity"
with = ["y.velocity"]

# What to try next:
#   bristle run FILE --set contact.pad.coulomb_force=1.5
#   bristle run FILE --set contact.pad.law=lugre
)";

constexpr std::string_view operator_text =
    R"(# A hysteresis operator without mechanics: a sum of plays (Prandtl-Ishlinskii), as used for piezo
# actuators. It is rate-independent. `bristle models` lists the other operators and systems.
title = "A Prandtl-Ishlinskii operator with minor loops"

[system]
name = "prandtl_ishlinskii"
direct = 1.0                              # slope of the part without hysteresis
thresholds = [0.1, 0.2, 0.4, 0.6]         # half widths of the plays, in the unit of the input
weights = [0.3, 0.25, 0.2, 0.15]          # one per play
recover = "yes"                           # also apply the exact inverse to the output

# Two sines: the second one makes minor loops inside the first.
[input]
shape = "two_sines"
amplitude = 1.0
frequency = 1.0                           # [rad/s]
second_amplitude = 0.5
second_frequency = 4.0

[solve]
end = 12.566370614359172                  # two periods [s]
record_from = 6.283185307179586           # the second one is kept
samples = 2001

[[figure]]
name = "loop"
title = "Output over input: a major loop with minor loops"
x = "input"
y = "output"

[[figure]]
name = "recovered"
title = "The input recovered by the exact inverse"
x = "input"
y = "recovered"

# What to try next:
#   bristle invert FILE --out inverse.toml
#   bristle run FILE --set input.second_amplitude=0.2
)";

}  // namespace

std::span<const NewFile> new_files() {
  static constexpr NewFile all[]{
      {"axis", "positioning axis with friction under a PID controller", axis},
      {"drive", "motor and load on an elastic shaft, with friction in both bearings", drive},
      {"valve", "pneumatic valve whose stem sticks in its packing", valve},
      {"stage", "planar stage with one contact over both directions", stage},
      {"operator", "hysteresis operator of plays, with its inverse", operator_text}};
  return all;
}

}  // namespace bristle::cli
