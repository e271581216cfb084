// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements of a block that are assigned, as NumPy's are. A block cannot be changed in place; the name gets
// another one:
//
//     x[x < 0] = 0.0        x = tl.where(x < 0, 0.0, x)
//     x[x > 9] += 1         x = tl.where(x > 9, x + 1, x)
//     x[0] = 1.0            x = tl.where(tl.arange(0, BLOCK) == 0, 1.0, x)
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Fails where `statement` assigns elements of a block.
void checkBlockWrite(Emitter &emitter, const ast::Assign &statement);
void checkBlockWrite(Emitter &emitter, const ast::AugAssign &statement);

} // namespace tilescope::compiler::frontend
