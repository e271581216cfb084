// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_PASSES_TD
#define TILESCOPE_TTG_PASSES_TD

include "mlir/Pass/PassBase.td"

def Coalesce : Pass<"tilescope-coalesce", "::mlir::ModuleOp"> {
  let summary = "lay accesses out so that neighbouring threads touch neighbouring memory";
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

#endif
