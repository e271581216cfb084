// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a module says about the machine it is laid out for.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilescope::ttg {

inline constexpr llvm::StringLiteral kNumWarpsAttr = "ttg.num-warps";
inline constexpr llvm::StringLiteral kNumCtasAttr = "ttg.num-ctas";
inline constexpr llvm::StringLiteral kThreadsPerWarpAttr = "ttg.threads-per-warp";
inline constexpr llvm::StringLiteral kTargetAttr = "ttg.target";
inline constexpr llvm::StringLiteral kSharedAttr = "ttg.shared";
inline constexpr llvm::StringLiteral kMaxRegistersAttr = "ttg.maxnreg";
inline constexpr llvm::StringLiteral kGlobalScratchSizeAttr = "ttg.global_scratch_memory_size";
inline constexpr llvm::StringLiteral kGlobalScratchAlignmentAttr =
    "ttg.global_scratch_memory_alignment";
inline constexpr llvm::StringLiteral kProfileScratchSizeAttr = "ttg.profile_scratch_memory_size";
inline constexpr llvm::StringLiteral kProfileScratchAlignmentAttr =
    "ttg.profile_scratch_memory_alignment";
inline constexpr llvm::StringLiteral kTensorMemorySizeAttr = "ttg.tensor_memory_size";
inline constexpr llvm::StringLiteral kTotalNumWarpsAttr = "ttg.total-num-warps";
/// On an operation: byte offset of its buffer or scratch in the block's shared memory.
inline constexpr llvm::StringLiteral kAllocationOffsetAttr = "allocation.offset";

/// On a layout conversion: log2 of the parts in which it goes through shared memory.
inline constexpr llvm::StringLiteral kAllocationPartsAttr = "allocation.log2_parts";

struct MachineShape {
  int numWarps = 4;
  int numCtas = 1;
  int threadsPerWarp = 32;
  /// Such as `cuda:90`.
  std::string target;
};

/// Warps per program; the module must say so.
int numWarps(mlir::ModuleOp module);
/// The same for the module around an operation.
int numWarpsAround(mlir::Operation *op);
/// Thread blocks per program; 1 when the module is silent.
int numCtas(mlir::ModuleOp module);
/// 32 when the module is silent.
int threadsPerWarp(mlir::ModuleOp module);
/// Compute capability times ten (`cuda:90` is 90); 0 when the module names no such target.
int computeCapability(mlir::ModuleOp module);
void setMachineShape(mlir::ModuleOp module, const MachineShape &shape);

} // namespace tilescope::ttg
