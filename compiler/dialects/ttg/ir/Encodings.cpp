// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Encodings.h"

#include "compiler/dialects/ttg/ir/FactorDivision.h"
#include "compiler/dialects/ttg/ir/MemoryInterface.h"
#include "compiler/layout/Encodings.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace tilescope::ttg {

using compiler::Dim;
using compiler::LinearLayout;
using EmitError = llvm::function_ref<InFlightDiagnostic()>;

CgaLayoutAttr CgaLayoutAttr::getSingle(MLIRContext *context, unsigned rank) {
  return get(context, rank, {});
}

CgaLayoutAttr CgaLayoutAttr::dropDim(unsigned dim) const {
  SmallVector<int32_t> bases;
  for (unsigned bit = 0; bit < getNumBits(); ++bit)
    for (auto [index, value] : llvm::enumerate(getBasis(bit)))
      if (index != dim)
        bases.push_back(value);
  return get(getContext(), getRank() - 1, bases);
}

CgaLayoutAttr CgaLayoutAttr::insertDim(unsigned dim) const {
  SmallVector<int32_t> bases;
  for (unsigned bit = 0; bit < getNumBits(); ++bit) {
    SmallVector<int32_t> basis(getBasis(bit));
    basis.insert(basis.begin() + dim, 0);
    bases.append(basis);
  }
  return get(getContext(), getRank() + 1, bases);
}

CgaLayoutAttr CgaLayoutAttr::permute(ArrayRef<int32_t> order) const {
  SmallVector<int32_t> bases;
  for (unsigned bit = 0; bit < getNumBits(); ++bit)
    for (int32_t dim : order)
      bases.push_back(getBasis(bit)[dim]);
  return get(getContext(), getRank(), bases);
}

BlockedEncodingAttr BlockedEncodingAttr::getDefault(MLIRContext *context, ArrayRef<int64_t> shape,
                                                    ArrayRef<unsigned> sizePerThread,
                                                    ArrayRef<unsigned> order, unsigned numWarps,
                                                    unsigned threadsPerWarp) {
  compiler::BlockedParameters blocked = compiler::defaultBlocked(
      {shape.data(), shape.size()}, {sizePerThread.data(), sizePerThread.size()},
      {order.data(), order.size()}, numWarps, threadsPerWarp);
  return get(context, blocked.sizePerThread, blocked.threadsPerWarp, blocked.warpsPerBlock,
             blocked.order, CgaLayoutAttr::getSingle(context, shape.size()));
}

static LogicalResult verifyPermutation(EmitError emitError, ArrayRef<unsigned> order) {
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  for (auto [index, value] : llvm::enumerate(sorted))
    if (value != index)
      return emitError() << "order must be a permutation of the dimensions";
  return success();
}

static LogicalResult verifyPowers(EmitError emitError, StringRef name, ArrayRef<unsigned> values) {
  for (unsigned value : values)
    if (!llvm::isPowerOf2_32(value))
      return emitError() << name << " must be powers of two";
  return success();
}

static LogicalResult verifyCga(EmitError emitError, CgaLayoutAttr cga, size_t rank) {
  if (cga.getRank() != rank)
    return emitError() << "CGALayout must have rank " << rank;
  return success();
}

LogicalResult BlockedEncodingAttr::verify(EmitError emitError, ArrayRef<unsigned> sizePerThread,
                                          ArrayRef<unsigned> threadsPerWarp,
                                          ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> order,
                                          CgaLayoutAttr cga) {
  size_t rank = order.size();
  if (rank == 0 || sizePerThread.size() != rank || threadsPerWarp.size() != rank ||
      warpsPerCTA.size() != rank)
    return emitError() << "sizePerThread, threadsPerWarp, warpsPerCTA and order must be as long";
  if (failed(verifyPowers(emitError, "sizePerThread", sizePerThread)) ||
      failed(verifyPowers(emitError, "threadsPerWarp", threadsPerWarp)) ||
      failed(verifyPowers(emitError, "warpsPerCTA", warpsPerCTA)) ||
      failed(verifyPermutation(emitError, order)))
    return failure();
  return verifyCga(emitError, cga, rank);
}

LogicalResult SliceEncodingAttr::verify(EmitError emitError, unsigned dim, Attribute parent) {
  if (!isDistributedEncoding(parent))
    return emitError() << "the parent must be a layout of registers, not " << parent;
  if (dim >= getEncodingRank(parent))
    return emitError() << "dim " << dim << " is not a dimension of the parent";
  if (getEncodingRank(parent) < 2)
    return emitError() << "the parent must have at least two dimensions";
  return success();
}

