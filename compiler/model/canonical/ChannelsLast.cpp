// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/ChannelsLast.h"

#include "compiler/artifacts/ModelRules.h"
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/canonical/AxisOrders.h"
#include "compiler/model/canonical/RepackWeights.h"

using namespace mlir;

namespace tilescope::model {

/// Of [M, 1, height, width] to [height, width, 1, M].
static constexpr int64_t kOfDepthwise[] = {2, 3, 1, 0};
/// Fewer channels leave most of a block empty.
static constexpr int64_t kFewestChannels = 16;
/// So many elements of two bytes are loaded at once.
static constexpr int64_t kChannelsAtOnce = 8;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// With two axes or, for convolutions and what lies between them, with three.
static bool isImage(Value value) {
  const int64_t rank = typeOf(value).getRank();
  return (rank == 4 || rank == 5) && typeOf(value).hasStaticShape();
}

static RankedTensorType lastType(Value value) {
  return typeOf(value).clone(permuted(typeOf(value).getShape(), toLast(typeOf(value).getRank())));
}

/// Transposed; where no elements change their places, a reshape.
static Value moved(Value image, ArrayRef<int64_t> order, TensorOps &ops) {
  const ArrayRef<int64_t> shape = typeOf(image).getShape();
  SmallVector<int64_t> longAxes;
  for (const int64_t axis : order)
    if (shape[size_t(axis)] != 1)
      longAxes.push_back(axis);
  return llvm::is_sorted(longAxes) ? ops.reshape(image, permuted(shape, order))
                                   : ops.transpose(image, order);
}

/// One element for each place of the operands, which are repeated as NumPy does it.
static bool isPointwise(Operation &operation) {
  if (isa<tm::AddOp, tm::AndOp, tm::CastOp, tm::CompareOp, tm::DivOp, tm::MaxOp, tm::MinOp,
          tm::ModOp, tm::MulOp, tm::OrOp, tm::PowOp, tm::SubOp, tm::WhereOp>(operation))
    return true;
  return operation.hasTrait<OpTrait::SameOperandsAndResultType>() &&
         !isa<tm::SoftmaxOp, tm::LogSoftmaxOp, tm::LocalResponseNormOp>(operation);
}

namespace {
class ChannelsLast {
public:
  ChannelsLast(func::FuncOp function, const WeightBytes &weights, compiler::ModelResult &result)
      : m_body(function.getBody().front()), m_builder(function.getContext()), m_weights(weights),
        m_result(result) {}

  void run() {
    for (Operation &operation : llvm::make_early_inc_range(m_body.without_terminator())) {
      m_builder.setInsertionPoint(&operation);
      TensorOps ops(m_builder, operation.getLoc());
      visit(operation, ops);
    }
    removeMovements();
  }

private:
  void visit(Operation &operation, TensorOps &ops);
  void visitConv(tm::ConvOp op, TensorOps &ops);
  void visitPointwise(Operation &operation, TensorOps &ops);
  void visitReduce(tm::ReduceOp op, TensorOps &ops);
  void visitConcat(tm::ConcatOp op, TensorOps &ops);
  void visitTranspose(tm::TransposeOp op, TensorOps &ops);
  template <typename Op> void visitPool(Op op, TensorOps &ops, TypeRange types, bool flag);

  Value conv(tm::ConvOp op, TensorOps &ops);
  Value patches(tm::ConvOp op, TensorOps &ops);
  Value rowsOfWindows(tm::ConvOp op, TensorOps &ops);
  Value paddedFilter(Value filter, int64_t channels, int64_t width);
  Value gemm(tm::ConvOp op, Value pixels, Value filter, TensorOps &ops);
  Value last(Value value, int64_t rank, TensorOps &ops);
  bool isLast(Value value) const { return m_last.contains(value); }
  void replace(Value result, Value image, TensorOps &ops);
  void removeMovements();

