// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <optional>
#include <set>
#include <string>

namespace tilescope::compiler {

/// All names in the body of the kernel that was compiled, also where its constexprs leave the code out;
/// nothing where its source is IR.
std::optional<std::set<std::string>> bodyNames(const CompileResult &result);

} // namespace tilescope::compiler