LogicalResult LinearEncodingAttr::verify(EmitError emitError, LinearLayout layout) {
  static constexpr Dim kIns[] = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};
  if (layout.ins().size() != std::size(kIns) || layout.outs().empty())
    return emitError() << "needs bases of register, lane, warp and block";
  for (auto [dim, wanted] : llvm::zip(layout.ins(), kIns))
    if (dim.dim != wanted)
      return emitError() << "needs bases of register, lane, warp and block";
  if (!layout.isSurjective())
    return emitError() << "the bases must reach every element";
  return success();
}

LogicalResult GenericLinearEncodingAttr::verify(EmitError emitError, LinearLayout layout) {
  return LinearEncodingAttr::verify(emitError, layout);
}

LogicalResult NvidiaMmaEncodingAttr::verify(EmitError emitError, unsigned versionMajor, unsigned,
                                            ArrayRef<unsigned> warpsPerCTA, CgaLayoutAttr cga,
                                            ArrayRef<unsigned> instrShape) {
  if (versionMajor != 2 && versionMajor != 3)
    return emitError() << "versionMajor must be 2 or 3, not " << versionMajor;
  if (warpsPerCTA.size() < 2 || warpsPerCTA.size() > 3)
    return emitError() << "a matrix product has two dimensions, or three with a batch";
  if (instrShape.size() != (versionMajor == 3 ? 3 : warpsPerCTA.size()))
    return emitError() << "instrShape does not fit the version and rank";
  if (failed(verifyPowers(emitError, "warpsPerCTA", warpsPerCTA)))
    return failure();
  return verifyCga(emitError, cga, warpsPerCTA.size());
}

LogicalResult DotOperandEncodingAttr::verify(EmitError emitError, unsigned opIdx, Attribute parent,
                                             unsigned kWidth) {
  if (opIdx > 1)
    return emitError() << "opIdx must be 0 or 1, not " << opIdx;
  if (isa<BlockedEncodingAttr>(parent))
    return kWidth == 0 ? success()
                       : (emitError() << "kWidth needs a parent of matrix instructions");
  auto mma = dyn_cast<NvidiaMmaEncodingAttr>(parent);
  if (!mma)
    return emitError() << "the parent must be a blocked or nvidia_mma layout, not " << parent;
  if (!llvm::isPowerOf2_32(kWidth))
    return emitError() << "kWidth must be a power of two";
  if (mma.isHopper() && opIdx == 1)
    return emitError() << "factor 1 of version 3 is read from shared memory";
  return success();
}

LogicalResult SwizzledSharedEncodingAttr::verify(EmitError emitError, unsigned vec,
                                                 unsigned perPhase, unsigned maxPhase,
                                                 ArrayRef<unsigned> order, CgaLayoutAttr cga) {
  if (failed(verifyPowers(emitError, "vec, perPhase and maxPhase", {vec, perPhase, maxPhase})) ||
      failed(verifyPermutation(emitError, order)))
    return failure();
  return verifyCga(emitError, cga, order.size());
}

LogicalResult PaddedSharedEncodingAttr::verify(EmitError emitError, ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings, LinearLayout layout) {
  if (intervals.empty() || intervals.size() != paddings.size())
    return emitError() << "needs at least one interval with its padding";
  if (failed(verifyPowers(emitError, "intervals", intervals)) ||
      failed(verifyPowers(emitError, "paddings", paddings)))
    return failure();
  if (!layout.isSurjective())
    return emitError() << "the bases must reach every element";
  return success();
}

LogicalResult SharedLinearEncodingAttr::verify(EmitError emitError, LinearLayout layout,
                                               unsigned alignment) {
  if (!llvm::isPowerOf2_32(alignment))
    return emitError() << "alignment must be a power of two";
  if (layout.outs().empty() || !layout.isSurjective())
    return emitError() << "the bases must reach every element";
  return success();
}

LogicalResult NvmmaSharedEncodingAttr::verify(EmitError emitError, unsigned swizzlingByteWidth,
                                              bool, unsigned elementBitWidth, bool, CgaLayoutAttr) {
  if (!llvm::is_contained({0u, 32u, 64u, 128u}, swizzlingByteWidth))
    return emitError() << "swizzlingByteWidth must be 0, 32, 64 or 128";
  return verifyPowers(emitError, "elementBitWidth", {elementBitWidth});
}

LogicalResult PartitionedSharedEncodingAttr::verify(EmitError emitError, unsigned numPartitions,
                                                    unsigned numGroups, unsigned partitionDim,
                                                    Attribute partitionLayout) {
  if (!isa<SwizzledSharedEncodingAttr, PaddedSharedEncodingAttr, SharedLinearEncodingAttr>(
          partitionLayout))
    return emitError() << "pieces need a layout of shared memory, not " << partitionLayout;
  if (partitionDim >= getEncodingRank(partitionLayout))
    return emitError() << "partitionDim " << partitionDim << " is not a dimension of the pieces";
  return verifyPowers(emitError, "numPartitions and numGroups", {numPartitions, numGroups});
}

