// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/CpuTarget.h"
#include "compiler/pipeline/BlockMeans.h"
#include "compiler/pipeline/CombineOrder.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/CountedElements.h"
#include "compiler/pipeline/FillerTrial.h"
#include "compiler/pipeline/IdlePrograms.h"
#include "compiler/pipeline/KernelRoundings.h"
#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/pipeline/MaskedOffWrites.h"
#include "compiler/pipeline/NativeRun.h"
#include "compiler/pipeline/NumberLossAdvice.h"
#include "compiler/pipeline/PromiseChecks.h"
#include "compiler/pipeline/ReorderedBlocks.h"
#include "compiler/pipeline/RepeatedStores.h"
#include "compiler/pipeline/ReportFindings.h"
#include "compiler/pipeline/RoundedProducts.h"
#include "compiler/pipeline/SortedFillers.h"
#include "compiler/pipeline/StandIn.h"
#include "compiler/pipeline/UnorderedAccesses.h"
#include "compiler/pipeline/UnreadElements.h"
#include "compiler/pipeline/WidenedFloats.h"
#include "compiler/pipeline/WithoutStores.h"
#include "compiler/syntax/CheckedFixes.h"
#include "compiler/syntax/DeadStores.h"
#include "compiler/syntax/MeantKernel.h"
#include "compiler/types/SignatureType.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>

namespace tilescope::compiler {

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
  const std::optional<ast::DeadStore> dead = ast::storeBehindReturn(*function);
  Diagnostic &diagnostic = job.report(
      DiagnosticKind::RunUndefined, Severity::Warning,
      "the kernel `" + name + "` does not store anything: a run leaves every argument unchanged",
      dead ? std::vector<std::string>()
           : std::vector<std::string>{"results are written with `tl.store(pointer, value)`"});
  if (dead)
    diagnostic.labels.push_back(
        {dead->end, "the kernel always ends here, in front of its store in line " +
                        std::to_string(dead->store.begin.line + 1)});
  diagnostic.range = function->nameRange;
}

/// Nothing: the interpreter shall execute the kernel, and `whyInterpreted` says why where native code was
/// wanted in its place.
static std::optional<Interpretation> runNative(CompileJob &job, mlir::ModuleOp ttir,
                                               const InterpretInput &input,
                                               const InterpreterLaunch &launch,
                                               const InterpreterOptions &options,
                                               bool countsFillers, std::string &whyInterpreted) {
  if (input.executor == CpuExecutor::OfTarget)
    return runAsNativeCode(job, ttir, launch, options, {input.checksBounds, input.isExact});
  if (countsFillers) {
    whyInterpreted = "only the interpreter notes which elements of a reduction or a histogram are "
                     "the `other` of a load";
    return std::nullopt;
  }
  StandInRun run = standInForInterpreter(job, ttir, launch, options);
  whyInterpreted = std::move(run.obstacle);
  return std::move(run.outcome);
}

