// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::app {

/// The places of the numbers in `tl.program_id(N)` of a kernel of a text, by N.
std::map<int64_t, std::vector<SourceRange>> axesRead(const std::string &text,
                                                     const std::string &kernel);

/// The numbers in `tl.program_id(N)` of a kernel of a text, of the first axis that is read more than once; empty where
/// none is.
std::vector<SourceRange> axesReadTwice(const std::string &text, const std::string &kernel);

} // namespace tilescope::app
