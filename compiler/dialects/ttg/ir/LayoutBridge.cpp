// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutCache.h"
#include "compiler/dialects/ttg/ir/MemoryInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::ttg {

using compiler::Dim;
using compiler::LinearLayout;
using compiler::tensorDim;

static std::vector<unsigned> toVector(ArrayRef<unsigned> values) {
  return {values.begin(), values.end()};
}

static compiler::BlockedParameters parametersOf(BlockedEncodingAttr blocked) {
  return {toVector(blocked.getSizePerThread()), toVector(blocked.getThreadsPerWarp()),
          toVector(blocked.getWarpsPerCTA()), toVector(blocked.getOrder())};
}

static compiler::MmaParameters parametersOf(NvidiaMmaEncodingAttr mma) {
  return {int(mma.getVersionMajor()), toVector(mma.getWarpsPerCTA()),
          toVector(mma.getInstrShape())};
}

static LinearLayout dotOperandLayout(ArrayRef<int64_t> shape, DotOperandEncodingAttr operand) {
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(operand.getParent()))
    return compiler::blockedOperandLayout(shape, parametersOf(blocked), operand.getOpIdx(),
                                          getClusterLayout(blocked.getCgaLayout()));
  auto mma = cast<NvidiaMmaEncodingAttr>(operand.getParent());
  return compiler::mmaOperandLayout(shape, parametersOf(mma), operand.getOpIdx(),
                                    operand.getKWidth(), getClusterLayout(mma.getCgaLayout()));
}

static LinearLayout sliceLayout(ArrayRef<int64_t> shape, SliceEncodingAttr slice) {
  SmallVector<int64_t> parentShape(shape);
  parentShape.insert(parentShape.begin() + slice.getDim(), 1);
  return compiler::slicedLayout(toLinearLayout(parentShape, slice.getParent()), slice.getDim());
}

/// A piece's offsets, then the groups that follow one another in a partition, then the partitions.
/// Neighbors along the dimension are in different partitions.
static LinearLayout partitionedLayout(ArrayRef<int64_t> shape,
                                      PartitionedSharedEncodingAttr shared) {
  const unsigned dim = shared.getPartitionDim();
  const int64_t numPieces = std::min<int64_t>(shared.getNumPieces(), shape[dim]);
  const int64_t numPartitions = std::min<int64_t>(shared.getNumPartitions(), numPieces);
  SmallVector<int64_t> piece(shape);
  piece[dim] /= numPieces;
  LinearLayout::Columns steps;
  for (int64_t step = numPartitions; step < numPieces; step *= 2)
    steps.push_back(step);
  for (int64_t step = 1; step < numPartitions; step *= 2)
    steps.push_back(step);
  const uint8_t bits = compiler::log2Exact(numPieces);
  const LinearLayout pieces({{Dim::Offset, bits}}, {{tensorDim(dim), bits}}, steps);
  return (toLinearLayout(piece, shared.getPartitionLayout()) * pieces).canonicalOuts();
}

static LinearLayout computeLayout(ArrayRef<int64_t> shape, Attribute encoding) {
  return TypeSwitch<Attribute, LinearLayout>(encoding)
      .Case([&](BlockedEncodingAttr blocked) {
        return compiler::blockedLayout(shape, parametersOf(blocked),
                                       getClusterLayout(blocked.getCgaLayout()));
      })
      .Case([&](SliceEncodingAttr slice) { return sliceLayout(shape, slice); })
      .Case<LinearEncodingAttr, GenericLinearEncodingAttr>(
          [&](auto linear) { return compiler::refitLinear(linear.getLinearLayout(), shape); })
      .Case([&](NvidiaMmaEncodingAttr mma) {
        return compiler::mmaLayout(shape, parametersOf(mma), getClusterLayout(mma.getCgaLayout()));
      })
      .Case([&](DotOperandEncodingAttr operand) { return dotOperandLayout(shape, operand); })
      .Case([&](SwizzledSharedEncodingAttr shared) {
        compiler::SwizzleParameters swizzle{shared.getVec(), shared.getPerPhase(),
                                            shared.getMaxPhase(), toVector(shared.getOrder())};
        return compiler::swizzledSharedLayout(shape, swizzle,
                                              getClusterLayout(shared.getCgaLayout()));
      })
      .Case([&](NvmmaSharedEncodingAttr shared) {
        compiler::NvmmaSharedParameters nvmma{shared.getSwizzlingByteWidth(),
                                              shared.getTransposed(), shared.getElementBitWidth()};
        return compiler::nvmmaSharedLayout(shape, nvmma, getClusterLayout(shared.getCgaLayout()));
      })
      .Case<PaddedSharedEncodingAttr, SharedLinearEncodingAttr>(
          [&](auto shared) { return compiler::refitLinear(shared.getLinearLayout(), shape); })
      .Case([&](PartitionedSharedEncodingAttr shared) { return partitionedLayout(shape, shared); })
      .Default([&](Attribute other) { return MemoryInterface::of(other)->layoutOf(shape, other); });
}

