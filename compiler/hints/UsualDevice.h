// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::compiler {

/// A GPU that many have of a target: what hints on grids and on its cache are about.
struct UsualDevice {
  /// With its article.
  std::string_view name;
  int32_t multiprocessors = 0;
  /// Of L2.
  uint64_t cacheBytes = 0;
};

/// Of a target such as `cuda:90`; nothing for one that is not known.
std::optional<UsualDevice> usualDevice(std::string_view target);

} // namespace tilescope::compiler
