// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The `ttng` dialect: include this to use its operations.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.h.inc"
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuTypes.h.inc"

namespace tilescope::ttng {

/// The memory of the matrix instructions from sm_100 on, as far as operations read or write it.
struct TensorMemory : public mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "<TensorMemory>"; }
};
/// The state of a barrier object. Arrivals and waits change it atomically, so it orders them by
/// itself.
struct BarrierPhase : public mlir::SideEffects::Resource::Base<BarrierPhase> {
  llvm::StringRef getName() final { return "<BarrierPhase>"; }
};
/// The block that a descriptor of a tensor or of images loads; null for other types.
mlir::RankedTensorType describedBlock(mlir::Type descriptor);

inline bool isInTensorMemory(ttg::MemDescType type) {
  return mlir::isa<TensorMemorySpaceAttr>(type.getMemorySpace());
}

} // namespace tilescope::ttng

#define GET_OP_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuOps.h.inc"
