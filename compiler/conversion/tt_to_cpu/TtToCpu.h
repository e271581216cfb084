// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From TTIR to code for processors: one function that executes one program of the grid.
//
// A block is not computed where it is defined. It is computed where its elements are needed, a few
// lanes at a time, inside the loops of what needs them:
//
//     %e = math.exp %x : tensor<1024xf32>        for j in 0 .. 1024 step 32:
//     %y = arith.addf %e, %b              ──►      %x32 = load x[j .. j+32]
//     tt.store %p, %y                              store p[j .. j+32], exp(%x32) + b[j .. j+32]
//
// docs/cpu.md describes the whole.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tilescope::cpu {

struct LoweringOptions {
  /// Bytes of a vector register of the target.
  unsigned vectorBytes = 32;
  /// Arguments may share memory in other ways than by being equal.
  bool argumentsOverlap = false;
};

/// A kernel as CPU IR: `func`, `scf`, `arith`, `math`, `vector`, and pointers of `llvm`.
///
/// The function is called once per program, as `void (const uint64_t *arguments, const int32_t
/// *launch, std::byte *scratch)`: one word per argument (an address, or the bits of a scalar in its
/// low bytes), the program's index x, y, z and the grid's extents x, y, z, and memory for the blocks
/// that are kept.
struct CpuKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string symbol;
  /// Aligned to 64 bytes.
  int64_t scratchBytes = 0;
};

/// Lowers the only public function of `ttir`, which stays as it is. Null module, with errors
/// emitted at the operations, where something is not supported.
CpuKernel lowerToCpu(mlir::ModuleOp ttir, const LoweringOptions &options);

/// Turns CPU IR into the LLVM dialect, in place.
llvm::LogicalResult lowerToLlvmDialect(mlir::ModuleOp module);

} // namespace tilescope::cpu
