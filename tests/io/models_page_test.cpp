// SPDX-License-Identifier: MIT
#include "bristle/io/models_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"
#include "io/support.hpp"

namespace bristle::io::models_page_test {
namespace {

using test::contains;

TEST(ModelsPage, ShowsEveryLawWithItsEquationsFieldsAndAnswers) {
  const auto entries = model_entries();
  EXPECT_EQ(entries.size(), laws().size() + systems().size());
  const std::string page = models_html(entries, {{"lugre", {"r_8_stick_slip"}}});
  EXPECT_PRED2(contains, page, "pages/r_8_stick_slip.html");
  std::size_t at = 0;
  for (const auto& law : laws()) {
    const auto& entry = entries[at++];
    EXPECT_EQ(entry.at("name"), law.description.name);
    // From the comment at the top of include/bristle/model/NAME.hpp.
    EXPECT_GT(entry.at("equations").get<std::string>().size(), 100u) << law.description.name;
    EXPECT_EQ(entry.at("fields").size(), law.description.fields.size());
    for (const char* question : {"at rest", "Stribeck", "presliding", "memory", "passive"})
      EXPECT_TRUE(!law.single || entry.at("answers").contains(question)) << question;
    const std::string& name = law.description.name;
    EXPECT_PRED2(contains, page, "id=\"" + name + "\"");
    // In the comparison, or in the list of those that are not in it.
    EXPECT_PRED2(contains, page, "<a href=\"#" + name + "\">" + name + "</a>");
    for (const auto& field : law.description.fields)
      EXPECT_PRED2(contains, page, "<code>" + field.name + "</code>");
  }
}

}  // namespace
}  // namespace bristle::io::models_page_test
