// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/LaunchUses.h"

#include <algorithm>
#include <cctype>

namespace tilescope::views {

static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The word that begins at an offset.
static std::string_view wordAt(std::string_view line, size_t begin) {
  size_t end = begin;
  while (end < line.size() && isWord(line[end]))
    ++end;
  return line.substr(begin, end - begin);
}

/// Whether a string holds a word of the block's own, such as an element type.
static bool isOwnWord(std::string_view before) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"type = \"", "init = \"", "name = \""},
      [&](std::string_view key) { return before.ends_with(key); });
}

/// Whether the keys of a table are names of the kernel's, or of sizes; those in front of the first
/// table are not.
static bool hasNamesAsKeys(std::string_view table) {
  return table == "sizes" || table == "args" || table == "constexprs" || table == "sweep";
}

/// In a line of a launch block, in a table. Inside of braces, what is not in a string is a key of
/// the block's own.
static void addUses(std::string_view line, uint32_t number, std::string_view table,
                    std::string_view name, std::vector<SourceRange> &uses) {
  int depth = 0;
  bool isQuoted = false;
  for (size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted)
      depth += (line[at] == '{') - (line[at] == '}');
    if (!isWord(line[at]) || isWord(line[at - 1]))
      continue;
    const std::string_view word = wordAt(line, at);
    const bool isKey = depth == 0 && hasNamesAsKeys(table);
    if (word == name && (isQuoted || isKey) && !isOwnWord(line.substr(0, at)))
      uses.push_back({{number, static_cast<uint32_t>(at)},
                      {number, static_cast<uint32_t>(at + word.size())},
                      0});
  }
}

std::vector<SourceRange> launchBlockUses(std::string_view text, std::string_view kernel,
                                         std::string_view name) {
  // Those of blocks that name no kernel wait for the next function.
  std::vector<SourceRange> uses, inBlock, waiting;
  std::string_view owner, table;
  bool isInside = false;
  for (uint32_t number = 0; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    constexpr std::string_view kKernel = "# kernel = \"";
    if (line.starts_with("# /// tilescope")) {
      isInside = true;
      owner = table = {};
      inBlock.clear();
    } else if (isInside && line.starts_with("# ///")) {
      isInside = false;
      std::vector<SourceRange> &taken = owner.empty() ? waiting : uses;
      if (owner.empty() || owner == kernel)
        taken.insert(taken.end(), inBlock.begin(), inBlock.end());
    } else if (isInside && line.starts_with(kKernel)) {
      owner = wordAt(line, kKernel.size());
      if (name == kernel)
        addUses(line, number, table, name, inBlock);
    } else if (isInside && line.starts_with("# [")) {
      table = wordAt(line, 3);
    } else if (isInside) {
      if (name != kernel)
        addUses(line, number, table, name, inBlock);
    } else if (line.starts_with("def ")) {
      if (wordAt(line, 4) == kernel)
        uses.insert(uses.end(), waiting.begin(), waiting.end());
      waiting.clear();
    }
  }
  std::ranges::sort(uses);
  return uses;
}

} // namespace tilescope::views