  Block &m_body;
  OpBuilder m_builder;
  const WeightBytes &m_weights;
  compiler::ModelResult &m_result;
  /// Of an image in the model's order, the same with channels last.
  llvm::DenseMap<Value, Value> m_last;
};
} // namespace

/// An image with channels last; one of a lower rank than the others is one that is repeated.
Value ChannelsLast::last(Value value, int64_t rank, TensorOps &ops) {
  if (const Value known = m_last.lookup(value))
    return known;
  const ArrayRef<int64_t> shape = typeOf(value).getShape();
  if (llvm::product_of(shape) == 1)
    return value;
  SmallVector<int64_t> whole(size_t(rank) - shape.size(), 1);
  whole.append(shape.begin(), shape.end());
  return moved(ops.reshape(value, whole), toLast(rank), ops);
}

/// What used the result uses the image, which has channels last.
void ChannelsLast::replace(Value result, Value image, TensorOps &ops) {
  const Value plain = moved(image, fromLast(typeOf(image).getRank()), ops);
  result.replaceAllUsesExcept(plain, image.getDefiningOp());
  m_last[plain] = image;
}

/// Pixels [rows, K] and a filter of M times K elements make an image [N, H, W, M].
Value ChannelsLast::gemm(tm::ConvOp op, Value pixels, Value filter, TensorOps &ops) {
  const auto type = lastType(op.getResult());
  const int64_t filters = type.getShape().back(), depth = typeOf(pixels).getDimSize(1);
  const Value product = tm::GemmOp::create(
      m_builder, op.getLoc(), type.clone({typeOf(pixels).getDimSize(0), filters}), pixels,
      ops.reshape(filter, {filters, depth}), op.getBias(), m_builder.getF32FloatAttr(1),
      m_builder.getF32FloatAttr(1), UnitAttr(), m_builder.getUnitAttr());
  return ops.reshape(product, type.getShape());
}

static bool hasPads(tm::ConvOp op) {
  return !llvm::all_of(op.getPads().getValues(),
                       [](tm::Extent pad) { return tm::isNumber(pad, 0); });
}

/// Each pixel is in one window: [N, C, h, i, w, j] as [N, h, w, C, i, j]. Null: some are in none or several.
Value ChannelsLast::patches(tm::ConvOp op, TensorOps &ops) {
  const ArrayRef<int64_t> in = typeOf(op.getOperand()).getShape();
  const ArrayRef<int64_t> out = typeOf(op.getResult()).getShape();
  const ArrayRef<int64_t> window = op.getStrides();
  if (hasPads(op) || typeOf(op.getFilter()).getShape().drop_front(2) != window ||
      in[2] != out[2] * window[0] || in[3] != out[3] * window[1] ||
      !llvm::all_of(op.getDilations(), [](int64_t each) { return each == 1; }))
    return {};
  const Value split =
      ops.reshape(op.getOperand(), {in[0], in[1], out[2], window[0], out[3], window[1]});
  const Value pixels = ops.reshape(ops.transpose(split, {0, 2, 4, 1, 3, 5}),
                                   {out[0] * out[2] * out[3], in[1] * window[0] * window[1]});
  return gemm(op, pixels, op.getFilter(), ops);
}

/// A filter [M, C, height, width] of two-byte elements as [M, height, width, C], with zeros up to so many channels and
/// columns. Null: its elements are not known.
Value ChannelsLast::paddedFilter(Value filter, int64_t channels, int64_t width) {
  const ArrayRef<int64_t> from = typeOf(filter).getShape();
  std::string_view elements;
  if (auto weight = filter.getDefiningOp<tm::WeightOp>(); weight && weight.getOrder().empty())
    elements = m_weights(weight, uint64_t(typeOf(filter).getNumElements()) * 2).value_or(elements);
  auto constant = filter.getDefiningOp<tm::ConstantOp>();
  const auto known = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (known && !known.isSplat())
    elements = {known.getRawData().data(), known.getRawData().size()};
  if (elements.empty())
    return {};
  const auto type = typeOf(filter).clone({from[0], from[2], width, channels});
  std::vector<char> bytes(size_t(type.getNumElements()) * 2, 0);
  size_t at = 0;
  for (int64_t m = 0; m < from[0]; ++m)
    for (int64_t c = 0; c < from[1]; ++c)
      for (int64_t y = 0; y < from[2]; ++y)
        for (int64_t x = 0; x < from[3]; ++x, at += 2)
          std::copy_n(elements.data() + at, 2,
                      bytes.data() + 2 * (((m * from[2] + y) * width + x) * channels + c));
  return tm::ConstantOp::create(
      m_builder, filter.getLoc(), type,
      cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, bytes)));
}

