// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/types/ScalarKind.h"

#include <algorithm>

namespace tilescope::compiler {

static std::optional<ScalarKind> find(std::string_view ScalarInfo::*field, std::string_view name) {
  const auto found = std::ranges::find(kScalars, name, field);
  return found == kScalars.end() ? std::nullopt : std::optional(found->kind);
}

std::optional<ScalarKind> scalarFromSignature(std::string_view name) {
  if (name == "u1" || name == "B")
    return ScalarKind::Int1;
  return find(&ScalarInfo::signatureName, name);
}

std::optional<ScalarKind> scalarFromLanguageName(std::string_view name) {
  return find(&ScalarInfo::languageName, name);
}

} // namespace tilescope::compiler
