// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>

namespace tilescope::profiler {

/// FNV-1a: tells contents apart that nobody chose to collide.
inline uint64_t fnv1a(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes)
    hash = (hash ^ uint8_t(byte)) * 0x100000001b3;
  return hash;
}

} // namespace tilescope::profiler
