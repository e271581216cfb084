// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/SuggestedLaunch.h"

namespace tilescope::compiler {

/// Marks as guesses the shapes of a suggestion that nothing in the kernel bears out:
///
///     x of ["size"]        where no argument holds `size`, and the grid does not come from it
///     x of ["n // 2"]      a part of what an argument says
///     x of ["max(M, K)"]   two arguments end one axis
///
/// `["n_rows", "n"]` is none where the grid is `n_rows`, whatever that is.
void doubtShapes(SuggestedLaunch &launch);

/// Marks all shapes and the grid: an argument that indices are made of may be anything.
void doubtAll(SuggestedLaunch &launch);

} // namespace tilescope::compiler
