// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/GuessMemory.h"
#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/FileTable.h"
#include "compiler/pipeline/KernelOptions.h"
#include "compiler/pipeline/PassRecorder.h"
#include "compiler/pipeline/SourceIndex.h"
#include "compiler/pipeline/StageCache.h"
#include "compiler/target/Assembler.h"
#include "compiler/target/Libdevice.h"
#include "compiler/target/Nvptx.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

/// Private to the pipeline: one compilation while it runs.
namespace tilescope::compiler {

struct MaskAdvice;

namespace ast {
struct SyntaxTree;
} // namespace ast

class DocumentFacts;

struct EmittedModule;

/// A document's syntax tree with what is read off it: several kernels of a file share it.
struct ParsedDocument {
  std::shared_ptr<const ast::SyntaxTree> tree;
  Stage stage;
  std::vector<std::string> kernels;
};

/// What the stages after TTIR gave, up to PTX: they share live IR, so they are cached together.
struct LoweredStages {
  std::vector<Stage> stages;
  std::vector<PassRecord> passes;
  std::vector<Diagnostic> diagnostics;
  std::vector<LayoutFacts> layouts;
  KernelMetadata metadata;
  SourceMap ptxMap;
};

struct AssembledStage {
  Stage stage;
  Resources resources;
};

struct DisassembledStage {
  std::string text;
  std::vector<int32_t> ptxLines;
  int64_t durationNs = 0;
};

/// Lives as long as the compiler.
struct Compiler::State {
  explicit State(CudaToolkit toolkit);
  void makeContext();

  CudaToolkit toolkit;
  Libdevice libdevice;
  std::unique_ptr<mlir::MLIRContext> context;
  /// Of this context.
  std::unique_ptr<RecordedPasses> ttirPasses;
  /// Compilations since the context was made.
  int compilations = 0;
  inference::GuessMemory guesses;
  StageCache<ParsedDocument> parsed;
  StageCache<LoweredStages> lowered;
  StageCache<AssembledStage> assembled;
  StageCache<DisassembledStage> disassembled;
};

/// One run through the stages. Each `make…` function appends its stage to the result and returns
/// whether the next one can be made.
class Compilation {
public:
  Compilation(Compiler::State &state, const CompileRequest &request, const CompileHooks &hooks);
  CompileOutcome run();
  InterpretOutcome interpret(const InterpretInput &input);

private:
  using Clock = std::chrono::steady_clock;

  // Compilation.cpp
  bool prepare();
  /// What the result's options ask of the compiler; false after an error.
  bool takeOptions();
  CompileResult takeResult();
  /// How a stage is made, of a document of its form and of the stage before it. Null: it is not.
  struct StageStep {
    StageId id;
    bool (Compilation::*enter)();
    bool (Compilation::*make)();
  };
  static const std::array<StageStep, kNumStages> kSteps;
  void makeStages();
  /// Makes the stages behind `after`, up to `last`. False: one failed, or is not wanted.
  bool makeBetween(StageId after, StageId last);
  bool makeLoweredStages();
  bool wants(StageId id) const { return id <= m_request.stopAfter; }
  /// Whether the stage's text is read: the caller, or the cache of the stages after it.
  bool needsText(StageId id) const {
    return m_request.stopAfter > id || !m_hooks.wantsText || m_hooks.wantsText(id);
  }
  bool stopped();
  void begin(StageId id);
  void step(StageId id, std::string_view name);
  /// Publishes a stage that began with `begin`.
  void finish(Stage stage);
  void publish(Stage stage);
  void report(DiagnosticKind kind, Severity severity, std::string message,
              std::vector<std::string> notes = {});
  bool hasErrors() const;
  ContentKey loweredKey() const;
  void rememberLowered(const ContentKey &key, size_t firstStage, size_t firstPass,
                       size_t firstDiagnostic);
  bool replayLowered(const LoweredStages &cached);

  // InterpretKernel.cpp
  bool bindArguments(const InterpretInput &input, InterpreterLaunch &launch);
  void reportFindings(const Interpretation &interpretation, const InterpreterLaunch &launch);
  void reportFinding(const InterpreterFinding &finding, const std::array<int32_t, 3> &grid,
                     const MaskAdvice &advice);
  std::map<std::string, int64_t> integerArguments(const InterpreterLaunch &launch) const;

  // SourceStages.cpp
  bool makeAst();
  bool makeTtir();
  bool takeEmitted(EmittedModule &emitted);
  /// Whether the result tells what the frontend found: each thing once, and what matters to a run
  /// alone only there.
  bool isTold(const Diagnostic &diagnostic) const;

  // ImportStages.cpp
  /// Refuses a document whose text alone would exhaust its parser.
  bool checkNesting();
  /// The stage that is the document itself.
  Stage documentStage(StageId id, bool ok);
  void reportNoKernel(std::string rule);
  bool importMlir() { return importMlir(m_request.entry); }
  bool importMlir(StageId id);
  bool importPtx();
  void describeKernel(const DocumentFacts &facts);
  /// `hasScratch`: the last two parameters are the scratch pointers.
  void takeDocumentKernel(std::string name, std::vector<KernelParameter> parameters,
                          bool hasScratch);

  // MlirStages.cpp
  bool runStagePasses(StageId id);
  bool runTtirPasses();
  /// For a document in the LLVM dialect, which needs nothing else of its stage's passes.
  bool runDebugScopes();
  /// For a document that is run on the CPU: the interpreter knows blocks of pointers only.
  bool runPointerRewrites();
  bool runPasses(StageId id, RecordedPasses &passes);
  std::string sizesAmongConstexprs() const;
  void finishMlirStage(StageId id, bool ok);
  bool makeTtgir();
  bool makeLlvmIr();

  // LlvmStages.cpp
  void makeLlvmContext();
  void takeLlvmError(const llvm::DiagnosticInfo &info);
  bool importLlvmIr();
  void describeLlvmKernel();
  /// The kernel that was chosen, else the first; empty when the module has none.
  std::string chosenLlvmKernel(const std::string &wanted) const;
  bool translateToLlvm();
  bool optimiseLlvm(bool runPasses);
  bool makePtx();

  // MachineStages.cpp
  bool makeCubin();
  void takeResources(const Resources &ofCode);
  bool makeSass();
  void reportAssemblerErrors(const std::vector<AssemblerMessage> &errors, bool outOfResources);

  Compiler::State &m_state;
  const CompileRequest &m_request;
  const CompileHooks &m_hooks;
  CompileResult m_result;
  bool m_cancelled = false;
  KernelOptions m_options;
  FileTable m_files;
  SourceIndex m_index;
  Clock::time_point m_start;
  Clock::time_point m_stageStart;

  std::shared_ptr<const ast::SyntaxTree> m_tree;
  mlir::OwningOpRef<mlir::ModuleOp> m_module;
  std::unique_ptr<llvm::LLVMContext> m_llvmContext;
  std::unique_ptr<llvm::Module> m_llvmModule;
  std::unique_ptr<llvm::TargetMachine> m_machine;
  /// The document is IR: the stage of the same form is the document itself.
  bool m_entryIsIr = false;
  /// The kernel is compiled to be interpreted.
  bool m_isRun = false;
};

} // namespace tilescope::compiler
