// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <string>
#include <string_view>

namespace tilescope::app {

/// As kernels name a type of integers: `int8` of `i8`, `uint8` of `u8`.
inline std::string languageName(profiler::Dtype dtype) {
  const std::string_view name = profiler::dtypeName(dtype);
  return (name.starts_with('u') ? "uint" : "int") + std::string(name.substr(1));
}

} // namespace tilescope::app
