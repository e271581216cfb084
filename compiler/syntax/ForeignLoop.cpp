// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ForeignLoop.h"

#include "compiler/support/Text.h"

namespace tilescope::compiler::ast {

/// What a condition says that the counter stays below: `n` of `i < n`; empty for others.
static std::string_view endOf(std::string_view condition) {
  const size_t less = condition.find('<');
  const bool isLess =
      less != condition.npos && less + 1 < condition.size() && condition[less + 1] != '=';
  return isLess ? trimmed(condition.substr(less + 1)) : std::string_view();
}

std::optional<ForeignLoop> foreignLoop(std::string_view line) {
  const size_t assigned = line.find('='), first = line.find(';');
  const size_t second = first == line.npos ? first : line.find(';', first + 1);
  const size_t close = second == line.npos ? second : line.find(')', second);
  if (!line.starts_with('(') || close == line.npos || first < assigned)
    return std::nullopt;
  const std::string_view declared = trimmed(line.substr(1, assigned - 1));
  const std::string counter(declared.substr(declared.rfind(' ') + 1));
  const std::string begin(trimmed(line.substr(assigned + 1, first - assigned - 1)));
  const std::string end(endOf(line.substr(first + 1, second - first - 1)));
  ForeignLoop loop;
  loop.length = close + 1;
  loop.meant =
      counter + " in range(" + (begin == "0" ? "" : begin + ", ") + (end.empty() ? "n" : end) + ")";
  if (end.empty())
    return loop;
  // A brace behind it is taken along; a colon may be there already.
  const std::string_view behind = line.substr(loop.length);
  const bool isBrace = trimmed(behind) == "{";
  loop.numReplaced = loop.length + (isBrace ? behind.find('{') + 1 : 0);
  loop.replacement = loop.meant + (trimmed(behind).starts_with(':') ? "" : ":");
  return loop;
}

} // namespace tilescope::compiler::ast
