// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Accesses outside of an array that want something else than a mask:
//
//     desc.load([i, j])                      the shape and the strides that the descriptor states
//     tl.load(block_ptr)                     boundary_check=(0, 1)
//     tl.atomic_add(total_ptr + i, x)        one element: tl.atomic_add(total_ptr, tl.sum(x, axis=0))
#pragma once

#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/syntax/Ast.h"

#include <cstddef>
#include <optional>

namespace tilescope::compiler {

/// A block pointer has no mask: it checks the axes that are named. `numAxes`: of the array.
MaskAdvice boundaryAdvice(const ast::SyntaxTree &tree, const ast::Call &access, size_t numAxes);

/// A descriptor has no mask either: it leaves out what lies outside of the shape that it states. Nothing for other
/// accesses, and for descriptors that are arguments.
std::optional<MaskAdvice> descriptorAdvice(const ast::SyntaxTree &tree, const ast::Call &access,
                                           const InterpreterFinding &finding);

/// A block that goes to an array of one element is reduced first: a mask would throw away all but one value.
/// Nothing for other accesses.
std::optional<MaskAdvice> reduceFirst(const ast::SyntaxTree &tree, const ast::Call &access,
                                      const InterpreterFinding &finding);

} // namespace tilescope::compiler
