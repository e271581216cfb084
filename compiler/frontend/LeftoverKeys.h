// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Keys of a launch block that are no parameters of the kernel.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Objects.h"

namespace tilescope::compiler::frontend {

/// Of the place of such a key: what the kernel calls it, where one of its constexprs has no key, with the
/// fix that renames it wherever the block uses it; else how its line reads, with the one that deletes it.
void explainLeftover(const FunctionObject &function, const SourceRange &key,
                     Diagnostic &diagnostic);

} // namespace tilescope::compiler::frontend
