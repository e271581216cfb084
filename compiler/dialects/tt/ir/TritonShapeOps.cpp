// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilescope::tt {

// Type inference
// -------------------------------------------------------------------------------------

/// Asks the dialect of the source's encoding; no encoding, or a dialect that does not know, returns
/// none.
template <typename Query>
static FailureOr<Attribute> inferEncoding(RankedTensorType source, std::optional<Location> location,
                                          Query query) {
  const InferLayoutInterface *layouts = getInferLayoutInterface(source.getEncoding());
  if (!layouts)
    return Attribute{};
  auto emit = [&] { return emitError(location.value_or(UnknownLoc::get(source.getContext()))); };
  return query(*layouts, location ? EmitError(emit) : EmitError());
}

static bool areAllCompatible(TypeRange a, TypeRange b) {
  return llvm::all_of_zip(a, b, areCompatibleTypes) && a.size() == b.size();
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                             Adaptor adaptor, SmallVectorImpl<Type> &results) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  int64_t axis = static_cast<int32_t>(adaptor.getAxis());
  if (axis < 0 || axis > source.getRank())
    return emitOptionalError(location, "cannot insert a dimension at ", axis, " of ", source);
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  FailureOr<Attribute> encoding =
      inferEncoding(source, location, [&](auto &layouts, EmitError emit) {
        return layouts.inferExpandDims(source.getEncoding(), axis, emit);
      });
  if (failed(encoding))
    return failure();
  results.push_back(RankedTensorType::get(shape, source.getElementType(), *encoding));
  return success();
}

bool ExpandDimsOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) {
  return areAllCompatible(a, b);
}

LogicalResult JoinOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                       Adaptor adaptor, SmallVectorImpl<Type> &results) {
  auto source = cast<RankedTensorType>(adaptor.getLhs().getType());
  SmallVector<int64_t> shape(source.getShape());
  shape.push_back(2);
  FailureOr<Attribute> encoding =
      inferEncoding(source, location, [&](auto &layouts, EmitError emit) {
        return layouts.inferJoin(source.getEncoding(), source.getShape(), emit);
      });
  if (failed(encoding))
    return failure();
  results.push_back(RankedTensorType::get(shape, source.getElementType(), *encoding));
  return success();
}

bool JoinOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return areAllCompatible(a, b); }

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  if (source.getRank() < 1 || source.getShape().back() != 2)
    return emitOptionalError(location, "needs a last dimension of extent 2, which ", source,
                             " does not have");
  FailureOr<Attribute> encoding =
      inferEncoding(source, location, [&](auto &layouts, EmitError emit) {
        return layouts.inferSplit(source.getEncoding(), source.getShape(), emit);
      });
  if (failed(encoding))
    return failure();
  auto half =
      RankedTensorType::get(source.getShape().drop_back(), source.getElementType(), *encoding);
  results.append({half, half});
  return success();
}

bool SplitOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return areAllCompatible(a, b); }

static bool isPermutation(ArrayRef<int32_t> order, int64_t rank) {
  SmallVector<bool> seen(rank, false);
  for (int32_t dimension : order) {
    if (dimension < 0 || dimension >= rank || seen[dimension])
      return false;
    seen[dimension] = true;
  }
  return static_cast<int64_t>(order.size()) == rank;
}

LogicalResult TransOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  ArrayRef<int32_t> order = adaptor.getOrder();
  if (!isPermutation(order, source.getRank()))
    return emitOptionalError(
        location, "has an order that is not a permutation of the dimensions of ", source);
  SmallVector<int64_t> shape;
  for (int32_t dimension : order)
    shape.push_back(source.getDimSize(dimension));
  FailureOr<Attribute> encoding =
      inferEncoding(source, location, [&](auto &layouts, EmitError emit) {
        return layouts.inferTrans(source.getEncoding(), source.getShape(), order, emit);
      });
  if (failed(encoding))
    return failure();
  results.push_back(RankedTensorType::get(shape, source.getElementType(), *encoding));
  return success();
}

bool TransOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return areAllCompatible(a, b); }

// Verifiers and builders
// -----------------------------------------------------------------------------

LogicalResult SplatOp::verify() {
  if (getElementTypeOrSelf(getType()) != getSrc().getType())
    return emitOpError("of ") << getSrc().getType() << " cannot be " << getType();
  return success();
}

