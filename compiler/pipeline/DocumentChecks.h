// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What passes and code generation rely on without looking, and no verifier of MLIR or LLVM refuses:
// true of everything that the frontend emits, but not of any document.
#pragma once

#include "compiler/artifacts/Stage.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace llvm {
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace tilescope::compiler {

/// Blocks have sizes that a program can hold; a module with layouts has one for each block and says
/// how many warps run it.
/// Faults are emitted as diagnostics of the operation.
mlir::LogicalResult checkMlirDocument(mlir::ModuleOp module, StageId form);

/// What is wrong with a module of LLVM IR, and where: the instruction, else the function, else the
/// whole.
struct LlvmFault {
  std::string message;
  const llvm::Instruction *instruction = nullptr;
  const llvm::Function *function = nullptr;
};

/// The module verifies, inline assembly has the operands that its constraints name, and nothing is
/// there that the machine lacks, a GPU of NVIDIA's or a processor: instructions of other machines,
/// integers of thousands of bits.
std::optional<LlvmFault> checkLlvmModule(const llvm::Module &module, bool isForCpu);

/// A function or variable that PTX cannot name. Names of one file only are changed on the way.
std::optional<LlvmFault> findUnspeakableName(const llvm::Module &module);

} // namespace tilescope::compiler