const LinearLayout &LayoutCache::find(Type type, ArrayRef<int64_t> shape,
                                      Attribute encoding) const {
  {
    std::lock_guard lock(m_mutex);
    auto it = m_layouts.find(type);
    if (it != m_layouts.end())
      return *it->second;
  }
  // Slices ask for their parents: compute without the lock. A second result for the same type is
  // dropped.
  auto layout = std::make_unique<LinearLayout>(computeLayout(shape, encoding));
  std::lock_guard lock(m_mutex);
  return *m_layouts.try_emplace(type, std::move(layout)).first->second;
}

static const LayoutCache &cacheOf(Attribute encoding) {
  return *encoding.getContext()
              ->getLoadedDialect<TTGDialect>()
              ->getRegisteredInterface<LayoutCache>();
}

const LinearLayout &toLinearLayout(RankedTensorType type) {
  return cacheOf(type.getEncoding()).find(type, type.getShape(), type.getEncoding());
}

const LinearLayout &toLinearLayout(MemDescType type) {
  ArrayRef<int64_t> shape = type.getAllocShape().take_back(type.getShape().size());
  return cacheOf(type.getEncoding()).find(type, shape, type.getEncoding());
}

const LinearLayout &toLinearLayout(ArrayRef<int64_t> shape, Attribute encoding) {
  // Element types make no difference; any stands for them all.
  auto type = RankedTensorType::get(shape, IntegerType::get(encoding.getContext(), 8), encoding);
  return toLinearLayout(type);
}

SmallVector<unsigned> fastestDims(RankedTensorType type) {
  return fastestDims(type.getShape(), type.getEncoding());
}

SmallVector<unsigned> fastestDims(ArrayRef<int64_t> shape, Attribute encoding) {
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(encoding))
    return SmallVector<unsigned>(blocked.getOrder());
  if (auto slice = dyn_cast<SliceEncodingAttr>(encoding)) {
    SmallVector<int64_t> parentShape(shape);
    parentShape.insert(parentShape.begin() + slice.getDim(), 1);
    SmallVector<unsigned> order;
    for (unsigned dim : fastestDims(parentShape, slice.getParent()))
      if (dim != slice.getDim())
        order.push_back(dim - (dim > slice.getDim()));
    return order;
  }
  const LinearLayout &layout = toLinearLayout(shape, encoding);
  SmallVector<unsigned> order;
  auto add = [&](unsigned dim) {
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  };
  int rank = shape.size();
  for (Dim in : {Dim::Register, Dim::Lane, Dim::Offset})
    for (int bit = 0; bit < layout.inBits(in); ++bit)
      for (int d = rank - 1; d >= 0; --d)
        if (layout.basis(in, bit, tensorDim(d)))
          add(d);
  for (int d = rank - 1; d >= 0; --d)
    add(d);
  return order;
}

SmallVector<unsigned> contiguousPerThread(RankedTensorType type) {
  const LinearLayout &layout = toLinearLayout(type);
  std::span<const uint64_t> registers = layout.columns(Dim::Register);
  SmallVector<unsigned> result(type.getRank(), 1);
  int shift = 0;
  for (const compiler::DimBits &out : layout.outs()) {
    unsigned &contiguous = result[compiler::tensorDimIndex(out.dim)];
    for (int bit = 0; bit < out.bits && llvm::is_contained(registers, uint64_t(1) << (shift + bit));
         ++bit)
      contiguous *= 2;
    shift += out.bits;
  }
  return result;
}

