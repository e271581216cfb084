// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <memory>
#include <string>

namespace tilescope::tests {

/// The source of a small kernel, `out = x + y`, with a launch block.
std::string sampleSource();

/// A hand-made result of compiling `sampleSource()`: short stages whose lines are mapped to the
/// source, passes, layouts, value facts and resources.
std::shared_ptr<compiler::CompileResult> sampleResult();

/// The same with an error in the source: only the AST was made, TTIR failed.
std::shared_ptr<compiler::CompileResult> brokenResult();

/// Place of a snippet in a text; the snippet must occur.
SourceRange rangeOf(const std::string &text, const std::string &snippet);

} // namespace tilescope::tests
