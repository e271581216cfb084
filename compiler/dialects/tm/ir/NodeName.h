// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <string>

namespace tilescope::tm {

/// The node that an operation came from; its operation's name where it has none.
std::string nodeName(mlir::Operation *operation);

} // namespace tilescope::tm
