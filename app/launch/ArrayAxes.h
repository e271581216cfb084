// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Parts of an expression that put the axes of a tensor into another order, as functions and methods:
//
//     swapaxes(k_ptr, 1, 2)     np.transpose(x_ptr, (0, 2, 1))     x_ptr.permute(0, 2, 1)
//     moveaxis(x_ptr, 0, -1)       x_ptr.reshape(groups, -1)
#pragma once

#include "app/launch/ArrayParts.h"

namespace tilescope::app {

/// The part that a call is; nothing: it is another function. `isTensor` as of `findArrayPart`.
std::optional<ArrayPart> axesOf(const compiler::ast::SyntaxTree &tree,
                                const compiler::ast::Call &call,
                                const std::function<bool(const compiler::ast::Expr &)> &isTensor);

/// Which axis of a tensor each axis of the result is.
Result<std::vector<size_t>> orderOfAxes(const ArrayPart &part, size_t rank,
                                        const IndexValue &valueOf);

/// Whether the part gives a tensor another shape, with its elements in the same order: `reshape`, `ravel`, `flatten`.
bool isReshape(const ArrayPart &part);
/// The tensor in that shape; the error says what does not fit.
Result<profiler::Tensor> reshaped(const ArrayPart &part, profiler::Tensor tensor,
                                  const IndexValue &valueOf);

/// Names, as messages list them.
std::string axesFunctionNames();

} // namespace tilescope::app
