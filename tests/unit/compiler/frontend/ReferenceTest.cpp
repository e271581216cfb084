// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Prelude.h"
#include "compiler/syntax/LanguageReference.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

/// The names of parameters, without stars and defaults.
static std::vector<std::string> names(const std::vector<std::string> &parameters) {
  std::vector<std::string> result;
  for (const std::string &parameter : parameters) {
    const size_t first = parameter.find_first_not_of('*');
    result.push_back(parameter.substr(first, parameter.find('=') - first));
  }
  return result;
}

TEST_CASE("the reference says of builtins what the frontend takes", "[compiler]") {
  size_t numListed = 0;
  for (const frontend::Builtin *builtin : frontend::allBuiltins()) {
    const std::string name = builtin->name;
    const ast::ReferenceEntry *entry =
        name.find('.') == name.npos ? ast::findReference("triton.language." + name) : nullptr;
    if (!entry)
      continue;
    INFO(name);
    ++numListed;
    CHECK(builtin->isMethod == (ast::findReference("tensor." + name) != nullptr));
    const std::vector<std::string> listed = names(entry->parameters());
    const std::vector<frontend::Parameter> &taken = frontend::parametersOf(*builtin);
    // Behind them may be what only older releases had.
    REQUIRE(listed.size() <= taken.size());
    for (size_t i = 0; i < listed.size(); ++i)
      CHECK(listed[i] == taken[i].name);
  }
  CHECK(numListed > 50);
}

TEST_CASE("methods that the prelude defines are those of the reference", "[compiler]") {
  CHECK(frontend::isPreludeMethod("sum"));
  CHECK(frontend::isPreludeMethod("flip"));
  // A function only, a builtin, a private one, and a method of nothing.
  for (const char *name : {"zeros_like", "exp", "_sum_combine", "to"})
    CHECK_FALSE(frontend::isPreludeMethod(name));
}
