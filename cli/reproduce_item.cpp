// SPDX-License-Identifier: MIT
#include "reproduce_item.hpp"

#include <filesystem>
#include <map>

#include "bristle/io/files.hpp"
#include "bristle/io/kept.hpp"
#include "bristle/io/models_page.hpp"
#include "bristle/io/verdict_json.hpp"
#include "bristle/model/error.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What the program is: its own bytes, and those of its library where that is a file of its own.
std::string program_fingerprint() {
  static const std::string made = [] {
    std::string all = io::fingerprint(io::read_text("/proc/self/exe"));
    const std::string maps = io::read_text("/proc/self/maps");
    if (const auto name = maps.find("/libbristle."); name != std::string::npos) {
      const auto from = maps.rfind(' ', name) + 1;
      all += io::fingerprint(io::read_text(maps.substr(from, maps.find('\n', name) - from)));
    }
    return all;
  }();
  return made;
}

// Whether something beside the results has their name with an ending.
bool has_remains(const std::string& folder, const std::string& key) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with(key + ".")) return true;
  return false;
}

// Runs an experiment and writes its results; does neither if those there are its own.
void work_on(Item& item, io::Experiment& experiment, const ReproduceArguments& a,
             const std::string& folder, const std::function<bool(double)>& progress) {
  experiment = io::read_experiment(folder + "/" + item.key + ".toml");
  if (a.out.empty()) {
    const auto result = io::run_experiment(experiment, progress);
    item.section = io::make_section(experiment, result, {}, "");
    if (!result.ok(experiment)) item.code = io::run_failed;
  } else {
    const std::string directory = a.out + "/" + item.key;
    const std::string stamp =
        io::stamp(experiment, program_fingerprint(),
                  std::string(a.no_figures ? "no figures" : "") + (a.tables() ? "" : " no tables"));
    if (!a.fresh) {
      if (auto stored = io::stored_section(directory, stamp)) {
        item.section = std::move(*stored);
        item.kept = true;
        // A process that died while it made them anew left its files beside the results.
        if (has_remains(a.out, item.key)) io::ResultDirectory{directory};
        return;
      }
    }
    const auto result = io::run_experiment(experiment, progress);
    // Half a run is written, but bears no stamp: it is tried again next time.
    const bool ok = result.ok(experiment);
    item.trouble = io::write_results(experiment, result, directory,
                                     {!a.no_figures, "bristle reproduce " + item.key, false,
                                      interrupted, ok ? stamp : "", a.tables()});
    auto stored = io::stored_section(directory, stamp);
    item.section = stored ? std::move(*stored) : io::make_section(experiment, result, {}, "");
    if (!ok) item.code = io::run_failed;
  }
  if (item.code == io::run_failed)
    item.section.content["error"] = "a simulation did not reach its end";
}

// What the page of models shows; kept beside it, as it takes some seconds.
ordered_json kept_models(const ReproduceArguments& a) {
  const std::string path = a.out + "/models.json";
  std::error_code none;
  if (!a.fresh && fs::is_regular_file(path, none)) {
    const auto kept = io::unsealed(io::read_text(path));
    if (kept && kept->value("stamp", "") == program_fingerprint()) return kept->at("entries");
  }
  ordered_json entries = io::model_entries();
  io::write_text(path, io::sealed({{"stamp", program_fingerprint()}, {"entries", entries}}));
  return entries;
}

}  // namespace

void run_item(Item& item, const ReproduceArguments& a, const std::string& folder,
              const std::function<bool(double)>& progress) {
  io::Experiment experiment;
  try {
    work_on(item, experiment, a, folder, progress);
  } catch (const io::Interrupted&) {
    item.fail(experiment, "interrupted", io::interrupted);
  } catch (const io::InputError& error) {
    item.fail(experiment, error.what(), io::bad_input);
  } catch (const InvalidInput& error) {
    item.fail(experiment, error.what(), io::bad_input);
  } catch (const std::bad_alloc&) {
    item.fail(experiment, "there is not enough memory", io::run_failed);
  } catch (const std::exception& error) {
    item.fail(experiment, error.what(), io::file_trouble);
  }
}

ordered_json as_json(const Item& item) {
  const auto& content = item.section.content;
  ordered_json j{{"key", item.key},
                 {"document", content.at("document")},
                 {"figure", content.at("figure")},
                 {"title", content.at("title")},
                 {"covers", content.at("covers")}};
  // The fact that stands for the experiment; all of them follow.
  const io::Verdict* main = io::headline(item.section.verdicts);
  j["claim"] = main ? ordered_json(main->key) : ordered_json(nullptr);
  j["kind"] = main ? ordered_json(io::info(main->kind).key) : ordered_json(nullptr);
  j["reference"] = main ? ordered_json(main->reference) : ordered_json(nullptr);
  j["ours"] = main ? ordered_json(main->ours) : ordered_json(nullptr);
  j["tolerance"] = main ? ordered_json(main->tolerance) : ordered_json(nullptr);
  j["verdict"] = io::overall(item.section.verdicts);
  j["seconds"] = content.at("seconds");
  if (!item.section.text("error").empty()) j["error"] = item.section.text("error");
  j["ledger_error"] =
      content.at("ledger_error").is_null() ? ordered_json(0.0) : content.at("ledger_error");
  j["facts"] = ordered_json::array();
  for (const auto& v : item.section.verdicts) j["facts"].push_back(io::as_json(v));
  return j;
}

void refuse_foreign_pages(const std::string& out) {
  std::error_code none;
  std::vector<std::string> paths{out + "/index.html", out + "/models.html"};
  for (const auto& file : fs::directory_iterator(out + "/pages", none))
    paths.push_back(file.path().string());
  for (const auto& path : paths)
    if (fs::exists(path, none) &&
        (!fs::is_regular_file(path, none) ||
         io::read_text(path).find("<title>Bristle: ") == std::string::npos))
      throw io::FileError(path + ": is not a page of bristle, choose another --out");
}

std::string write_pages(const ReproduceArguments& a, const std::string& folder,
                        const std::vector<io::GallerySection>& sections) {
  std::map<std::string, std::vector<std::string>> used;
  for (const auto& s : sections)
    for (const auto& model : s.content.at("models"))
      used[model.get<std::string>()].push_back(s.text("key"));
  io::write_text(a.out + "/models.html", io::models_html(kept_models(a), used));
  const io::GalleryPage page{sections, io::listed_figures(folder), a.command, true};
  const std::string path = a.out + "/index.html", pages = a.out + "/pages";
  std::error_code none;
  fs::remove_all(pages, none);  // those of experiments that are no more, too
  fs::create_directories(pages);
  for (const auto& [key, html] : io::experiment_pages(page))
    io::write_text(pages + "/" + key + ".html", html);
  io::write_text(path, io::gallery_html(page));
  return fs::absolute(path).lexically_normal().string();
}

}  // namespace bristle::cli
