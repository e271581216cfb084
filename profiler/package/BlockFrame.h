// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Comments that are nearly launch blocks. Some have another first line, and would be passed over without a word:
//
//     # // tilescope        # //// tilescope        #/// tilescope        # /// Tilescope
//
// Others are cut in two by an empty line, or by one without the comment's mark.
#pragma once

#include "profiler/package/TomlBlock.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// Each first line that is nearly a block's, with what belongs there, in file order.
std::vector<LaunchProblem> misspelledHeaders(std::string_view fileText);

/// The line that cuts a block in two, when the other half with its end follows: an empty one, or
/// one without the block's mark. `lines`: the file's.
std::optional<uint32_t> breakInside(const CommentBlock &comment,
                                    const std::vector<std::string_view> &lines);

/// That a block is cut in two at a line, which is at `range`, and what would join it.
LaunchProblem brokenBlock(const CommentBlock &comment, std::string_view line, SourceRange range);

} // namespace tilescope::profiler
