// SPDX-License-Identifier: MIT
#include "bristle/io/plot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"

extern char** environ;

namespace bristle::io {
namespace {

// Text inside single quotes of gnuplot, where nothing but the quote itself has a meaning: between
// double quotes it would run what stands in backticks. A quote in the text becomes an apostrophe,
// because gnuplot takes a doubled one at the beginning for the end of an empty text. Control
// characters, which could end the line, become spaces.
std::string quoted(const std::string& text) {
  std::string q = "'";
  for (const char c : text) {
    if (c == '\'') q += "\xe2\x80\x99";
    else q += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return q + "'";
}

// Lines that lie over each other get thinner from the first to the last; the last two have gaps,
// through which the ones below are seen.
std::string width(const Plot& plot, std::size_t line, std::size_t lines) {
  if (!plot.overlay) return "1.8";
  static constexpr std::array widths{"7", "4.8", "2.8", "1.4"};
  const std::size_t at = line + (lines < 4 ? 4 - lines : 0);
  const char* gaps = lines > 1 && at + 1 >= widths.size()   ? " dt (14,8)"
                     : lines > 2 && at + 2 == widths.size() ? " dt (22,12)"
                                                            : "";
  return std::string(widths[std::min(at, widths.size() - 1)]) + gaps;
}

// How many columns a legend has: gnuplot makes a column 7 characters wider than the longest
// label, and the figure is 72 characters wide by its measure.
std::size_t legend_columns(std::size_t longest) {
  return std::clamp<std::size_t>(72 / (longest + 7), 1, 4);
}

// How long a label is to a reader: bytes that go on a character have no width.
std::size_t length_of(const std::string& text) {
  return std::size_t(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xc0') != '\x80'; }));
}

// The title stands on top, the legend under it in as many rows as its labels need.
std::string heading(const Plot& plot) {
  std::size_t labels = plot.band_file.empty() ? 0 : 1, longest = length_of(plot.band_label);
  for (const Line& line : plot.lines)
    if (!line.label.empty()) ++labels, longest = std::max(longest, length_of(line.label));
  const bool legend = plot.lines.size() > 1 || !plot.band_file.empty();
  const std::size_t columns = legend_columns(longest);
  const std::size_t rows = legend ? (labels + columns - 1) / columns : 0;
  std::string s = "set title " + quoted(plot.title) + " noenhanced font ':Bold' offset 0," +
                  std::to_string(rows) + ".4\n";
  s += "set tmargin " + std::to_string(rows + 3) + "\n";
  if (!legend) return s + "unset key\n";
  return s +
         "set key at graph 0.5, graph 1.02 center bottom horizontal reverse Left samplen 3 width " +
         "1 noenhanced maxcols " + std::to_string(columns) + "\n";
}

// Data are read from files with names of ours: gnuplot runs a name that begins with '<' or '|'.
std::string data_file(const std::string& name) {
  if (!is_plain_name(name)) throw InputError("'" + name + "' is not the name of a data file");
  return quoted(name);
}

// "'name' 0, 'other' 1" for marks along an axis that counts from `first`.
std::string marks(const std::vector<std::string>& names, int first) {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "" : ", ") + quoted(names[i]) + " " + std::to_string(int(i) + first);
  return all;
}

// Maps and bars: what they set goes to the script, what they plot is returned.
std::string surfaces(const Plot& plot, std::string& script) {
  if (!plot.map_file.empty()) {
    script += "set cblabel " + quoted(plot.map_label) + " noenhanced\n";
    // Dark to bright without a turn of hue, so that it reads in print as well.
    script += "set palette defined (0 '#1b2a5c', 0.35 '#2f7f9e', 0.65 '#7fbf7b', 1 '#f4e04d')\n";
    script += "unset grid\nset autoscale fix\nset offsets 0, 0, 0, 0\n";
    if (!plot.map_words.empty())
      script += "set cbrange [-0.5:" + std::to_string(plot.map_words.size() - 1) +
                ".5]\nset palette maxcolors " + std::to_string(plot.map_words.size()) +
                "\nset cbtics (" + marks(plot.map_words, 0) + ") noenhanced\n";
    return data_file(plot.map_file) +
           " skip 1 using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder fc palette";
  }
  if (!plot.bars_file.empty())
    return data_file(plot.bars_file) +
           " skip 1 using 1:2:3 with boxes fs solid 0.8 noborder fc rgb '#1f5fa8'";
  if (plot.rows_file.empty()) return "";
  // From the top down.
  script += "set ytics (" + marks(plot.row_names, 1) + ") noenhanced\nset yrange [" +
            std::to_string(plot.row_names.size()) + ".6:0.4]\nset xrange [0:*]\n";
  return data_file(plot.rows_file) +
         " skip 1 using 2:1:(0):2:($1-0.35):($1+0.35) with boxxyerror fs solid 0.8 noborder fc rgb "
         "'#1f5fa8', '' skip 1 using 2:1:3 with xerrorbars pt 0 lw 1.5 lc rgb '#444444'";
}

}  // namespace

std::string gnuplot_script(const Plot& plot) {
  // One palette for all figures: distinct in print, in the dark and for colour-blind readers.
  static constexpr std::array colours{"#1f5fa8", "#d1542c", "#2f8f5b", "#8a4fa3",
                                      "#b58900", "#3aa6b9", "#6b6b6b"};
  if (!is_plain_name(plot.name))
    throw InputError("'" + plot.name + "' is not the name of a figure");
  std::string s = "# Drawn by bristle. To draw it again, run here: gnuplot " + plot.name + ".gp\n";
  s += "reset\n";
  s += "set datafile separator ','\n";
  s += "set encoding utf8\n";
  s += heading(plot);
  s += "set xlabel " + quoted(plot.x_label) + " noenhanced\n";
  s += "set ylabel " + quoted(plot.y_label) + " noenhanced\n";
  s += "set grid lc rgb '#dddddd' lw 1\n";
  s += "set border 3 lc rgb '#444444'\nset tics nomirror textcolor rgb '#444444'\n";
  if (plot.equal) s += "set size ratio -1\nset xtics rotate by 45 right\n";
  if (plot.log_x) s += "set logscale x\nset format x '10^{%L}'\n";
  if (plot.log_y) s += "set logscale y\nset format y '%g'\n";
  if (!plot.x_range.empty()) s += "set xrange [" + plot.x_range + "]\n";
  if (!plot.y_range.empty()) s += "set yrange [" + plot.y_range + "]\n";
  else if (!plot.log_y) s += "set offsets 0, 0, graph 0.04, graph 0.04\n";

  std::string curves = surfaces(plot, s);
  if (!plot.band_file.empty())
    curves += std::string(curves.empty() ? "" : ", ") + data_file(plot.band_file) +
              fmt::format(" skip 1 using ($1*{:g}):($2*{:g})", plot.x_factor, plot.y_factor) +
              " with filledcurves closed fs solid border lc rgb '#b5b5b5' fc rgb '#e4e4e4' title " +
              quoted(plot.band_label);
  const auto coloured =
      std::size_t(std::count_if(plot.lines.begin(), plot.lines.end(), [](const Line& line) {
        return !line.faint && !line.behind && !line.dashed;
      }));
  std::size_t number = 0;
  const Line* before = nullptr;
  for (const Line& line : plot.lines) {
    if (!curves.empty()) curves += ", \\\n     ";
    // A dashed line without a label belongs to the one before it and has its colour.
    if (line.dashed && line.label.empty() && before && before->dashed) --number;
    before = &line;
    const std::string own = line.faint    ? "5"
                            : line.behind ? "1"
                            : line.dashed ? "1.8 dt 2"
                                          : width(plot, number, coloured);
    const std::string colour =
        line.faint || line.behind ? "#cccccc" : colours[number % colours.size()];
    const std::string data = data_file(line.file) + " skip 1 using " + line.x + ":" + line.y;
    // Dots over a map are white with a dark edge, to be seen on every colour.
    if (line.dots && !plot.map_file.empty()) {
      curves += data + " with points pt 7 ps 0.55 lc rgb '#222222' notitle, \\\n     " + data +
                " with points pt 7 ps 0.3 lc rgb '#ffffff' title " + quoted(line.label);
      continue;
    }
    curves += data + (line.envelope() ? ":" + line.upper : "") + " with " +
              (line.envelope() ? "filledcurves fs transparent solid 0.45 noborder fc rgb '" + colour
               : line.dots     ? "points pt 7 ps 0.4 lc rgb '" + colour
               : line.points   ? "linespoints pt 7 ps 0.5 lw " + own + " lc rgb '" + colour
                               : "lines lw " + own + " lc rgb '" + colour) +
              "' title " + quoted(line.label);
    if (!line.faint && !line.behind) ++number;
  }
  s += "set terminal svg size 720,480 dynamic background rgb 'white' font 'DejaVu Sans,11'\n";
  s += "set output " + quoted(plot.name + ".svg") + "\n";
  s += "plot " + curves + "\n";
  s += "set terminal pngcairo size 1080,720 background rgb 'white' font 'DejaVu Sans,15' linewidth "
       "1.4\n";
  s += "set output " + quoted(plot.name + ".png") + "\n";
  s += "replot\nunset output\n";
  return s;
}

namespace {

// A child that ends by itself, or is ended; its exit status.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  // Whoever asked for a stop does not wait until the system has taken back what gnuplot holds.
  ~Child() {
    if (ended_) return;
    ::kill(id_, SIGKILL);
    const auto began = std::chrono::steady_clock::now();
    while (!has_ended() && !(stop_asked() && std::chrono::steady_clock::now() - began >
                                                 std::chrono::milliseconds(20)))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // False if it still runs after the time; throws Interrupted if a stop is asked for.
  bool ends_within(double seconds) {
    const auto began = std::chrono::steady_clock::now();
    while (!has_ended()) {
      stop_if_asked();
      const double gone =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      if (gone > seconds) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(gone < 0.2 ? 2 : 20));
    }
    return true;
  }
  bool succeeded() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

