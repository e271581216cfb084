// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/LayoutInference.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

using namespace mlir;

namespace tilescope::ttg {

using compiler::Dim;
using compiler::LinearLayout;
using compiler::tensorDim;

/// Adds the reason to the caller's diagnostic, if there is one.
static LogicalResult explain(tt::EmitError emitError, const Twine &reason) {
  if (emitError)
    emitError() << reason;
  return failure();
}

/// The encoding for a layout: blocked when that says the same, bases otherwise.
static Attribute encodingOf(MLIRContext *context, ArrayRef<int64_t> shape,
                            const LinearLayout &layout, CgaLayoutAttr cga) {
  if (BlockedEncodingAttr blocked = asBlocked(context, shape, layout, cga))
    return blocked;
  return LinearEncodingAttr::get(context, layout);
}

template <typename T> static SmallVector<T> permuted(ArrayRef<T> values, ArrayRef<int32_t> order) {
  return llvm::map_to_vector(order, [&](int32_t from) { return values[from]; });
}

/// The list of dimensions `dims` after the dimensions moved by `order`.
static SmallVector<unsigned> permutedOrder(ArrayRef<unsigned> dims, ArrayRef<int32_t> order) {
  SmallVector<unsigned> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return llvm::map_to_vector(dims, [&](unsigned dim) { return inverse[dim]; });
}

FailureOr<Attribute> LayoutInference::inferTrans(Attribute source, ArrayRef<int64_t> shape,
                                                 ArrayRef<int32_t> order,
                                                 EmitError emitError) const {
  MLIRContext *context = source.getContext();
  if (getEncodingRank(source) != order.size())
    return explain(emitError, "the order has another rank than the encoding");
  if (auto shared = dyn_cast<SwizzledSharedEncodingAttr>(source))
    return Attribute(SwizzledSharedEncodingAttr::get(
        context, shared.getVec(), shared.getPerPhase(), shared.getMaxPhase(),
        permutedOrder(shared.getOrder(), order), shared.getCgaLayout().permute(order)));
  if (auto shared = dyn_cast<NvmmaSharedEncodingAttr>(source)) {
    if (order != ArrayRef<int32_t>({1, 0}))
      return explain(emitError, "only matrices can be transposed in this shared encoding");
    return Attribute(NvmmaSharedEncodingAttr::get(
        context, shared.getSwizzlingByteWidth(), !shared.getTransposed(),
        shared.getElementBitWidth(), shared.getFp4Padded(), shared.getCgaLayout().permute(order)));
  }
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(source))
    return Attribute(BlockedEncodingAttr::get(
        context, permuted(blocked.getSizePerThread(), order),
        permuted(blocked.getThreadsPerWarp(), order), permuted(blocked.getWarpsPerCTA(), order),
        permutedOrder(blocked.getOrder(), order), blocked.getCgaLayout().permute(order)));
  if (!isDistributedEncoding(source))
    return explain(emitError, "this encoding cannot be transposed");
  return Attribute(
      LinearEncodingAttr::get(context, toLinearLayout(shape, source).permuteTensorDims(order)));
}

FailureOr<Attribute> LayoutInference::inferReduce(Attribute source, unsigned axis,
                                                  EmitError) const {
  return Attribute(SliceEncodingAttr::get(source.getContext(), axis, source));
}

FailureOr<Attribute> LayoutInference::inferExpandDims(Attribute source, unsigned axis,
                                                      EmitError emitError) const {
  auto slice = dyn_cast<SliceEncodingAttr>(source);
  if (!slice)
    return explain(emitError, "expanding a dimension needs a block in a `#ttg.slice` encoding");
  if (slice.getDim() != axis)
    return explain(emitError, "expands dimension " + Twine(axis) +
                                  ", but the encoding lacks dimension " + Twine(slice.getDim()));
  return slice.getParent();
}

static compiler::DimList outDims(ArrayRef<int64_t> shape) {
  compiler::DimList dims;
  for (int d = int(shape.size()) - 1; d >= 0; --d)
    dims.push_back({tensorDim(d), compiler::log2Exact(shape[d])});
  return dims;
}

FailureOr<Attribute> LayoutInference::inferReshape(Attribute source, ArrayRef<int64_t> sourceShape,
                                                   ArrayRef<int64_t> resultShape,
                                                   EmitError emitError) const {
  MLIRContext *context = source.getContext();
  if (!isDistributedEncoding(source))
    return explain(emitError, "only blocks in registers can be reshaped");
  CgaLayoutAttr single = CgaLayoutAttr::getSingle(context, resultShape.size());
  LinearLayout layout = toLinearLayout(sourceShape, source).reshapeOuts(outDims(resultShape));
  if (getCgaLayout(source).getNumBits())
    return Attribute(LinearEncodingAttr::get(context, layout));
  return encodingOf(context, resultShape, layout, single);
}

FailureOr<Attribute> LayoutInference::inferJoin(Attribute source, ArrayRef<int64_t> shape,
                                                EmitError emitError) const {
  MLIRContext *context = source.getContext();
  unsigned rank = shape.size();
  SmallVector<int64_t> joined(shape);
  joined.push_back(2);
  // The inverse of splitting, when this is what splitting returns.
  if (auto slice = dyn_cast<SliceEncodingAttr>(source); slice && slice.getDim() == rank) {
    FailureOr<Attribute> split = inferSplit(slice.getParent(), joined, {});
    if (succeeded(split) && areEquivalent(shape, source, *split))
      return slice.getParent();
  }
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(source)) {
    auto appended = [](ArrayRef<unsigned> values, unsigned value) {
      SmallVector<unsigned> result(values);
      result.push_back(value);
      return result;
    };
    SmallVector<unsigned> order(blocked.getOrder());
    order.insert(order.begin(), rank);
    return Attribute(BlockedEncodingAttr::get(
        context, appended(blocked.getSizePerThread(), 2), appended(blocked.getThreadsPerWarp(), 1),
        appended(blocked.getWarpsPerCTA(), 1), order, blocked.getCgaLayout().insertDim(rank)));
  }
  if (!isDistributedEncoding(source))
    return explain(emitError, "only blocks in registers can be joined");
  LinearLayout layout =
      LinearLayout::identity(2, Dim::Register, tensorDim(rank)) * toLinearLayout(shape, source);
  return Attribute(LinearEncodingAttr::get(context, layout.canonicalOuts()));
}

FailureOr<Attribute> LayoutInference::inferSplit(Attribute source, ArrayRef<int64_t> shape,
                                                 EmitError emitError) const {
  MLIRContext *context = source.getContext();
  unsigned last = shape.size() - 1;
  if (shape.back() != 2)
    return explain(emitError, "only a last dimension of extent 2 can be split");
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(source))
    if (blocked.getSizePerThread()[last] == 2 && blocked.getThreadsPerWarp()[last] == 1 &&
        blocked.getWarpsPerCTA()[last] == 1 && blocked.getOrder().front() == last) {
      auto cut = [](ArrayRef<unsigned> values) {
        return SmallVector<unsigned>(values.drop_back());
      };
      return Attribute(BlockedEncodingAttr::get(
          context, cut(blocked.getSizePerThread()), cut(blocked.getThreadsPerWarp()),
          cut(blocked.getWarpsPerCTA()), SmallVector<unsigned>(blocked.getOrder().drop_front()),
          blocked.getCgaLayout().dropDim(last)));
    }
  if (!isDistributedEncoding(source))
    return explain(emitError, "only blocks in registers can be split");
  const LinearLayout &layout = toLinearLayout(shape, source);
  // The last dimension is the lowest bit of packed images: one register bit must be exactly it, and
  // no other place may depend on it.
  int found = -1;
  LinearLayout::Columns columns;
  for (auto [i, column] : llvm::enumerate(layout.columns())) {
    if (found < 0 && column == 1 && int(i) < layout.inBits(Dim::Register)) {
      found = int(i);
      continue;
    }
    if (column & 1)
      return explain(emitError, "the halves to split lie in different threads");
    columns.push_back(column >> 1);
  }
  if (found < 0)
    return explain(emitError, "the halves to split lie in different threads");
  compiler::DimList ins = layout.ins();
  --ins[0].bits;
  LinearLayout half(ins, outDims(shape.drop_back()), columns);
  return encodingOf(context, shape.drop_back(), half, CgaLayoutAttr::getSingle(context, last));
}

