// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "profiler/package/LaunchBlock.h"
#include "views/run/RunFormView.h"

namespace tilescope::app {

/// The form for the launch block at `current`. Without one (-1): what the compiler assumed about
/// the launch, if it has come so far.
views::RunForm runForm(const profiler::LaunchBlocks &blocks, int current,
                       const compiler::CompileResult *result = nullptr);
/// A launch block for a kernel that has none, from what the compiler assumed about it.
profiler::LaunchBlock suggestedBlock(const compiler::CompileResult &result);
/// The same with another value for `name` in `signature`, `constexprs` or `options`.
profiler::LaunchBlock editedBlock(const compiler::CompileResult &result, const std::string &table,
                                  const std::string &name, const std::string &value);

} // namespace tilescope::app
