// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reading the shared memory of other blocks of the cluster. Who reads is between two barriers of the
// cluster: the first ends the others' writes, the second keeps them from writing again, or from
// ending, too early.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/ClusterExchange.h"
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// The address at which block `rank` of the cluster has what this one has at `pointer`.
mlir::Value addressInBlock(Builder &b, mlir::Value pointer, mlir::Value rank);

/// Moves elements from one layout to another by way of the memory at `base` in each block: within
/// blocks, or between them. Fails where the blocks cannot meet.
mlir::FailureOr<Values> exchangeInCluster(mlir::Operation *op, Lowering &lowering,
                                          const ClusterExchange &exchange, mlir::Value base,
                                          const LinearLayout &from, const LinearLayout &to,
                                          const Values &values);

} // namespace tilescope::compiler
