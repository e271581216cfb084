// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_OPS_TD
#define TILESCOPE_TTNG_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialects/tt/ir/TritonAttrs.td"
include "compiler/dialects/tt/ir/TritonInterfaces.td"
include "compiler/dialects/tt/ir/TritonTypes.td"
include "compiler/dialects/ttg/ir/TritonGpuInterfaces.td"
include "compiler/dialects/ttg/ir/TritonGpuTypes.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuEnums.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuTypes.td"

def TTNG_GlobalMemory : Resource<"::tilescope::tt::GlobalMemory">;
def TTNG_TensorMemory : Resource<"::tilescope::ttng::TensorMemory">;
def TTNG_BarrierPhase : Resource<"::tilescope::ttng::BarrierPhase">;

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, !listconcat(traits, [TT_BlockSize])>;

// How operations access buffers, as `extraClassDeclaration`: bulk copies into shared memory, out of it, what a single
// thread does to a barrier, and products in tensor memory. Which thread of a warp starts a product is not fixed.
def TTNG_Fills : TTG_AccessMode<"BarrierObject", "FirstThread", "Async">;
def TTNG_Sends : TTG_AccessMode<"BulkGroup", "FirstThread", "Async">;
def TTNG_ByFirstThread : TTG_AccessMode<"Immediate", "FirstThread", "Generic">;
def TTNG_OnTensorCore : TTG_AccessMode<"BarrierObject", "AllThreads", "Async">;

def TTNG_MemDescOrTensor : AnyTypeOf<[TTG_MemDesc, TT_Tensor]>;

include "compiler/dialects/ttng/ir/WarpGroupOps.td"
include "compiler/dialects/ttng/ir/BarrierOps.td"
include "compiler/dialects/ttng/ir/ClusterOps.td"
include "compiler/dialects/ttng/ir/BulkCopyOps.td"
include "compiler/dialects/ttng/ir/TensorMemoryOps.td"
include "compiler/dialects/ttng/ir/TensorCoreOps.td"
include "compiler/dialects/ttng/ir/PackedArithOps.td"

#endif
