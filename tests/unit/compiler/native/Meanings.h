// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The rows of the interpreter's tables, which say what operations mean, as operations of TTIR on elements that
// lie at the edges of their types.
#pragma once

#include "compiler/interpreter/kernels/Elementwise.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::tests {

/// One row: an operation on elements of certain types.
struct Meaning {
  compiler::interpreter::ElementwiseEntry row;
  std::vector<compiler::interpreter::Element> operands;
  compiler::interpreter::Element result = {};
  /// Of the operation, as TTIR has it: `arith.cmpi` of the row `arith.cmpi.slt`.
  std::string operation;
  /// Behind `=`: operands are %0, %1, …, and the types of operands and the result $0, $1, …, $r. `$c` is the first one where
  /// it is a block, for `arith.select`.
  std::string text;
};

/// Of every row that an operation of TTIR on numbers has.
std::vector<Meaning> allMeanings();

/// What is computed of each row: memory of the arguments, one for each operand, with as many elements.
struct Samples {
  size_t count = 0;
  std::vector<std::vector<uint8_t>> operands;
};
/// Each with each, of up to two operands; of more, some. Their number is a multiple of `multiple`.
Samples samplesOf(const std::vector<compiler::interpreter::Element> &operands, size_t multiple);

/// What the row's function makes of them, as memory.
std::vector<uint8_t> meantResults(const Meaning &meaning, const Samples &samples);

/// How far the results lie apart, in units of the last place; 0 of two NaN, infinity of one.
double distance(uint64_t left, uint64_t right, compiler::interpreter::Element element);

} // namespace tilescope::tests
