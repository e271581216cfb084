// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/TensorOps.h"

namespace tilescope::compiler::frontend {

/// Fails for fp8e4b15, which is an integer in the IR: it can be moved, selected and converted, but
/// not computed with.
void requireArithmetic(TensorOps &ops, const Tensor &operand);

} // namespace tilescope::compiler::frontend
