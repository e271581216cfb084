// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether what a call computes matters to a launch:
//
//     unused = tl.sum(x)              no: nothing is made of it
//     s = tl.sum(x)                   yes: it reaches
//     tl.atomic_add(total, s)         <- an access that writes
#pragma once

#include "compiler/support/SourceRange.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// The first call of `function` (`tl.sum`, `helper`) in a function of the text, or among its decorators. A
/// method of a value, `x.sum()`, is one of `tl.sum`.
std::optional<SourceRange> firstCall(const std::string &text, std::string_view function);

/// The first `for` or `while` of a text.
std::optional<SourceRange> firstLoop(const std::string &text);

/// The first such call of `function` whose value reaches a store, an update, a
/// `return` or a decision in `kernel` or in a function that it calls, and decorators of these. An
/// empty `kernel`: any that no other function calls.
std::optional<SourceRange> usedCall(const std::string &text, std::string_view function,
                                    std::string_view kernel);

} // namespace tilescope::app
