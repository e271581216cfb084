// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks of accesses to matrices. A bound of the whole offset would let one row run into the next:
//
//     x_ptr + row * n_cols + cols                            mask=cols < n_cols
//     x_ptr + rows[:, None] * n_cols + cols[None, :]
//                            mask=(rows[:, None] < n_rows) & (cols[None, :] < n_cols)
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/pipeline/IndexRange.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

/// Whether the address is of a matrix, and the condition that keeps its indices inside.
struct RowMask {
  bool isMatrix = false;
  /// Empty where the names of the kernel do not say it.
  std::string condition;
  /// Which index leaves its extent, as far as that is known: "keep `cols` below 200".
  std::string words;
  /// That index: `cols`.
  std::string index = {};
  /// Two names of strides, where it may be these that are exchanged, and not what bounds the indices.
  std::vector<std::string> exchanged = {};
};

/// `address` is the first argument of an access in `function`, at fault as `finding` says.
RowMask rowMask(const ast::SyntaxTree &tree, const ast::Node &function, const ast::Expr &address,
                const InterpreterFinding &finding, const KernelSizes &sizes);

/// The argument, or the constexpr, that an extent is: of several the one whose name is most like
/// `index`'s, `n_rows` for `rows`. Empty where none is, or where it is not clear which.
std::string extentName(int64_t extent, std::string_view index, const IndexReader &reader);

/// Whether an index is the number of a program: `row` of `row = tl.program_id(0)`, or such a call itself.
bool isProgramNumber(const ast::Node &function, std::string_view index);

} // namespace tilescope::compiler
