// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that load and compute, and whose results go nowhere. While a kernel is being written it is like that, so
// the editor does not call it wrong; who checks a file means to have finished it.
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/syntax/ModuleIndex.h"

#include <optional>

namespace tilescope::app {

/// A warning where the kernel that was compiled leaves nothing behind, and would not with other constexprs, either.
std::optional<compiler::Diagnostic> missingStores(const compiler::ast::ModuleIndex &index,
                                                  const compiler::CompileResult &result);

} // namespace tilescope::app
