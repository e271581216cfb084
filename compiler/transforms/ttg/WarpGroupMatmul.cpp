// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/WarpGroupMatmul.h"

#include "compiler/dialects/ttg/ir/FactorDivision.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"
#include "compiler/transforms/ttg/OperandBuffers.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <optional>

using namespace mlir;

namespace tilescope::ttg {

/// What one instruction takes along K.
static constexpr int64_t kDepthBits = 256;
/// Rows per warp, and columns at most.
static constexpr int64_t kRows = 16, kMaxColumns = 256;
/// Sums of 8-bit floats are exact in this many steps only.
static constexpr unsigned kExactSteps = 32;

/// Source: PTX ISA, "wgmma.mma_async", table of types.
static bool fitsTypes(tt::DotOp dot) {
  Type left = getElementTypeOrSelf(dot.getA().getType());
  Type right = getElementTypeOrSelf(dot.getB().getType());
  Type result = getElementTypeOrSelf(dot.getType());
  if (isa<Float8E4M3FNType, Float8E5M2Type>(left) && isa<Float8E4M3FNType, Float8E5M2Type>(right))
    return result.isF16() || (result.isF32() && dot.getMaxNumImpreciseAcc() >= kExactSteps);
  if (left != right)
    return false;
  if (left.isF16())
    return result.isF16() || result.isF32();
  if (left.isF32())
    return result.isF32() && dot.getInputPrecision() == tt::InputPrecision::TF32;
  return (left.isBF16() && result.isF32()) || (left.isInteger(8) && result.isInteger(32));
}

/// Whether both factors find room in shared memory. `bytesPerElement`: what one element takes there.
static bool fitsSharedMemory(tt::DotOp dot, int64_t bytesPerElement, int capability) {
  int64_t elements = 0;
  for (Value factor : {dot.getA(), dot.getB()})
    elements += ShapedType::getNumElements(shapePerBlock(cast<RankedTensorType>(factor.getType())));
  return elements * bytesPerElement <= sharedMemoryLimit(capability);
}

/// The same for a product whose types fit. `multiplied`: the type of what the instruction takes.
static compiler::ProductObstacle shapeObstacle(tt::DotOp dot, Type multiplied,
                                               int64_t bytesPerElement, int numWarps,
                                               int capability) {
  using compiler::ProductObstacle;
  RankedTensorType type = dot.getType();
  if (numWarps % 4 != 0)
    return ProductObstacle::Warps;
  const int64_t depth = dot.getA().getType().getShape().back();
  const SmallVector<int64_t> shape = shapePerBlock(type);
  if (shape[0] % (4 * kRows) != 0)
    return ProductObstacle::Rows;
  if (shape[1] % 8 != 0)
    return ProductObstacle::Columns;
  if (depth * multiplied.getIntOrFloatBitWidth() < kDepthBits)
    return ProductObstacle::Depth;
  return fitsSharedMemory(dot, bytesPerElement, capability) ? ProductObstacle::None
                                                            : ProductObstacle::SharedMemory;
}

compiler::ProductObstacle warpGroupObstacle(tt::DotOp dot, int numWarps, int capability) {
  using compiler::ProductObstacle;
  if (capability != 90)
    return ProductObstacle::Target;
  if (dot.getType().getRank() != 2)
    return ProductObstacle::Rank;
  if (!fitsTypes(dot))
    return ProductObstacle::Types;
  const Type factor = getElementTypeOrSelf(dot.getA().getType());
  return shapeObstacle(dot, factor, factor.getIntOrFloatBitWidth() / 8, numWarps, capability);
}

bool fitsWarpGroups(tt::DotOp dot, int numWarps, int capability) {
  return warpGroupObstacle(dot, numWarps, capability) == compiler::ProductObstacle::None;
}

bool partsFitWarpGroups(tt::DotOp dot, const FactorParts &parts, int numWarps, int capability) {
  // `tf32` parts are as wide as their factor: to write and read them costs more than it saves.
  if (capability != 90 || dot.getType().getRank() != 2 || !parts.type.isBF16())
    return false;
  // Parts of the right factor lie there, and loads of both are under way meanwhile.
  constexpr int64_t kStages = 3;
  const int64_t bytes = int64_t{parts.count} * parts.type.getIntOrFloatBitWidth() / 8 +
                        kStages * tt::getElementBitWidth(dot.getA().getType()) / 8;
  return shapeObstacle(dot, parts.type, bytes, numWarps, capability) ==
         compiler::ProductObstacle::None;
}

/// `bits`: of an element that the instruction takes.
static NvidiaMmaEncodingAttr resultEncoding(tt::DotOp dot, unsigned bits, int64_t numWarps,
                                            bool isChained) {
  RankedTensorType type = dot.getType();
  const SmallVector<int64_t> shape = shapePerBlock(type);
  const int64_t rows = shape[0], columns = shape[1];
  int64_t warps[] = {isChained ? numWarps : 4, 1};
  while (warps[0] * warps[1] < numWarps)
    warps[rows > kRows * warps[0] ? 0 : 1] *= 2;
  const int64_t warpsAlongRows = llvm::divideCeil(rows, kRows);
  const int64_t across = std::max<int64_t>(numWarps / warpsAlongRows, 1);
  const int64_t width = std::min(std::max<int64_t>(columns / across, 8), kMaxColumns);
  const int64_t depth = kDepthBits / bits;
  return NvidiaMmaEncodingAttr::get(
      dot.getContext(), 3, 0, {unsigned(warps[0]), unsigned(warps[1])},
      getCgaLayout(type.getEncoding()), {unsigned(kRows), unsigned(width), unsigned(depth)});
}

static NvmmaSharedEncodingAttr bufferEncoding(RankedTensorType type, bool isTransposed) {
  const unsigned bits = tt::getElementBitWidth(type);
  const int64_t rowBytes = shapePerBlock(type)[isTransposed ? 0 : 1] * bits / 8;
  const unsigned swizzle = rowBytes >= 128 ? 128 : rowBytes >= 64 ? 64 : rowBytes >= 32 ? 32 : 0;
  return NvmmaSharedEncodingAttr::get(type.getContext(), swizzle, isTransposed, bits,
                                      /*fp4Padded=*/false, getCgaLayout(type.getEncoding()));
}

static MemDescType bufferType(ArrayRef<int64_t> shape, Type element,
                              NvmmaSharedEncodingAttr encoding) {
  return MemDescType::get(shape, element, encoding,
                          SharedMemorySpaceAttr::get(element.getContext()));
}

/// The dimension along which threads hold elements of the load side by side that the value is
/// computed from, element by element: the load's layout spreads to all that is computed from it.
static std::optional<unsigned> loadedAlong(Value value, SmallPtrSetImpl<Operation *> &seen) {
  value = withoutConversions(value);
  Operation *op = value.getDefiningOp();
  if (!op || !isa<RankedTensorType>(value.getType()) || !seen.insert(op).second)
    return std::nullopt;
  if (isa<tt::LoadOp>(op))
    return fastestDims(cast<RankedTensorType>(value.getType())).front();
  if (!op->hasTrait<OpTrait::Elementwise>())
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (std::optional<unsigned> dim = loadedAlong(operand, seen))
      return dim;
  return std::nullopt;
}

/// The factor as the thread blocks of a cluster need it for their parts of the result.
static Value dividedForProduct(Value factor, unsigned operand, Attribute result,
                               bool isTransposed) {
  CgaLayoutAttr wanted = divisionOfFactor(getCgaLayout(result), operand);
  if (isTransposed)
    wanted = wanted.permute({1, 0});
  auto type = cast<RankedTensorType>(factor.getType());
  if (getCgaLayout(type.getEncoding()) == wanted)
    return factor;
  auto module = factor.getParentRegion()->getParentOfType<ModuleOp>();
  const compiler::BlockedParameters blocked =
      compiler::defaultBlocked(getShapePerCta(wanted, type.getShape()), SmallVector<unsigned>{1, 1},
                               fastestDims(type), numWarps(module), threadsPerWarp(module));
  return convertAfterDefinition(
      factor,
      BlockedEncodingAttr::get(factor.getContext(), blocked.sizePerThread, blocked.threadsPerWarp,
                               blocked.warpsPerBlock, blocked.order, wanted));
}

/// The buffer that holds the value already, for another product; null: there is none.
static Value bufferOf(Value source, MemDescType type) {
  for (Operation *user : source.getUsers())
    if (auto buffer = dyn_cast<LocalAllocOp>(user);
        buffer && buffer.getType() == type && buffer->getBlock() == source.getParentBlock())
      return buffer;
  return nullptr;
}

/// The factor in shared memory, next to where its values are made. 16-bit elements stay in the
/// order in which threads will hold them; others must follow each other along K. `result`: the
/// encoding of the product.
static Value inSharedMemory(Value factor, unsigned operand, Attribute result) {
  factor = withoutConversions(factor);
  auto trans = factor.getDefiningOp<tt::TransOp>();
  Value source = trans ? withoutConversions(trans.getSrc()) : factor;
  source = dividedForProduct(source, operand, result, bool(trans));
  auto type = cast<RankedTensorType>(source.getType());
  SmallPtrSet<Operation *, 8> seen;
  bool isTransposed = loadedAlong(source, seen).value_or(fastestDims(type).front()) == 0;
  if (tt::getElementBitWidth(type) != 16)
    isTransposed = (operand == 1) != bool(trans);
  OpBuilder builder(source.getContext());
  builder.setInsertionPointAfterValue(source);
  Location loc = source.getLoc();
  const MemDescType wanted =
      bufferType(type.getShape(), type.getElementType(), bufferEncoding(type, isTransposed));
  Value buffer = bufferOf(source, wanted);
  if (!buffer)
    buffer = LocalAllocOp::create(builder, loc, wanted, source);
  if (!trans)
    return buffer;
  builder.setInsertionPointAfterValue(buffer);
  auto encoding = cast<NvmmaSharedEncodingAttr>(cast<MemDescType>(buffer.getType()).getEncoding());
  auto flipped =
      NvmmaSharedEncodingAttr::get(source.getContext(), encoding.getSwizzlingByteWidth(),
                                   !isTransposed, encoding.getElementBitWidth(),
                                   /*fp4Padded=*/false, encoding.getCgaLayout().permute({1, 0}));
  auto viewed =
      bufferType({type.getDimSize(1), type.getDimSize(0)}, type.getElementType(), flipped);
  return MemDescTransOp::create(builder, loc, viewed, buffer, ArrayRef<int32_t>{1, 0});
}

/// Whether the factor is computed from another product's result, which is in registers already.
static bool comesFromProduct(Value factor) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == factor.getParentBlock() &&
           (isa<ConvertLayoutOp, ttng::WarpGroupDotOp>(op) || passesLayouts(op));
  };
  (void)getBackwardSlice(factor, &slice, options);
  return llvm::any_of(slice, llvm::IsaPred<ttng::WarpGroupDotOp>);
}

