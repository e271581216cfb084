// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/ReplyWriter.h"
#include "compiler/pipeline/Compiler.h"

#include <stop_token>

namespace tilescope::app {

/// Runs the launch in the interpreter, writes every tensor to the message's folder, and sends the
/// reply. Thread: the one that owns the compiler.
void runInterpretJob(compiler::Compiler &worker, const compiler::InterpretMessage &message,
                     std::stop_token stop, ReplyWriter &replies);

} // namespace tilescope::app
