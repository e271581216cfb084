// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_DIALECT_TD
#define TILESCOPE_TTNG_DIALECT_TD

include "mlir/IR/OpBase.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::tilescope::ttng";
  let summary = "What one generation of NVIDIA GPUs has beyond `ttg`";
  let description = [{
    Matrix instructions that several warps execute together and that read shared memory on their own,
    barriers in shared memory, and bulk copies that a descriptor in global memory describes. From sm_100 on,
    memory for the results of matrix instructions, which one thread starts.
  }];
  let dependentDialects = ["::tilescope::ttg::TTGDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = "void registerAttributes(); void registerTypes();";
}

#endif
