// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The registers of AMX that hold tiles of factors and sums: what they are is configured before they are used.
#pragma once

#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::cpu {

/// Bytes of a configuration in memory.
inline constexpr int64_t kTileConfigurationBytes = 64;

/// Bytes of the rows of left factors in registers, where all products of the kernel that use some want the same; 0: they do
/// not, or there is none.
int64_t commonTileBytes(tt::FuncOp kernel, const LoweringOptions &options);

/// `memory`: where the configuration is to be kept.
void configureTiles(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memory, int64_t leftBytes);

/// Registers without content need not be saved where the system takes the processor away.
void releaseTiles(mlir::OpBuilder &b, mlir::Location loc);

} // namespace tilescope::cpu
