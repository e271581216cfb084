// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Folds what moves known elements without computing with them.
#include "compiler/model/shape/KnownValues.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::model {

/// The element at that index of the result, as a place among an operand's; nothing: not known.
using PlaceOf = llvm::function_ref<std::optional<int64_t>(ArrayRef<int64_t> index)>;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static int64_t placeAt(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t place = 0;
  for (const auto &[extent, at] : llvm::zip_equal(shape, index))
    place = place * extent + at;
  return place;
}

static std::optional<Known> pick(RankedTensorType result, const Known &from, PlaceOf placeOf) {
  Known known;
  SmallVector<int64_t> index(size_t(result.getRank()), 0);
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    const std::optional<int64_t> place = placeOf(index);
    if (!place || *place < 0 || size_t(*place) >= from.size())
      return std::nullopt;
    known.push_back(from[size_t(*place)]);
    for (int64_t axis = result.getRank() - 1; axis >= 0; --axis) {
      if (++index[size_t(axis)] < result.getDimSize(axis))
        break;
      index[size_t(axis)] = 0;
    }
  }
  return known;
}

static std::optional<Known> concat(tm::ConcatOp operation, ArrayRef<const Known *> operands) {
  Known known;
  const RankedTensorType type = typeOf(operation.getResult());
  if (type.getRank() != 1)
    return std::nullopt;
  for (const Known *operand : operands)
    known.insert(known.end(), operand->begin(), operand->end());
  return known;
}

static std::optional<Known> gather(tm::GatherOp operation, ArrayRef<const Known *> operands) {
  const RankedTensorType from = typeOf(operation.getOperand()),
                         indices = typeOf(operation.getIndices());
  if (!from.hasStaticShape())
    return std::nullopt;
  const auto axis = size_t(operation.getAxis()), rank = size_t(indices.getRank());
  return pick(typeOf(operation.getResult()), *operands[0],
              [&](ArrayRef<int64_t> index) -> std::optional<int64_t> {
                const int64_t which = placeAt(indices.getShape(), index.slice(axis, rank));
                const auto wanted = tm::numberOf((*operands[1])[size_t(which)].whole);
                if (!wanted)
                  return std::nullopt;
                const int64_t extent = from.getDimSize(unsigned(axis)),
                              at = *wanted < 0 ? *wanted + extent : *wanted;
                if (at < 0 || at >= extent)
                  return std::nullopt;
                SmallVector<int64_t> source(index.take_front(axis));
                source.push_back(at);
                llvm::append_range(source, index.drop_front(axis + rank));
                return placeAt(from.getShape(), source);
              });
}

static std::optional<Known> slice(tm::SliceOp operation, const Known &from) {
  const auto begins = operation.getBegins();
  if (!begins)
    return std::nullopt;
  const RankedTensorType type = typeOf(operation.getOperand());
  return pick(typeOf(operation.getResult()), from,
              [&](ArrayRef<int64_t> index) -> std::optional<int64_t> {
                SmallVector<int64_t> source;
                for (const auto &[axis, at] : llvm::enumerate(index)) {
                  const auto begin = tm::numberOf(begins->getValues()[axis]);
                  if (!begin)
                    return std::nullopt;
                  source.push_back(*begin + at * (*operation.getSteps())[axis]);
                }
                return placeAt(type.getShape(), source);
              });
}

static std::optional<Known> expand(Operation *operation, const Known &from) {
  const RankedTensorType type = typeOf(operation->getOperand(0)),
                         result = typeOf(operation->getResult(0));
  const size_t skipped = size_t(result.getRank() - type.getRank());
  return pick(result, from, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source;
    for (const auto &[at, extent] : llvm::zip_equal(index.drop_front(skipped), type.getShape()))
      source.push_back(extent == 0 ? 0 : at % extent);
    return std::optional(placeAt(type.getShape(), source));
  });
}

static std::optional<Known> transpose(tm::TransposeOp operation, const Known &from) {
  const RankedTensorType type = typeOf(operation.getOperand());
  return pick(typeOf(operation.getResult()), from, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> source(index.size());
    for (const auto &[axis, from] : llvm::enumerate(operation.getOrder()))
      source[size_t(from)] = index[axis];
    return std::optional(placeAt(type.getShape(), source));
  });
}

/// Of each matrix what lies on one side of a diagonal; the rest is 0.
static std::optional<Known> triangle(tm::TriluOp operation, ArrayRef<const Known *> operands) {
  const RankedTensorType type = typeOf(operation.getResult());
  const std::optional<double> diagonal =
      operands.size() > 1 ? operands[1]->front().value() : std::optional(0.0);
  if (!diagonal)
    return std::nullopt;
  const int64_t rows = type.getShape().end()[-2], columns = type.getShape().back();
  Known known = *operands[0];
  for (size_t i = 0; i < known.size(); ++i) {
    const int64_t row = int64_t(i) / columns % rows, column = int64_t(i) % columns;
    const bool isKept = operation.getUpper() ? double(column - row) >= *diagonal
                                             : double(column - row) <= *diagonal;
    if (!isKept)
      known[i] = known[i].whole ? KnownElement{tm::number(type.getContext(), 0)} : KnownElement();
  }
  return known;
}

/// start, start + step, …
static std::optional<Known> range(tm::RangeOp operation, ArrayRef<const Known *> operands) {
  const tm::Extent start = operands[0]->front().whole, step = operands[2]->front().whole;
  Known known;
  if (!start || !step)
    return std::nullopt;
  for (int64_t i = 0; i < typeOf(operation.getResult()).getNumElements(); ++i)
    if (const tm::Extent at =
            tm::add(start, tm::multiply(step, tm::number(operation.getContext(), i))))
      known.push_back({at});
    else
      return std::nullopt;
  return known;
}

std::optional<Known> foldMovement(Operation *operation, ArrayRef<const Known *> operands) {
  using Folded = std::optional<Known>;
  // A second operand says what the extents say already.
  if (isa<tm::ReshapeOp>(operation))
    return *operands[0];
  return llvm::TypeSwitch<Operation *, Folded>(operation)
      .Case<tm::ConcatOp>([&](auto op) { return concat(op, operands); })
      .Case<tm::GatherOp>([&](auto op) { return gather(op, operands); })
      .Case<tm::SliceOp>([&](auto op) { return slice(op, *operands[0]); })
      .Case<tm::ExpandOp, tm::TileOp>([&](Operation *op) { return expand(op, *operands[0]); })
      .Case<tm::TransposeOp>([&](auto op) { return transpose(op, *operands[0]); })
      .Case<tm::TriluOp>([&](auto op) { return triangle(op, operands); })
      .Case<tm::RangeOp>([&](auto op) { return range(op, operands); })
      .Default([](Operation *) { return Folded(); });
}

} // namespace tilescope::model
