// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

namespace tilescope::compiler {

/// Whether a run found it. Else the compiler found it, which says itself whether it still holds.
inline bool isOfRun(const Diagnostic &diagnostic) {
  return diagnosticId(diagnostic.kind).starts_with("run-");
}

} // namespace tilescope::compiler
