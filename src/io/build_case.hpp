// SPDX-License-Identifier: MIT
// From the sections of a file to one case: the law, what it acts on and what is asked of it.
#pragma once

#include <set>

#include "toml_reader.hpp"

namespace bristle::io {

// `given` are the sections that stand in the file or were changed, `machine` the parts of a machine
// if it is one. Throws InputError with file,
// line, field, value and range.
Case build_case(const std::string& label, const Sections& sections,
                const std::set<std::string>& given, const std::vector<MachineEntry>& machine,
                const std::string& path);

// Makes a case of a machine from its entries, whose fields are in the sections "list.name".
void build_machine(Case& c, const Sections& sections, const std::vector<MachineEntry>& entries,
                   const std::string& path);

// The case of a variant of a document with changed fields, without its facts. `figures` may need
// even samples; a sentence for each value outside of its usual range goes to `warnings`.
Case make_case(const Document& document, const CaseChanges& variant,
               const std::vector<Setting>& settings, const std::vector<FigureSpec>& figures,
               std::vector<std::string>& warnings);
// Refuses two settings of one field.
void refuse_twice(const std::vector<Setting>& settings);

// Refuses figures and facts that ask a machine for columns, contacts or quantities it has not, and
// facts that ask others for what machines alone have.
void check_questions(const Case& c, const std::vector<FigureSpec>& figures);

}  // namespace bristle::io
