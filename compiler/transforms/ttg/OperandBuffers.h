// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::ttg {

/// How a block laid out like `source` lies in shared memory so that a factor of a dot is read from
/// there without bank conflicts.
SwizzledSharedEncodingAttr operandBufferEncoding(mlir::RankedTensorType source,
                                                 DotOperandEncodingAttr operand);
/// Rows one after the other, in the order in which the block's threads walk them.
SwizzledSharedEncodingAttr plainBufferEncoding(mlir::RankedTensorType source);

/// The operation that a load's only use is, if it makes a factor of a dot of what lies in shared
/// memory: a conversion, or a buffer that a warp group reads.
mlir::Operation *factorOf(mlir::Operation *load);
/// How what the load reads lies in shared memory where copies bring it there.
mlir::Attribute ringEncoding(mlir::Operation *load);

/// Bytes of shared memory at most through which the loop passes a block on its way to a store.
int64_t storedBlockBytes(mlir::scf::ForOp loop);

/// Bytes of shared memory that a thread block may use.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
int64_t sharedMemoryLimit(int capability);

} // namespace tilescope::ttg
