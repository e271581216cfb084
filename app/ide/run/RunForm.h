// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "compiler/artifacts/CompileResult.h"
#include "profiler/package/LaunchBlock.h"
#include "views/run/RunFormView.h"

#include <vector>

namespace tilescope::app {

/// What a form shows besides the text's launch blocks.
struct RunFormContext {
  /// The block shown; -1 for a kernel without one: then what the compiler assumed about the launch.
  int block = 0;
  /// May be null: nothing is compiled yet.
  const compiler::CompileResult *result = nullptr;
  /// What is wrong with the launch; each is marked on the field that causes it.
  std::vector<compiler::Diagnostic> diagnostics = {};
  /// A configuration in it replaces the block's values.
  KernelChoice choice = {};
  /// The order of arguments; may be null.
  const SourceKernel *kernel = nullptr;
};

/// What a field's new text changes in its launch block.
std::vector<profiler::LaunchEdit> editsFor(const QStringList &path, const QString &text);

views::RunForm runForm(const profiler::LaunchBlocks &blocks, const RunFormContext &context);

} // namespace tilescope::app
