// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/WalkthroughPage.h"

#include <sstream>

namespace tilescope::tests {

static constexpr std::string_view kFence = "```";

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::vector<PageBlock> pageBlocks(const std::string &page) {
  std::vector<PageBlock> blocks;
  bool isInside = false;
  const std::vector<std::string> lines = linesOf(page);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string &line = lines[i];
    if (!line.starts_with(kFence)) {
      if (isInside)
        blocks.back().lines.push_back(line);
      continue;
    }
    isInside = !isInside;
    if (!isInside)
      continue;
    const std::string words = line.substr(kFence.size());
    const size_t space = words.find(' ');
    blocks.push_back({.kind = words.substr(0, space),
                      .argument = space == std::string::npos ? "" : words.substr(space + 1),
                      .lines = {},
                      .pageLine = i + 1});
  }
  return blocks;
}

std::vector<Hunk> hunks(const std::vector<std::string> &diff) {
  std::vector<Hunk> all(1);
  for (const std::string &line : diff) {
    if (line.starts_with("@@")) {
      all.emplace_back();
      continue;
    }
    const std::string text = line.empty() ? "" : line.substr(1);
    if (!line.starts_with('+'))
      all.back().before.push_back(text);
    if (!line.starts_with('-'))
      all.back().after.push_back(text);
  }
  return all;
}

} // namespace tilescope::tests
