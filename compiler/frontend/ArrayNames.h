// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the parameters of a function say of its arrays, so that advice speaks in the user's names:
//
//     def k(x_ptr, out_ptr, x_row_stride, n_cols, BLOCK: tl.constexpr)
//
//     rows of `x_ptr` lie `x_row_stride` apart, those of `out_ptr` `n_cols`; a block holds `BLOCK`
#pragma once

#include "compiler/frontend/Frame.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// A parameter, or the name of one that the function does not have yet.
struct ArrayName {
  std::string name;
  bool isNew = false;
  /// The size of a block, and not declared as a constexpr.
  bool isPlain = false;
};

/// The array's name without the ending of pointers.
std::string plainName(std::string_view array);

/// The parameters that say how far apart the elements of `array` are along its axes.
std::vector<std::string> stridesOf(const Frame &frame, std::string_view array);

/// How many elements lie between the beginnings of two rows of `array`: its stride, else the number
/// of columns, of which rows without anything between them consist, else `stride_x`.
ArrayName rowDistance(const Frame &frame, std::string_view array);

/// The number of columns, else `n_cols`.
ArrayName columnCount(const Frame &frame);

/// The number of elements of a vector, else `n`.
ArrayName elementCount(const Frame &frame);

/// The constexpr that says how many elements a block holds, else `BLOCK`.
ArrayName blockName(const Frame &frame);

/// The parameter that an index stays below: of a loop's counter the loop's end, of a block what it is
/// compared with. Empty where there is none.
std::string boundOf(const Frame &frame, const ast::Expr &index);

/// How a function gets names that it does not have yet; `distance` and `length` may be empty.
std::vector<std::string> newNameNotes(const ArrayName &distance, const ArrayName &length,
                                      const ArrayName &block);

/// A name for a block that is none of the function's.
std::string freeBlockName(const Frame &frame);

} // namespace tilescope::compiler::frontend
