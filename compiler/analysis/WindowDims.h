// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Windows of an array, whose number is a quotient:
//
//   i < n // k                 x_ptr + i * k + j,  j < k        x_ptr: [n]
//   i < (n - k) // s + 1       x_ptr + i * s + j,  j < k        x_ptr: [n]
#pragma once

#include "compiler/analysis/TensorAccess.h"

namespace tilescope::compiler {

/// Makes one dimension of the number of a window and the place in it. `dims` are sorted, outer first.
void joinWindows(std::vector<AccessDim> &dims);

/// Whether an index ends at a part of an argument, and the part that it lies in at the whole: `g * (c // groups) + i` for
/// `i < c // groups`.
bool isPartOfEnd(const AccessDim &dim);

} // namespace tilescope::compiler
