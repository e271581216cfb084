// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Interpretation.h"

#include <vector>

namespace tilescope::compiler {

/// Says with the first load that reads outside of an argument which outputs depend on what is there.
void noteTakingOutside(const Interpretation &interpretation, std::vector<Diagnostic> &diagnostics);

} // namespace tilescope::compiler
