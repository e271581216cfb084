// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/dot/MatrixDescriptor.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int64_t kUnitRows = 8, kUnitBytes = 16;
/// Addresses and strides are counted in 16 bytes, in fields of 14 bits.
static constexpr int kFieldBits = 14, kLeadingField = 16, kStrideField = 32, kSwizzleField = 62;
/// Of descriptors that `tcgen05.mma` reads.
static constexpr int kVersionField = 46;

static uint64_t swizzleCode(unsigned bytes) {
  switch (bytes) {
  case 128:
    return 1;
  case 64:
    return 2;
  case 32:
    return 3;
  default:
    return 0;
  }
}

static uint64_t field(uint64_t bytes, int position) {
  return (bytes >> 4 & ((uint64_t(1) << kFieldBits) - 1)) << position;
}

/// The distance from one group of `step` coordinates to the next, if all groups below `size` are
/// equally far apart; 0 when there is one group.
static std::optional<uint64_t> strideOf(ArrayRef<uint64_t> offsets, int64_t step, int64_t size) {
  if (step >= size)
    return 0;
  const size_t first = llvm::Log2_64(step), end = llvm::Log2_64(size);
  for (size_t bit = first; bit < end; ++bit)
    if (bit >= offsets.size() || offsets[bit] != offsets[first] << (bit - first))
      return std::nullopt;
  return offsets[first];
}

static uint64_t offsetAt(ArrayRef<uint64_t> offsets, uint64_t coordinate) {
  uint64_t result = 0;
  for (auto [bit, offset] : llvm::enumerate(offsets))
    if (coordinate >> bit & 1)
      result ^= offset;
  return result;
}

FailureOr<MatrixDescriptor> MatrixDescriptor::create(Operation *op, Lowering &lowering,
                                                     const MatrixSource &source) {
  auto type = cast<ttg::MemDescType>(source.buffer.getType());
  auto encoding = dyn_cast<ttg::NvmmaSharedEncodingAttr>(type.getEncoding());
  const SharedRegion region = regionOf(lowering, source.buffer);
  const int64_t bytes = type.getElementTypeBitWidth() / 8;
  const auto refuse = [&] {
    return op->emitError(
               "the matrix instruction cannot read a factor that lies in shared memory as ")
           << type.getEncoding();
  };
  if (!encoding || encoding.getFp4Padded())
    return refuse();

  Builder &b = lowering.b;
  MatrixDescriptor result(b);
  const LinearLayout fromTensor = region.layout.canonicalOuts().invert();
  SmallVector<uint64_t> byDim[2];
  for (int dim = 0; dim < 2; ++dim)
    for (uint64_t column : fromTensor.columns(tensorDim(dim)))
      byDim[dim].push_back(column * bytes);
  result.m_outerOffsets = byDim[source.outerDim];
  result.m_depthOffsets = byDim[1 - source.outerDim];
  const unsigned swizzle = encoding.getSwizzlingByteWidth();
  const int64_t perUnit = kUnitBytes / bytes,
                width = std::max<int64_t>(swizzle, kUnitBytes) / bytes;
  result.m_isAcross = result.m_outerOffsets.front() == uint64_t(bytes);
  // Only elements of 16 bits can be read across; by `tcgen05.mma`, those of 8 bits, too.
  if (result.m_isAcross && bytes != 2 && !(source.isForTensorCore && bytes == 1))
    return refuse();

  const SmallVector<uint64_t> &rows =
      result.m_isAcross ? result.m_depthOffsets : result.m_outerOffsets;
  const SmallVector<uint64_t> &along =
      result.m_isAcross ? result.m_outerOffsets : result.m_depthOffsets;
  const int64_t numRows = result.m_isAcross ? source.depth : source.outerSize;
  const int64_t numAlong = result.m_isAcross ? source.outerSize : source.depth;
  std::optional<uint64_t> stride = strideOf(rows, kUnitRows, numRows);
  std::optional<uint64_t> leading = strideOf(along, swizzle ? width : perUnit, numAlong);
  const bool isDense = rows.front() / (swizzle ? swizzle : kUnitBytes) == 1 &&
                       strideOf(along, 1, std::min(width, numAlong)) == uint64_t(bytes);
  if (!stride || !leading || !isDense || along.front() != uint64_t(bytes))
    return refuse();
  if (swizzle == 0 && result.m_isAcross)
    std::swap(*stride, *leading);

  // Everything that differs between warps or is known at run time only goes into the first address.
  Value start = LLVM::PtrToIntOp::create(b, b.getI32Type(), region.base);
  const auto add = [&](Value offset) {
    if (offset)
      start = LLVM::AddOp::create(b, start, offset);
  };
  SmallVector<uint64_t> warpBytes;
  for (uint64_t offset : source.warpOffsets)
    warpBytes.push_back(offsetAt(result.m_outerOffsets, offset));
  // All lanes must agree visibly: the descriptor goes to registers that a warp shares.
  if (llvm::any_of(warpBytes, [](uint64_t offset) { return offset != 0; })) {
    Value warp = shuffle(b, ShuffleMode::Index, lowering.warpId(), i32Constant(b, 0));
    add(applyBases(b, warp, warpBytes));
  }
  for (auto [dim, offset] : llvm::enumerate(region.offsets))
    if (offset)
      add(applyBases(b, offset, byDim[dim]));
  Value units = LLVM::AndOp::create(b, LLVM::LShrOp::create(b, start, i32Constant(b, 4)),
                                    i32Constant(b, (1 << kFieldBits) - 1));
  const uint64_t fixed = field(*leading, kLeadingField) | field(*stride, kStrideField) |
                         swizzleCode(swizzle) << kSwizzleField |
                         uint64_t(source.isForTensorCore) << kVersionField;
  result.m_base = LLVM::OrOp::create(b, LLVM::ZExtOp::create(b, b.getI64Type(), units),
                                     i64Constant(b, int64_t(fixed)));
  return result;
}

Value MatrixDescriptor::at(int64_t outer, int64_t k) {
  const uint64_t offset = offsetAt(m_outerOffsets, outer) ^ offsetAt(m_depthOffsets, k);
  Value &made = m_made[offset];
  if (!made)
    made = offset == 0 ? m_base
                       : LLVM::AddOp::create(*m_builder, m_base,
                                             i64Constant(*m_builder, int64_t(offset >> 4)));
  return made;
}

} // namespace tilescope::compiler
