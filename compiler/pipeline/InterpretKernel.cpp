// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/CpuTarget.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/ProgramOrder.h"
#include "compiler/pipeline/AtomicAdvice.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/CountedElements.h"
#include "compiler/pipeline/KernelRoundings.h"
#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/pipeline/MaskedOffWrites.h"
#include "compiler/pipeline/NativeRun.h"
#include "compiler/pipeline/RaceReach.h"
#include "compiler/pipeline/RoundedProducts.h"
#include "compiler/pipeline/TakingOutside.h"
#include "compiler/pipeline/UnorderedAccesses.h"
#include "compiler/pipeline/WithoutStores.h"
#include "compiler/syntax/CheckedFixes.h"
#include "compiler/syntax/MeantKernel.h"
#include "compiler/types/SignatureType.h"

#include <charconv>
#include <set>

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
  case InterpreterFindingKind::DivisionByZero:
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

namespace {
/// What is interpreted: TTIR, and the syntax tree that it comes from (null for a document in IR).
struct InterpretedKernel {
  TtirKernel ttir;
  std::shared_ptr<const ast::SyntaxTree> tree;
};
} // namespace

/// The `return` whose value the frontend stores to a parameter of its own, since no kernel takes it;
/// null for a parameter that the source declares.
static const ast::Return *returnInto(const InterpretedKernel &kernel,
                                     const std::string &parameter) {
  const ast::FunctionDef *function =
      kernel.tree ? functionNamed(*kernel.tree, kernel.ttir.facts.metadata.name) : nullptr;
  if (!function)
    return nullptr;
  const std::string_view name = std::string_view(parameter).substr(0, parameter.find('.'));
  bool isDeclared = false;
  ast::walk(*function->args, [&](const ast::Node &node) {
    const auto *declared = ast::as<ast::Arg>(&node);
    isDeclared |= declared && declared->arg == name;
    return !isDeclared;
  });
  return isDeclared ? nullptr : ast::valueReturn(*function);
}

static void reportReturned(CompileJob &job, const std::string &function,
                           const ast::Return &statement) {
  Diagnostic &diagnostic =
      job.report(DiagnosticKind::ReturnType, Severity::Error,
                 "`" + function +
                     "` returns a value, but a kernel returns nothing: store the "
                     "result with `tl.store`",
                 {"only a function that a kernel calls can return a value"});
  diagnostic.range = statement.range;
}

static bool bindArguments(CompileJob &job, const InterpretedKernel &interpreted,
                          const InterpretInput &input, InterpreterLaunch &launch) {
  const KernelMetadata &kernel = interpreted.ttir.facts.metadata;
  launch.grid = input.grid;
  for (const KernelParameter &parameter : kernel.parameters) {
    std::optional<InterpreterArgument> argument = input.argument(parameter);
    if (!argument) {
      if (const ast::Return *statement = returnInto(interpreted, parameter.name)) {
        reportReturned(job, kernel.name, *statement);
        return false;
      }
      job.report(DiagnosticKind::RunLaunchUnfit, Severity::Error,
                 "the launch has no argument `" + parameter.name + "` of type `" + parameter.type +
                     "`");
      return false;
    }
    launch.arguments.push_back(std::move(*argument));
  }
  return true;
}

static bool isInteger(const KernelParameter &parameter) {
  const std::optional<ScalarType> type = parseScalarType(parameter.type);
  const ScalarClass category = scalarInfo(type.value_or(ScalarType{}).dtype).category;
  return type && !type->isPointer() && category != ScalarClass::Floating;
}

static KernelSizes integerArguments(const KernelMetadata &kernel, const CompileResult &result,
                                    const InterpreterLaunch &launch) {
  KernelSizes sizes;
  const std::vector<KernelParameter> &parameters = kernel.parameters;
  for (size_t i = 0; i < parameters.size() && i < launch.arguments.size(); ++i) {
    if (isInteger(parameters[i]))
      sizes.arguments[parameters[i].name] = static_cast<int64_t>(launch.arguments[i].bits);
  }
  // An argument that is 1 is a constant of the kernel.
  for (const auto &[name, type] : result.signature)
    if (type.ends_with(":1"))
      sizes.arguments.emplace(name, 1);
  for (const auto &[name, value] : result.constexprs) {
    int64_t number = 0;
    const char *end = value.data() + value.size();
    if (std::from_chars(value.data(), end, number).ptr == end && !value.empty())
      sizes.constexprs[name] = number;
  }
  return sizes;
}

