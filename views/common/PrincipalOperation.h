// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/CodeDocument.h"
#include "views/common/Correlation.h"
#include "views/common/StageSyntax.h"

#include <string_view>
#include <vector>

namespace tilescope::views {

/// Of the operations that one expression became, how much one is what the expression means. The
/// last of those with the highest rank is.
///
///     a = tl.load(p, other=0.0)     %cst = arith.constant …       0: a constant is hoisted, and
///                                   %m   = arith.andi …           1  pipelining adds predicates,
///                                   %b   = ttg.memdesc_index …    2  leaves the tile in shared
///                                   %a   = ttg.local_load %b      3  memory, and reads it back
///     acc = tl.dot(a, b, acc)       %a1  = ttg.local_load …       3
///                                   %acc = tt.dot %a1, …          4
int principalRank(std::string_view operation);

/// The operation of a line of TTIR or TTGIR, such as `tt.load`; empty: the line has none.
std::string_view operationOf(std::string_view line);

/// The same of an instruction in a line of PTX or SASS, or in one of LLVM IR that is written as
/// assembly: addresses and masks of an access come before it.
int instructionRank(std::string_view line);

/// Of the lines that are related most closely, those of the highest rank; operations in the region
/// of one of them are part of it.
std::vector<int32_t> principalLines(const CodeDocument &text,
                                    const std::vector<Relation> &relations);

/// Of the instructions that are related most closely, those of the highest rank.
std::vector<int32_t> principalInstructions(const CodeDocument &text,
                                           const std::vector<Relation> &relations);

/// What is brought into view of the lines that are related most closely, the first that comes first.
/// Operations on blocks, and instructions, have one that is meant; other text begins with its first
/// line.
std::vector<int32_t> linesToReveal(const CodeDocument &text, TextLanguage language,
                                   const std::vector<Relation> &relations);

} // namespace tilescope::views