 private:
  bool has_ended() {
    const pid_t got = ended_ ? id_ : ::waitpid(id_, &status_, WNOHANG);
    ended_ = got == id_ || (got < 0 && errno != EINTR);
    return ended_;
  }

  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

// Starts gnuplot on scripts in a directory; 0 if it is not there. It inherits no files and reads no
// settings of the user, so that neither another child nor a terminal can keep it waiting.
pid_t start_gnuplot(const std::string& directory, const std::vector<std::string>& scripts) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words{"gnuplot", "--default-settings"};
  words.insert(words.end(), scripts.begin(), scripts.end());
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, "gnuplot", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : 0;
}

}  // namespace

bool draw(const std::string& directory, const std::vector<std::string>& scripts, std::string& why,
          double seconds) {
  if (scripts.empty()) return true;
  for (const auto& script : scripts)
    if (!is_plain_name(script)) {
      why = "'" + script + "' is not the name of a script";
      return false;
    }
  const pid_t id = start_gnuplot(directory, scripts);
  if (id == 0) {
    why = "gnuplot is not installed (package gnuplot-nox)";
    return false;
  }
  Child child(id);
  if (!child.ends_within(seconds * double(scripts.size()))) {
    why = "gnuplot was stopped because it took more than " +
          std::to_string(long(seconds * double(scripts.size()))) + " s";
    return false;
  }
  if (child.succeeded()) return true;
  why = "gnuplot failed";
  return false;
}

}  // namespace bristle::io
