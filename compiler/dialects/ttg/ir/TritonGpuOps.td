// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_OPS_TD
#define TILESCOPE_TTG_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialects/tt/ir/TritonInterfaces.td"
include "compiler/dialects/ttg/ir/TritonGpuAttrs.td"
include "compiler/dialects/ttg/ir/TritonGpuEnums.td"
include "compiler/dialects/ttg/ir/TritonGpuInterfaces.td"
include "compiler/dialects/ttg/ir/TritonGpuTypes.td"

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, !listconcat(traits, [TT_BlockSize])>;

// A view of a buffer: costs nothing and moves nothing.
class TTG_ViewOp<string mnemonic, list<Trait> traits = []> : TTG_Op<mnemonic, !listconcat([Pure], traits)> {
  let results = (outs TTG_MemDesc:$result);
  let hasVerifier = 1;
}

include "compiler/dialects/ttg/ir/RegisterOps.td"
include "compiler/dialects/ttg/ir/MemDescOps.td"
include "compiler/dialects/ttg/ir/LocalIndexedOps.td"
include "compiler/dialects/ttg/ir/AsyncOps.td"
include "compiler/dialects/ttg/ir/PipelineOps.td"
include "compiler/dialects/ttg/ir/WarpSpecializeOps.td"

#endif
