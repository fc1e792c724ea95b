// SPDX-License-Identifier: MIT
// What the program kept from earlier runs, as someone else may have left it: damaged or cut short.
#include <nlohmann/json.hpp>

#include "bristle/io/bifurcation_file.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/gallery.hpp"
#include "bristle/io/kept.hpp"
#include "bristle/io/models_page.hpp"
#include "entries.hpp"

namespace bristle::fuzz {
namespace {

constexpr const char* mark = "0123456789abcdef";

void read_section(std::string_view text) {
  scratch().write("kept/gallery.json", text);
  const auto section = io::stored_section(scratch().root() + "/kept", mark);
  if (!section) return;
  const std::string page = io::gallery_html({{*section}, {}, "", true});
  require(io::utf8(page) == page, "a page is UTF-8");
}

void read_models(std::string_view text) {
  const auto kept = io::unsealed(text);
  if (!kept) return;
  const std::string page = io::models_html(kept->at("entries"), {});
  require(io::utf8(page) == page, "a page is UTF-8");
}

// A seal says that nothing was damaged; whoever sets one can still write nonsense.
template <class Read>
void read_sealed(const Read& read, std::string_view text) {
  try {
    const auto body = io::parse_kept(text);
    if (body && body->is_object()) read(io::sealed(*body));
  } catch (const nlohmann::ordered_json::exception&) {
  }
}

void read_diagram(std::string_view text) {
  const std::string path = scratch().write("kept/diagram.partial.csv", text);
  BifurcationOptions options;
  options.from = 0.0, options.to = 1.0, options.values = 5.0;
  accepts([&] {
    const Bifurcation b = io::read_diagram(path, options, mark);
    require(b.columns.size() == 5, "a diagram has the columns that were asked for");
    for (const auto& c : b.columns)
      require(c.done != c.section.x.empty(), "a column that is done has points");
    // What goes on from it is what was read.
    const io::BifurcationPlan plan{.file = "x.toml", .parameter = "input.amplitude"};
    const std::string again = io::diagram_csv(b, plan, mark);
    if (b.done() == 0) return;
    const Bifurcation twice =
        io::read_diagram(scratch().write("kept/again.csv", again), options, mark);
    for (std::size_t i = 0; i < b.columns.size(); ++i)
      require(twice.columns[i].section.x == b.columns[i].section.x, "a diagram reads back");
  });
}

}  // namespace

void cache(std::string_view input) {
  const auto [kind, text] = first_line(input);
  if (kind == "section") read_section(text);
  else if (kind == "sealed section") read_sealed(read_section, text);
  else if (kind == "models") read_models(text);
  else if (kind == "sealed models") read_sealed(read_models, text);
  else read_diagram(input);
}

}  // namespace bristle::fuzz
