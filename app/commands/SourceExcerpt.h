// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The line that a diagnostic is about, with the place marked below it:
//
//        11 |     y = tl.load(y_ptr + off, mask=mask)
//           |                         ^~~
#pragma once

#include "compiler/support/SourceRange.h"

#include <string>
#include <string_view>

namespace tilescope::app {

/// Two lines of text; empty when `source` has no such line, or the place is the whole file. Of long
/// lines the part around the place is shown, and of a place of several lines the first.
std::string sourceExcerpt(const SourceRange &range, std::string_view source);

} // namespace tilescope::app
