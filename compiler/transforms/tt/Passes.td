// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_PASSES_TD
#define TILESCOPE_TT_PASSES_TD

include "mlir/Pass/PassBase.td"

def Combine : Pass<"tilescope-combine", "::mlir::ModuleOp"> {
  let summary = "combine operations that are cheaper as one";
  let description = [{
    - `select(c, load(p, splat(c)), other)` becomes a load with `other`;
    - `dot(a, b, 0) + d` becomes `dot(a, b, d)`;
    - `addptr(addptr(p, a), b)` becomes one addptr, where the sum of the offsets cannot wrap differently;
    - `sum(x[:, :, None] * y[None, :, :], axis = 1)` becomes a dot.

    Example: tests/lit/tt/combine.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ReorderBroadcast : Pass<"tilescope-reorder-broadcast", "::mlir::ModuleOp"> {
  let summary = "compute before broadcasting, on fewer elements";
  let description = [{
    An elementwise operation whose operands are all splats works on the scalars, and one whose operands are
    broadcasts of one shape (or splats) works on the small blocks; the result is broadcast.

    Example: tests/lit/tt/reorder-broadcast.mlir
  }];
}

def LoopUnroll : Pass<"tilescope-loop-unroll", "::mlir::ModuleOp"> {
  let summary = "unroll the loops that ask for it";
  let description = [{
    A loop with `tt.loop_unroll_factor` above 1 is unrolled by that factor. The remainder loop is not pipelined:
    it has few iterations.

    Example: tests/lit/tt/loop-unroll.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def DecomposeScaledDot : Pass<"tilescope-decompose-scaled-dot", "::mlir::ModuleOp"> {
  let summary = "replace block-scaled products by plain ones";
  let description = [{
    The factors of `tt.dot_scaled` are converted to bf16 (or to f16, if one is) and multiplied by their scales; the
    rest is a `tt.dot`. For targets without hardware for scales.

    Example: tests/lit/tt/decompose-scaled-dot.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RewriteTensorDescriptorToPointer : Pass<"tilescope-rewrite-tensor-descriptor-to-pointer", "::mlir::ModuleOp"> {
  let summary = "replace tensor descriptors by pointers";
  let description = [{
    A descriptor becomes its base, extents, strides and padding, wherever it goes: loops, calls, arguments. Accesses
    become masked loads, stores and atomics on blocks of pointers. For targets without hardware for descriptors, and for
    descriptors that a launch cannot describe to the hardware; `keeps-bulk-loads` keeps the others.

    Example: tests/lit/tt/rewrite-tensor-descriptor-to-pointer.mlir
  }];
  let options = [Option<"keepsBulkLoads", "keeps-bulk-loads", "bool", "false",
                        "whether descriptors stay from which bulk copies can load the factors of products">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RewriteTensorPointer : Pass<"tilescope-rewrite-tensor-pointer", "::mlir::ModuleOp"> {
  let summary = "replace block pointers by pointers";
  let description = [{
    A block pointer becomes its base, extents, strides and offsets, wherever it goes. Accesses become masked loads
    and stores on blocks of pointers. The frontend makes no block pointers; IR from elsewhere may have them.

    Example: tests/lit/tt/rewrite-tensor-pointer.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif
