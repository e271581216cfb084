// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/SelectedEmission.h"
#include "compiler/syntax/ModuleIndex.h"

namespace tilescope::compiler::frontend {

/// Emits `function` for the request's selection, completed by the guesses that
/// `compiler/inference` makes. `isBroken`: the document has syntax errors.
EmittedModule emitGuessed(const Emission &emission, const ast::ModuleIndex &index,
                          const ast::JitFunction &function, bool isBroken);

} // namespace tilescope::compiler::frontend
