// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements between the arguments' memory and blocks.
#pragma once

#include "compiler/interpreter/kernels/Element.h"

#include <cstddef>

namespace tilescope::compiler::interpreter {

/// Reads `count` elements that lie `stride` bytes apart in memory into an array.
using ReadFunction = void (*)(std::byte *out, const std::byte *memory, int64_t stride,
                              size_t count);
/// Writes elements of an array (or one element for all) to memory.
using WriteFunction = void (*)(std::byte *memory, int64_t stride, const std::byte *in, bool isDense,
                               size_t count);

ReadFunction findRead(Element element);
WriteFunction findWrite(Element element);

} // namespace tilescope::compiler::interpreter
