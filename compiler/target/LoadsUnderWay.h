// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// The most bytes that loads of a thread from global memory have under way, for each stretch of
/// machine code (capability 7.0 and later) between two branches that has any; empty for what is not
/// machine code.
///
/// A load names a scoreboard (the write barrier of `machine::SassControl`), and how much it moves in
/// bits 73 to 75. The code is read from top to bottom, so loads of different iterations count only where the
/// assembler unrolled.
std::vector<int64_t> loadedBytesUnderWay(std::string_view cubin);

} // namespace tilescope::compiler
