// SPDX-License-Identifier: MIT
// One experiment on its way through `bristle reproduce`, and the pages that gather them all.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bristle/io/errors.hpp"
#include "bristle/io/gallery.hpp"

namespace bristle::cli {

struct ReproduceArguments {
  std::vector<std::string> keys;
  bool all = false, list = false, json = false, strict = false, no_figures = false, fresh = false,
       verbose = false, full = false;
  std::string out, folder, command;

  // Of a whole gallery only what its pages show, unless all is asked for.
  bool tables() const { return !all || full; }
};

struct Item {
  std::string key;
  io::GallerySection section;
  bool kept = false;  // from an earlier run, nothing has changed
  int code = io::success;
  std::string trouble;  // what could not be drawn

  void fail(const io::Experiment& experiment, const std::string& why, int with) {
    section = io::failed_section(key, experiment, why);
    code = with;
  }
};

// Runs an experiment of a folder and writes its results; does neither if those there are its own.
// What goes wrong ends up in the item.
void run_item(Item& item, const ReproduceArguments& a, const std::string& folder,
              const std::function<bool(double)>& progress);

nlohmann::ordered_json as_json(const Item& item);

// Throws if there are pages of the names of ours that are not ours.
void refuse_foreign_pages(const std::string& out);
// Writes index.html, models.html and pages/; gives the path of the first.
std::string write_pages(const ReproduceArguments& a, const std::string& folder,
                        const std::vector<io::GallerySection>& sections);

}  // namespace bristle::cli
