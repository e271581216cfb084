// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <optional>
#include <set>
#include <string>

namespace tilescope::compiler {

/// The names in the body of a kernel, also where its constexprs leave the code out.
struct BodyNames {
  std::set<std::string> all;
  /// In conditions, loops, calls of functions of the file, and behind a `return` in a branch: other constexprs may take
  /// another path through them.
  std::set<std::string> chosen;
};

/// Of the kernel that was compiled; nothing where its source is IR.
std::optional<BodyNames> bodyNames(const CompileResult &result);

} // namespace tilescope::compiler
