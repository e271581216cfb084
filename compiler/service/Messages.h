// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/WorkerReplies.h"
#include "compiler/service/WorkerRequests.h"

/// What the IDE and the command line say to `tilescope-worker`, and what it answers.
///
/// One conversation, on the worker's standard input and output (MessageCodec.h frames it):
///
///     -> Compile{job 7, request, wanted}
///     <- LaunchResolved{7, the launch that the request means, what is wrong with its block}
///     <- StageStarted{7, Ast}  <- StageReady{7, AST …}
///     <- StageStarted{7, Ttir} <- StageReady{7, TTIR …, diagnostics so far, hover facts}
///     -> Compile{job 8, …}, Cancel{7}              a newer edit
///     <- CompileDone{7, cancelled}
///     <- StageStarted{8, Ast} …
///     <- CompileDone{8, result without what StageReady already carried}
///
/// A client that only wants the result feeds every reply to a `ResultAssembler`. A worker that dies
/// sends `Crashed` as its last words when it still can; otherwise the client knows the stage from
/// the last `StageStarted`.
namespace tilescope::compiler {

/// The crash as the user reads it: stage, pass, reproducer. The range is the start of the
/// document.
Diagnostic crashDiagnostic(const CrashedReply &crash);

} // namespace tilescope::compiler
