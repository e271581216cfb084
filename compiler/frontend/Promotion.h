// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which type a binary operation computes in. Example: `fp16 * int64` is fp16; `fp16 / fp16`
// is fp32, since division rounds too much in half precision; `bf16 + fp16` is fp16.
#pragma once

#include "compiler/frontend/Message.h"

#include <optional>

namespace tilescope::compiler::frontend {

/// Division and remainder have their own rules.
enum class Arithmetic { Plain, DivisionOrRemainder };

/// The type, or why there is none.
struct Promotion {
  std::optional<DType> type;
  Message error;
};

/// Of two run-time operands.
Promotion promote(DType left, DType right, Arithmetic arithmetic);

/// Of two integers: same sign, the wider one; otherwise the unsigned one when it is at least as
/// wide.
DType promoteIntegers(DType left, DType right);

/// Of a Python number of that kind (whose type by itself is `literal`) and a run-time operand: a
/// number of the operand's kind or a lower one adopts the operand's type.
Promotion promoteWithNumber(NumberKind number, DType literal, DType other, Arithmetic arithmetic);

} // namespace tilescope::compiler::frontend
