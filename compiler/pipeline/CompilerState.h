// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/GuessMemory.h"
#include "compiler/native/NativeKernel.h"
#include "compiler/native/PageMemory.h"
#include "compiler/native/ProgramThreads.h"
#include "compiler/pipeline/CodeFolder.h"
#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/KeptTtir.h"
#include "compiler/pipeline/PassRecorder.h"
#include "compiler/pipeline/StageCache.h"
#include "compiler/target/Libdevice.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <string>
#include <vector>

/// Private to the pipeline: what is kept between two compilations.
namespace tilescope::compiler {

namespace ast {
struct SyntaxTree;
} // namespace ast

/// A document's syntax tree with what is read off it: several kernels of a file share it.
struct ParsedDocument {
  std::shared_ptr<const ast::SyntaxTree> tree;
  Stage stage;
  std::vector<std::string> kernels;
  /// What stands around its kernels, beside the faults of the tree.
  std::vector<Diagnostic> warnings;
};

/// What the stages after TTIR returned, up to PTX: they share live IR, so they are cached together.
struct LoweredStages {
  std::vector<Stage> stages;
  std::vector<PassRecord> passes;
  /// The records say which passes changed something.
  bool knowsChanges = true;
  std::vector<Diagnostic> diagnostics;
  std::vector<LayoutFacts> layouts;
  std::vector<std::string> conversionPasses;
  KernelMetadata metadata;
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
  /// Of this context.
  KeptTtirs ttirs;
  inference::GuessMemory guesses;
  StageCache<ParsedDocument> parsed;
  StageCache<LoweredStages> lowered;
  StageCache<AssembledStage> assembled;
  StageCache<DisassembledStage> disassembled;
  StageCache<native::NativeKernel> nativeKernels;
  /// What earlier processes have compiled.
  CodeFolder code;
  /// LLVM crashed on a kernel: what it has left behind is not to be relied on.
  bool hasNativeCrashed = false;
  native::ProgramThreads programThreads;
  /// For the marks of checked native code.
  native::KeptPages keptPages;
};

} // namespace tilescope::compiler