/// Few channels become 4, and the image has its pads, so that what a row of the window covers lies side by side. Null: it
/// would not be worth it, or cannot be done.
Value ChannelsLast::rowsOfWindows(tm::ConvOp op, TensorOps &ops) {
  // A block along the depth has 16 elements at least, and rows that begin at multiples of 16 are loaded fastest.
  static constexpr int64_t kChannels = 4, kColumns = 4, kWidth = 16;
  const ArrayRef<int64_t> in = typeOf(op.getOperand()).getShape();
  const ArrayRef<int64_t> out = typeOf(op.getResult()).getShape();
  const ArrayRef<int64_t> filter = typeOf(op.getFilter()).getShape();
  SmallVector<int64_t> pads;
  for (const tm::Extent pad : op.getPads().getValues())
    if (const auto number = tm::numberOf(pad); number && *number >= 0)
      pads.push_back(*number);
  if (pads.size() != 4 || in[1] > kChannels || filter[3] < 3 || filter[0] % kChannelsAtOnce != 0 ||
      op.getDilations()[1] != 1)
    return {};
  const auto columns = int64_t(llvm::alignTo(uint64_t(filter[3]), kColumns));
  const int64_t covered = (out[3] - 1) * op.getStrides()[1] + columns;
  const auto width =
      int64_t(llvm::alignTo(uint64_t(std::max(pads[1] + in[3] + pads[3], covered)), kWidth));
  const Value weights = paddedFilter(op.getFilter(), kChannels, columns);
  if (!weights)
    return {};
  const auto extents = [&](ArrayRef<int64_t> numbers) {
    SmallVector<tm::Extent> values;
    for (const int64_t each : numbers)
      values.push_back(tm::number(m_builder.getContext(), each));
    return tm::ExtentsAttr::get(m_builder.getContext(), values);
  };
  const int64_t height = pads[0] + in[2] + pads[2];
  const Value image = tm::PadOp::create(
      m_builder, op.getLoc(), typeOf(op.getOperand()).clone({in[0], height, width, kChannels}),
      tm::PadMode::Constant, ops.transpose(op.getOperand(), toLast(4)), Value(), ValueRange(),
      extents({0, pads[0], pads[1], 0, 0, pads[2], width - in[3] - pads[1], kChannels - in[1]}));
  return tm::ConvOp::create(m_builder, op.getLoc(), lastType(op.getResult()), image, weights,
                            op.getBias(), op.getStrides(), extents({0, 0, 0, covered - width}),
                            op.getDilations(), 1, true);
}

