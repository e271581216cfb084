// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How a value is printed, as `format` and `%` say.
#pragma once

#include "compiler/constant/Value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilescope::compiler::constant {

/// The parts of `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.
struct FormatSpec {
  char32_t fill = ' ';
  char align = '\0';
  char sign = '-';
  bool alternate = false;
  int64_t width = 0;
  char grouping = '\0';
  std::optional<int> precision;
  char type = '\0';
};

inline constexpr int64_t kMaxWidth = 100000;

OrError<std::string> formatInt(const Int &value, const FormatSpec &spec);
OrError<std::string> formatFloat(double value, FormatSpec spec);
OrError<std::string> formatStr(const std::string &text, const FormatSpec &spec);

} // namespace tilescope::compiler::constant