/// `countsFillers`: the run is asked where `other` stands for elements.
static Interpretation runKernel(CompileJob &job, const InterpretedKernel &kernel,
                                const InterpretInput &input, InterpreterLaunch launch,
                                bool countsFillers) {
  job.step(StageId::Ttir, "interpret");
  const bool isOfTarget = input.executor == CpuExecutor::OfTarget;
  const bool isNative = isOfTarget ? job.request.selection.target == kNativeTarget
                                   : input.executor == CpuExecutor::Native;
  InterpreterOptions options;
  launch.watches = input.watches;
  // Who watches elements asks why they differ.
  options.findsLostNumbers = !input.watches.empty();
  options.numThreads = input.numThreads;
  options.multiprocessors = input.multiprocessors;
  options.repeats = input.repeats;
  options.stop = job.hooks.stop;
  options.progress = input.progress;
  if (input.maxProgramDuration)
    options.maxProgramDuration = *input.maxProgramDuration;
  // As tensor cores do.
  options.truncateToTf32 = true;
  if (!isNative || !isOfTarget)
    options.warps = unorderedAccesses(job, kernel.ttir);
  for (const SourceFile &file : job.files.files())
    options.files.push_back(file.path);
  std::optional<Interpretation> native;
  std::string whyInterpreted;
  const bool isChecked = !isNative || !isOfTarget || input.checksBounds;
  const mlir::OwningOpRef<mlir::ModuleOp> promised =
      isChecked ? withPromiseChecks(*kernel.ttir.module, launch, kernel.ttir.facts.options.numWarps)
                : nullptr;
  const mlir::ModuleOp module = promised ? *promised : *kernel.ttir.module;
  if (isNative)
    native = runNative(job, module, input, launch, options, countsFillers, whyInterpreted);
  Interpretation interpretation =
      native ? std::move(*native) : compiler::interpret(module, launch, options);
  interpretation.whyInterpreted = std::move(whyInterpreted);
  for (const std::string &path : interpretation.files)
    job.files.indexOf(path);
  job.cancelled |= interpretation.cancelled;
  reportFindings(job,
                 {*kernel.ttir.module, kernel.tree.get(),
                  integerArguments(kernel.ttir.facts.metadata, job.result, launch)},
                 interpretation, launch);
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

/// Settles what the code does not tell of an `other` that takes part in reductions or is sorted; returns what there is
/// to say of the latter. Who only wants to know how long native code takes is not kept waiting.
static std::vector<Diagnostic> settleFillers(CompileJob &job, const InterpretedKernel &kernel,
                                             const InterpretInput &input,
                                             const InterpreterLaunch &launch,
                                             std::vector<CountedFiller> &fillers) {
  if (input.executor == CpuExecutor::OfTarget && job.request.selection.target == kNativeTarget)
    return {};
  InterpreterOptions options;
  options.stop = job.hooks.stop;
  options.multiprocessors = input.multiprocessors;
  options.truncateToTf32 = true;
  tryFillers(*kernel.ttir.module, launch, options, fillers);
  return kernel.tree ? sortedFillers(*kernel.ttir.module, *kernel.tree, launch, options, job.files)
                     : std::vector<Diagnostic>();
}

/// What programs have left out of their inputs, and what they have stored again, found out in a time that does not matter
/// beside the run's. Who only wants to know how long native code takes is not kept waiting.
static void examineAccesses(CompileJob &job, mlir::ModuleOp ttir, const InterpretInput &input,
                            const InterpreterLaunch &launch, const KernelSizes &sizes,
                            InterpretOutcome &outcome) {
  constexpr std::chrono::nanoseconds kAlways = std::chrono::milliseconds(400);
  constexpr std::chrono::nanoseconds kMost = std::chrono::seconds(1);
  const Interpretation &run = outcome.interpretation;
  const bool isMeasured =
      input.executor == CpuExecutor::OfTarget && job.request.selection.target == kNativeTarget;
  if (isMeasured || !run.completed || !run.findings.empty())
    return;
  const auto limit = std::clamp(run.statistics.runDuration / 2, kAlways, kMost);
  outcome.unread = unreadElements(
      ttir, {launch, sizes.constexprs, input.sizes, input.numThreads, limit, job.hooks.stop},
      job.files);
  outcome.repeated = repeatedStores(
      ttir, {launch, run.unwritten, input.numThreads, limit, job.hooks.stop}, job.files);
  if (auto idle = idlePrograms(ttir, {launch, input.numThreads, limit, job.hooks.stop}))
    outcome.repeated.push_back(std::move(*idle));
}

/// What depends on an order of elements that the CPU keeps, and a GPU does not.
static void reportOrders(CompileJob &job, mlir::ModuleOp ttir) {
  std::ranges::move(dependentOnOrder(ttir, job.files), std::back_inserter(job.result.diagnostics));
  std::ranges::move(pairedAfterCat(ttir, job.files), std::back_inserter(job.result.diagnostics));
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

/// Numbers that were rounded before floats became wider still are.
static void keepNumbers(const std::vector<RoundingFacts> &narrow,
                        std::vector<RoundingFacts> &roundings) {
  for (RoundingFacts &facts : roundings)
    if (const auto same = std::ranges::find(narrow, facts.argument, &RoundingFacts::argument);
        same != narrow.end())
      facts.numbers = same->numbers;
}

/// Whether that was possible.
static bool widenFloats(TtirKernel &kernel) {
  mlir::OwningOpRef<mlir::ModuleOp> wide = withWideFloats(*kernel.module);
  if (!wide)
    return false;
  kernel.module = std::move(wide);
  return true;
}

InterpretOutcome Compiler::interpret(const CompileRequest &request, const InterpretInput &input,
                                     const CompileHooks &hooks) {
  ++m_state->compilations;
  CompileRequest toTtir = request;
  toTtir.stopAfter = StageId::Ttir;
  toTtir.recordPassIr = toTtir.collectFacts = false;
  const std::string &target = request.selection.target;
  if (toTtir.entry != StageId::Ast && toTtir.entry != StageId::Ttir)
    return refused(request, "only kernels and TTIR run on the CPU, not " +
                                std::string(stageTitle(request.entry)));
  if (isCpuTarget(target) && target != kNativeTarget)
    return refused(request, "code for `" + target + "` is compiled, but not run; `" +
                                std::string(kNativeTarget) + "` runs on this machine");
  CompileJob job(*m_state, toTtir, hooks);
  job.isRun = true;
  job.keepsCode = input.keepsCode;
  InterpretOutcome outcome;
  InterpreterLaunch launch;
  if (std::optional<InterpretedKernel> kernel = compileToInterpret(job)) {
    const std::vector<RoundingFacts> narrow =
        input.widensFloats ? roundingsOf(*kernel, input, job.files) : std::vector<RoundingFacts>();
    if (input.widensFloats && !widenFloats(kernel->ttir))
      return refused(request, "the kernel does not compute in 16 bits, or depends on their bits");
    outcome.roundings = roundingsOf(*kernel, input, job.files);
    keepNumbers(narrow, outcome.roundings);
    std::vector<CountedFiller> fillers;
    std::vector<LostFiller> lost;
    if (kernel->tree) {
      fillers = countedFillers(*kernel->ttir.module, job.files);
      outcome.roundedProducts =
          productsRoundedByDefault(*kernel->ttir.module, *kernel->tree, job.files);
      lost = lostFillers(*kernel->ttir.module, job.files);
    }
    const bool isBound = !input.onlyRoundings && bindArguments(job, *kernel, input, launch);
    if (isBound)
      std::ranges::move(settleFillers(job, *kernel, input, launch, fillers),
                        std::back_inserter(job.result.diagnostics));
    if (kernel->tree) {
      outcome.countedFillers = fillerFixes(*kernel->tree, fillers);
      std::ranges::move(lostFixes(*kernel->tree, lost), std::back_inserter(outcome.countedFillers));
    }
    if (isBound) {
      reportWithoutStores(job, *kernel);
      outcome.unreadAxes = unreadAxes(*kernel->ttir.module);
      const KernelSizes sizes = integerArguments(kernel->ttir.facts.metadata, job.result, launch);
      const ScalarArguments scalars = scalarsOf(launch);
      outcome.interpretation = runKernel(job, *kernel, input, launch,
                                         !fillers.empty() || !lost.empty() ||
                                             (kernel->tree && countsInBins(*kernel->ttir.module)));
      examineAccesses(job, *kernel->ttir.module, input, launch, sizes, outcome);
      if (kernel->tree)
        std::ranges::move(countedElements(*kernel->ttir.module, *kernel->tree, fillers, lost,
                                          scalars, outcome.interpretation, job.files),
                          std::back_inserter(job.result.diagnostics));
      if (kernel->tree)
        std::ranges::move(numberLosses(*kernel->tree, outcome.interpretation.lostNumbers),
                          std::back_inserter(job.result.diagnostics));
      if (outcome.interpretation.completed)
        reportOrders(job, *kernel->ttir.module);
      if (kernel->tree && outcome.interpretation.completed)
        std::ranges::move(meansOfBlocks(*kernel->ttir.module, *kernel->tree, launch, job.files),
                          std::back_inserter(job.result.diagnostics));
      for (const MaskedOffAccess &access : outcome.interpretation.maskedOff)
        if (auto masked = maskedOffDiagnostic(kernel->tree.get(), access, sizes))
          outcome.maskedOff.emplace_back(access.argument, std::move(*masked));
    }
  }
  if (request.entry == StageId::Ast)
    ast::checkFixes(request.text, job.result.diagnostics);
  outcome.result = job.takeResult();
  outcome.cancelled = job.cancelled;
  return outcome;
}

} // namespace tilescope::compiler
