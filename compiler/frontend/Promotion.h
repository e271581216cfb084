// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which type a binary operation computes in. Example: `fp16 * int64` gives fp16; `fp16 / fp16` gives fp32,
// since division rounds too much in half precision; `bf16 + fp16` gives fp16.
#pragma once

#include "compiler/frontend/Types.h"

#include <optional>
#include <string>

namespace tilescope::compiler::frontend {

/// Division and remainder have rules of their own.
enum class Arithmetic { Plain, DivisionOrRemainder };

/// The type, or why there is none.
struct Promotion {
  std::optional<DType> type;
  std::string error;
};

/// Of two run-time operands.
Promotion promote(DType left, DType right, Arithmetic arithmetic);

/// Of two integers: same sign, the wider one; otherwise the unsigned one when it is at least as wide.
DType promoteIntegers(DType left, DType right);

/// The kind of a Python number takes part only when it is higher than that of the other operand.
bool numberAdopts(NumberKind number, DType other);

} // namespace tilescope::compiler::frontend
