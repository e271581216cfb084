// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/support/Result.h"

namespace tilescope::app {

/// Why a file has no launch for the kernel that is asked for.
Error notLaunched(const compiler::CompileRequest &request);

} // namespace tilescope::app
