// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tilescope::ttg {

/// On an operation: the number under which runs and code generation report its accesses.
inline constexpr llvm::StringLiteral kOperationNumberAttr = "operation.number";

} // namespace tilescope::ttg