static Value converted(OpBuilder &builder, Location loc, Value value, Attribute encoding) {
  value = withoutConversions(value);
  return ConvertLayoutOp::create(builder, loc, withEncoding(value.getType(), encoding), value);
}

/// The left factor in the registers that the instruction reads. `bits`: of what it reads.
static Value inRegisters(OpBuilder &builder, tt::DotOp dot, NvidiaMmaEncodingAttr mma,
                         unsigned bits) {
  const auto encoding = DotOperandEncodingAttr::get(dot.getContext(), 0, mma, 32 / bits);
  return converted(builder, withoutConversions(dot.getA()).getLoc(), dot.getA(), encoding);
}

static void replace(OpBuilder &builder, tt::DotOp dot, Value result) {
  Value back = ConvertLayoutOp::create(builder, dot.getLoc(), dot.getType(), result);
  dot.replaceAllUsesWith(back);
  dot.erase();
}

void useWarpGroups(tt::DotOp dot, int numWarps, bool isChained) {
  OpBuilder builder(dot);
  const unsigned bits = tt::getElementBitWidth(dot.getA().getType());
  NvidiaMmaEncodingAttr mma = resultEncoding(dot, bits, numWarps, isChained);
  Value left = comesFromProduct(dot.getA()) ? inRegisters(builder, dot, mma, bits)
                                            : inSharedMemory(dot.getA(), 0, mma);
  Value right = inSharedMemory(dot.getB(), 1, mma);
  Value sum = converted(builder, dot.getLoc(), dot.getC(), mma);
  Value product = ttng::WarpGroupDotOp::create(
      builder, dot.getLoc(), withEncoding(dot.getType(), mma), left, right, sum, /*useC=*/Value(),
      dot.getInputPrecision(), dot.getMaxNumImpreciseAcc(), /*isAsync=*/false);
  replace(builder, dot, product);
}

void useWarpGroupsForParts(tt::DotOp dot, const FactorParts &parts, int numWarps, bool isChained) {
  OpBuilder builder(dot);
  const unsigned bits = parts.type.getIntOrFloatBitWidth();
  NvidiaMmaEncodingAttr mma = resultEncoding(dot, bits, numWarps, isChained);
  const SplitFactors factors{inRegisters(builder, dot, mma, bits), withoutConversions(dot.getB())};
  Value addend = converted(builder, dot.getLoc(), dot.getC(), mma);
  const auto multiply = [&](Value left, Value right, Value sum) -> Value {
    return ttng::WarpGroupDotOp::create(
        builder, dot.getLoc(), sum.getType(), left, inSharedMemory(right, 1, mma), sum,
        /*useC=*/Value(), parts.precision, dot.getMaxNumImpreciseAcc(), /*isAsync=*/false);
  };
  replace(builder, dot, sumOfProducts(builder, dot.getLoc(), factors, addend, parts, multiply));
}

} // namespace tilescope::ttg
