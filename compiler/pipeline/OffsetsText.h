// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/IndexRange.h"

#include <string>

namespace tilescope::compiler {

/// The offsets that an access adds to the argument `name`, as written in the source: `i + k - 1` of
/// `tl.load(x_ptr + i + k - 1)`, where `k` counts the few turns of a loop, and `pid * BLOCK + i`. Empty when this place does not
/// show them, or when several variables are added, as in `row * stride + cols`: each has its own bound, and
/// to bound the sum would let one row run into the next.
std::string offsetsText(const ast::SyntaxTree &tree, const ast::Call &access,
                        const std::string &name, const KernelSizes &sizes);

} // namespace tilescope::compiler
