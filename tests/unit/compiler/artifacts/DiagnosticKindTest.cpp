// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DiagnosticKind.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace tilescope::compiler;

TEST_CASE("every kind of diagnostic has an id of its own", "[compiler]") {
  const DiagnosticKind kinds[] = {
#define TILESCOPE_DIAGNOSTIC(name, id) DiagnosticKind::name,
#include "compiler/artifacts/DiagnosticKinds.def"
#undef TILESCOPE_DIAGNOSTIC
  };
  std::set<std::string> ids;
  for (DiagnosticKind kind : kinds)
    ids.insert(std::string(diagnosticId(kind)));
  CHECK(ids.size() == std::size(kinds));
}
