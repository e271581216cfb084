// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/DescribedParameter.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/pipeline/ConversionOrigins.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/StagePasses.h"
#include "compiler/pipeline/Stages.h"
#include "compiler/pipeline/TraceScopes.h"
#include "compiler/target/DebugScopes.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace tilescope::compiler {

/// The compile-time arguments that look like sides of blocks: ``"`BLOCK_M` = 128, `BLOCK_N` =
/// 64"``.
static std::string sizesAmong(const std::map<std::string, std::string> &constexprs) {
  std::string text;
  for (const auto &[name, value] : constexprs) {
    uint64_t size = 0;
    if (llvm::StringRef(value).getAsInteger(10, size) || size < 16 || !llvm::isPowerOf2_64(size))
      continue;
    text += (text.empty() ? "`" : ", `") + name + "` = " + value;
  }
  return text;
}

/// Whether all passes ran.
static bool runPasses(CompileJob &job, StageId id, mlir::ModuleOp module, RecordedPasses &passes,
                      ConversionOrigins *conversions = nullptr) {
  PassRunOptions options;
  options.stage = id;
  options.recordIr = job.request.recordPassIr;
  options.detectChanges = job.hooks.wantsPasses || job.request.recordPassIr;
  options.conversions = conversions;
  options.stop = job.hooks.stop;
  options.passStarting = [&job, id](std::string_view name) { job.step(id, name); };

  CompileResult &result = job.result;
  DiagnosticCollector collector(*job.state.context, DiagnosticKind::PassFailed, job.files,
                                result.diagnostics);
  const PassRunOutcome outcome = passes.run(module, job.files, options, result.passes);
  job.cancelled |= outcome == PassRunOutcome::Cancelled;
  if (outcome != PassRunOutcome::Failed)
    return outcome == PassRunOutcome::Done;
  const std::string pass = result.passes.empty() ? "" : result.passes.back().name;
  if (!collector.hasErrors()) {
    job.report(DiagnosticKind::PassFailed, Severity::Error,
               "`" + pass + "` failed without a reason");
    return false;
  }
  Diagnostic &error = result.diagnostics.back();
  if (error.kind != DiagnosticKind::OutOfResources)
    error.notes.push_back("found by the pass `" + pass + "`");
  else if (std::string sizes = sizesAmong(result.constexprs); !sizes.empty())
    error.notes.push_back("sizes among the arguments: " + sizes);
  return false;
}

/// Runs the passes of `passesOf` as a part of the stage `id`.
static bool runStagePasses(CompileJob &job, StageId id, StageId passesOf, const MlirKernel &kernel,
                           ConversionOrigins *conversions = nullptr) {
  RecordedPasses passes(*job.state.context);
  addStagePasses(passesOf, passes.manager(), kernel.facts.options);
  return runPasses(job, id, *kernel.module, passes, conversions);
}

/// The only passes that are the same for every kernel, and short enough for their preparation to
/// matter.
bool runTtirPasses(CompileJob &job, mlir::ModuleOp module, const KernelOptions &options) {
  std::unique_ptr<RecordedPasses> &passes = job.state.ttirPasses;
  if (!passes) {
    passes = std::make_unique<RecordedPasses>(*job.state.context);
    addStagePasses(StageId::Ttir, passes->manager(), options);
  }
  return runPasses(job, StageId::Ttir, module, *passes);
}

bool runDebugScopes(CompileJob &job, mlir::ModuleOp module) {
  RecordedPasses passes(*job.state.context);
  passes.manager().addPass(createDebugScopesPass());
  return runPasses(job, StageId::LlvmIr, module, passes);
}

bool runPointerRewrites(CompileJob &job, mlir::ModuleOp module) {
  RecordedPasses passes(*job.state.context);
  passes.manager().addPass(tt::createRewriteTensorDescriptorToPointer());
  passes.manager().addPass(tt::createRewriteTensorPointer());
  return runPasses(job, StageId::Ttir, module, passes);
}

void finishMlirStage(CompileJob &job, StageId id, mlir::ModuleOp module) {
  Stage stage;
  stage.id = id;
  stage.ok = true;
  if (job.needsText(id)) {
    const bool withLayouts = id == StageId::Ttgir && job.request.collectFacts;
    IrText text = printIr(module, job.files, withLayouts ? &job.result.layouts : nullptr);
    stage.text = std::move(text.text);
    stage.sourceMap = std::move(text.sourceMap);
  }
  job.finish(std::move(stage));
}

