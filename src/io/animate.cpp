// SPDX-License-Identifier: MIT
#include "bristle/io/animate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analysis/loop.hpp"
#include "bristle/solve/stop_look.hpp"
#include "html.hpp"

namespace bristle::io {
namespace {

constexpr int frame_count = 300;
constexpr double seconds = 15.0;  // one turn of the picture
constexpr double width = 900.0, ground = 268.0, body_height = 84.0;
constexpr double left_corner = 240.0, right_corner = 620.0, window = 150.0;  // [px]
constexpr double chart_top = 322.0, chart_height = 92.0, chart_left = 70.0, chart_width = 780.0;

struct Frame {
  double time, position, velocity, force, input, height, state, direction;
  bool stuck;
  Contacts contacts;
};

double number_of(const Case& c, const char* field, double otherwise) {
  const auto values = c.law->values();
  const auto at = values.find(field);
  if (at == values.end() || !std::holds_alternative<double>(at->second)) return otherwise;
  return std::get<double>(at->second);
}

// Samples spread by time and by the way made, and the contacts replayed along all of them.
std::vector<Frame> frames_of(const Case& c, const CaseResult& r) {
  const Trajectory& t = r.run.trajectory;
  double path = 0.0;
  for (std::size_t i = 1; i < t.size(); ++i) path += std::abs(t.position[i] - t.position[i - 1]);
  const double span = t.time.back() - t.time.front();
  Branch<> branch;
  double along = 0.0, direction = 1.0;
  std::vector<Frame> frames;
  StopLook stop;
  for (std::size_t i = 0; i < t.size(); ++i) {
    stop();
    if (i > 0)
      along += 0.5 * (t.time[i] - t.time[i - 1]) / span +
               (path > 0.0 ? 0.5 * std::abs(t.position[i] - t.position[i - 1]) / path : 0.0);
    if (t.velocity[i] != 0.0) direction = t.velocity[i] < 0.0 ? -1.0 : 1.0;
    const Motion<double> m{t.position[i], t.velocity[i], 1.0, t.time[i]};
    if (c.law->remembers()) {
      if (!branch.contacts.known || branch.direction != direction)
        branch = c.law->engage(0.0, m, direction, branch);
      for (int k = 0; k < 10000 && c.law->margin(0.0, m, branch) <= 0.0; ++k)
        branch = c.law->crossed(branch);
    }
    const bool stuck = t.mode[i] == 0.0;
    const double towards = stuck ? (t.force[i] < 0.0 ? -1.0 : 1.0) : direction;
    if (along * (frame_count - 1) >= double(frames.size()) || i + 1 == t.size())
      frames.push_back({t.time[i], t.position[i], t.velocity[i], t.force[i], t.input[i],
                        t.height.empty() ? 0.0 : t.height[i], t.state[i], towards, stuck,
                        branch.contacts});
  }
  return frames;
}

// One attribute that changes from frame to frame, or does not.
std::string moving(const char* attribute, const std::vector<double>& values, int digits = 1) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*high - *low < 0.05) return "";
  std::string list;
  for (const double v : values)
    list += fmt::format("{}{:.{}f}", list.empty() ? "" : ";", v, digits);
  return fmt::format(
      "<animate attributeName=\"{}\" dur=\"{}s\" repeatCount=\"indefinite\" "
      "calcMode=\"discrete\" values=\"{}\"/>",
      attribute, seconds, list);
}
std::string shape(const std::string& tag, const std::string& fixed,
                  const std::vector<std::pair<const char*, std::vector<double>>>& channels) {
  std::string attributes, inside;
  for (const auto& [name, values] : channels) {
    attributes += fmt::format(" {}=\"{:.1f}\"", name, values.front());
    inside += moving(name, values);
  }
  return "<" + tag + " " + fixed + attributes + ">" + inside + "</" + tag + ">\n";
}

// How a bristle stands: how far its tip is from its base, and how high, both as drawn parts.
struct Lean {
  double aside = 0.0;   // [m]
  double height = 1.0;  // as a part of the upright bristle
};

// The geometry of a row, whichever law it is.
struct RowView {
  double spacing, half, offset, reach, upright, corner;  // [m]
  bool pivots;                                           // or is compressed
  double slant = 0.0, thickness = 0.0;
  long every = 1;  // which bristles are drawn

