// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/RowsAndColumns.h"

#include "compiler/inference/NameWords.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::inference {

/// The letter of the axis: `m` of `BLOCK_M` and `BM`, `r` of `BLOCK_ROWS`, `x` of `XBLOCK`; 0 for other names.
static char axisOf(std::string_view side) {
  const std::string name = lowered(side);
  if (name.size() > 5 && name.ends_with("block") && name.find('_') == std::string::npos)
    return name.front();
  const size_t last = name.rfind('_');
  const std::string word = last == std::string::npos ? name : name.substr(last + 1);
  const bool isWord = word == "rows" || word == "row" || word == "cols" || word == "col" ||
                      word == "columns" || word == "height" || word == "width";
  if (word.size() == 1 || isWord)
    return word.front();
  return word.size() == 2 && (word.front() == 'b' || word.front() == 't') ? word.back() : '\0';
}

bool areRowsAndColumns(std::string_view one, std::string_view other) {
  static constexpr std::string_view kAxes[] = {"mn", "rc", "hw", "yx"};
  const char first = axisOf(one), second = axisOf(other);
  return std::ranges::any_of(kAxes, [&](std::string_view axes) {
    return (axes[0] == first && axes[1] == second) || (axes[0] == second && axes[1] == first);
  });
}

} // namespace tilescope::compiler::inference