/// The convolution's image with channels last; null: it stays as it is.
Value ChannelsLast::conv(tm::ConvOp op, TensorOps &ops) {
  const auto weights = typeOf(op.getFilter());
  const int64_t channels = weights.getDimSize(1);
  const ArrayRef<int64_t> in = typeOf(op.getOperand()).getShape();
  const int64_t rank = weights.getRank();
  const bool isOnePixel = llvm::product_of(weights.getShape().drop_front(2)) == 1;
  const bool isDepthwise = channels == 1 && int64_t(op.getGroups()) == weights.getDimSize(0);
  // By itself it is not worth moving the image.
  if (op.getGroups() != 1 && (!isDepthwise || !isLast(op.getOperand())))
    return {};
  if (rank == 5 && (op.getGroups() != 1 || channels < kFewestChannels))
    return {};
  if (op.getGroups() == 1 && channels < kFewestChannels) {
    for (const auto way : {&ChannelsLast::patches, &ChannelsLast::rowsOfWindows})
      if (const Value image = (this->*way)(op, ops))
        return image;
    auto same = cast<tm::ConvOp>(ops.clone(op));
    return moved(same.getResult(), toLast(rank), ops);
  }
  if (in[1] % kChannelsAtOnce != 0 || weights.getDimSize(0) % kChannelsAtOnce != 0)
    return {};
  const Value image = last(op.getOperand(), rank, ops);
  const bool isPlain = isOnePixel && !hasPads(op) && !isDepthwise &&
                       llvm::all_of(op.getStrides(), [](int64_t each) { return each == 1; });
  // The reshape is a part of what makes the image.
  if (isPlain)
    return gemm(op,
                TensorOps(m_builder, image.getLoc())
                    .reshape(image, {typeOf(image).getNumElements() / channels, channels}),
                op.getFilter(), ops);
  const SmallVector<int64_t> order =
      isDepthwise ? SmallVector<int64_t>(ArrayRef(kOfDepthwise)) : toLast(rank);
  Value filter = repacked(op.getFilter(), order, m_builder);
  if (!filter)
    filter = moved(op.getFilter(), order, ops);
  return tm::ConvOp::create(m_builder, op.getLoc(), lastType(op.getResult()), image, filter,
                            op.getBias(), op.getStrides(), op.getPads(), op.getDilations(),
                            op.getGroups(), true);
}

void ChannelsLast::visitConv(tm::ConvOp op, TensorOps &ops) {
  const Type element = typeOf(op.getResult()).getElementType();
  if (!(element.isF16() || element.isBF16()) || !isImage(op.getFilter()) ||
      !isImage(op.getOperand()))
    return;
  const Value image = conv(op, ops);
  if (!image)
    return;
  m_result.rewrites.push_back(
      {compiler::kChannelsLast, tm::nodeName(op),
       "the channels of each pixel lie side by side, as tensor cores take them"});
  replace(op.getResult(), image, ops);
}

void ChannelsLast::visitPointwise(Operation &operation, TensorOps &ops) {
  if (llvm::none_of(operation.getOperands(), [&](Value each) {
        return isLast(each) && typeOf(each).getShape() == typeOf(operation.getResult(0)).getShape();
      }))
    return;
  SmallVector<Value> operands;
  for (const Value operand : operation.getOperands())
    operands.push_back(last(operand, typeOf(operation.getResult(0)).getRank(), ops));
  Operation *copy = ops.clone(&operation);
  copy->setOperands(operands);
  copy->getResult(0).setType(lastType(operation.getResult(0)));
  replace(operation.getResult(0), copy->getResult(0), ops);
}

template <typename Op>
void ChannelsLast::visitPool(Op op, TensorOps &ops, TypeRange types, bool flag) {
  auto pool =
      Op::create(m_builder, op.getLoc(), types, last(op.getOperand(), 4, ops), op.getKernel(),
                 op.getStrides(), op.getPads(), op.getDilations(), flag, true);
  replace(op.getResult(), pool.getResult(), ops);
}

void ChannelsLast::visitReduce(tm::ReduceOp op, TensorOps &ops) {
  const int64_t rank = typeOf(op.getOperand()).getRank();
  SmallVector<int64_t> axes;
  for (const int64_t axis : op.getAxes())
    axes.push_back(axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1);
  if (llvm::is_contained(axes, rank - 1))
    return;
  const bool keepsAxes = typeOf(op.getResult()).getRank() == rank;
  // Without all axes of the image the channels are not the last ones any more.
  if (!keepsAxes && (int64_t(axes.size()) != rank - 2 || llvm::is_contained(axes, 0)))
    return;
  llvm::sort(axes);
  const auto type = keepsAxes ? lastType(op.getResult()) : typeOf(op.getResult());
  const Value reduced = tm::ReduceOp::create(m_builder, op.getLoc(), type, op.getKind(),
                                             m_last.lookup(op.getOperand()), axes);
  if (keepsAxes)
    replace(op.getResult(), reduced, ops);
  else
    op.getResult().replaceAllUsesWith(reduced);
}

