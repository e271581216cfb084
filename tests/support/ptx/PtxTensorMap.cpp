// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxTensorMap.h"

namespace tilescope::tests {

bool PtxTensorMap::replace(std::string_view field, uint32_t ordinal, uint64_t value) {
  const auto number = static_cast<uint32_t>(value);
  const auto code = static_cast<uint8_t>(value);
  if (ordinal >= kMaxRank || (field == "global_stride" && ordinal >= kMaxRank - 1))
    return false;
  if (field == "global_address")
    base = value;
  else if (field == "rank")
    rank = static_cast<uint8_t>(code + 1);
  else if (field == "box_dim")
    box[ordinal] = number;
  else if (field == "global_dim")
    extents[ordinal] = number;
  else if (field == "global_stride")
    strides[ordinal] = value;
  else if (field == "element_stride")
    elementStrides[ordinal] = number;
  else if (field == "elemtype")
    elementType = code;
  else if (field == "interleave_layout")
    interleave = code;
  else if (field == "swizzle_mode")
    swizzle = code;
  else if (field == "fill_mode")
    fill = code;
  else
    return false;
  return true;
}

int64_t PtxTensorMap::elementBytes() const {
  constexpr int64_t kBytesOf[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
  return elementType < std::size(kBytesOf) ? kBytesOf[elementType] : 0;
}

int64_t PtxTensorMap::boxBytes() const {
  int64_t bytes = elementBytes();
  for (int dim = 0; dim < rank; ++dim)
    bytes *= box[dim];
  return bytes;
}

std::string PtxTensorMap::problem() const {
  if (rank < 1 || rank > kMaxRank)
    return "the tensor map has no rank";
  if (elementBytes() == 0)
    return "the tensor map has an unknown element type";
  if (interleave != 0 || swizzle > 3)
    return "the tensor map is interleaved or swizzled in an unknown way";
  if (base % 16 != 0)
    return "the tensor map's address is not a multiple of 16";
  for (int dim = 0; dim < rank; ++dim) {
    if (box[dim] < 1 || box[dim] > 256)
      return "the tensor map's box has a side of " + std::to_string(box[dim]);
    if (elementStrides[dim] != 1)
      return "the tensor map skips elements";
    if (dim + 1 < rank && strides[dim] % 16 != 0)
      return "the tensor map has a stride that is not a multiple of 16 bytes";
  }
  const int64_t row = box[0] * elementBytes();
  if (row % 16 != 0)
    return "the tensor map's box has rows of " + std::to_string(row) + " bytes";
  if (swizzle != 0 && row > int64_t(16) << swizzle)
    return "the tensor map's box is wider than its swizzle";
  return {};
}

uint64_t PtxTensorMap::swizzled(uint64_t address) const {
  // Chunks of 16 bytes change places within 32, 64 or 128 bytes, by the number of the 128 bytes.
  const uint64_t mask = (uint64_t(1) << swizzle) - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

std::optional<uint64_t> PtxTensorMap::addressOf(const std::array<int64_t, kMaxRank> &at) const {
  uint64_t address = base;
  for (int dim = 0; dim < rank; ++dim) {
    if (at[dim] < 0 || at[dim] >= int64_t(extents[dim]))
      return std::nullopt;
    address += at[dim] * (dim == 0 ? static_cast<uint64_t>(elementBytes()) : strides[dim - 1]);
  }
  return address;
}

} // namespace tilescope::tests
