// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_PASSES_TD
#define TILESCOPE_TTG_PASSES_TD

include "mlir/Pass/PassBase.td"

def AccelerateMatmul : Pass<"tilescope-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "lay dots out for matrix instructions";
  let description = [{
    A dot whose element types a matrix instruction takes gets an `#ttg.nvidia_mma` result and
    `#ttg.dot_op` factors for it; others stay with fused multiply-adds. 8-bit floats are widened where the target
    does not multiply them. On sm_90 groups of four warps compute the dots that are large enough
    (`ttng.warp_group_dot`), with factors in shared memory.

    Example: tests/lit/ttg/accelerate-matmul.mlir, tests/lit/ttng/accelerate-matmul.mlir
  }];
  let dependentDialects = ["::tilescope::ttng::TTNGDialect"];
}

def Coalesce : Pass<"tilescope-coalesce", "::mlir::ModuleOp"> {
  let summary = "lay accesses out so that neighboring threads touch neighboring memory";
  let description = [{
    Every access through a block of pointers gets a blocked encoding whose fastest dimension is the most
    contiguous one, with as many elements per thread as alignment allows (16 bytes at most). Operands and
    results are converted; later passes remove the conversions.

    Example: tests/lit/ttg/coalesce.mlir
  }];
}

def RemoveLayoutConversions : Pass<"tilescope-remove-layout-conversions", "::mlir::ModuleOp"> {
  let summary = "choose layouts so that few conversions remain";
  let description = [{
    Layouts of loads and dots spread to everything that is computed from them; constants, ranges and
    splats are made where they are wanted, and addresses and masks are computed again when that is cheaper than
    converting them.

    Example: tests/lit/ttg/remove-layout-conversions.mlir
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def LoopAwareCse : Pass<"tilescope-loop-aware-cse", "::mlir::ModuleOp"> {
  let summary = "merge equal values, also those that loops carry";
  let description = [{
    Loop arguments that start equal and are updated equally become one; then common subexpressions are
    eliminated.

    Example: tests/lit/ttg/loop-aware-cse.mlir
  }];
}

def HoistInvariants : Pass<"tilescope-hoist-invariants", "::mlir::ModuleOp"> {
  let summary = "move what no iteration changes out of loops, loads included";
  let description = [{
    A load leaves a loop that writes no memory; a mask keeps it from running when the loop does not.

    Example: tests/lit/ttg/hoist-invariants.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CombineSelectAndIf : Pass<"tilescope-combine-select-and-if", "::mlir::ModuleOp"> {
  let summary = "merge a select of blocks into the branch with its condition";
  let description = "Example: tests/lit/ttg/combine-select-and-if.mlir";
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def PipelineLoads : Pass<"tilescope-pipeline-loads", "::mlir::ModuleOp"> {
  let summary = "load the factors of dots some iterations ahead";
  let description = [{
    Loads that feed a dot in an innermost loop become asynchronous copies into a ring of buffers in shared memory, one
    per stage. While an iteration multiplies, the next ones' factors are on their way. `tt.num_stages` on a loop
    overrides the option. Products of warp groups that are only added up stay under way into the next iteration.
    The loop may store and branch; what it stores itself is not loaded ahead.

    Example: tests/lit/ttg/pipeline-loads.mlir, tests/lit/ttng/pipeline-loads.mlir
  }];
  let options = [Option<"numStages", "num-stages", "int32_t", "3", "iterations whose loads are under way at once">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilescope::ttng::TTNGDialect"];
}

def InsertProxyFences : Pass<"tilescope-insert-proxy-fences", "::mlir::ModuleOp"> {
  let summary = "let matrix instructions see what threads stored to shared memory";
  let description = "Example: tests/lit/ttng/pipeline-loads.mlir";
  let dependentDialects = ["::tilescope::ttng::TTNGDialect"];
}

def ReduceDataDuplication : Pass<"tilescope-reduce-data-duplication", "::mlir::ModuleOp"> {
  let summary = "bring factors of dots to their threads through shared memory";
  let description = [{
    A conversion to a `#ttg.dot_op` encoding that moves data between warps becomes a buffer, swizzled for
    its reader, and a read.

    Example: tests/lit/ttg/reduce-data-duplication.mlir
  }];
}

def ReorderInstructions : Pass<"tilescope-reorder-instructions", "::mlir::ModuleOp"> {
  let summary = "shorten the lives of large values";
  let description = [{
    What takes more registers than its source moves down to its first use; views move up to their sources.

    Example: tests/lit/ttg/reorder-instructions.mlir
  }];
}

#endif