static bool isOutside(InterpreterFindingKind kind) {
  return kind == InterpreterFindingKind::OutOfBoundsLoad ||
         kind == InterpreterFindingKind::OutOfBoundsStore ||
         kind == InterpreterFindingKind::OutOfBoundsAtomic;
}

/// Whether the cause has been reported, of another access: `offsets <= n` is one mistake, however many
/// accesses have that mask. Then these become places of it.
static bool joinsEarlier(CompileJob &job, const InterpreterFinding &finding,
                         const MaskAdvice &advice) {
  if (advice.fixes.empty())
    return false;
  const auto same = std::ranges::find_if(job.result.diagnostics, [&](const Diagnostic &other) {
    return other.kind == kindOf(finding.kind) && other.fixes == advice.fixes &&
           other.range != finding.range;
  });
  if (same == job.result.diagnostics.end())
    return false;
  same->labels.push_back({finding.range, finding.message});
  // What is undefined reaches this argument, too.
  if (kindOf(finding.kind) == DiagnosticKind::RunUndefined &&
      finding.argument != same->cause.subject)
    same->cause.outputs.push_back(finding.argument);
  if (finding.kind == InterpreterFindingKind::UndefinedAddress)
    same->cause.need = Need::Pointer;
  return true;
}

/// `decided`: the arguments whose values depend on it, other than the one that it is about; nothing: any
/// may.
static void reportFinding(CompileJob &job, const InterpreterFinding &finding,
                          const std::array<int32_t, 3> &grid, const MaskAdvice &advice,
                          const std::optional<std::vector<std::string>> &decided) {
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
  if (finding.numCopies > 1)
    notes.push_back(copiesNote(finding));
  notes.insert(notes.end(), advice.notes.begin(), advice.notes.end());
  Diagnostic &diagnostic = job.report(
      kind, isDoubt ? Severity::Warning : Severity::Error,
      finding.message + (advice.text.empty() ? "" : "; " + advice.text), std::move(notes));
  diagnostic.range = finding.range;
  diagnostic.fixes = advice.fixes;
  diagnostic.cause.subject = finding.argument;
  diagnostic.cause.isWithinProgram = finding.isWithinProgram;
  if (decided)
    diagnostic.cause.outputs = *decided;
  else
    diagnostic.cause.need = Need::Pointer;
  diagnostic.labels = advice.labels;
}

/// What is done with the arguments of a launch; nothing where it is not known.
static std::vector<interpreter::ArgumentUse> usesOf(mlir::ModuleOp module,
                                                    const InterpreterLaunch &launch) {
  tt::FuncOp kernel = interpreter::findKernel(module, "");
  if (!kernel || kernel.getNumArguments() != launch.arguments.size())
    return {};
  return interpreter::argumentUses(kernel, module);
}

/// Says of a grid whose programs are too many to follow who waits for whom.
static void reportUnfollowed(CompileJob &job, const std::vector<interpreter::ArgumentUse> &uses,
                             const InterpreterLaunch &launch) {
  if (interpreter::numPrograms(launch.grid) > interpreter::kMostOrderedPrograms &&
      std::ranges::any_of(uses, &interpreter::ArgumentUse::isAwaited))
    job.report(
        DiagnosticKind::RunUnsupported, Severity::Note,
        "races behind a wait for other programs are not looked for: that is done in grids of "
        "up to " +
            std::to_string(interpreter::kMostOrderedPrograms) + " programs");
}

