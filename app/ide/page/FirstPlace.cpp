// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/FirstPlace.h"

#include <algorithm>
#include <string>

namespace tilescope::app {

/// A small window shows this many.
static constexpr uint32_t kLinesInSight = 16;
/// Above the kernel's name: its decorator, and the end of what is written before it.
static constexpr uint32_t kLinesAbove = 5;

/// The name in `kernel = "…"` of the first launch block.
static std::string launchedName(std::string_view text) {
  static constexpr std::string_view kKey = "\n# kernel = \"";
  const size_t key = text.find(kKey);
  if (key == std::string_view::npos)
    return {};
  const std::string_view rest = text.substr(key + kKey.size());
  return std::string(rest.substr(0, rest.find_first_of("\"\n")));
}

/// Behind `def ` of the function that is decorated there, or of a named one.
static size_t nameOfKernel(std::string_view text) {
  const std::string name = launchedName(text);
  if (const size_t at = text.find("\ndef " + name + "("); !name.empty() && at != text.npos)
    return at + 5;
  const size_t decorator = text.find("\n@triton.jit");
  const size_t at = decorator == text.npos ? text.npos : text.find("\ndef ", decorator);
  return at == text.npos ? text.npos : at + 5;
}

std::optional<FirstPlace> firstPlace(std::string_view text) {
  const size_t at = nameOfKernel(text);
  if (at == text.npos)
    return std::nullopt;
  const auto line = static_cast<uint32_t>(std::ranges::count(text.substr(0, at), '\n'));
  if (line < kLinesInSight)
    return std::nullopt;
  return FirstPlace{{line, 4}, line - kLinesAbove};
}

} // namespace tilescope::app
