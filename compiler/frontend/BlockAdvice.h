// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What to write instead of Python that takes a block apart: a kernel's operations act on all
// elements of a block at once, and only its extents are known while it is compiled.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// `[e * 2 for e in v]`, where `v` is `source`, a value at run time.
[[noreturn]] void failComprehension(Emitter &emitter, const ast::ListComp &expr,
                                    const Tensor &source);

/// `for e in v`, with anything but a range.
[[noreturn]] void failIteration(Emitter &emitter, const ast::For &loop);

/// `x.shape[0]` of a pointer or of one number, of whose extents there are none.
[[noreturn]] void failShapeless(Emitter &emitter, const ast::Attribute &shape);

/// `f"n {n}"`, whose part `field` is a value at run time.
[[noreturn]] void failFormatted(Emitter &emitter, const ast::JoinedStr &expr,
                                const ast::FormattedValue &field, const Value &value);

/// `x @ y` of blocks: a product of matrices, or of vectors.
[[noreturn]] void failMatrixProduct(Emitter &emitter, const ast::BinOp &product, const Value &left,
                                    const Value &right);

/// Whether both are blocks with one dimension, of which `tl.dot` makes nothing.
bool areVectors(const Value &left, const Value &right);

/// Whether a vector is added to a block of addresses with one axis: `x + rows * n + cols`.
bool arePlaces(const Value &left, const Value &right);

/// `text` in parentheses, where an operator outside of brackets would bind it otherwise.
std::string asFactor(std::string_view text);

/// The sum of the products of two vectors, as a kernel writes it: `tl.sum(x * y)`.
std::string productSum(std::string_view left, std::string_view right);

/// The product of a matrix and a vector, as a kernel writes it: `tl.sum(a * x[None, :], axis=1)`, and of a vector
/// and a matrix `tl.sum(x[:, None] * a, axis=0)`. Empty where the values are no such two, or do not fit together.
std::string matrixVectorSum(const Value &left, const Value &right, std::string_view leftText,
                            std::string_view rightText);

} // namespace tilescope::compiler::frontend