static void reportFindings(CompileJob &job, const InterpretedKernel &kernel,
                           const Interpretation &interpretation, const InterpreterLaunch &launch) {
  const KernelSizes sizes = integerArguments(kernel.ttir.facts.metadata, job.result, launch);
  const std::vector<interpreter::ArgumentUse> uses = usesOf(*kernel.ttir.module, launch);
  reportUnfollowed(job, uses, launch);
  for (const InterpreterFinding &finding : interpretation.findings) {
    MaskAdvice advice;
    if (finding.kind == InterpreterFindingKind::DivisionByZero)
      advice.text = "give the divisor a value, or do not divide where it is 0";
    else if (kindOf(finding.kind) == DiagnosticKind::RunUndefined)
      advice = otherAdvice(kernel.tree.get(), finding,
                           undefinedLoads(*kernel.ttir.module, finding, job.files));
    else if (kernel.tree && finding.range.file == 0 && isOutside(finding.kind)) {
      advice = maskAdvice(*kernel.tree, finding, sizes);
      addOther(advice, neutralOther(*kernel.ttir.module, finding.range, job.files));
    } else if (kernel.tree && finding.range.file == 0 &&
               kindOf(finding.kind) == DiagnosticKind::RunWriteRace)
      advice = atomicAdvice(*kernel.tree, finding, interpretation.findings, launch.grid);
    if (joinsEarlier(job, finding, advice))
      continue;
    std::optional<std::vector<std::string>> decided;
    if (kindOf(finding.kind) == DiagnosticKind::RunWriteRace)
      decided = decidedByRace(*kernel.ttir.module, launch, finding.argument);
    else if (finding.kind != InterpreterFindingKind::UndefinedAddress)
      decided.emplace();
    reportFinding(job, finding, launch.grid, advice, decided);
  }
  noteTakingOutside(interpretation, job.result.diagnostics);
  if (interpretation.numFindings > interpretation.findings.size())
    job.report(DiagnosticKind::RunAccessOutside, Severity::Note,
               std::to_string(interpretation.numFindings - interpretation.findings.size()) +
                   " more findings are not listed");
}

static std::optional<InterpretedKernel> compileToInterpret(CompileJob &job) {
  std::optional<Document> document = openDocument(job);
  if (!document)
    return std::nullopt;
  InterpretedKernel made;
  std::optional<TtirKernel> ttir;
  if (job.entryIsIr()) {
    ttir = enterTtir(job, std::move(*document));
    if (ttir && !runPointerRewrites(job, *ttir->module))
      return std::nullopt;
  } else if (std::optional<SyntaxKernel> syntax = makeAst(job, std::move(*document))) {
    made.tree = syntax->tree;
    ttir = makeTtir(job, std::move(*syntax));
  }
  if (!ttir)
    return std::nullopt;
  made.ttir = std::move(*ttir);
  return made;
}

/// Says that a kernel leaves every argument as it was; it may be written by halves.
static void reportWithoutStores(CompileJob &job, const InterpretedKernel &kernel) {
  const std::string &name = kernel.ttir.facts.metadata.name;
  const ast::FunctionDef *function = kernel.tree ? functionNamed(*kernel.tree, name) : nullptr;
  if (!function || !doesNothing(*kernel.ttir.module))
    return;
  Diagnostic &diagnostic = job.report(DiagnosticKind::RunUndefined, Severity::Warning,
                                      "the kernel `" + name +
                                          "` does not store anything: a run leaves every argument "
                                          "unchanged",
                                      {"results are written with `tl.store(pointer, value)`"});
  diagnostic.range = function->nameRange;
}

static Interpretation runKernel(CompileJob &job, const InterpretedKernel &kernel,
                                const InterpretInput &input, InterpreterLaunch launch,
                                bool isNative) {
  job.step(StageId::Ttir, "interpret");
  InterpreterOptions options;
  launch.watches = input.watches;
  options.numThreads = input.numThreads;
  options.multiprocessors = input.multiprocessors;
  options.stop = job.hooks.stop;
  options.progress = input.progress;
  // As tensor cores do.
  options.truncateToTf32 = true;
  if (!isNative)
    options.warps = unorderedAccesses(job, kernel.ttir);
  for (const SourceFile &file : job.files.files())
    options.files.push_back(file.path);
  std::optional<Interpretation> native;
  if (isNative)
    native = runAsNativeCode(job, *kernel.ttir.module, launch, options, input.checksBounds);
  Interpretation interpretation =
      native ? std::move(*native) : compiler::interpret(*kernel.ttir.module, launch, options);
  for (const std::string &path : interpretation.files)
    job.files.indexOf(path);
  job.cancelled |= interpretation.cancelled;
  reportFindings(job, kernel, interpretation, launch);
  return interpretation;
}

