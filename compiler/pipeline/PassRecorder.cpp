// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PassRecorder.h"

#include "compiler/pipeline/ConversionOrigins.h"
#include "compiler/pipeline/IrText.h"

#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <algorithm>
#include <chrono>

namespace tilescope::compiler {

using Clock = std::chrono::steady_clock;

/// Notes what happens to one module after the other.
class RecordedPasses::Recorder : public mlir::PassInstrumentation {
public:
  void begin(mlir::Operation *module, FileTable &files, const PassRunOptions &options,
             std::vector<PassRecord> &records) {
    m_module = module;
    m_files = &files;
    m_options = &options;
    m_records = &records;
    m_fingerprint = 0;
  }

  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override { finish(pass, false); }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override { finish(pass, true); }

private:
  void finish(mlir::Pass *pass, bool failed);
  bool findChange();

  // Of the run that goes on.
  mlir::Operation *m_module = nullptr;
  FileTable *m_files = nullptr;
  const PassRunOptions *m_options = nullptr;
  std::vector<PassRecord> *m_records = nullptr;
  Clock::time_point m_begin;
  size_t m_fingerprint = 0;
};

/// Adaptors only hand a nested operation to other passes.
static bool isAdaptor(const mlir::Pass *pass) { return pass->getArgument().empty(); }

/// Equal when nothing changed between two calls on the same module.
static size_t fingerprint(mlir::Operation *root) {
  size_t hash = 0;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    hash = llvm::hash_combine(hash, op, op->getName().getAsOpaquePointer(),
                              op->getLoc().getAsOpaquePointer(),
                              op->getDiscardableAttrDictionary().getAsOpaquePointer(),
                              op->hashProperties(), op->getBlock());
    for (mlir::Value operand : op->getOperands())
      hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
    for (mlir::Type type : op->getResultTypes())
      hash = llvm::hash_combine(hash, type.getAsOpaquePointer());
    for (mlir::Block *successor : op->getSuccessors())
      hash = llvm::hash_combine(hash, successor);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          hash = llvm::hash_combine(hash, argument.getType().getAsOpaquePointer());
  });
  return hash;
}

void RecordedPasses::Recorder::runBeforePass(mlir::Pass *pass, mlir::Operation *) {
  if (isAdaptor(pass))
    return;
  if (m_options->passStarting)
    m_options->passStarting(pass->getArgument());
  if (m_options->detectChanges && m_fingerprint == 0)
    m_fingerprint = fingerprint(m_module);
  m_begin = Clock::now();
}

/// Whether the module is another than at the last call.
bool RecordedPasses::Recorder::findChange() {
  const size_t before = m_fingerprint;
  m_fingerprint = fingerprint(m_module);
  return m_fingerprint != before;
}

void RecordedPasses::Recorder::finish(mlir::Pass *pass, bool failed) {
  if (isAdaptor(pass))
    return;
  PassRecord record;
  record.durationNs =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - m_begin).count();
  record.stage = m_options->stage;
  record.name = pass->getArgument().str();
  record.failed = failed;
  record.changed = m_options->detectChanges && findChange();
  if (m_options->conversions && !failed)
    m_options->conversions->note(m_module, record.name);
  // A failed pass may leave IR that cannot be printed.
  if (record.changed && !failed && m_options->recordIr) {
    IrText text = printIr(m_module, *m_files);
    // Locations and the order of attributes change without a trace in what is shown.
    const auto last = std::find_if(m_records->rbegin(), m_records->rend(),
                                   [](const PassRecord &earlier) { return !earlier.ir.empty(); });
    record.changed = last == m_records->rend() || last->ir != text.text;
    if (record.changed)
      keepIr(record, std::move(text));
  }
  m_records->push_back(std::move(record));
}

void keepIr(PassRecord &record, IrText text) {
  record.ir = std::move(text.text);
  record.irMap = std::move(text.sourceMap);
}

RecordedPasses::RecordedPasses(mlir::MLIRContext &context)
    : m_manager(&context, mlir::ModuleOp::getOperationName()) {
  auto recorder = std::make_unique<Recorder>();
  m_recorder = recorder.get();
  m_manager.addInstrumentation(std::move(recorder));
}

PassRunOutcome RecordedPasses::run(mlir::Operation *module, FileTable &files,
                                   const PassRunOptions &options,
                                   std::vector<PassRecord> &records) {
  m_recorder->begin(module, files, options, records);
  mlir::MLIRContext &context = *m_manager.getContext();
  bool cancelled = false;
  // Passes that an action handler skips count as successful, so the stop is remembered here.
  context.registerActionHandler(
      [&](llvm::function_ref<void()> run, const mlir::tracing::Action &action) {
        if (llvm::isa<mlir::PassExecutionAction>(action) && options.stop.stop_requested())
          cancelled = true;
        else
          run();
      });
  const bool succeeded = mlir::succeeded(m_manager.run(module));
  context.registerActionHandler(nullptr);
  if (cancelled)
    return PassRunOutcome::Cancelled;
  return succeeded ? PassRunOutcome::Done : PassRunOutcome::Failed;
}

} // namespace tilescope::compiler
