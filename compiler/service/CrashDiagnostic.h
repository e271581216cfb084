// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"

namespace tilescope::compiler {

/// As the function of one argument, for a job without stages. `doing`: `reading the model`.
Diagnostic crashDiagnostic(const CrashedReply &crash, const std::string &doing);

} // namespace tilescope::compiler