static std::vector<RoundingFacts> roundingsOf(const InterpretedKernel &kernel,
                                              const InterpretInput &input, FileTable &files) {
  std::vector<std::string> names;
  LaunchNumbers launch;
  std::ranges::copy(input.grid, launch.grid.begin());
  for (const KernelParameter &parameter : kernel.ttir.facts.metadata.parameters) {
    names.push_back(parameter.name);
    const std::optional<InterpreterArgument> argument =
        isInteger(parameter) && input.argument ? input.argument(parameter) : std::nullopt;
    launch.arguments.push_back(argument ? std::optional(static_cast<int64_t>(argument->bits))
                                        : std::nullopt);
  }
  std::vector<RoundingFacts> roundings;
  mlir::ModuleOp module = *kernel.ttir.module;
  for (tt::FuncOp function : module.getOps<tt::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      roundings =
          kernelRoundings(function, names, kernel.ttir.facts.options.numWarps, launch, files);
  return roundings;
}

static InterpretOutcome refused(const CompileRequest &request, std::string why) {
  InterpretOutcome outcome;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunUnsupported;
  diagnostic.message = std::move(why);
  outcome.result.diagnostics.push_back(std::move(diagnostic));
  outcome.result.files = {{request.path, request.text}};
  return outcome;
}

InterpretOutcome Compiler::interpret(const CompileRequest &request, const InterpretInput &input,
                                     const CompileHooks &hooks) {
  ++m_state->compilations;
  CompileRequest toTtir = request;
  toTtir.stopAfter = StageId::Ttir;
  toTtir.recordPassIr = toTtir.collectFacts = false;
  const std::string &target = request.selection.target;
  const bool isNative = target == kNativeTarget;
  if (toTtir.entry != StageId::Ast && toTtir.entry != StageId::Ttir)
    return refused(request, "only kernels and TTIR run on the CPU, not " +
                                std::string(stageTitle(request.entry)));
  if (isCpuTarget(target) && !isNative)
    return refused(request, "code for `" + target + "` is compiled, but not run; `" +
                                std::string(kNativeTarget) + "` runs on this machine");
  CompileJob job(*m_state, toTtir, hooks);
  job.isRun = true;
  InterpretOutcome outcome;
  InterpreterLaunch launch;
  if (const std::optional<InterpretedKernel> kernel = compileToInterpret(job)) {
    outcome.roundings = roundingsOf(*kernel, input, job.files);
    std::vector<CountedFiller> fillers;
    std::vector<LostFiller> lost;
    if (kernel->tree) {
      fillers = countedFillers(*kernel->ttir.module, job.files);
      outcome.roundedProducts =
          productsRoundedByDefault(*kernel->ttir.module, *kernel->tree, job.files);
      lost = lostFillers(*kernel->ttir.module, job.files);
      outcome.countedFillers = fillerFixes(*kernel->tree, fillers);
      std::ranges::move(lostFixes(*kernel->tree, lost), std::back_inserter(outcome.countedFillers));
    }
    if (!input.onlyRoundings && bindArguments(job, *kernel, input, launch)) {
      reportWithoutStores(job, *kernel);
      outcome.unreadAxes = unreadAxes(*kernel->ttir.module);
      const KernelSizes sizes = integerArguments(kernel->ttir.facts.metadata, job.result, launch);
      const ScalarArguments scalars = scalarsOf(launch);
      outcome.interpretation = runKernel(job, *kernel, input, std::move(launch), isNative);
      if (kernel->tree)
        std::ranges::move(countedElements(*kernel->ttir.module, *kernel->tree, fillers, lost,
                                          scalars, outcome.interpretation, job.files),
                          std::back_inserter(job.result.diagnostics));
      for (const MaskedOffWrite &write : outcome.interpretation.maskedOff)
        outcome.maskedOff.emplace_back(write.argument,
                                       maskedOffDiagnostic(kernel->tree.get(), write, sizes));
    }
  }
  if (request.entry == StageId::Ast)
    ast::checkFixes(request.text, job.result.diagnostics);
  outcome.result = job.takeResult();
  outcome.cancelled = job.cancelled;
  return outcome;
}

} // namespace tilescope::compiler