bool isDistributedEncoding(Attribute encoding) {
  return isa_and_present<BlockedEncodingAttr, SliceEncodingAttr, LinearEncodingAttr,
                         GenericLinearEncodingAttr, NvidiaMmaEncodingAttr, DotOperandEncodingAttr>(
      encoding);
}

bool isSharedEncoding(Attribute encoding) {
  return isa_and_present<SwizzledSharedEncodingAttr, PaddedSharedEncodingAttr,
                         SharedLinearEncodingAttr, NvmmaSharedEncodingAttr,
                         PartitionedSharedEncodingAttr>(encoding);
}

unsigned getEncodingRank(Attribute encoding) {
  return llvm::TypeSwitch<Attribute, unsigned>(encoding)
      .Case<BlockedEncodingAttr, LinearEncodingAttr, GenericLinearEncodingAttr,
            NvidiaMmaEncodingAttr, SwizzledSharedEncodingAttr, PaddedSharedEncodingAttr,
            SharedLinearEncodingAttr, NvmmaSharedEncodingAttr>(
          [](auto attr) { return attr.getRank(); })
      .Case<PartitionedSharedEncodingAttr>(
          [](auto attr) { return getEncodingRank(attr.getPartitionLayout()); })
      .Case<SliceEncodingAttr>([](auto attr) { return getEncodingRank(attr.getParent()) - 1; })
      .Case<DotOperandEncodingAttr>([](auto attr) { return getEncodingRank(attr.getParent()); })
      .Default([](Attribute attr) { return MemoryInterface::of(attr)->rankOf(attr); });
}

/// The layout's bases say where a thread block's part begins; counted in parts, that is its
/// cluster.
static CgaLayoutAttr cgaOfLayout(MLIRContext *context, const LinearLayout &layout) {
  const int rank = layout.outs().size(), numBits = layout.inBits(Dim::Block);
  SmallVector<int> partBits;
  for (int dim = 0; dim < rank; ++dim) {
    int numCuts = 0;
    for (int bit = 0; bit < numBits; ++bit)
      numCuts += layout.basis(Dim::Block, bit, compiler::tensorDim(dim)) != 0;
    partBits.push_back(std::max(layout.outBits(compiler::tensorDim(dim)) - numCuts, 0));
  }
  SmallVector<int32_t> bases;
  for (int bit = 0; bit < numBits; ++bit)
    for (auto [value, bits] : llvm::zip(layout.tensorBasis(Dim::Block, bit, rank), partBits))
      bases.push_back(value >> bits);
  return CgaLayoutAttr::get(context, rank, bases);
}

CgaLayoutAttr getCgaLayout(Attribute encoding) {
  return llvm::TypeSwitch<Attribute, CgaLayoutAttr>(encoding)
      .Case<BlockedEncodingAttr, NvidiaMmaEncodingAttr, SwizzledSharedEncodingAttr,
            NvmmaSharedEncodingAttr>([](auto attr) { return attr.getCgaLayout(); })
      .Case<LinearEncodingAttr, GenericLinearEncodingAttr, PaddedSharedEncodingAttr,
            SharedLinearEncodingAttr>(
          [](auto attr) { return cgaOfLayout(attr.getContext(), attr.getLinearLayout()); })
      .Case<PartitionedSharedEncodingAttr>(
          [](auto attr) { return getCgaLayout(attr.getPartitionLayout()); })
      .Case<SliceEncodingAttr>(
          [](auto attr) { return getCgaLayout(attr.getParent()).dropDim(attr.getDim()); })
      .Case<DotOperandEncodingAttr>([](auto attr) {
        return divisionOfFactor(getCgaLayout(attr.getParent()), attr.getOpIdx());
      });
}

CgaLayoutAttr divisionOfFactor(CgaLayoutAttr result, unsigned factor) {
  const unsigned rank = result.getRank(), reduced = factor == 0 ? rank - 1 : rank - 2;
  SmallVector<int32_t> bases(result.getBases());
  for (unsigned bit = 0; bit < result.getNumBits(); ++bit)
    bases[bit * rank + reduced] = 0;
  return CgaLayoutAttr::get(result.getContext(), rank, bases);
}

SmallVector<int64_t> getShapePerCta(CgaLayoutAttr cga, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape);
  for (unsigned bit = 0; bit < cga.getNumBits(); ++bit)
    for (auto [dim, value] : llvm::enumerate(cga.getBasis(bit)))
      if (value != 0 && result[dim] > 1)
        result[dim] /= 2;
  return result;
}

LinearLayout getClusterLayout(CgaLayoutAttr cga) {
  std::vector<std::vector<int32_t>> bases;
  for (unsigned bit = 0; bit < cga.getNumBits(); ++bit)
    bases.emplace_back(cga.getBasis(bit).begin(), cga.getBasis(bit).end());
  return compiler::clusterLayout(cga.getRank(), bases);
}

} // namespace tilescope::ttg
