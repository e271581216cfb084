// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/UsualDevice.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilescope::compiler {

std::optional<UsualDevice> usualDevice(std::string_view target) {
  constexpr uint64_t kMib = uint64_t{1} << 20;
  static constexpr auto kDevices = std::to_array<std::pair<std::string_view, UsualDevice>>({
      {"cuda:80", {"an A100", 108, 40 * kMib}},
      {"cuda:86", {"an RTX 3090", 82, 6 * kMib}},
      {"cuda:89", {"an RTX 4090", 128, 72 * kMib}},
      {"cuda:90", {"an H100 or H200", 132, 50 * kMib}},
      {"cuda:100", {"a B200", 148, 126 * kMib}},
      {"cuda:120", {"an RTX 5090", 170, 96 * kMib}},
  });
  const auto *found =
      std::ranges::find(kDevices, target, &std::pair<std::string_view, UsualDevice>::first);
  return found == kDevices.end() ? std::nullopt : std::optional(found->second);
}

} // namespace tilescope::compiler
