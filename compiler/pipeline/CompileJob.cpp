// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CompileJob.h"

#include <algorithm>

namespace tilescope::compiler {

static int64_t nanosecondsSince(CompileJob::Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(CompileJob::Clock::now() - start)
      .count();
}

CompileJob::CompileJob(Compiler::State &state, const CompileRequest &request,
                       const CompileHooks &hooks)
    : state(state), request(request), hooks(hooks), files({{request.path, request.text}}),
      m_start(Clock::now()), m_stageStart(m_start) {
  result.revision = request.revision;
  result.options = request.selection.options;
}

CompileResult CompileJob::takeResult() {
  result.files = files.files();
  result.ok = !cancelled && !hasErrors();
  result.totalNs = nanosecondsSince(m_start);
  return std::move(result);
}

bool CompileJob::stopped() {
  cancelled |= hooks.stop.stop_requested();
  return cancelled;
}

bool CompileJob::hasErrors() const {
  return std::ranges::any_of(result.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Error;
  });
}

void CompileJob::begin(StageId id) {
  m_stageStart = Clock::now();
  if (hooks.stageStarted)
    hooks.stageStarted(id);
  step(id, stageName(id));
}

void CompileJob::step(StageId id, std::string_view name) {
  if (hooks.stepStarted)
    hooks.stepStarted(id, name);
}

void CompileJob::finish(Stage stage) {
  stage.durationNs = nanosecondsSince(m_stageStart);
  publish(std::move(stage));
}

void CompileJob::finishFailed(StageId id) {
  Stage stage;
  stage.id = id;
  finish(std::move(stage));
}

void CompileJob::publish(Stage stage) {
  result.files = files.files();
  result.stages.push_back(std::move(stage));
  if (hooks.stageFinished)
    hooks.stageFinished(result, result.stages.back());
}

PassRecord &CompileJob::addPass(StageId id, std::string name, Clock::time_point start,
                                bool failed) {
  return result.passes.emplace_back(
      PassRecord{id, std::move(name), nanosecondsSince(start), true, failed, "", {}});
}

Diagnostic &CompileJob::report(DiagnosticKind kind, Severity severity, std::string message,
                               std::vector<std::string> notes) {
  Diagnostic &diagnostic = result.diagnostics.emplace_back();
  diagnostic.kind = kind;
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  for (std::string &note : notes)
    if (!note.empty())
      diagnostic.notes.push_back(std::move(note));
  return diagnostic;
}

} // namespace tilescope::compiler
