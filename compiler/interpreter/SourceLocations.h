// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace tilescope::compiler::interpreter {

/// The place in the source for which a user looks: the innermost one in the first of `files` if
/// the operation comes from there through calls, else the innermost of all. Files that are not
/// listed yet are added.
SourceRange getSourceRange(mlir::Location location, std::vector<std::string> &files);

} // namespace tilescope::compiler::interpreter
