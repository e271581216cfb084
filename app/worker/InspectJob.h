// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/ReplyWriter.h"
#include "compiler/pipeline/Compiler.h"

#include <stop_token>

namespace tilescope::app {

/// Counts what the accesses of the launch cost, and looks at shared memory and at loops, as far as
/// the message asks for it, and sends the reply. Thread: the one that owns the compiler.
void runInspectJob(compiler::Compiler &worker, const compiler::InspectMessage &message,
                   std::stop_token stop, ReplyWriter &replies);

} // namespace tilescope::app
