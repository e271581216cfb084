// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The forms of a kernel between two stages, and the functions from one to the next:
//
//   Document ─ makeAst ─► SyntaxKernel ─ makeTtir ─► TtirKernel
//     GPU:       ─ makeTtgir ─► TtgirKernel ─ makeLlvmIr ─► LlvmKernel ─ makePtx ─► PtxKernel
//                ─ makeCubin ─► CubinKernel ─ makeSass
//     processor: ─ makeCpuIr ─► CpuIrKernel ─ makeCpuLlvmIr ─► LlvmKernel ─ makeAssembly
//
// A document in IR or PTX enters at its own form (`enter…`). A stage takes its input, adds what it
// finds to the job's result, and returns its output: nothing when it failed or was stopped, or when
// no stage after it is wanted. The table of stages is in Compilation.cpp.
#pragma once

#include "compiler/pipeline/CompileJob.h"
#include "compiler/pipeline/KernelOptions.h"
#include "compiler/pipeline/SourceIndex.h"
#include "compiler/types/SignatureType.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>

/// Private to the pipeline.
namespace tilescope::compiler {

/// The document itself, with the options that were asked for.
struct Document {
  KernelOptions options;
};

struct SyntaxKernel {
  std::shared_ptr<const ast::SyntaxTree> tree;
  KernelOptions options;
};

/// What goes along with the code.
struct KernelFacts {
  /// With what the document says itself.
  KernelOptions options;
  /// As far as it is known.
  KernelMetadata metadata;
  /// Of the operations in TTIR, or in the form in which the document entered.
  SourceIndex index;
  /// Of a kernel that is traced, the scopes as the PTX states them (`TraceScopes.h`); else empty.
  std::string traceText = {};
};

struct MlirKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelFacts facts;
};
struct TtirKernel : MlirKernel {};
struct TtgirKernel : MlirKernel {};
struct CpuIrKernel : MlirKernel {};

struct LlvmKernel {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  /// Null before the module is prepared for the target.
  std::unique_ptr<llvm::TargetMachine> machine;
  KernelFacts facts;
};

struct PtxKernel {
  std::string text;
  SourceMap sourceMap;
  KernelFacts facts;
};

struct CubinKernel {
  /// The binary's bytes.
  std::string code;
  SourceMap ptxMap;
  /// What it was assembled from; empty: that is not known.
  std::string ptx;
};

/// There is nothing to make of these.
struct SassKernel {};
struct AssemblyKernel {};

/// The target and options that are asked for; nothing after an error. `options`: as a selection has
/// them.
std::optional<KernelOptions> readOptions(CompileJob &job,
                                         const std::map<std::string, std::string> &options,
                                         const TargetSpec &target);

// SourceStages.cpp
/// Nothing only where the compilation was stopped: kernels are built on what has errors elsewhere.
std::optional<SyntaxKernel> makeAst(CompileJob &job, Document document);
std::optional<TtirKernel> makeTtir(CompileJob &job, SyntaxKernel kernel);

// ImportStages.cpp
/// Refuses a document whose text alone would exhaust its parser.
bool checkNesting(CompileJob &job);
/// The stage that is the document itself.
Stage documentStage(CompileJob &job, StageId id, bool ok);
/// A document that holds no code has nothing to show but this.
void reportNoKernel(CompileJob &job, std::string rule);
std::optional<MlirKernel> importMlir(CompileJob &job, StageId id, Document document);
std::optional<TtirKernel> enterTtir(CompileJob &job, Document document);
/// The type in Triton's notation. A descriptor has no swizzle where bulk copies cannot move its block. Nothing for what a
/// signature cannot say.
std::optional<SignatureType> signatureEntry(mlir::Type type);
std::optional<TtgirKernel> enterTtgir(CompileJob &job, Document document);
std::optional<PtxKernel> enterPtx(CompileJob &job, Document document);
/// What a document says about its kernel. `hasScratch`: the last two parameters are the scratch
/// pointers.
KernelFacts takeDocumentKernel(CompileJob &job, KernelOptions options, std::string name,
                               std::vector<KernelParameter> parameters, bool hasScratch);

// MlirStages.cpp
/// The passes of TTIR that follow the frontend.
bool runTtirPasses(CompileJob &job, mlir::ModuleOp module, const KernelOptions &options);
/// For a document in the LLVM dialect, which needs nothing else of its stage's passes.
bool runDebugScopes(CompileJob &job, mlir::ModuleOp module);
/// For a document that is run on the CPU: the interpreter knows blocks of pointers only.
bool runPointerRewrites(CompileJob &job, mlir::ModuleOp module);
/// Publishes what the passes left.
void finishMlirStage(CompileJob &job, StageId id, mlir::ModuleOp module);
std::optional<TtgirKernel> makeTtgir(CompileJob &job, TtirKernel kernel);
std::optional<LlvmKernel> makeLlvmIr(CompileJob &job, TtgirKernel kernel);
std::optional<CpuIrKernel> makeCpuIr(CompileJob &job, TtirKernel kernel);
std::optional<LlvmKernel> makeCpuLlvmIr(CompileJob &job, CpuIrKernel kernel);

// LlvmStages.cpp
std::optional<LlvmKernel> enterLlvmIr(CompileJob &job, Document document);
/// From the LLVM dialect, optimized.
std::optional<LlvmKernel> translateToLlvm(CompileJob &job, MlirKernel kernel);
std::optional<PtxKernel> makePtx(CompileJob &job, LlvmKernel kernel);

// AssemblyStage.cpp
std::optional<AssemblyKernel> makeAssembly(CompileJob &job, LlvmKernel kernel);

// MachineStages.cpp
std::optional<CubinKernel> makeCubin(CompileJob &job, PtxKernel kernel);
std::optional<SassKernel> makeSass(CompileJob &job, CubinKernel kernel);

} // namespace tilescope::compiler
