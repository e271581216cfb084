// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether a block of indices counts what a reduction adds up. A block of another size would then leave
// elements out, where it only leaves them to other programs elsewhere:
//
//     k = tl.arange(0, K)                        tl.dot sums over `k`
//     x = tl.load(a + i[:, None] * K + k[None, :])
//     y = tl.load(b + k[:, None] * N + j[None, :])
//     tl.store(c + …, tl.dot(x, y))
#pragma once

#include "compiler/frontend/ArrayNames.h"

#include <string>

namespace tilescope::compiler::frontend {

/// Whether the function sums over the indices that `indices`, an expression of its body, is, takes their
/// maximum and the like, or multiplies matrices along them.
bool areReduced(const Frame &frame, const ast::Expr &indices);

/// Why a block of the size `block` in the place of all `count` indices would leave some out, and the loop
/// that does not; empty where it may well hold all of them, since nothing else has that size, or
/// where nothing is reduced.
std::string loopOverBlocks(const Frame &frame, const ast::Expr &indices, const std::string &count,
                           const ArrayName &block);

} // namespace tilescope::compiler::frontend
