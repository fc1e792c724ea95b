// SPDX-License-Identifier: MIT
// part.toml as it is written.
#include "bristle/io/csv.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/part.hpp"
#include "part_format.hpp"
#include "shown.hpp"
#include "toml_text.hpp"

namespace bristle::io {
namespace {

// Text of others in one line, without control characters, which no reader accepts.
std::string part_word(const std::string& text) { return toml_quoted(shown(utf8(text))); }

void add_part_text(std::string& into, const char* key, const std::string& value) {
  if (!value.empty()) into += std::string(key) + " = " + part_word(value) + "\n";
}

void add_part_flag(std::string& into, const char* key, bool value) {
  into += std::string(key) + (value ? " = true\n" : " = false\n");
}

std::string part_numbers(std::initializer_list<double> numbers) {
  return toml_value(Value(std::vector<double>(numbers)));
}

// A whole file as one text, line by line; carriage returns are left out.
std::string embedded_file(const std::string& text) {
  std::string all = "\"\"\"\n";
  const std::string whole = utf8(text);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const char c = whole[i];
    const std::size_t length = control_length(std::string_view(whole).substr(i));
    if (c == '\\' || c == '"') all += '\\';
    if (c == '\n' || c == '\t' || length == 0) all += c;
    else if (c != '\r') all += '\\' + shown(std::string_view(whole).substr(i, length));
    if (length > 1) ++i;
  }
  return all + "\"\"\"\n";
}

std::string part_parameter_text(const PartParameter& p) {
  std::string text = "\n[[parameter]]\nname = " + part_word(p.name) + "\nof = \"" + p.of +
                     "\"\nvalue = " + toml_number(p.value) + "\n";
  add_part_text(text, "unit", p.unit);
  add_part_flag(text, "fitted", p.fitted);
  if (!p.fitted) return text;
  text += "scale = \"" + std::string(part_scales[p.logarithmic ? 1 : 0]) + "\"\n";
  add_part_text(text, "above", p.above);
  text += "bounds = " + part_numbers({p.least, p.most}) +
          "\nstandard_deviation = " + toml_number(p.deviation) +
          "\ninterval_95 = " + part_numbers({p.lower, p.upper}) + "\n";
  add_part_flag(text, "determined", p.determined);
  if (p.at_bound) add_part_flag(text, "at_bound", true);
  if (p.no_lower_limit) add_part_flag(text, "no_lower_limit", true);
  if (p.no_upper_limit) add_part_flag(text, "no_upper_limit", true);
  return text;
}

std::string part_agreement_text(const char* key, const Agreement& a) {
  if (a.samples <= 0) return "";
  std::string text = std::string(key) + " = { samples = " + std::to_string(a.samples) +
                     ", rmse = " + toml_number(a.rmse);
  if (std::isfinite(a.nrmse)) text += ", rmse_over_range = " + toml_number(a.nrmse);
  if (std::isfinite(a.r2)) text += ", r2 = " + toml_number(a.r2);
  return text + ", largest_error = " + toml_number(a.worst) + " }\n";
}

std::string part_covariance_text(const Part& part) {
  const auto free = part.fitted();
  if (free.empty()) return "";
  std::string text =
      "\n# Of the fitted parameters in their order, in the scale of each: of the logarithm of the\n"
      "# value (log), of the value (linear), or of its excess over the one named by above.\n"
      "covariance = [\n";
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto row = part.covariance.begin() + long(i * free.size());
    text += "  " + toml_value(Value(std::vector<double>(row, row + long(free.size())))) + ",\n";
  }
  return text + "]\n";
}

}  // namespace

std::string part_text(const Part& part) {
  std::string text = "# The result of a fit: bristle part show FILE prints it.\nformat = \"" +
                     std::string(part_format) + "\"\nkind = \"" + part.kind + "\"\n";
  add_part_text(text, "law", part.law);
  add_part_text(text, "system", part.system);
  add_part_text(text, "mechanism", part.mechanism);
  if (!part.unusable.empty()) text += "# This fit must not be used.\n";
  add_part_text(text, "unusable_because", part.unusable);
  add_part_text(text, "licence", part.licence);
  add_part_text(text, "source", part.source);
  add_part_text(text, "bristle", part.version);
  add_part_text(text, "command", part.command);
  if (!part.warnings.empty()) {
    text += "warnings = [\n";
    for (const auto& w : part.warnings) text += "  " + part_word(w) + ",\n";
    text += "]\n";
  }
  text += part_covariance_text(part);
  if (!part.machine.empty()) text += "\nmachine = " + embedded_file(part.machine);
  if (!part.choices.empty()) text += "\n[choices]\n";
  for (const auto& [key, value] : part.choices)
    text += part_word(key) + " = " + toml_value(value) + "\n";
  for (const PartParameter& p : part.parameters) text += part_parameter_text(p);
  for (const PartDependence& d : part.depends) {
    text += "\n[[dependence]]\nparameter = " + part_word(d.parameter) +
            "\ncolumn = " + part_word(d.column) + "\n";
    add_part_text(text, "unit", d.unit);
    text += "form = \"" + std::string(word_of(d.form)) +
            "\"\nreference = " + toml_number(d.reference) + "\n";
  }
  for (const PartRange& r : part.domain) {
    text += "\n[[domain]]\nquantity = " + part_word(r.quantity) +
            "\nrange = " + part_numbers({r.from, r.to}) + "\n";
    add_part_text(text, "unit", r.unit);
  }
  for (const PartRun& r : part.runs)
    text += "\n[[run]]\nname = " + part_word(r.name) + "\nquantity = " + part_word(r.quantity) +
            "\nunit = " + part_word(r.unit) + "\n" + part_agreement_text("fitted", r.fitted) +
            part_agreement_text("held_out", r.held_out);
  for (const PartData& d : part.data) {
    text += "\n[[data]]\nfile = " + part_word(d.file) + "\n";
    add_part_text(text, "fingerprint", d.fingerprint);
  }
  return text;
}

void write_part(const std::string& path, const Part& part) { write_text(path, part_text(part)); }

}  // namespace bristle::io
