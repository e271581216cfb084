// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/CompilerState.h"
#include "compiler/pipeline/FileTable.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// One compilation as its stages see it: what was asked for, the compiler's tools and caches, and
/// the result that they add to. What a stage needs of an earlier one is not here: it comes as the
/// stage's input (Stages.h).
struct CompileJob {
  using Clock = std::chrono::steady_clock;

  CompileJob(Compiler::State &state, const CompileRequest &request, const CompileHooks &hooks);

  bool entryIsIr() const { return request.entry != StageId::Ast; }
  bool wants(StageId id) const { return id <= request.stopAfter; }
  bool wantsBehind(StageId id) const { return id < request.stopAfter; }
  /// Whether the stage's text is read: the caller, or the cache of the stages after it.
  bool needsText(StageId id) const {
    return request.stopAfter > id || !hooks.wantsText || hooks.wantsText(id);
  }
  /// Whether to end here without a result.
  bool stopped();
  bool hasErrors() const;

  void begin(StageId id);
  void step(StageId id, std::string_view name);
  /// Publishes a stage that began with `begin`.
  void finish(Stage stage);
  void finishFailed(StageId id);
  void publish(Stage stage);
  /// The new record, of a pass that ended now.
  PassRecord &addPass(StageId id, std::string name, Clock::time_point start, bool failed);
  /// The new diagnostic.
  Diagnostic &report(DiagnosticKind kind, Severity severity, std::string message,
                     std::vector<std::string> notes = {});
  /// The end of the compilation.
  CompileResult takeResult();

  Compiler::State &state;
  const CompileRequest &request;
  const CompileHooks &hooks;
  /// The kernel is compiled to be interpreted.
  bool isRun = false;
  /// Native code may come from the folder of kept code, and is left there.
  bool keepsCode = true;
  /// What source ranges point into.
  FileTable files;
  bool cancelled = false;
  /// Stages add to it.
  CompileResult result;
  /// As `CompileOutcome` has them.
  std::vector<std::string> conversionPasses;

private:
  Clock::time_point m_start;
  Clock::time_point m_stageStart;
};

} // namespace tilescope::compiler