void ChannelsLast::visitConcat(tm::ConcatOp op, TensorOps &ops) {
  if (op.getAxis() != 1 ||
      !llvm::all_of(op->getOperands(), [&](Value each) { return isLast(each); }))
    return;
  SmallVector<Value> parts;
  for (const Value part : op->getOperands())
    parts.push_back(last(part, typeOf(part).getRank(), ops));
  replace(op.getResult(), ops.concat(parts, typeOf(parts.front()).getRank() - 1), ops);
}

/// What goes to channels last is there already, with its pixels in rows or one behind the other.
void ChannelsLast::visitTranspose(tm::TransposeOp op, TensorOps &ops) {
  const Value from = op.getOperand();
  if (isLast(from) && op.getOrder() == ArrayRef(toLast(typeOf(from).getRank())))
    return op.getResult().replaceAllUsesWith(m_last.lookup(from));
  auto flat = from.getDefiningOp<tm::ReshapeOp>();
  const Value image = flat ? m_last.lookup(flat.getOperand()) : Value();
  if (!image || typeOf(image).getRank() != 4 || op.getOrder() != ArrayRef<int64_t>{0, 2, 1})
    return;
  const ArrayRef<int64_t> shape = typeOf(image).getShape();
  const int64_t pixels = shape[1] * shape[2];
  if (typeOf(from).getShape() == ArrayRef<int64_t>{shape[0], shape[3], pixels})
    op.getResult().replaceAllUsesWith(ops.reshape(image, {shape[0], pixels, shape[3]}));
}

void ChannelsLast::visit(Operation &operation, TensorOps &ops) {
  if (auto op = dyn_cast<tm::TransposeOp>(operation))
    return visitTranspose(op, ops);
  if (operation.getNumResults() == 0 || !isImage(operation.getResult(0))) {
    auto reduce = dyn_cast<tm::ReduceOp>(operation);
    if (reduce && isLast(reduce.getOperand()))
      visitReduce(reduce, ops);
    return;
  }
  if (auto op = dyn_cast<tm::ConvOp>(operation))
    return visitConv(op, ops);
  if (operation.getNumOperands() == 0 ||
      llvm::none_of(operation.getOperands(), [&](Value each) { return isLast(each); }))
    return;
  if (isPointwise(operation))
    return visitPointwise(operation, ops);
  if (auto op = dyn_cast<tm::ReduceOp>(operation))
    return visitReduce(op, ops);
  if (auto op = dyn_cast<tm::ConcatOp>(operation))
    return visitConcat(op, ops);
  // Kernels with channels last pool real numbers alone.
  const Type element = typeOf(operation.getResult(0)).getElementType();
  if ((!element.isF32() && !element.isF16() && !element.isBF16()) ||
      typeOf(operation.getResult(0)).getRank() != 4)
    return;
  if (auto op = dyn_cast<tm::AvgPoolOp>(operation))
    return visitPool(op, ops, {lastType(op.getResult())}, op.getCountPads());
  auto op = dyn_cast<tm::MaxPoolOp>(operation);
  if (op && op.getIndices().use_empty())
    visitPool(op, ops, {lastType(op.getResult()), lastType(op.getIndices())}, op.getColumnMajor());
}

/// There and back again is nowhere.
void ChannelsLast::removeMovements() {
  for (Operation &operation : m_body.without_terminator()) {
    auto second = dyn_cast<tm::TransposeOp>(operation);
    auto first = second ? second.getOperand().getDefiningOp<tm::TransposeOp>() : tm::TransposeOp();
    if (first && llvm::is_sorted(permuted(first.getOrder(), second.getOrder())))
      second.getResult().replaceAllUsesWith(first.getOperand());
  }
  for (Operation &operation : llvm::make_early_inc_range(llvm::reverse(m_body)))
    if (isOpTriviallyDead(&operation))
      operation.erase();
}

void layOutChannelsLast(func::FuncOp function, const WeightBytes &weights,
                        compiler::ModelResult &result) {
  ChannelsLast(function, weights, result).run();
}

} // namespace tilescope::model
