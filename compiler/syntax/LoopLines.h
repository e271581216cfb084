// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which of the lines behind the head of a loop that lost its indentation are of its turns:
//
//     for k in range(0, n, BLOCK):
//     v = tl.load(x + k + i)           reads `k`
//     best = tl.maximum(best, v)       reads `v`, and its own result of the turn before
//     tl.store(y, tl.max(best))        reads what the last turn leaves
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// How many of the lines behind `head` are surely the loop's: up to the last one that reads the loop's
/// counter, or what a turn gives a name, or that changes what a turn leaves to the next. 0: `head` is no
/// loop, or it is not told.
size_t numLoopLines(std::string_view head, const std::vector<std::string_view> &lines);

} // namespace tilescope::compiler::ast
