// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"

#include "compiler/conversion/ttg_to_llvm/common/ClusterExchange.h"
#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttg/ir/WarpGather.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::compiler {

int64_t sharedElementBytes(Type type) {
  return std::max<int64_t>(tt::getElementBitWidth(type) / 8, 1);
}

FailureOr<ReduceShape> analyseReduce(tt::ReduceOp op) {
  LinearLayout layout = distinctRegisters(cast<RankedTensorType>(op.getSrcs().front().getType()));
  Dim axis = tensorDim(op.getAxis());
  ReduceShape shape;
  for (Dim in : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block})
    for (int bit = 0; bit < layout.inBits(in); ++bit) {
      if (layout.basis(in, bit, axis) == 0)
        continue;
      for (const DimBits &out : layout.outs())
        if (out.dim != axis && layout.basis(in, bit, out.dim) != 0)
          return failure();
      if (in == Dim::Lane)
        shape.laneBits.push_back(bit);
      else if (in == Dim::Warp)
        shape.warpBits.push_back(bit);
      else if (in == Dim::Block)
        shape.blockBits.push_back(bit);
    }
  llvm::sort(shape.blockBits, [&](int x, int y) {
    return layout.basis(Dim::Block, x, axis) < layout.basis(Dim::Block, y, axis);
  });
  shape.result = layout.dropOut(axis).canonicalOuts().removeZeroBases(Dim::Register);
  shape.part = partOfBlock(shape.result).value_or(shape.result);
  shape.numResults = int64_t(1) << shape.part.totalOutBits();
  return shape;
}

FailureOr<ScanShape> analyseScan(tt::ScanOp op) {
  auto type = cast<RankedTensorType>(op.getSrcs().front().getType());
  LinearLayout layout = distinctRegisters(type);
  Dim axis = tensorDim(op.getAxis());
  ScanShape shape;
  // Which bit of which input moves the element by 1, 2, 4, … along the axis.
  llvm::DenseMap<int64_t, std::pair<Dim, int>> mover;
  for (Dim in : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block})
    for (int bit = 0; bit < layout.inBits(in); ++bit) {
      int64_t step = layout.basis(in, bit, axis);
      if (step == 0) {
        if (in == Dim::Register)
          shape.parallelBits.push_back(bit);
        continue;
      }
      for (const DimBits &out : layout.outs())
        if (out.dim != axis && layout.basis(in, bit, out.dim) != 0)
          return failure();
      if (in == Dim::Block || !llvm::isPowerOf2_64(step) ||
          !mover.try_emplace(step, in, bit).second)
        return failure();
    }
  enum { Chunk, Lanes, Warps, Repeat } phase = Chunk;
  for (int64_t step = 1; step < type.getDimSize(op.getAxis()); step *= 2) {
    auto it = mover.find(step);
    if (it == mover.end())
      return failure();
    auto [in, bit] = it->second;
    if (in == Dim::Register && phase == Chunk) {
      shape.chunkBits.push_back(bit);
    } else if (in == Dim::Lane && phase <= Lanes) {
      if (phase == Lanes && shape.laneBits.back() + 1 != bit)
        return failure();
      phase = Lanes;
      shape.laneBits.push_back(bit);
    } else if (in == Dim::Warp && phase <= Warps) {
      phase = Warps;
      shape.warpBits.push_back(bit);
    } else if (in == Dim::Register) {
      phase = Repeat;
      shape.repeatBits.push_back(bit);
    } else {
      return failure();
    }
  }
  // One slot per position off the axis, of those that a block holds, and repetition along it.
  int64_t total = int64_t(1) << partOfBlock(layout).value_or(layout).totalOutBits();
  shape.slotsPerWarp =
      total >> (shape.chunkBits.size() + shape.laneBits.size() + shape.warpBits.size());
  return shape;
}

int64_t partialBytes(int64_t count, Type type) {
  return llvm::alignTo(count * sharedElementBytes(type), 16);
}

static int64_t partialBytesOf(int64_t count, ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += partialBytes(count, value.getType());
  return bytes;
}

int64_t blockPartialsOffset(tt::ReduceOp op, const ReduceShape &shape) {
  return shape.warpBits.empty()
             ? 0
             : partialBytesOf(shape.numResults * shape.numWarpsAlongAxis(), op.getSrcs());
}

static int64_t reduceBytes(tt::ReduceOp op) {
  FailureOr<ReduceShape> shape = analyseReduce(op);
  if (failed(shape))
    return 0;
  return blockPartialsOffset(op, *shape) +
         (shape->blockBits.empty() ? 0 : partialBytesOf(shape->numResults, op.getSrcs()));
}

static int64_t scanBytes(tt::ScanOp op) {
  FailureOr<ScanShape> shape = analyseScan(op);
  if (failed(shape) || shape->warpBits.empty())
    return 0;
  return partialBytesOf(shape->slotsPerWarp << shape->warpBits.size(), op.getSrcs());
}

ConversionLayouts layoutsInBlock(ttg::ConvertLayoutOp op) {
  ConversionLayouts result{distinctRegisters(cast<RankedTensorType>(op.getSrc().getType())),
                           distinctRegisters(op.getType())};
  result.staysInParts = haveEqualParts(result.from, result.to);
  const std::optional<LinearLayout> from = partOfBlock(result.from), to = partOfBlock(result.to);
  if (result.staysInParts && from && to) {
    result.from = *from;
    result.to = *to;
  }
  return result;
}

