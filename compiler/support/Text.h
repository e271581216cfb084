// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string_view>
#include <vector>

namespace tilescope {

/// Lines without their line feeds; a final line feed opens no further line.
std::vector<std::string_view> splitLines(std::string_view text);

/// Names and numbers: runs of letters, digits, underscores, and what is not ASCII.
std::vector<std::string_view> wordsIn(std::string_view text);

/// Whether one of these is `word`.
bool hasWord(std::string_view text, std::string_view word);

/// Without the white space at either end.
std::string_view trimmed(std::string_view text);

} // namespace tilescope
