// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The `tt` dialect: include this to use its types and operations.
#pragma once

#include "compiler/dialects/tt/ir/LayoutInterface.h"
#include "compiler/dialects/tt/ir/Traits.h"
#include "compiler/dialects/tt/ir/TritonDialect.h.inc"
#include "compiler/dialects/tt/ir/TritonEnums.h.inc"
#include "compiler/dialects/tt/ir/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilescope::tt {

/// The memory that pointers of address space 1 point to.
struct GlobalMemory : public mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "<GlobalMemory>"; }
};

/// How many warps run a program when nothing else says so.
inline constexpr int kDefaultNumWarps = 4;

/// Names of the discardable attributes by which axis information and loop options travel.
inline constexpr llvm::StringLiteral kDivisibilityAttr = "tt.divisibility";
inline constexpr llvm::StringLiteral kContiguityAttr = "tt.contiguity";
inline constexpr llvm::StringLiteral kConstancyAttr = "tt.constancy";
inline constexpr llvm::StringLiteral kNumStagesAttr = "tt.num_stages";
inline constexpr llvm::StringLiteral kLoopUnrollFactorAttr = "tt.loop_unroll_factor";
inline constexpr llvm::StringLiteral kFlattenAttr = "tt.flatten";
inline constexpr llvm::StringLiteral kWarpSpecializeAttr = "tt.warp_specialize";
inline constexpr llvm::StringLiteral kDisallowAccMultiBufferAttr = "tt.disallow_acc_multi_buffer";

} // namespace tilescope::tt

#define GET_OP_CLASSES
#include "compiler/dialects/tt/ir/TritonOps.h.inc"
