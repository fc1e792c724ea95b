// SPDX-License-Identifier: MIT
// Running an experiment and writing what came out of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bristle/io/experiment.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/verdict.hpp"

namespace bristle::io {

struct ExperimentResult {
  std::vector<CaseResult> cases;
  std::vector<Verdict> verdicts;
  std::vector<std::string> warnings;  // where runs left the domain of their parts
  double seconds = 0.0;

  bool ok(const Experiment& experiment) const;
};

// `progress` is called now and then with the fraction done; false cancels (throws Interrupted). One
// case, of the file `path` in messages, and all of them.
CaseResult run_case(const Case& c, const std::string& path,
                    const std::function<bool(double)>& progress = {});
ExperimentResult run_experiment(const Experiment& experiment,
                                const std::function<bool(double)>& progress = {});

struct WriteOptions {
  bool figures = true;
  std::string command;                // the command line, for the record
  bool animate = false;               // a moving picture of each case as well
  std::function<bool()> cancelled{};  // called before the results get their name
  std::string stamp{};                // writes gallery.json with it, see gallery.hpp
  bool tables = true;                 // CSV, gnuplot scripts and SVG stay once figures are drawn
};

// Writes summary.json, one CSV per case, figures with their gnuplot scripts, report.html and the
// input file. Returns what could not be done (figures without gnuplot) in words; empty if all is
// there.
std::string write_results(const Experiment& experiment, const ExperimentResult& result,
                          const std::string& directory, const WriteOptions& options);

// The file as read, and copies of the files it reads. A copy lies where the file says, so that
// experiment.toml can be run again, unless that is outside or the name of a result: then under
// input/. Written last, so that all results have their names.
void write_inputs(const std::string& text, const Attachments& attachments, ResultDirectory& out);

std::string summary_json(const Experiment& experiment, const ExperimentResult& result,
                         const WriteOptions& options);

}  // namespace bristle::io
