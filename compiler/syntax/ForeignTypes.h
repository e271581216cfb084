// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Types of C, in whose place Python has none: `float s = 2.0;`, `(float)x`.
#pragma once

#include <string_view>
#include <utility>

namespace tilescope::compiler::ast {

/// What kernels call a type of C, `float32` for `float`; empty for other words.
constexpr std::string_view kernelTypeOf(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"bool", "int1"},       {"char", "int8"},      {"double", "float64"}, {"float", "float32"},
      {"half", "float16"},    {"int", "int32"},      {"long", "int64"},     {"short", "int16"},
      {"unsigned", "uint32"}, {"__half", "float16"}, {"size_t", "int64"}};
  for (const auto &[foreign, own] : kTypes)
    if (foreign == word)
      return own;
  return {};
}

} // namespace tilescope::compiler::ast