  Lean lean(const Frame& f, long i) const {
    const double base = offset + double(i) * spacing;
    const double right = f.position + half - base, left = f.position - half - base;
    if (!pivots) return compressed(f, right, left);
    const double part = corner / upright;
    const auto bent = [&](double u) {
      const double turn = std::sqrt(corner * corner + u * u);
      return Lean{u * upright / turn, corner / turn};
    };
    if (f.contacts.known) {
      const Contacts& k = f.contacts;
      if (i < k.first || i >= k.end) return {};
      if (i < k.left_touch) return bent(left);
      if (i < k.left_end) return {-reach, part};
      if (i < k.right_begin) return {0.0, part};
      return i < k.right_touch ? Lean{reach, part} : bent(right);
    }
    const double u = f.direction > 0.0 ? right : -left, rear = f.direction > 0.0 ? left : -right;
    if (u < 0.0 || rear >= reach) return {};
    return u < reach ? Lean{f.direction * bent(u).aside, bent(u).height}
                     : Lean{f.direction * reach, part};
  }
  Lean compressed(const Frame& f, double right, double left) const {
    const double u = f.direction > 0.0 ? right : -left, rear = f.direction > 0.0 ? left : -right;
    if (u < 0.0 || rear > 0.0) return {};
    const double bottom = f.height - 0.5 * thickness;
    const double top = u < slant ? bottom + thickness * (slant - u) / slant : bottom;
    return {0.0, std::clamp((top + 0.5 * thickness) / (upright + 0.5 * thickness), 0.0, 1.0)};
  }
};

bool view_of(const Case& c, RowView& v) {
  v.spacing = number_of(c, "spacing", 0.0);
  v.offset = number_of(c, "offset", 0.0);
  v.half = 0.5 * number_of(c, "body_length", 0.0);
  if (v.half <= 0.0) return false;
  v.pivots = number_of(c, "bristle_length", 0.0) > 0.0;
  if (v.pivots) {
    v.upright = number_of(c, "bristle_length", 1.0);
    v.corner = number_of(c, "height", 0.9);
    v.reach = number_of(c, "reach", 0.0);
    if (v.reach <= 0.0) v.reach = std::sqrt(v.upright * v.upright - v.corner * v.corner);
  } else {
    v.upright = number_of(c, "relaxed_length", 1.0);
    v.thickness = number_of(c, "thickness", 1.0);
    v.slant = v.reach = v.thickness * std::tan(number_of(c, "slant", 0.3));
  }
  v.every = long(std::clamp(std::ceil(4.0 * v.reach / v.spacing / 30.0), 1.0, 1e12));
  return true;
}

// The body and the bristles around one corner; the picture keeps the corner in its place.
std::string corner_panel(const RowView& v, const std::vector<Frame>& frames, double side,
                         double centre) {
  const double reach = std::max(2.0 * v.reach, 4.5 * v.spacing), scale = window / reach;
  const double pitch = double(v.every) * v.spacing;
  const int slots = 2 * int(std::min(reach / pitch, 100.0)) + 1;
  std::string svg;
  for (int slot = 0; slot < slots; ++slot) {
    std::vector<double> x1, x2, y2;
    for (const Frame& f : frames) {
      const double corner = f.position + side * v.half;
      const long nearest = std::lround(std::clamp((corner - v.offset) / pitch, -1e6, 1e6));
      const long i = (nearest + slot - slots / 2) * v.every;
      const double base = v.offset + double(i) * v.spacing;
      const Lean lean = v.lean(f, i);
      const double x = centre + (base - corner) * scale;
      x1.push_back(x);
      x2.push_back(x + lean.aside * scale);
      y2.push_back(ground - body_height * lean.height);
    }
    svg += shape("line", fmt::format("class=\"bristle\" y1=\"{}\"", ground),
                 {{"x1", x1}, {"x2", x2}, {"y2", y2}});
  }
  return svg;
}