FailureOr<Attribute> LayoutInference::inferFp4ToFp(Attribute encoding, ArrayRef<int64_t> shape,
                                                   int axis, bool forward,
                                                   EmitError emitError) const {
  MLIRContext *context = encoding.getContext();
  auto scaled = [&](unsigned value) { return forward ? value * 2 : value / 2; };
  if (auto operand = dyn_cast<DotOperandEncodingAttr>(encoding)) {
    int kDim = int(shape.size()) - (operand.getOpIdx() == 0 ? 1 : 2);
    if (axis == kDim && scaled(operand.getKWidth()) > 0)
      return Attribute(DotOperandEncodingAttr::get(context, operand.getOpIdx(), operand.getParent(),
                                                   scaled(operand.getKWidth())));
  }
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(encoding)) {
    SmallVector<unsigned> sizes(blocked.getSizePerThread());
    sizes[axis] = scaled(sizes[axis]);
    if (sizes[axis] > 0 && blocked.getOrder().front() == unsigned(axis))
      return Attribute(BlockedEncodingAttr::get(context, sizes, blocked.getThreadsPerWarp(),
                                                blocked.getWarpsPerCTA(), blocked.getOrder(),
                                                blocked.getCgaLayout()));
  }
  return explain(emitError,
                 "4-bit values can be unpacked only where a thread holds neighbors along the axis");
}

LogicalResult LayoutInference::verifyDotOperand(Attribute operand, unsigned operandIndex,
                                                Attribute result, EmitError emitError) const {
  auto dotOperand = dyn_cast<DotOperandEncodingAttr>(operand);
  if (!dotOperand)
    return explain(emitError, "a factor of a dot needs a `#ttg.dot_op` encoding");
  if (dotOperand.getOpIdx() != operandIndex)
    return explain(emitError, "a factor of a dot has the encoding of the other factor");
  if (dotOperand.getParent() != result)
    return explain(emitError, "a factor of a dot was laid out for a result of another encoding");
  return success();
}

LogicalResult LayoutInference::verifyDotOperands(Operation *dot, Attribute a, Attribute b) const {
  auto left = dyn_cast_or_null<DotOperandEncodingAttr>(a),
       right = dyn_cast_or_null<DotOperandEncodingAttr>(b);
  if (!left && !right)
    return success();
  if (!left || !right)
    return dot->emitOpError("needs both factors in a `#ttg.dot_op` encoding");
  if (left.getKWidth() != right.getKWidth())
    return dot->emitOpError("needs factors with equal kWidth, not ")
           << left.getKWidth() << " and " << right.getKWidth();
  return success();
}

bool LayoutInference::areEquivalent(ArrayRef<int64_t> shape, Attribute a, Attribute b) const {
  if (a == b)
    return true;
  if (!a || !b || !isDistributedEncoding(a) || !isDistributedEncoding(b) ||
      getEncodingRank(a) != shape.size() || getEncodingRank(b) != shape.size())
    return false;
  return toLinearLayout(shape, a) == toLinearLayout(shape, b);
}

LogicalResult LayoutInference::verifyTensorLayout(Operation *op, RankedTensorType type) const {
  Attribute encoding = type.getEncoding();
  if (!isDistributedEncoding(encoding))
    return op->emitOpError("has a block in an encoding that is not of registers: ") << type;
  if (getEncodingRank(encoding) != unsigned(type.getRank()))
    return op->emitOpError("has a block of rank ") << type.getRank() << " in an encoding of rank "
                                                   << getEncodingRank(encoding) << ": " << type;
  auto module = op->getParentOfType<ModuleOp>();
  if (!module || !module->hasAttr(kNumWarpsAttr))
    return success();
  const LinearLayout &layout = toLinearLayout(type);
  auto check = [&](Dim dim, int64_t expected, StringRef what) -> LogicalResult {
    if (layout.inSize(dim) == expected)
      return success();
    return op->emitOpError("has a block laid out for ")
           << layout.inSize(dim) << " " << what << ", but the module has " << expected << ": "
           << type;
  };
  if (failed(check(Dim::Lane, threadsPerWarp(module), "lanes")) ||
      failed(check(Dim::Warp, numWarpsAround(op), "warps")))
    return failure();
  return success();
}

} // namespace tilescope::ttg
