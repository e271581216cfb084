// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that wait for others which cannot begin: a barrier over a grid ends on a GPU only if it
// holds all programs at once. The interpreter says how many it has seen to wait in vain, and the
// compiled kernel how many a usual GPU of the target holds:
//
//   1000 programs wait, 4 blocks on each of 132 multiprocessors: 528 run at once, and 472 never begin
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/Compiler.h"

#include <optional>

namespace tilescope::app {

/// Of a usual GPU of the request's target; 0: it is not known.
uint32_t multiprocessorsOf(const compiler::CompileRequest &request);

/// A warning if a usual GPU of the target holds no more programs at once than have waited in vain.
/// Compiles the kernel if it may be so.
std::optional<compiler::Diagnostic> tooManyWaiting(compiler::Compiler &worker,
                                                   const compiler::CompileRequest &request,
                                                   const compiler::WaitingPrograms &waiting,
                                                   const compiler::CompileHooks &hooks);

} // namespace tilescope::app
