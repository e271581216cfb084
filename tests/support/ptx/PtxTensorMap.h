// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::tests {

/// A tensor in global memory and the box of it that one bulk copy moves: what the 128 bytes of a
/// tensor map state. The hardware's encoding is not public; here the bytes are this very struct.
/// Dimensions are fastest first, as in the hardware.
struct PtxTensorMap {
  static constexpr size_t kBytes = 128;
  static constexpr int kMaxRank = 5;

  uint64_t base = 0;
  /// In bytes; of the dimensions from the second on.
  std::array<uint64_t, kMaxRank - 1> strides{};
  std::array<uint32_t, kMaxRank> extents{}, box{}, elementStrides{};
  uint8_t rank = 0;
  /// The numbers that `tensormap.replace` takes.
  uint8_t elementType = 0, interleave = 0, swizzle = 0, fill = 0;

  /// Sets what `tensormap.replace.tile.FIELD` names; false for an unknown field.
  bool replace(std::string_view field, uint32_t ordinal, uint64_t value);
  /// Why the hardware would refuse it, or empty.
  std::string problem() const;
  /// 0 for an unknown type.
  int64_t elementBytes() const;
  int64_t boxBytes() const;
  /// Where byte `address` of an unswizzled box is in shared memory.
  uint64_t swizzled(uint64_t address) const;
  /// The address of the element at these coordinates, or nothing outside of the tensor.
  std::optional<uint64_t> addressOf(const std::array<int64_t, kMaxRank> &at) const;
};
static_assert(sizeof(PtxTensorMap) <= PtxTensorMap::kBytes);

} // namespace tilescope::tests