/// Runs the passes of the stage that follows TTIR, which has begun; it has failed where this returns
/// false.
static bool lowerTtir(CompileJob &job, StageId id, const TtirKernel &kernel,
                      ConversionOrigins *conversions = nullptr) {
  // A document may still need the passes that the frontend's output goes through.
  const bool isDocument = job.request.entry == StageId::Ttir;
  const bool ok = (!isDocument || runStagePasses(job, id, StageId::Ttir, kernel)) &&
                  runStagePasses(job, id, id, kernel, conversions);
  // After a failed pass the IR may break rules that the printer relies on.
  if (!ok && !job.cancelled)
    job.finishFailed(id);
  return ok;
}

/// The parameters that the compiler has added to the kernel.
static std::vector<KernelParameter> describedParameters(mlir::ModuleOp module,
                                                        const KernelMetadata &metadata) {
  std::vector<KernelParameter> described;
  for (auto function : module.getOps<tt::FuncOp>()) {
    for (unsigned i = 0; function.isPublic() && i < function.getNumArguments(); ++i) {
      const auto found = ttg::describedBy(function, i);
      std::optional<SignatureType> type =
          found ? signatureEntry(function.getArgument(i).getType()) : std::nullopt;
      if (!type || found->base >= metadata.parameters.size())
        continue;
      type->extents = found->extents;
      described.push_back({metadata.parameters[found->base].name, toSignature(*type)});
    }
  }
  return described;
}

std::optional<TtgirKernel> makeTtgir(CompileJob &job, TtirKernel kernel) {
  job.begin(StageId::Ttgir);
  ConversionOrigins conversions;
  if (!lowerTtir(job, StageId::Ttgir, kernel, &conversions))
    return std::nullopt;
  job.conversionPasses = conversions.inOrder(*kernel.module);
  kernel.facts.metadata.described = describedParameters(*kernel.module, kernel.facts.metadata);
  finishMlirStage(job, StageId::Ttgir, *kernel.module);
  return job.stopped() ? std::nullopt
                       : std::optional(TtgirKernel{static_cast<MlirKernel &&>(kernel)});
}

std::optional<CpuIrKernel> makeCpuIr(CompileJob &job, TtirKernel kernel) {
  job.begin(StageId::CpuIr);
  if (!lowerTtir(job, StageId::CpuIr, kernel))
    return std::nullopt;
  finishMlirStage(job, StageId::CpuIr, *kernel.module);
  return job.stopped() ? std::nullopt
                       : std::optional(CpuIrKernel{static_cast<MlirKernel &&>(kernel)});
}

/// What the lowering found out for the launcher.
static void readLaunchFacts(mlir::ModuleOp module, KernelMetadata &metadata) {
  if (auto shared = module->getAttrOfType<mlir::IntegerAttr>("ttg.shared"))
    metadata.sharedBytes = shared.getInt();
  // Groups of warps with their own code come on top.
  for (llvm::StringRef name : {"ttg.num-warps", "ttg.total-num-warps"})
    if (auto warps = module->getAttrOfType<mlir::IntegerAttr>(name))
      metadata.numWarps = static_cast<int32_t>(warps.getInt());
  if (auto scratch = module->getAttrOfType<mlir::IntegerAttr>("ttg.global_scratch_memory_size"))
    metadata.globalScratchBytes = scratch.getInt();
}

/// As a directive of the kernel: ptxas ignores its own option where the kernel has any of them.
static void limitRegisters(mlir::ModuleOp module, int mostRegisters) {
  if (mostRegisters > 0)
    module->setAttr(ttg::kMaxRegistersAttr,
                    mlir::Builder(module.getContext()).getI32IntegerAttr(mostRegisters));
}

/// Makes the LLVM dialect of a kernel, as the first part of its stage, which has failed where this
/// returns false.
static bool lowerToLlvmDialect(CompileJob &job, const MlirKernel &kernel) {
  const bool ok = runStagePasses(job, StageId::LlvmIr, StageId::LlvmIr, kernel);
  if (!ok && !job.cancelled)
    job.finishFailed(StageId::LlvmIr);
  return ok;
}

std::optional<LlvmKernel> makeCpuLlvmIr(CompileJob &job, CpuIrKernel kernel) {
  job.begin(StageId::LlvmIr);
  job.result.metadata = kernel.facts.metadata;
  return lowerToLlvmDialect(job, kernel) ? translateToLlvm(job, std::move(kernel)) : std::nullopt;
}

std::optional<LlvmKernel> makeLlvmIr(CompileJob &job, TtgirKernel kernel) {
  job.begin(StageId::LlvmIr);
  limitRegisters(*kernel.module, kernel.facts.options.maxRegisters);
  if (!lowerToLlvmDialect(job, kernel))
    return std::nullopt;
  readLaunchFacts(*kernel.module, kernel.facts.metadata);
  job.result.metadata = kernel.facts.metadata;
  kernel.facts.traceText = takeTraceScopes(*kernel.module, job.files);
  return translateToLlvm(job, std::move(kernel));
}

} // namespace tilescope::compiler
