// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/SourceKernels.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchBlock.h"

#include <optional>

namespace tilescope::app {

/// Adds to each "no value for the argument" of block number `index` a fix that writes one, guessed
/// from the kernel's text and the block's other arguments, and a label at the kernel's parameter.
void offerArguments(std::string_view text, size_t index, const profiler::LaunchBlock &block,
                    std::string_view kernel, std::vector<compiler::Diagnostic> &diagnostics);

/// That the kernel which the block names does not exist, or returns a value and can therefore not
/// be launched. Nothing: it can, or the file has syntax errors, behind which it may be.
std::optional<compiler::Diagnostic> missingKernel(std::string_view text,
                                                  const profiler::LaunchBlock &block,
                                                  const std::vector<SourceKernel> &kernels);

} // namespace tilescope::app
