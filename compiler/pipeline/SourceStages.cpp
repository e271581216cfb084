// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LaunchSuggestion.h"
#include "compiler/analysis/UnusedTensors.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/KeptTtir.h"
#include "compiler/pipeline/RemovedLoops.h"
#include "compiler/pipeline/ShapeNames.h"
#include "compiler/pipeline/StagePasses.h"
#include "compiler/pipeline/Stages.h"
#include "compiler/pipeline/TensorMemoryNote.h"
#include "compiler/pipeline/WithoutStores.h"
#include "compiler/syntax/CheckedFixes.h"
#include "compiler/syntax/EndlessLoops.h"
#include "compiler/syntax/HostCalls.h"
#include "compiler/syntax/Parser.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

namespace tilescope::compiler {

static ParsedDocument parseDocument(const std::string &text, bool withText) {
  ParsedDocument document;
  document.tree = ast::parseModule(text);
  document.stage.id = StageId::Ast;
  document.stage.ok = !document.tree->hasErrors();
  if (withText) {
    ast::AstDump dump = ast::dumpAst(*document.tree->module);
    document.stage.text = std::move(dump.text);
    document.stage.sourceMap = std::move(dump.sourceMap);
  }
  document.kernels = launchableKernels(*document.tree);
  if (document.stage.ok) {
    const ast::ModuleIndex index = ast::indexModule(*document.tree);
    document.warnings = ast::hostCalls(index, *document.tree->module);
    std::ranges::move(ast::endlessLoops(index), std::back_inserter(document.warnings));
  }
  return document;
}

static size_t approximateSize(const ParsedDocument &document) {
  // The nodes of a tree take several times the space of their text.
  return document.tree->source.size() * 16 + document.stage.text.size() +
         document.stage.sourceMap.lines.size() * (sizeof(LineMapping) + sizeof(SourceRange));
}

std::optional<SyntaxKernel> makeAst(CompileJob &job, Document document) {
  job.begin(StageId::Ast);
  // The next stages go on from the tree, not from its text.
  const bool withText = !job.hooks.wantsText || job.hooks.wantsText(StageId::Ast);
  const ContentKey key = KeyBuilder().add(job.request.text).add(uint64_t{withText}).key();
  std::shared_ptr<const ParsedDocument> parsed = job.state.parsed.find(key);
  const bool isCached = parsed != nullptr;
  if (!isCached) {
    const CompileJob::Clock::time_point start = CompileJob::Clock::now();
    ParsedDocument fresh = parseDocument(job.request.text, withText);
    fresh.stage.durationNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>(CompileJob::Clock::now() - start)
            .count();
    const size_t size = approximateSize(fresh);
    job.state.parsed.insert(key, std::move(fresh), size);
    parsed = job.state.parsed.find(key);
  }
  job.result.diagnostics.insert(job.result.diagnostics.end(), parsed->tree->diagnostics.begin(),
                                parsed->tree->diagnostics.end());
  std::ranges::copy(parsed->warnings, std::back_inserter(job.result.diagnostics));
  job.result.kernels = parsed->kernels;
  Stage stage = parsed->stage;
  stage.cached = isCached;
  job.publish(std::move(stage));
  return job.stopped() ? std::nullopt
                       : std::optional(SyntaxKernel{parsed->tree, std::move(document.options)});
}

/// Whether the result shows what the frontend found: each thing once, and what matters to a run
/// alone only there.
static bool isTold(const CompileJob &job, const Diagnostic &diagnostic) {
  const std::vector<Diagnostic> &told = job.result.diagnostics;
  if (diagnostic.kind == DiagnosticKind::RunLaunchUnfit)
    return job.isRun && std::ranges::find(told, diagnostic.kind, &Diagnostic::kind) == told.end();
  // The syntax errors are known from the stage before.
  return std::ranges::find(told, diagnostic) == told.end();
}

/// What the frontend found out about the document and the chosen kernel, without what comes later.
static void tellEmitted(CompileJob &job, EmittedModule &emitted) {
  job.files = FileTable(std::move(emitted.files));
  if (job.files.files().empty())
    job.files = FileTable({{job.request.path, job.request.text}});
  CompileResult &result = job.result;
  for (Diagnostic &diagnostic : emitted.diagnostics)
    if (isTold(job, diagnostic))
      result.diagnostics.push_back(std::move(diagnostic));
  ast::checkFixes(job.request.text, result.diagnostics);
  result.values = std::move(emitted.values);
  result.kernel = std::move(emitted.kernel);
  result.kernels = std::move(emitted.kernels);
  result.signature = std::move(emitted.signature);
  result.constexprs = std::move(emitted.constexprs);
  result.assumptions = std::move(emitted.assumptions);
}

/// The options with those that the kernel's decorators choose; nothing when they are not valid.
static std::optional<KernelOptions> chosenOptions(CompileJob &job, const KernelOptions &given,
                                                  EmittedModule &emitted) {
  if (emitted.options == job.result.options || emitted.options.empty())
    return given;
  job.result.options = std::move(emitted.options);
  return readOptions(job, job.result.options, given.target);
}

static KernelMetadata describeEmitted(const CompileJob &job, const KernelOptions &options,
                                      EmittedModule &emitted) {
  KernelMetadata metadata;
  metadata.name = job.result.kernel;
  metadata.target = job.result.target;
  metadata.numWarps = options.numWarps;
  metadata.numStages = options.numStages;
  metadata.numCtas = options.numCtas;
  metadata.parameters = std::move(emitted.parameters);
  return metadata;
}

/// A kernel that stores nothing, with its passes behind it, and all that it loads: nothing uses that, so the
/// passes would leave it out. Null for all other kernels.
static mlir::OwningOpRef<mlir::ModuleOp> withItsLoads(mlir::ModuleOp emitted,
                                                      const KernelOptions &options) {
  if (!doesNothing(emitted))
    return nullptr;
  mlir::OwningOpRef<mlir::ModuleOp> kept = emitted.clone();
  kept->walk([](tt::LoadOp load) { load.setIsVolatile(true); });
  mlir::PassManager passes(kept->getContext());
  addStagePasses(StageId::Ttir, passes, options);
  return mlir::succeeded(passes.run(*kept)) ? std::move(kept) : nullptr;
}

/// Finishes the stage with the IR that the kernel's passes left. `kept`: what a launch is guessed from in its
/// place, or null.
static void finishTtir(CompileJob &job, TtirKernel &kernel, const ast::SyntaxTree &tree,
                       mlir::ModuleOp kept) {
  if (!job.isRun)
    noteTensorMemory(job, *kernel.module, kernel.facts.options);
  if (job.wants(StageId::LlvmIr))
    indexRanges(*kernel.module, job.files, kernel.facts.index);
  (kept ? kept : *kernel.module)->walk([&](tt::FuncOp function) {
    if (!function.isPublic())
      return;
    const std::vector<KernelParameter> &parameters = kernel.facts.metadata.parameters;
    job.result.suggestion = suggestLaunch(function, parameters, job.result.constexprs);
    if (kept)
      shapeUnused(function, parameters, job.result.suggestion);
  });
  job.result.suggestion.storesNothing = kept != nullptr;
  nameShapes(tree, job.result.kernel, job.result.constexprs, job.result.suggestion);
  finishMlirStage(job, StageId::Ttir, *kernel.module);
}

/// A loop that should have run for ever ends at once, which looks like a result.
static void warnOfRemovedLoops(CompileJob &job, const std::vector<SourceRange> &loops,
                               mlir::ModuleOp module) {
  for (SourceRange place : removedLoops(loops, module, job.files)) {
    // The word that it begins with.
    place.end = {place.begin.line, place.begin.column + 5};
    job.report(DiagnosticKind::UnusedResult, Severity::Warning,
               "the compiler leaves this loop out: what the kernel stores does not depend on it",
               {"a loop that would never end is left out, too; step mode (F10) runs it as it is "
                "written"})
        .range = place;
  }
}

/// TTIR that an equal request has made before: what was found then is told again.
static std::optional<TtirKernel> replayTtir(CompileJob &job, const SyntaxKernel &kernel,
                                            const KeptTtir &kept) {
  EmittedModule emitted = withoutModule(kept.emitted);
  tellEmitted(job, emitted);
  const std::optional<KernelOptions> options = chosenOptions(job, kernel.options, emitted);
  if (!options) {
    job.finishFailed(StageId::Ttir);
    return std::nullopt;
  }
  TtirKernel made;
  made.module = kept.module.get().clone();
  made.facts.options = *options;
  CompileResult &result = job.result;
  result.metadata = made.facts.metadata = describeEmitted(job, *options, emitted);
  for (const PassRecord &record : kept.passes) {
    job.step(StageId::Ttir, record.name);
    result.passes.push_back(record);
  }
  std::ranges::copy(kept.diagnostics, std::back_inserter(result.diagnostics));
  warnOfRemovedLoops(job, kept.whileLoops, *made.module);
  finishTtir(job, made, *kernel.tree, kept.withLoads ? *kept.withLoads : mlir::ModuleOp());
  return job.stopped() ? std::nullopt : std::optional(std::move(made));
}

namespace {
/// What TTIR is kept with: the facts of its emission, and how far the result had come before its passes.
struct TtirToKeep {
  ContentKey key;
  EmittedModule emitted;
  size_t passes = 0, diagnostics = 0;
};
} // namespace

static void keepTtir(CompileJob &job, TtirToKeep kept, mlir::ModuleOp module,
                     mlir::ModuleOp withLoads, const std::vector<SourceRange> &loops) {
  const CompileResult &result = job.result;
  KeptTtir ttir;
  ttir.emitted = std::move(kept.emitted);
  ttir.module = module.clone();
  if (withLoads)
    ttir.withLoads = withLoads.clone();
  ttir.whileLoops = loops;
  ttir.knowsChanges = job.hooks.wantsPasses;
  ttir.passes.assign(result.passes.begin() + static_cast<std::ptrdiff_t>(kept.passes),
                     result.passes.end());
  ttir.diagnostics.assign(result.diagnostics.begin() +
                              static_cast<std::ptrdiff_t>(kept.diagnostics),
                          result.diagnostics.end());
  job.state.ttirs.keep(kept.key, std::move(ttir));
}

std::optional<TtirKernel> makeTtir(CompileJob &job, SyntaxKernel kernel) {
  job.begin(StageId::Ttir);
  job.step(StageId::Ttir, "frontend");
  const std::optional<ContentKey> key = keptTtirKey(job);
  const KeptTtir *before = key ? job.state.ttirs.find(*key) : nullptr;
  if (before && (before->knowsChanges || !job.hooks.wantsPasses))
    return replayTtir(job, kernel, *before);
  CompileRequest request = job.request;
  request.selection.target = job.result.target;
  const CompileJob::Clock::time_point start = CompileJob::Clock::now();
  EmittedModule emitted = emitTtir(*job.state.context, request, kernel.tree,
                                   {job.hooks.stop, &job.state.guesses, job.hooks.keepsBindings});
  job.cancelled |= emitted.cancelled;
  std::optional<TtirToKeep> keep;
  if (key && emitted.module && isOfDocument(emitted))
    keep = TtirToKeep{*key, withoutModule(emitted), job.result.passes.size(), 0};
  tellEmitted(job, emitted);
  const std::optional<KernelOptions> options = chosenOptions(job, kernel.options, emitted);
  TtirKernel made;
  made.module = std::move(emitted.module);
  const bool ok = made.module && options && !job.cancelled;
  PassRecord &record = job.addPass(StageId::Ttir, "frontend", start, !ok);
  if (job.cancelled)
    return std::nullopt;
  if (options) {
    made.facts.options = *options;
    job.result.metadata = made.facts.metadata = describeEmitted(job, *options, emitted);
  }
  if (ok && job.request.recordPassIr)
    keepIr(record, printIr(*made.module, job.files));
  const std::vector<SourceRange> loops =
      ok ? whileLoops(*made.module, job.files) : std::vector<SourceRange>();
  const mlir::OwningOpRef<mlir::ModuleOp> withLoads =
      ok ? withItsLoads(*made.module, *options) : mlir::OwningOpRef<mlir::ModuleOp>();
  if (keep)
    keep->diagnostics = job.result.diagnostics.size();
  if (!ok || !runTtirPasses(job, *made.module, made.facts.options)) {
    if (!job.cancelled)
      job.finishFailed(StageId::Ttir);
    return std::nullopt;
  }
  if (keep && !job.stopped())
    keepTtir(job, std::move(*keep), *made.module, withLoads ? *withLoads : mlir::ModuleOp(), loops);
  warnOfRemovedLoops(job, loops, *made.module);
  finishTtir(job, made, *kernel.tree, withLoads ? *withLoads : mlir::ModuleOp());
  return job.stopped() ? std::nullopt : std::optional(std::move(made));
}

} // namespace tilescope::compiler
