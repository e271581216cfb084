// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// A word, a string or a sign of PTX text, with its line, from 1.
struct PtxToken {
  std::string_view text;
  int32_t line;
};

/// The tokens of a text, which must outlive them; without comments.
std::vector<PtxToken> ptxTokens(std::string_view text);

/// The number that a token is, at least `least` and at most `most`; `least` for what is not a
/// number.
int64_t ptxNumber(std::string_view token, int64_t least, int64_t most);

} // namespace tilescope::compiler
