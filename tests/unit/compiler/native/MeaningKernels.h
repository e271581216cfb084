// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that compute rows of the interpreter's tables, a block or an element of the samples in each program, and how
// close their results are.
#pragma once

#include "compiler/conversion/tt_to_cpu/Closeness.h"
#include "tests/unit/compiler/native/Meanings.h"

#include <string>
#include <vector>

namespace tilescope::tests {

/// Elements of a block.
inline constexpr size_t kBlock = 256;

/// Of a block of elements, or of one.
std::string typeOf(compiler::interpreter::Element element, bool isBlock);
/// Of pointers to them.
std::string pointerType(compiler::interpreter::Element element, bool isBlock);
/// Pointers `%<name>q` to elements of `%<name>p`: those of the program, at `%o`.
std::string pointersTo(const std::string &name, compiler::interpreter::Element element,
                       bool isBlock);
/// What computes `%o`.
std::string programOffsets(bool isBlock);
void replaceAll(std::string &text, const std::string &mark, const std::string &with);

/// The bits of an element.
uint64_t elementAt(const std::vector<uint8_t> &memory, size_t index, size_t size);

/// Says of the first element that is not as close as it must be what it is; empty: all are.
std::string firstFault(const Meaning &meaning, const Samples &samples,
                       const std::vector<uint8_t> &expected, const std::vector<uint8_t> &found,
                       const cpu::Closeness &closeness);

} // namespace tilescope::tests
