// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_TO_TTG_PASSES_TD
#define TILESCOPE_TT_TO_TTG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTtToTtg : Pass<"tilescope-convert-tt-to-ttg", "::mlir::ModuleOp"> {
  let summary = "assign a layout to every block";
  let description = [{
    Every block gets the default blocked encoding of its shape, and the module learns the machine it is
    laid out for. Where an operation forces a relation between encodings, `ttg.convert_layout` bridges it;
    later passes choose better encodings and remove the conversions.

    Example test: tests/lit/ttg/convert-tt-to-ttg.mlir
  }];
  let options = [
    Option<"numWarps", "num-warps", "int32_t", "4", "warps per program">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", "32", "lanes of a warp">,
    Option<"numCtas", "num-ctas", "int32_t", "1", "thread blocks per program">,
    Option<"target", "target", "std::string", "\"cuda:90\"", "machine, such as `cuda:90`">
  ];
  let dependentDialects = ["::tilescope::ttg::TTGDialect"];
}

#endif
