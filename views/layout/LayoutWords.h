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

/// How the result that is shown is related to the newest text.
enum class ShownText {
  /// It is of that text.
  Newest,
  /// It is of an earlier one: the newest is being compiled.
  Awaited,
  /// It is of an earlier one: the newest does not compile.
  Broken,
};

/// Why nothing is shown, and what would show something. `result` is null without a document;
/// `line`: of the cursor.
EmptyTexts emptyTexts(const compiler::CompileResult *result, LayoutChoice::Reason reason,
                      uint32_t line, ShownText text);

} // namespace tilescope::views
