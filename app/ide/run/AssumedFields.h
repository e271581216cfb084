// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "compiler/artifacts/CompileResult.h"
#include "views/run/RunField.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// `*fp32:16` in words: a pointer to fp32, aligned to 16 bytes. Empty for what needs none.
QString typeInWords(const std::string &notation);

/// What a kernel is compiled for without a launch block: every part can be changed. `kernel` has the
/// order of the arguments; may be null.
std::vector<views::RunSection> assumedSections(const compiler::CompileResult &result,
                                               const SourceKernel *kernel);

/// A document in IR fixes the types of its parameters, and from TTGIR on everything else, too.
std::vector<views::RunSection> documentSections(const compiler::CompileResult &result);

} // namespace tilescope::app
