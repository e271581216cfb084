// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/CrashDiagnostic.h"

namespace tilescope::compiler {

Diagnostic crashDiagnostic(const CrashedReply &crash) {
  const std::string stage(stageTitle(crash.stage));
  return crashDiagnostic(crash, "making " + stage +
                                    (crash.pass.empty() ? "" : " in `" + crash.pass + "`"));
}

Diagnostic crashDiagnostic(const CrashedReply &crash, const std::string &doing) {
  Diagnostic diagnostic;
  switch (crash.reason) {
  case CrashedReply::Reason::Crash:
  case CrashedReply::Reason::StackOverflow:
    diagnostic.kind = DiagnosticKind::StageCrashed;
    // LLVM ends the process when it cannot go on, and says why.
    diagnostic.message =
        (crash.message.empty() ? "the compiler crashed while " : "LLVM gave up while ") + doing;
    if (!crash.signal.empty() && crash.message.empty())
      diagnostic.message += " (" + crash.signal + ")";
    if (crash.reason == CrashedReply::Reason::StackOverflow)
      diagnostic.notes.push_back("the kernel nests or chains more than the compiler can follow");
    break;
  case CrashedReply::Reason::OutOfMemory:
    diagnostic.kind = DiagnosticKind::StageOutOfMemory;
    diagnostic.message = "the compiler ran out of memory while " + doing;
    break;
  case CrashedReply::Reason::Killed:
    diagnostic.kind = DiagnosticKind::StageTimedOut;
    diagnostic.message = "the compiler took too long while " + doing;
    break;
  }
  if (!crash.message.empty())
    diagnostic.notes.push_back(crash.message);
  if (!crash.reproducer.empty())
    diagnostic.notes.push_back("a reproducer was saved in `" + crash.reproducer + "`");
  return diagnostic;
}

} // namespace tilescope::compiler
