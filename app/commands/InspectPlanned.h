// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "compiler/service/WorkerClient.h"

#include <stop_token>

namespace tilescope::app {

/// Shared memory and loops of a kernel that was compiled, which need no launch. An answer that is
/// not `ok` is no fault of the kernel: a file of PTX has no buffers.
Result<compiler::InspectDoneReply> inspectPlanned(compiler::WorkerClient &worker,
                                                  const CompiledFile &file,
                                                  const std::stop_token &stop);

} // namespace tilescope::app
