// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/layout/LayoutChoice.h"

#include <QString>

namespace tilescope::views {

/// `line 12   x: load   fp32[128, 64]   %x_3`: a value in the list of all.
QString entryText(const compiler::LayoutFacts &facts);

/// The numbers of all values in the order of that list: by line of the source, as they are made
/// there; those without a line come last.
std::vector<int> listedValues(const std::vector<compiler::LayoutFacts> &layouts);

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
