// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/LastWords.h"
#include "app/worker/ReplyWriter.h"
#include "compiler/pipeline/Compiler.h"

#include <stop_token>

namespace tilescope::app {

/// Does what a message asks and sends the replies. Thread: the one that owns the compiler.
void runCompileJob(compiler::Compiler &worker, const compiler::CompileMessage &message,
                   std::stop_token stop, ReplyWriter &replies);

/// Compiles a small kernel to machine code, so that the first keystroke finds everything loaded.
void warmUp(compiler::Compiler &worker, std::stop_token stop);

/// What the compiler found on this machine.
compiler::HelloReply makeHello(const compiler::Compiler &worker);

/// What a crash of this job would save.
LastWordsJob lastWordsJob(compiler::JobId job, const compiler::CompileRequest &request);

/// Crashes, hangs or eats memory when `hook` says so for this step and the environment allows it.
void obeyTestHook(const compiler::TestHook &hook, std::string_view step);

} // namespace tilescope::app
