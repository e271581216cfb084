// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/layout/LayoutChoice.h"

#include <QString>

namespace tilescope::views {

/// `%x_3   tt.load   fp32[128, 64]   line 12`: a value in the list of all.
QString entryText(const compiler::LayoutFacts &facts);

/// `first load: %x_3 = tt.load  ·  #ttg.blocked<{…}>`: what is shown, and why.
QString titleText(const compiler::LayoutFacts &facts, LayoutChoice::Reason reason);

/// What is shown in place of the two diagrams.
struct EmptyTexts {
  QString tensor;
  QString hardware = {};
};

/// Why nothing is shown, and what would show something. `result` is null without a document;
/// `line`: of the cursor; `isBroken`: the newest text does not compile.
EmptyTexts emptyTexts(const compiler::CompileResult *result, LayoutChoice::Reason reason,
                      uint32_t line, bool isBroken);

} // namespace tilescope::views