std::string row_scene(const RowView& v, const std::vector<Frame>& frames) {
  std::string svg =
      corner_panel(v, frames, -1.0, left_corner) + corner_panel(v, frames, 1.0, right_corner);
  const double scale = window / std::max(2.0 * v.reach, 4.5 * v.spacing);
  std::vector<double> top;
  for (const Frame& f : frames)
    top.push_back(
        v.pivots ? ground - body_height * v.corner / v.upright
                 : ground - body_height *
                                std::clamp(f.height / (v.upright + 0.5 * v.thickness), 0.0, 1.0));
  if (v.pivots)
    svg += fmt::format("<path class=\"body\" d=\"M{0} {1:.1f}V110H{2}V{1:.1f}Z\"/>\n", left_corner,
                       top.front(), right_corner);
  else {
    // The slant turns to where the body goes: two bodies, one of them shown.
    for (const double side : {-1.0, 1.0}) {
      std::vector<double> opacity, shift;
      for (std::size_t i = 0; i < frames.size(); ++i) {
        opacity.push_back(frames[i].direction == side ? 1.0 : 0.0);
        shift.push_back(top[i]);
      }
      const double cut = v.slant * scale;
      const double rise = body_height * v.thickness / (v.upright + 0.5 * v.thickness);
      const std::string outline = side > 0.0
                                      ? fmt::format("M{} 0V-110H{}V-{:.1f}L{:.1f} 0Z", left_corner,
                                                    right_corner, rise, right_corner - cut)
                                      : fmt::format("M{} 0V-110H{}V-{:.1f}L{:.1f} 0Z", right_corner,
                                                    left_corner, rise, left_corner + cut);
      std::string steps;
      for (const double y : shift) steps += fmt::format("{}0 {:.1f}", steps.empty() ? "" : ";", y);
      svg += fmt::format(
          "<g opacity=\"{:.0f}\">{}<path class=\"body\" d=\"{}\"><animateTransform "
          "attributeName=\"transform\" type=\"translate\" dur=\"{}s\" repeatCount=\"indefinite\" "
          "calcMode=\"discrete\" values=\"{}\"/></path></g>\n",
          opacity.front(), moving("opacity", opacity, 0), outline, seconds, steps);
    }
  }
  const double middle = 0.5 * (left_corner + right_corner);
  return svg +
         fmt::format("<path class=\"gap\" d=\"M{0} 60l8 40l-16 40l16 40l-16 40l8 60\"/>\n", middle);
}

// A law with a state: a bundle of bristles bent by it, on ground that passes by.
std::string bundle_scene(const std::vector<Frame>& frames) {
  double largest = 1e-300;
  Range range{1e300, -1e300};
  for (const Frame& f : frames) {
    largest = std::max(largest, std::abs(f.state));
    range = {std::min(range.least, f.position), std::max(range.most, f.position)};
  }
  const double middle = 0.5 * (left_corner + right_corner);
  std::string svg = fmt::format("<path class=\"body\" d=\"M{0} {1}V110H{2}V{1}Z\"/>\n",
                                middle - 130.0, ground - 60.0, middle + 130.0);
  for (int k = -4; k <= 4; ++k) {
    std::vector<double> x2;
    for (const Frame& f : frames) x2.push_back(middle + 28.0 * k - 40.0 * f.state / largest);
    svg += shape("line",
                 fmt::format("class=\"bristle\" x1=\"{:.1f}\" y1=\"{}\" y2=\"{}\"",
                             middle + 28.0 * k, ground - 60.0, ground),
                 {{"x2", x2}});
  }
  const double pitch = std::max(1e-300, range.most - range.least) / 12.0;
  for (int k = -6; k <= 6; ++k) {
    std::vector<double> x;
    for (const Frame& f : frames)
      x.push_back(middle + 60.0 * k - 60.0 * (f.position / pitch - std::floor(f.position / pitch)));
    svg += shape("line", fmt::format("class=\"mark\" y1=\"{}\" y2=\"{}\"", ground, ground + 9.0),
                 {{"x1", x}, {"x2", x}});
  }
  return svg;
}

// What pulls: the stretched spring of a dragged mass, or an arrow for a force.
std::string drive(const Case& c, const std::vector<Frame>& frames, double edge) {
  std::vector<double> pull;
  double largest = 1e-300;
  for (const Frame& f : frames) {
    pull.push_back(c.as<DraggedMass>() != nullptr ? f.input - f.position : f.input);
    largest = std::max(largest, std::abs(pull.back()));
  }
  std::vector<double> end;
  for (const double p : pull) end.push_back(edge + 90.0 + 110.0 * p / largest);
  const bool spring = c.as<DraggedMass>() != nullptr;
  return shape("line",
               fmt::format("class=\"{}\" x1=\"{}\" y1=\"150\" y2=\"150\"",
                           spring ? "spring" : "push", edge + (spring ? 0.0 : 90.0)),
               {{"x2", end}}) +
         shape("circle", "class=\"end\" cy=\"150\" r=\"6\"", {{"cx", end}}) +
         fmt::format("<text class=\"soft\" x=\"{}\" y=\"128\">{}</text>\n", edge + 24.0,
                     spring                   ? "spring"
                     : c.as<WallSpringMass>() ? "input force"
                                              : "input");
}

