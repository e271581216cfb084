// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Along which axis of a matrix a function lays the elements of a vector, as its text shows it:
//
//     x_ptr + rows[:, None] * N + cols[None, :]        `rows` run down, `cols` run right
//     x_ptr + rows * N + cols                          the same, where the axes are still missing
#pragma once

#include "compiler/syntax/Ast.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::ast {

/// Down: `[:, None]`; right: `[None, :]`.
enum class VectorAxis { Down, Right };

/// What stands in brackets behind the name of a vector.
std::string_view indexOf(VectorAxis axis);

/// The axis that an index adds to a vector of two: nothing for other indices.
std::optional<VectorAxis> axisOf(const Subscript &subscript);

/// The axis that all such indices of a name agree on, in a function or in an expression; else that of the
/// only name that decides, in what the name is given: `mask_m = rows < M`. Nothing where none says so.
std::optional<VectorAxis> axisOf(const Node &function, std::string_view name);

/// Whether, of two vectors, the first runs down and the second right; by their indices, or by which of
/// them a sum multiplies. True where nothing says otherwise.
bool runsDown(const Node &function, std::string_view first, std::string_view second);

} // namespace tilescope::compiler::ast
