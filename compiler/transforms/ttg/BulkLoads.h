// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loads from descriptors as bulk copies to shared memory, which one thread starts and a barrier waits for. Where the tensor is
// and how its block lies in shared memory, the launch tells the hardware in a parameter of the kernel:
//
//     %d = make_tensor_descriptor %a, [1568, 768], …     =>     kernel(%a, …, %m: tensordesc<128x64xf16, #shared>)
//     %t = descriptor_load %d[%i, %j]                           barrier_expect %bar, 16384
//                                                               async_tma_copy_global_to_local %m[%i, %j] %slot, %bar
//                                                               wait_barrier %bar, %parity
#pragma once

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/IR/PatternMatch.h"

namespace tilescope::ttg {

/// The buffer of barriers, one for each slot of a ring, ready for use behind the builder's place.
mlir::Value makeBarriers(mlir::OpBuilder &builder, mlir::Location loc, int64_t count);
/// The barrier of a slot.
mlir::Value barrierOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value barriers,
                      mlir::Value slot);
void endBarriers(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value barriers);

/// Whether bulk copies fill a buffer of this encoding: rows as the descriptor has them.
bool fitsBulkCopies(mlir::Attribute encoding);
/// Fills the slot; the barrier learns of the bytes.
ttng::AsyncTMACopyGlobalToLocalOp copyInBulk(mlir::OpBuilder &builder, tt::DescriptorLoadOp load,
                                             mlir::Value slot, mlir::Value barrier,
                                             mlir::Value predicate);
int64_t bytesOf(tt::DescriptorLoadOp load);

/// What no loop loads ahead becomes a copy that is waited for at once.
void lowerOtherBulkLoads(mlir::ModuleOp module);

} // namespace tilescope::ttg
