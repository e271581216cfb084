// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/LaneText.h"

namespace tilescope::model {

/// The even ones, or the odd ones.
template <typename T> static std::vector<T> halfOf(const std::vector<T> &all, size_t first) {
  std::vector<T> half;
  for (size_t i = first; i < all.size(); i += 2)
    half.push_back(all[i]);
  return half;
}

std::string splitText(const std::string &vector, const std::vector<int64_t> &columns) {
  const auto named = [](const char *name, int64_t column) { return name + std::to_string(column); };
  if (columns.size() == 2)
    return "    " + named("x", columns[0]) + ", " + named("x", columns[1]) + " = tl.split(" +
           vector + ")\n";
  const std::string even = named("from", columns[0]), odd = named("from", columns[1]);
  return "    " + even + ", " + odd + " = tl.split(" + vector + ")\n" +
         splitText(even, halfOf(columns, 0)) + splitText(odd, halfOf(columns, 1));
}

std::string joinedText(const std::vector<std::string> &names) {
  return names.size() == 1 ? names.front()
                           : "tl.join(" + joinedText(halfOf(names, 0)) + ", " +
                                 joinedText(halfOf(names, 1)) + ")";
}

} // namespace tilescope::model
