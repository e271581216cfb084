// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <cstdint>

namespace tilescope::compiler::inference {

/// What is wrong with a selection: its first error, or a block that is larger than a guess should
/// make it.
struct Objection {
  Diagnostic error;
  /// Of a kernel that compiles: how much too large it is. 0 for errors.
  int64_t excess = 0;
};

} // namespace tilescope::compiler::inference
