// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Instructions of AVX-512 that shorten functions of fp32. Tiles have a multiple of 16 lanes.
#pragma once

#include "mlir/IR/Builders.h"

#include <array>

namespace tilescope::cpu {

/// Lanes of fp32 of a register.
inline constexpr int64_t kAvx512Lanes = 16;

/// x 2^n for whole numbers n, rounded once (vscalefps).
mlir::Value emitScale(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value n);

/// The entry that the low 5 bits of each lane number (vpermi2ps).
mlir::Value emitLookup(mlir::OpBuilder &b, mlir::Location loc, const std::array<float, 32> &table,
                       mlir::Value numbers);

/// x less the nearest multiple of 2^-binaryPlaces, exactly; of two as near, the even one (vreduceps).
mlir::Value emitRemainder(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, int binaryPlaces);

/// fp32 to bf16, rounded to nearest even; as many lanes as two registers have, or a multiple (vcvtne2ps2bf16). The
/// instruction takes denormal numbers for zero, so tiles with such a number are rounded as integers.
mlir::Value emitRoundToBf16(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile);

} // namespace tilescope::cpu
