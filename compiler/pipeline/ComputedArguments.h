// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

/// An integer argument that a kernel makes values from, as of a mean: another number gives other
/// results.
struct ComputedArgument {
  std::string name;
  /// Where its number becomes one of the kernel's values.
  SourceRange range;
};

/// Those that do more than end masks and loops and lead to addresses, as the kernel's TTIR says;
/// none where it has no TTIR.
std::vector<ComputedArgument> findComputedArguments(const CompileResult &compiled);

} // namespace tilescope::compiler
