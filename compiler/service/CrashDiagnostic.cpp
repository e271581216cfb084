// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/Messages.h"

namespace tilescope::compiler {

Diagnostic crashDiagnostic(const CrashedReply &crash) {
  Diagnostic diagnostic;
  const std::string stage(stageTitle(crash.stage));
  const std::string during = crash.pass.empty() ? "" : " in `" + crash.pass + "`";
  switch (crash.reason) {
  case CrashedReply::Reason::Crash:
  case CrashedReply::Reason::StackOverflow:
    diagnostic.kind = DiagnosticKind::StageCrashed;
    // LLVM ends the process when it cannot go on, and says why.
    diagnostic.message = (crash.message.empty() ? "the compiler crashed while making "
                                                : "LLVM gave up while making ") +
                         stage + during;
    if (!crash.signal.empty() && crash.message.empty())
      diagnostic.message += " (" + crash.signal + ")";
    if (crash.reason == CrashedReply::Reason::StackOverflow)
      diagnostic.notes.push_back("the kernel nests or chains more than the compiler can follow");
    break;
  case CrashedReply::Reason::OutOfMemory:
    diagnostic.kind = DiagnosticKind::StageOutOfMemory;
    diagnostic.message = "the compiler ran out of memory while making " + stage + during;
    break;
  case CrashedReply::Reason::Killed:
    diagnostic.kind = DiagnosticKind::StageTimedOut;
    diagnostic.message = "the compiler took too long while making " + stage + during;
    break;
  }
  if (!crash.message.empty())
    diagnostic.notes.push_back(crash.message);
  if (!crash.reproducer.empty())
    diagnostic.notes.push_back("a reproducer was saved in `" + crash.reproducer + "`");
  return diagnostic;
}

} // namespace tilescope::compiler
