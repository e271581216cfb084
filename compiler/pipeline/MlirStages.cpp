// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/StagePasses.h"
#include "compiler/target/DebugScopes.h"
#include "compiler/transforms/tt/Passes.h"

#include "llvm/Target/TargetMachine.h"
#include "mlir/Pass/PassManager.h"

namespace tilescope::compiler {

bool Compilation::runStagePasses(StageId id) {
  RecordedPasses passes(*m_state.context);
  addStagePasses(id, passes.manager(), m_options);
  return runPasses(id, passes);
}

/// The only passes that are the same for every kernel, and short enough for their preparation to
/// matter.
bool Compilation::runTtirPasses() {
  std::unique_ptr<RecordedPasses> &passes = m_state.ttirPasses;
  if (!passes) {
    passes = std::make_unique<RecordedPasses>(*m_state.context);
    addStagePasses(StageId::Ttir, passes->manager(), m_options);
  }
  return runPasses(StageId::Ttir, *passes);
}

bool Compilation::runDebugScopes() {
  RecordedPasses passes(*m_state.context);
  passes.manager().addPass(createDebugScopesPass());
  return runPasses(StageId::LlvmIr, passes);
}

bool Compilation::runPointerRewrites() {
  RecordedPasses passes(*m_state.context);
  passes.manager().addPass(tt::createRewriteTensorDescriptorToPointer());
  passes.manager().addPass(tt::createRewriteTensorPointer());
  return runPasses(StageId::Ttir, passes);
}

bool Compilation::runPasses(StageId id, RecordedPasses &passes) {
  PassRunOptions options;
  options.stage = id;
  options.recordIr = m_request.recordPassIr;
  options.detectChanges = m_hooks.wantsPasses || m_request.recordPassIr;
  options.stop = m_hooks.stop;
  options.passStarting = [this, id](std::string_view name) { step(id, name); };

  DiagnosticCollector collector(*m_state.context, DiagnosticKind::PassFailed, m_files,
                                m_result.diagnostics);
  const PassRunOutcome outcome = passes.run(*m_module, m_files, options, m_result.passes);
  m_cancelled |= outcome == PassRunOutcome::Cancelled;
  if (outcome != PassRunOutcome::Failed)
    return outcome == PassRunOutcome::Done;
  const std::string pass = m_result.passes.empty() ? "" : m_result.passes.back().name;
  if (!collector.hasErrors()) {
    report(DiagnosticKind::PassFailed, Severity::Error, "`" + pass + "` failed without a reason");
    return false;
  }
  Diagnostic &error = m_result.diagnostics.back();
  if (error.kind != DiagnosticKind::OutOfResources)
    error.notes.push_back("found by the pass `" + pass + "`");
  else if (std::string sizes = sizesAmongConstexprs(); !sizes.empty())
    error.notes.push_back("sizes among the arguments: " + sizes);
  return false;
}

/// The compile-time arguments that look like sides of blocks: ``"`BLOCK_M` = 128, `BLOCK_N` =
/// 64"``.
std::string Compilation::sizesAmongConstexprs() const {
  std::string text;
  for (const auto &[name, value] : m_result.constexprs) {
    uint64_t size = 0;
    if (llvm::StringRef(value).getAsInteger(10, size) || size < 16 || !llvm::isPowerOf2_64(size))
      continue;
    text += (text.empty() ? "`" : ", `") + name + "` = " + value;
  }
  return text;
}

void Compilation::finishMlirStage(StageId id, bool ok) {
  Stage stage;
  stage.id = id;
  stage.ok = ok;
  // After a failed pass the IR may break rules that the printer relies on.
  if (ok && needsText(id)) {
    const bool withLayouts = id == StageId::Ttgir && m_request.collectFacts;
    IrText text = printIr(*m_module, m_files, withLayouts ? &m_result.layouts : nullptr);
    stage.text = std::move(text.text);
    stage.sourceMap = std::move(text.sourceMap);
  }
  finish(std::move(stage));
}

bool Compilation::makeTtgir() {
  begin(StageId::Ttgir);
  bool ok = true;
  if (m_request.entry == StageId::Ttir) {
    // What the frontend's output goes through may be left to do in a document.
    RecordedPasses passes(*m_state.context);
    addStagePasses(StageId::Ttir, passes.manager(), m_options);
    ok = runPasses(StageId::Ttgir, passes);
  }
  ok = ok && runStagePasses(StageId::Ttgir);
  if (m_cancelled)
    return false;
  finishMlirStage(StageId::Ttgir, ok);
  return ok && !stopped();
}

bool Compilation::makeLlvmIr() {
  begin(StageId::LlvmIr);
  if (!runStagePasses(StageId::LlvmIr)) {
    if (!m_cancelled)
      finishMlirStage(StageId::LlvmIr, false);
    return false;
  }
  KernelMetadata &metadata = m_result.metadata;
  if (auto shared = (*m_module)->getAttrOfType<mlir::IntegerAttr>("ttg.shared"))
    metadata.sharedBytes = shared.getInt();
  // Groups of warps with their own code come on top.
  for (llvm::StringRef name : {"ttg.num-warps", "ttg.total-num-warps"})
    if (auto warps = (*m_module)->getAttrOfType<mlir::IntegerAttr>(name))
      metadata.numWarps = static_cast<int32_t>(warps.getInt());
  if (auto scratch =
          (*m_module)->getAttrOfType<mlir::IntegerAttr>("ttg.global_scratch_memory_size"))
    metadata.globalScratchBytes = scratch.getInt();
  return translateToLlvm() && optimiseLlvm(true);
}

} // namespace tilescope::compiler