static int64_t convertBytes(ttg::ConvertLayoutOp op) {
  const auto [from, to, staysInParts] = layoutsInBlock(op);
  int64_t bytes = sharedElementBytes(op.getType());
  if (!staysInParts) {
    const std::optional<ClusterExchange> exchange = planClusterExchange(from, to, bytes);
    return exchange ? exchange->memory.inSize(Dim::Offset) * bytes : 0;
  }
  ExchangePlan plan = planExchange(from, to, bytes);
  if (plan.kind != ExchangeKind::SharedMemory)
    return 0;
  return (int64_t(1) << (plan.shared.totalInBits() - exchangePartBits(op))) * bytes;
}

int exchangePartBits(ttg::ConvertLayoutOp op) {
  auto bits = op->getAttrOfType<IntegerAttr>(ttg::kAllocationPartsAttr);
  return bits ? static_cast<int>(bits.getInt()) : 0;
}

bool reduceScratch(Operation *op) {
  auto convert = dyn_cast<ttg::ConvertLayoutOp>(op);
  if (!convert)
    return false;
  const auto [from, to, staysInParts] = layoutsInBlock(convert);
  if (!staysInParts)
    return false;
  const int wanted = exchangePartBits(convert) + 1;
  const ExchangeParts parts = splitExchange(from, to, wanted);
  if (static_cast<int>(parts.bits.size()) < wanted)
    return false;
  op->setAttr(ttg::kAllocationPartsAttr, OpBuilder(op).getI32IntegerAttr(wanted));
  return true;
}

/// Threads that did not execute an atomic operation get its result through shared memory.
static int64_t atomicBytes(Operation *op) {
  Value result = op->getResult(0);
  if (result.use_empty())
    return 0;
  auto type = dyn_cast<RankedTensorType>(result.getType());
  int64_t bytes = sharedElementBytes(result.getType());
  if (!type)
    return bytes;
  LinearLayout layout = distinctRegisters(type);
  bool copies = ttg::numWarpsAround(op) > layout.inSize(Dim::Warp);
  for (const DimValue &mask : layout.freeVariableMasks())
    copies |= mask.value != 0;
  return copies ? type.getNumElements() * bytes : 0;
}

/// A buffer is its address and an offset for each dimension; anything else is one value.
static int64_t captureBytes(ttg::WarpSpecializeOp op) {
  int64_t count = 0;
  for (Type type : op.getCaptures().getTypes()) {
    auto buffer = dyn_cast<ttg::MemDescType>(type);
    count += buffer ? 1 + buffer.getRank() : 1;
  }
  return count * kCaptureBytes;
}

int64_t scratchBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<tt::ReduceOp>(reduceBytes)
      .Case<tt::ScanOp>(scanBytes)
      .Case<ttg::ConvertLayoutOp>(convertBytes)
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp, ttg::LocalAtomicScatterRMWOp>(
          [](auto atomic) { return atomicBytes(atomic); })
      .Case<tt::GatherOp>([](tt::GatherOp gather) {
        auto type = cast<RankedTensorType>(gather.getSrc().getType());
        return ttg::planWarpGather(gather) ? 0 : type.getNumElements() * sharedElementBytes(type);
      })
      .Case<tt::HistogramOp>([](tt::HistogramOp histogram) {
        return std::max<int64_t>(cast<RankedTensorType>(histogram.getType()).getNumElements(), 32) *
               4;
      })
      .Case<ttg::WarpSpecializeOp>(captureBytes)
      .Case<ttng::TensormapCreateOp>([](ttng::TensormapCreateOp) { return kTensorMapBytes; })
      .Default([](Operation *) { return int64_t(0); });
}

SmallVector<PaddingRule> paddingOf(Attribute encoding) {
  if (auto partitioned = dyn_cast<ttg::PartitionedSharedEncodingAttr>(encoding))
    return paddingOf(partitioned.getPartitionLayout());
  SmallVector<PaddingRule> rules;
  if (auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(encoding))
    for (auto [interval, padding] : llvm::zip(padded.getIntervals(), padded.getPaddings()))
      rules.push_back({interval, padding});
  return rules;
}

int64_t bufferBytes(ttg::MemDescType type) {
  // A stack of buffers repeats one, of which a block of a cluster has its part.
  const unsigned rank = ttg::getEncodingRank(type.getEncoding());
  const ArrayRef<int64_t> shape = type.getAllocShape();
  const int64_t count = ShapedType::getNumElements(shape.drop_back(rank));
  int64_t elements = ShapedType::getNumElements(
      ttg::getShapePerCta(ttg::getCgaLayout(type.getEncoding()), shape.take_back(rank)));
  if (SmallVector<PaddingRule> rules = paddingOf(type.getEncoding()); !rules.empty())
    elements = paddedOffset(elements, {rules.data(), rules.size()});
  return count * elements * sharedElementBytes(type.getElementType());
}

int64_t bufferAlignment(ttg::LocalAllocOp op) {
  if (auto alignment = op.getAlignment())
    return *alignment;
  Attribute encoding = op.getType().getEncoding();
  if (auto nvmma = dyn_cast<ttg::NvmmaSharedEncodingAttr>(encoding))
    return std::max(128u, nvmma.getSwizzlingByteWidth() * 8);
  if (auto linear = dyn_cast<ttg::SharedLinearEncodingAttr>(encoding))
    return linear.getLayoutAlignment();
  return 16;
}

} // namespace tilescope::compiler
