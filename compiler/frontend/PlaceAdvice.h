// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A block that is to be loaded from, or stored to, the one address of a pointer. What was meant, in
// the names of the function:
//
//     tl.store(out, x, mask=i < n)          tl.store(out + i, x, mask=i < n)
//     tl.load(x_ptr, i)                     tl.load(x_ptr + i)
//     tl.load(b_ptr + row, mask=i < n)      tl.load(b_ptr + row), or tl.load(b_ptr + i, mask=i < n)
#pragma once

#include "compiler/frontend/Builtins.h"

#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// A mask for each element of a block, where address and value are one number each, the value a reduction's
/// result: `tl.store(out + pid, tl.max(v), mask=i < n)`. Does nothing for other calls. `value` and `mask` are
/// parameters.
void checkNeedlessMask(const BuiltinCall &call, size_t value, size_t mask);

/// Fails for a call whose first argument is a pointer and whose argument `parameter` is a block.
/// `mask`: the parameter of the mask.
[[noreturn]] void failOneAddress(BuiltinCall &call, size_t parameter, size_t mask);

/// Fails where a block of shape `given` is stored through pointers that are a column of as many rows: `[64]` at
/// `[64, 1]`. Does nothing for other shapes.
void checkColumnOfPointers(const BuiltinCall &call, const Shape &given, const Shape &wanted);

/// What gives an argument another shape.
struct ShapeAdvice {
  std::vector<std::string> notes;
  std::vector<DiagnosticFix> fixes;
};
/// The transposed block, where that has the shape `wanted`.
ShapeAdvice transposedOfShape(const BuiltinCall &call, size_t parameter, const Shape &wanted);
/// The same of the value that a call is to store, and a reduction along the other axis.
ShapeAdvice valueOfShape(const BuiltinCall &call, size_t parameter, const Shape &wanted);

} // namespace tilescope::compiler::frontend
