// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Conversions between f32 and 8-bit floats by integer arithmetic, for formats, roundings and
// targets without an instruction.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

namespace tilescope::compiler {

/// The code of an f32 as `format`: to the nearest value, ties to even, or toward zero; values
/// beyond the largest become the largest.
mlir::Value encodeFp8(Builder &b, mlir::Value value, mlir::FloatType format, bool towardZero);

/// The f32 with the value of a code.
mlir::Value decodeFp8(Builder &b, mlir::Value code, mlir::FloatType format);

} // namespace tilescope::compiler
