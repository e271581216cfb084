// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tilescope {

/// "1 program", "4 programs": for nouns whose plural ends with an s.
inline std::string counted(std::integral auto count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

} // namespace tilescope