unsigned elementsPerThread(RankedTensorType type) {
  return toLinearLayout(type).inSize(Dim::Register);
}

BlockedEncodingAttr asBlocked(MLIRContext *context, ArrayRef<int64_t> shape,
                              const LinearLayout &layout, CgaLayoutAttr cga) {
  int rank = shape.size();
  SmallVector<unsigned> order;
  SmallVector<unsigned> sizePerThread(rank, 1), threadsPerWarp(rank, 1), warpsPerCta(rank, 1);
  unsigned idleLanes = 1, idleWarps = 1;
  auto addToOrder = [&](unsigned d) {
    if (!llvm::is_contained(order, d))
      order.push_back(d);
  };
  // The dimension that a basis moves along; -1 for several or none.
  auto dimOf = [&](Dim in, int bit) {
    int found = -1;
    for (int d = 0; d < rank; ++d)
      if (layout.basis(in, bit, tensorDim(d)))
        found = found < 0 ? d : rank;
    return found;
  };
  SmallVector<int64_t> firstLane(rank, 0), firstWarp(rank, 0);
  for (auto [in, counts, first, idle] :
       {std::tuple(Dim::Lane, &threadsPerWarp, &firstLane, &idleLanes),
        std::tuple(Dim::Warp, &warpsPerCta, &firstWarp, &idleWarps)}) {
    for (int bit = 0; bit < layout.inBits(in); ++bit) {
      int d = dimOf(in, bit);
      if (d == rank)
        return {};
      if (d < 0) {
        *idle *= 2;
        continue;
      }
      int64_t value = layout.basis(in, bit, tensorDim(d));
      (*first)[d] = (*first)[d] ? std::min((*first)[d], value) : value;
      (*counts)[d] *= 2;
    }
  }
  // Registers come before the lanes of their dimension, or before its warps, or are the dimension.
  for (int bit = 0; bit < layout.inBits(Dim::Register); ++bit) {
    int d = dimOf(Dim::Register, bit);
    if (d < 0 || d == rank)
      return {};
    int64_t value = layout.basis(Dim::Register, bit, tensorDim(d));
    int64_t end = firstLane[d] ? firstLane[d] : firstWarp[d] ? firstWarp[d] : shape[d];
    if (value < end) {
      sizePerThread[d] *= 2;
      addToOrder(d);
    }
  }
  for (Dim in : {Dim::Lane, Dim::Warp})
    for (int bit = 0; bit < layout.inBits(in); ++bit)
      if (int d = dimOf(in, bit); d >= 0)
        addToOrder(d);
  for (int d = rank - 1; d >= 0; --d)
    addToOrder(d);
  // Copies extend beyond the slowest dimension.
  threadsPerWarp[order.back()] *= idleLanes;
  warpsPerCta[order.back()] *= idleWarps;
  auto candidate =
      BlockedEncodingAttr::get(context, sizePerThread, threadsPerWarp, warpsPerCta, order, cga);
  return toLinearLayout(shape, candidate) == layout ? candidate : BlockedEncodingAttr();
}

ConversionKind classifyConversion(RankedTensorType from, RankedTensorType to) {
  const LinearLayout &source = toLinearLayout(from), &target = toLinearLayout(to);
  if (source == target)
    return ConversionKind::None;
  LinearLayout slimSource = source.removeZeroBases(Dim::Register),
               slimTarget = target.removeZeroBases(Dim::Register);
  std::optional<LinearLayout> moves = slimTarget.invertAndCompose(slimSource);
  if (!moves || !moves->isTrivialOver({Dim::Block}))
    return ConversionKind::Cluster;
  if (!moves->isTrivialOver({Dim::Warp}))
    return ConversionKind::SharedMemory;
  if (!moves->isTrivialOver({Dim::Lane}))
    return ConversionKind::Lanes;
  return ConversionKind::Registers;
}

} // namespace tilescope::ttg
