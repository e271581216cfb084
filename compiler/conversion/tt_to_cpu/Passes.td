// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_TO_CPU_PASSES_TD
#define TILESCOPE_TT_TO_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AllowInlining : Pass<"tilescope-allow-inlining", "::mlir::ModuleOp"> {
  let summary = "let every function be inlined";
  let description = [{
    Functions lose `noinline`: it keeps code for GPUs small, and here a call would have to pass blocks in memory.

    Example: tests/lit/tt_to_cpu/prepare.mlir
  }];
}

def UseMathFunctions : Pass<"tilescope-use-math-functions", "::mlir::ModuleOp"> {
  let summary = "turn functions of the device's library into those of `math`";
  let description = [{
    `tt.extern_elementwise` of `__nv_expf` becomes `math.exp`, and so on, where `math` has the same function.

    Example: tests/lit/tt_to_cpu/prepare.mlir
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
}

def ExpandFloatCasts : Pass<"tilescope-expand-float-casts", "::mlir::ModuleOp"> {
  let summary = "compute casts of floats that no processor has, and keep floats of 8 bits as these bits";
  let description = [{
    Casts of and to 8-bit floats, between fp16 and bf16, and toward zero become arithmetic on integers. Blocks of
    8-bit floats become blocks of i8; factors of products become fp16 before, which has all their numbers.

    Example: tests/lit/tt_to_cpu/expand-float-casts.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::tilescope::tt::TTDialect"];
}

def CarryDistances : Pass<"tilescope-carry-distances", "::mlir::ModuleOp"> {
  let summary = "let loops carry distances in place of blocks that only move on";
  let description = [{
    A block of pointers or integers to which a loop only adds a scalar is computed from the first one and the scalar
    distance, which the loop carries.

    Example: tests/lit/tt_to_cpu/prepare.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilescope::tt::TTDialect"];
}

def TtToCpu : Pass<"tilescope-tt-to-cpu", "::mlir::ModuleOp"> {
  let summary = "turn the kernel into loops over vectors";
  let description = [{
    The only public function of the module becomes a function that executes one program; all others go. TtToCpu.h
    describes what it is called with, docs/cpu.md how it is made.

    Example: tests/lit/tt_to_cpu/elementwise.mlir
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", "32", "bytes of a vector register of the target">,
    Option<"argumentsOverlap", "arguments-overlap", "bool", "false",
           "arguments may share memory in other ways than by being equal">,
    Option<"checkBounds", "check-bounds", "bool", "false",
           "leave accesses outside of the arguments out, and note them">,
    Option<"noteDoubts", "note-doubts", "bool", "false",
           "with checked bounds: note doubts about races and undefined values">,
    Option<"isExact", "exact", "bool", "false", "the interpreter's bits: its order of sums, and its functions">,
    Option<"pairsIntegers", "pairs-integers", "bool", "false",
           "instructions of x86 that add products of pairs of integers of 16 bits">,
    Option<"pairsBf16", "pairs-bf16", "bool", "false", "the same of bf16">,
    Option<"tilesIntegers", "tiles-integers", "bool", "false", "instructions of x86 that multiply tiles of bytes">,
    Option<"tilesBf16", "tiles-bf16", "bool", "false", "the same of bf16">,
    Option<"hasAvx512", "avx512", "bool", "false", "instructions of AVX-512, for vectors of 64 bytes">,
    Option<"streamsStores", "streams-stores", "bool", "false", "store whole lines of memory past the caches">,
  ];
}

#endif
