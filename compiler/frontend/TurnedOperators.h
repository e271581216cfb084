// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Warns of `y =+ 1` and `y =- 1`, where `y` has a value already: they give it 1 and -1, and `y += 1`
/// was meant. `y = -1` and `y =-1` say what they do.
void warnTurnedOperator(Emitter &emitter, const ast::Assign &statement);

} // namespace tilescope::compiler::frontend