// The friction force over time with a dot that walks along it.
std::string chart(const Case& c, const CaseResult& r, const std::vector<Frame>& frames) {
  const Trajectory& t = r.run.trajectory;
  const Range range = range_of(t.force);
  const double low = std::min(0.0, range.least), high = std::max(range.most, low + 1e-12);
  const auto x = [&](double time) {
    return chart_left + chart_width * (time - t.time.front()) / (t.time.back() - t.time.front());
  };
  const auto y = [&](double f) {
    return chart_top + chart_height * (1.0 - (f - low) / (high - low));
  };
  std::string points;
  const std::size_t stride = std::max<std::size_t>(1, t.size() / 3000);
  for (std::size_t i = 0; i < t.size(); i += stride)
    points += fmt::format("{:.1f},{:.1f} ", x(t.time[i]), y(t.force[i]));
  std::vector<double> cx, cy;
  for (const Frame& f : frames) cx.push_back(x(f.time)), cy.push_back(y(f.force));
  return fmt::format(
             "<text class=\"soft\" x=\"{}\" y=\"{}\">{} against time</text>\n"
             "<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n"
             "<polyline class=\"curve\" points=\"{}\"/>\n",
             chart_left, chart_top - 8.0, axis_label(c, r, "force"), chart_left,
             chart_left + chart_width, y(0.0), y(0.0), points) +
         shape("circle", "class=\"dot\" r=\"5\"", {{"cx", cx}, {"cy", cy}});
}

// Words that come and go: stick, and the way the body slides.
std::string words_of(const std::vector<Frame>& frames) {
  std::vector<double> rests, right, left, clock;
  for (const Frame& f : frames) {
    rests.push_back(f.stuck ? 1.0 : 0.0);
    right.push_back(!f.stuck && f.velocity > 0.0 ? 1.0 : 0.0);
    left.push_back(!f.stuck && f.velocity < 0.0 ? 1.0 : 0.0);
  }
  const auto word = [](const char* text, const char* tone, const std::vector<double>& shown) {
    return fmt::format("<text class=\"{}\" x=\"{}\" y=\"96\" opacity=\"{:.0f}\">{}{}</text>\n",
                       tone, 70, shown.front(), text, moving("opacity", shown, 0));
  };
  return word("sticks", "stick", rests) + word("slides &#8594;", "slip", right) +
         word("slides &#8592;", "slip", left);
}

}  // namespace

std::string animation_svg(const Experiment& experiment, const Case& c, const CaseResult& result) {
  if (c.kind != CaseKind::run || result.run.trajectory.size() < 2) return "";
  const auto frames = frames_of(c, result);
  RowView view{};
  const bool row = view_of(c, view);
  std::string note = row ? "both corners of the body, the middle left out"
                         : "bristles bent by the state of the law";
  if (row && view.every > 1) note += fmt::format(", one bristle in {} drawn", view.every);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} 430\" "
             "font-family=\"sans-serif\" font-size=\"14\">\n<style>"
             "svg{{background:#fff}}.bristle{{stroke:#2f8f5b;stroke-width:2.5;stroke-linecap:round}"
             "}"
             ".body{{fill:#1f5fa8;fill-opacity:.85}}.gap{{fill:none;stroke:#fff;stroke-width:5}}"
             ".ground{{stroke:#445;stroke-width:3}}.mark,.axis{{stroke:#99a;stroke-width:1.5}}"
             ".spring,.push{{stroke:#d1542c;stroke-width:4}}.end{{fill:#d1542c}}"
             ".curve{{fill:none;stroke:#1f5fa8;stroke-width:1.2}}.dot{{fill:#d1542c}}"
             ".soft{{fill:#667}}.stick{{fill:#1c7c43;font-weight:bold;font-size:18px}}"
             ".slip{{fill:#d1542c;font-weight:bold;font-size:18px}}</style>\n"
             "<text x=\"70\" y=\"34\" font-size=\"18\" font-weight=\"bold\">{}</text>\n"
             "<text class=\"soft\" x=\"70\" y=\"56\">{}{}</text>\n",
             width, escaped(experiment.title), c.label.empty() ? "" : escaped(c.label) + "; ",
             note) +
         (row ? row_scene(view, frames) : bundle_scene(frames)) +
         fmt::format("<line class=\"ground\" x1=\"70\" x2=\"850\" y1=\"{0}\" y2=\"{0}\"/>\n",
                     ground) +
         drive(c, frames, row ? right_corner : 0.5 * (left_corner + right_corner) + 130.0) +
         words_of(frames) + chart(c, result, frames) + "</svg>\n";
}

}  // namespace bristle::io
