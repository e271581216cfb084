// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// What a call passes for the parameters of its callee, as a selection says it: types of run-time
/// values in `signature`, what is known at compile time in `constexprs`. Names in these are those
/// of `document`. Parameters whose argument no selection can say are left out.
Selection selectionOf(const Frame &callee, const SourceModule &document);

} // namespace tilescope::compiler::frontend
