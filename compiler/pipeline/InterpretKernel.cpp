// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compilation.h"

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

static std::string programText(const std::array<int32_t, 3> &id) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) +
         ")";
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

void Compilation::reportFindings(const Interpretation &interpretation) {
  for (const InterpreterFinding &finding : interpretation.findings) {
    const DiagnosticKind kind = kindOf(finding.kind);
    // Doubtful, but the run has a result.
    const bool isDoubt =
        kind == DiagnosticKind::RunWriteRace || kind == DiagnosticKind::RunUndefined;
    report(kind, isDoubt ? Severity::Warning : Severity::Error, finding.message);
    m_result.diagnostics.back().range = finding.range;
    // What was not executed happened in no program.
    if (finding.kind != InterpreterFindingKind::Unsupported)
      m_result.diagnostics.back().notes.push_back("in program " + programText(finding.programId));
  }
  if (interpretation.numFindings > interpretation.findings.size())
    report(DiagnosticKind::RunAccessOutside, Severity::Note,
           std::to_string(interpretation.numFindings - interpretation.findings.size()) +
               " more findings are not listed");
}

InterpretOutcome Compilation::interpret(const InterpretInput &input) {
  InterpretOutcome outcome;
  const bool compiled =
      prepare() &&
      (m_entryIsIr ? importMlir(StageId::Ttir) && runPointerRewrites() : makeAst() && makeTtir());
  InterpreterLaunch launch;
  if (compiled && bindArguments(input, launch)) {
    step(StageId::Ttir, "interpret");
    InterpreterOptions options;
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
    reportFindings(outcome.interpretation);
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
