// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/MaskAdvice.h"

#include "llvm/Target/TargetMachine.h"

namespace tilescope::compiler {

static DiagnosticKind kindOf(InterpreterFindingKind kind) {
  switch (kind) {
  case InterpreterFindingKind::OutOfBoundsLoad:
  case InterpreterFindingKind::OutOfBoundsStore:
  case InterpreterFindingKind::OutOfBoundsAtomic:
  case InterpreterFindingKind::InvalidPointer:
    return DiagnosticKind::RunAccessOutside;
  case InterpreterFindingKind::WriteRace:
  case InterpreterFindingKind::StoreConflict:
    return DiagnosticKind::RunWriteRace;
  case InterpreterFindingKind::UndefinedStored:
  case InterpreterFindingKind::UndefinedAddress:
    return DiagnosticKind::RunUndefined;
  case InterpreterFindingKind::AssertFailed:
    return DiagnosticKind::RunAssertFailed;
  case InterpreterFindingKind::StepLimit:
    return DiagnosticKind::RunStepLimit;
  case InterpreterFindingKind::Unsupported:
    return DiagnosticKind::RunUnsupported;
  }
  return DiagnosticKind::Internal;
}

bool Compilation::bindArguments(const InterpretInput &input, InterpreterLaunch &launch) {
  launch.grid = input.grid;
  for (const KernelParameter &parameter : m_result.metadata.parameters) {
    std::optional<InterpreterArgument> argument = input.argument(parameter);
    if (!argument) {
      report(DiagnosticKind::RunLaunchUnfit, Severity::Error,
             "the launch has no argument `" + parameter.name + "` of type `" + parameter.type +
                 "`");
      return false;
    }
    launch.arguments.push_back(std::move(*argument));
  }
  return true;
}

std::map<std::string, int64_t>
Compilation::integerArguments(const InterpreterLaunch &launch) const {
  std::map<std::string, int64_t> sizes;
  const std::vector<KernelParameter> &parameters = m_result.metadata.parameters;
  for (size_t i = 0; i < parameters.size() && i < launch.arguments.size(); ++i)
    if (parameters[i].type.starts_with("i") || parameters[i].type.starts_with("u"))
      sizes[parameters[i].name] = static_cast<int64_t>(launch.arguments[i].bits);
  return sizes;
}

static bool isOutside(InterpreterFindingKind kind) {
  return kind == InterpreterFindingKind::OutOfBoundsLoad ||
         kind == InterpreterFindingKind::OutOfBoundsStore ||
         kind == InterpreterFindingKind::OutOfBoundsAtomic;
}

void Compilation::reportFinding(const InterpreterFinding &finding,
                                const std::array<int32_t, 3> &grid, const MaskAdvice &advice) {
  const DiagnosticKind kind = kindOf(finding.kind);
  // Doubtful, but the run has a result.
  const bool isDoubt = kind == DiagnosticKind::RunWriteRace || kind == DiagnosticKind::RunUndefined;
  std::vector<std::string> notes;
  // What was not executed happened in no program; other messages name theirs themselves.
  if (finding.kind != InterpreterFindingKind::Unsupported &&
      finding.kind != InterpreterFindingKind::WriteRace && kind != DiagnosticKind::RunAccessOutside)
    notes.push_back("in " + programText(finding.programId, {grid[0], grid[1], grid[2]}));
  if (finding.numPrograms > 1)
    notes.push_back("the same in " + std::to_string(finding.numPrograms - 1) + " more " +
                    (finding.numPrograms == 2 ? "program" : "programs"));
  report(kind, isDoubt ? Severity::Warning : Severity::Error,
         finding.message + (advice.text.empty() ? "" : "; " + advice.text), std::move(notes));
  m_result.diagnostics.back().range = finding.range;
  m_result.diagnostics.back().fixes = advice.fixes;
  m_result.diagnostics.back().cause.subject = finding.argument;
  m_result.diagnostics.back().labels = advice.labels;
}

void Compilation::reportFindings(const Interpretation &interpretation,
                                 const InterpreterLaunch &launch) {
  const std::map<std::string, int64_t> sizes = integerArguments(launch);
  for (const InterpreterFinding &finding : interpretation.findings) {
    MaskAdvice advice;
    if (kindOf(finding.kind) == DiagnosticKind::RunUndefined)
      advice =
          otherAdvice(m_tree.get(), finding, undefinedLoads(*m_module, finding.range, m_files));
    else if (m_tree && finding.range.file == 0 && isOutside(finding.kind))
      advice = maskAdvice(*m_tree, finding, sizes);
    reportFinding(finding, launch.grid, advice);
  }
  if (interpretation.numFindings > interpretation.findings.size())
    report(DiagnosticKind::RunAccessOutside, Severity::Note,
           std::to_string(interpretation.numFindings - interpretation.findings.size()) +
               " more findings are not listed");
}

InterpretOutcome Compilation::interpret(const InterpretInput &input) {
  InterpretOutcome outcome;
  m_isRun = true;
  const bool compiled =
      prepare() &&
      (m_entryIsIr ? importMlir(StageId::Ttir) && runPointerRewrites() : makeAst() && makeTtir());
  InterpreterLaunch launch;
  if (compiled && bindArguments(input, launch)) {
    step(StageId::Ttir, "interpret");
    InterpreterOptions options;
    launch.watches = input.watches;
    options.numThreads = input.numThreads;
    options.stop = m_hooks.stop;
    options.progress = input.progress;
    // As tensor cores do.
    options.truncateToTf32 = true;
    for (const SourceFile &file : m_files.files())
      options.files.push_back(file.path);
    outcome.interpretation = compiler::interpret(*m_module, launch, options);
    for (const std::string &path : outcome.interpretation.files)
      m_files.indexOf(path);
    m_cancelled |= outcome.interpretation.cancelled;
    reportFindings(outcome.interpretation, launch);
  }
  outcome.result = takeResult();
  outcome.cancelled = m_cancelled;
  return outcome;
}

InterpretOutcome Compiler::interpret(const CompileRequest &request, const InterpretInput &input,
                                     const CompileHooks &hooks) {
  ++m_state->compilations;
  CompileRequest toTtir = request;
  toTtir.stopAfter = StageId::Ttir;
  toTtir.recordPassIr = toTtir.collectFacts = false;
  if (toTtir.entry != StageId::Ast && toTtir.entry != StageId::Ttir) {
    InterpretOutcome outcome;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunUnsupported;
    diagnostic.message =
        "only kernels and TTIR run on the CPU, not " + std::string(stageTitle(request.entry));
    outcome.result.diagnostics.push_back(std::move(diagnostic));
    outcome.result.files = {{request.path, request.text}};
    return outcome;
  }
  return Compilation(*m_state, toTtir, hooks).interpret(input);
}

} // namespace tilescope::compiler
