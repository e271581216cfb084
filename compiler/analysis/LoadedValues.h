// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/TensorAccess.h"

namespace tilescope::compiler {

/// Notes what the uses of a loaded value say of all that the tensor holds: bits, lengths, indices below some end, what a
/// root is taken of.
void noteContents(mlir::Value loaded, const IndexBounds &bounds, TensorAccess &access);

} // namespace tilescope::compiler
