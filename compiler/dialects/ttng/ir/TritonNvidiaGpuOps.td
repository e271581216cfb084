// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_OPS_TD
#define TILESCOPE_TTNG_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialects/tt/ir/TritonAttrs.td"
include "compiler/dialects/tt/ir/TritonInterfaces.td"
include "compiler/dialects/tt/ir/TritonTypes.td"
include "compiler/dialects/ttg/ir/TritonGpuTypes.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuEnums.td"

def TTNG_GlobalMemory : Resource<"::tilescope::tt::GlobalMemory">;
def TTNG_SharedMemory : Resource<"::tilescope::ttg::SharedMemory">;
def TTNG_TensorMemory : Resource<"::tilescope::ttng::TensorMemory">;

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, !listconcat(traits, [TT_BlockSize])>;

def TTNG_MemDescOrTensor : AnyTypeOf<[TTG_MemDesc, TT_Tensor]>;

include "compiler/dialects/ttng/ir/WarpGroupOps.td"
include "compiler/dialects/ttng/ir/BarrierOps.td"
include "compiler/dialects/ttng/ir/ClusterOps.td"
include "compiler/dialects/ttng/ir/BulkCopyOps.td"
include "compiler/dialects/ttng/ir/TensorMemoryOps.td"
include "compiler/dialects/ttng/ir/TensorCoreOps.td"
include "compiler/dialects/ttng/ir/PackedArithOps.td"

#endif