LogicalResult UnsplatOp::verify() {
  RankedTensorType source = getSrc().getType();
  if (source.getNumElements() != 1)
    return emitOpError("needs a block of one element, not ") << source;
  return success();
}

void ReshapeOp::build(OpBuilder &builder, OperationState &state, ArrayRef<int64_t> shape, Value src,
                      bool allowReorder) {
  auto source = cast<RankedTensorType>(src.getType());
  Attribute encoding;
  if (const InferLayoutInterface *layouts = getInferLayoutInterface(source.getEncoding())) {
    auto emit = [&] { return mlir::emitError(state.location); };
    encoding = layouts->inferReshape(source.getEncoding(), source.getShape(), shape, emit)
                   .value_or(Attribute{});
  }
  build(builder, state, RankedTensorType::get(shape, source.getElementType(), encoding), src,
        allowReorder);
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType source = getSrc().getType(), result = getType();
  if (source.getNumElements() != result.getNumElements())
    return emitOpError("cannot change the number of elements: ") << source << " to " << result;
  if (source.getElementType() != result.getElementType())
    return emitOpError("cannot change the type of elements: ") << source << " to " << result;
  if (static_cast<bool>(source.getEncoding()) != static_cast<bool>(result.getEncoding()))
    return emitOpError("mixes blocks with and without an encoding");
  const InferLayoutInterface *layouts = getInferLayoutInterface(source.getEncoding());
  if (!layouts || getAllowReorder())
    return success();
  FailureOr<Attribute> inferred = layouts->inferReshape(
      source.getEncoding(), source.getShape(), result.getShape(), [&] { return emitOpError(); });
  if (failed(inferred))
    return failure();
  if (!layouts->areEquivalent(result.getShape(), *inferred, result.getEncoding()))
    return emitOpError("has a result of ")
           << result << ", but the source's encoding becomes " << *inferred;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSrc().getType(), result = getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("cannot change the type of elements: ") << source << " to " << result;
  if (source.getRank() != result.getRank())
    return emitOpError("cannot change the rank: ") << source << " to " << result;
  for (auto [dimension, from, to] : llvm::enumerate(source.getShape(), result.getShape()))
    if (from != to && from != 1)
      return emitOpError("can only grow extents of 1, but dimension ")
             << dimension << " goes from " << from << " to " << to;
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType source = getLhs().getType(), result = getType();
  if (source.getRank() != 1 || result.getRank() != 1 ||
      result.getDimSize(0) != 2 * source.getDimSize(0) ||
      source.getElementType() != result.getElementType())
    return emitOpError("of two ") << source << " cannot be " << result;
  return success();
}

LogicalResult TransOp::verify() { return success(); }

void GatherOp::build(OpBuilder &builder, OperationState &state, Value src, Value indices,
                     int32_t axis) {
  Type element = cast<RankedTensorType>(src.getType()).getElementType();
  build(builder, state, cast<RankedTensorType>(indices.getType()).clone(element), src, indices,
        axis, false);
}

LogicalResult GatherOp::verify() {
  RankedTensorType source = getSrc().getType(), indices = getIndices().getType(),
                   result = getType();
  if (indices.getShape() != result.getShape() || indices.getEncoding() != result.getEncoding())
    return emitOpError("needs a result with the shape and encoding of the indices");
  if (source.getElementType() != result.getElementType())
    return emitOpError("needs a result with the element type of the source");
  int64_t axis = static_cast<int32_t>(getAxis());
  if (source.getRank() != indices.getRank())
    return emitOpError("needs a source and indices of the same rank");
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("has axis ") << axis << " for a source of rank " << source.getRank();
  for (int64_t dimension = 0; dimension < source.getRank(); ++dimension)
    if (dimension != axis && source.getDimSize(dimension) != indices.getDimSize(dimension))
      return emitOpError("needs equal extents off the axis, but dimension ")
             << dimension << " has " << source.getDimSize(dimension) << " and "
             << indices.getDimSize(dimension);
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getSrc().getType().getRank() != 1 || getType().getRank() != 1)
    return emitOpError("needs a source and a result of one dimension");
  return success();
}

} // namespace tilescope::tt
