// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::inference {

/// A `@triton.jit` function whose expansion may reach another one.
struct CallPath {
  const ast::JitFunction *caller = nullptr;
  /// Where the functions on the way name each other, innermost first.
  std::vector<SourceRange> places;
};

/// The ways to a function of that name: first those from functions that can be launched, then the
/// longer ones. One for every caller.
std::vector<CallPath> callPathsTo(const ast::ModuleIndex &index, std::string_view name);

} // namespace tilescope::compiler::inference
