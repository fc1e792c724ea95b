// SPDX-License-Identifier: MIT
#include "bristle/io/plot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace bristle::io {
namespace {

// Text inside single quotes of gnuplot: between double quotes it would run what stands in
// backticks.
std::string quoted(const std::string& text) {
  std::string q = "'";
  for (const char c : text) {
    if (c == '\'') q += '\'';
    q += c == '\n' || c == '\r' ? ' ' : c;
  }
  return q + "'";
}

// Lines that lie over each other get thinner from the first to the last, so that all can be seen.
std::string width(const Plot& plot, std::size_t line) {
  if (!plot.overlay) return "1.8";
  static constexpr std::array widths{"7", "4.5", "2.5", "1"};
  return widths[std::min(line + (plot.lines.size() < 4 ? 4 - plot.lines.size() : 0),
                         widths.size() - 1)];
}

}  // namespace

std::string gnuplot_script(const Plot& plot) {
  // One palette for all figures: distinct in print, in the dark and for colour-blind readers.
  static constexpr std::array colours{"#1f5fa8", "#d1542c", "#2f8f5b", "#8a4fa3",
                                      "#b58900", "#3aa6b9", "#6b6b6b"};
  std::string s = "# Drawn by bristle. Run `gnuplot " + plot.name + ".gp` here to draw it again.\n";
  s += "set datafile separator ','\n";
  s += "set encoding utf8\n";
  s += "set title " + quoted(plot.title) + " noenhanced font ':Bold' offset 0,0.5\n";
  s += "set xlabel " + quoted(plot.x_label) + " noenhanced\n";
  s += "set ylabel " + quoted(plot.y_label) + " noenhanced\n";
  s += "set grid lc rgb '#dddddd' lw 1\n";
  s += "set border 3 lc rgb '#444444'\nset tics nomirror textcolor rgb '#444444'\n";
  s += "set key outside top center horizontal reverse Left samplen 2.5 width 1 noenhanced maxcols "
       "4\n";
  if (plot.lines.size() == 1) s += "unset key\n";
  if (plot.equal) s += "set size ratio -1\nset xtics rotate by 45 right\n";
  if (plot.log_x) s += "set logscale x\nset format x '10^{%L}'\n";
  if (plot.log_y) s += "set logscale y\nset format y '%g'\n";
  if (!plot.x_range.empty()) s += "set xrange [" + plot.x_range + "]\n";
  if (!plot.y_range.empty()) s += "set yrange [" + plot.y_range + "]\n";
  else if (!plot.log_y) s += "set offsets 0, 0, graph 0.04, graph 0.04\n";

  std::string curves;
  if (!plot.band_file.empty())
    curves += quoted(plot.band_file) +
              " skip 1 using 1:2 with filledcurves closed fs solid noborder fc rgb '#e4e4e4' title "
              "'equilibria'";
  std::size_t number = 0;
  for (const Line& line : plot.lines) {
    if (!curves.empty()) curves += ", \\\n     ";
    const std::string own = line.faint ? "5" : line.behind ? "1" : width(plot, number);
    curves += quoted(line.file) + " skip 1 using " + line.x + ":" + line.y + " with " +
              (line.dots     ? "points pt 7 ps 0.4"
               : line.points ? "linespoints pt 7 ps 0.5 lw " + own
                             : "lines lw " + own) +
              (line.dashed ? " dt 2" : "") + " lc rgb '" +
              (line.faint || line.behind ? "#cccccc" : colours[number % colours.size()]) +
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

bool draw(const std::string& directory, const std::vector<std::string>& scripts, std::string& why) {
  if (scripts.empty()) return true;
  // gnuplot starts once for all scripts; each begins from a clean state.
  std::string commands;
  for (const auto& script : scripts) commands += "reset\nload " + quoted(script) + "\n";
  int ends[2];
  if (::pipe(ends) != 0) {
    why = std::strerror(errno);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  char name[] = "gnuplot";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (failed != 0) {
    ::close(ends[1]);
    why = "gnuplot is not installed (package gnuplot-nox)";
    return false;
  }
  std::size_t done = 0;
  while (done < commands.size()) {
    const ssize_t n = ::write(ends[1], commands.data() + done, commands.size() - done);
    if (n <= 0) break;
    done += std::size_t(n);
  }
  ::close(ends[1]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    why = "gnuplot failed";
    return false;
  }
  return true;
}

}  // namespace bristle::io
