// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilescope::profiler {

/// A tensor map as the hardware reads it.
using TensorMapBytes = std::array<std::byte, 128>;

/// A tensor and the box of it that one copy moves. Dimensions are fastest first, as in the
/// hardware.
struct TensorMap {
  Dtype dtype = Dtype::Fp32;
  uint64_t address = 0;
  std::vector<uint64_t> extents;
  /// In bytes; of the dimensions from the second on.
  std::vector<uint64_t> strides;
  std::vector<uint32_t> box;
  /// 0, 32, 64 or 128.
  int32_t swizzleBytes = 0;
  /// How much a copy brings into the L2 cache at once: 128 or 256.
  int32_t cachedBytes = 128;
  bool operator==(const TensorMap &) const = default;
};

} // namespace tilescope::profiler
