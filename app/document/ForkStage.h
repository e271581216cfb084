// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "compiler/artifacts/CompileResult.h"

namespace tilescope::app {

/// The text of a stage as a separate document, which compiles and runs as the kernel does: the
/// launch block comes first, with the options and compile-time values that were compiled.
std::string forkText(const KernelDocument &document, const compiler::CompileResult &result,
                     compiler::StageId stage);

/// What must be chosen for the fork where no launch block can say it.
KernelChoice forkChoice(const KernelDocument &document, const compiler::CompileResult &result);

} // namespace tilescope::app
