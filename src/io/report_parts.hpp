// SPDX-License-Identifier: MIT
// Parts of the pages that show a fit.
#pragma once


#include "bristle/io/fit_report.hpp"

namespace bristle::io {

// From the document type to the heading, and from the end of the content to that of the page.
std::string opening(const std::string& title);
std::string closing(const std::string& command);

// A table of cells that are HTML already; the last of a row may wrap.
std::string table(const std::string& head, const std::vector<std::vector<std::string>>& cells);
std::string figure(const Plot& plot);
std::string list(const std::vector<std::string>& sentences);
// Values, units, intervals and meanings.
std::string parameter_table(const std::vector<FittedParameter>& parameters);
nlohmann::ordered_json parameters_json(const std::vector<FittedParameter>& parameters);

}  // namespace bristle::io
