// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/WeightReader.h"

#include "compiler/model/import/StoredElements.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

/// Copies of elements that are not beside each other take no more.
static constexpr uint64_t kMostCopied = uint64_t{1} << 26;

static Error invalid(const std::string &message) { return {ErrorCode::InvalidInput, message, ""}; }

static uint64_t elementBytes(Type element) {
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

/// Axes from the one with the longest stride to that with the shortest.
static SmallVector<int64_t> storedOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::tuple(-strides[size_t(a)], -shape[size_t(a)], a) <
           std::tuple(-strides[size_t(b)], -shape[size_t(b)], b);
  });
  return order;
}

/// Whether elements lie beside each other with the axes in this order. Axes of 1 lie anywhere.
static bool isDense(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides, ArrayRef<int64_t> order) {
  int64_t expected = 1;
  for (const int64_t axis : llvm::reverse(order)) {
    if (shape[size_t(axis)] != 1 && strides[size_t(axis)] != expected)
      return false;
    expected *= shape[size_t(axis)];
  }
  return true;
}

/// The last element that any index reaches; nothing where it is out of range.
static std::optional<uint64_t> lastElement(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                                           int64_t begin) {
  uint64_t last = uint64_t(begin);
  for (const auto &[extent, stride] : llvm::zip_equal(shape, strides)) {
    if (stride < 0 || stride > tm::kMostExtent)
      return std::nullopt;
    last = llvm::SaturatingMultiplyAdd(uint64_t(extent - 1), uint64_t(stride), last);
  }
  return last;
}

/// The elements, one after another.
static std::string copied(StringRef bytes, RankedTensorType type, ArrayRef<int64_t> strides) {
  const uint64_t size = elementBytes(type.getElementType());
  const ArrayRef<int64_t> shape = type.getShape();
  SmallVector<int64_t> index(shape.size(), 0);
  std::string result;
  result.reserve(size_t(storedBytes(type)));
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    uint64_t at = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis)
      at += uint64_t(index[axis]) * uint64_t(strides[axis]);
    result += bytes.substr(size_t(at * size), size_t(size));
    for (size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];)
      index[axis] = 0;
  }
  return result;
}

namespace {
/// What builds the value of a weight, once its place is known to be in the file.
struct WeightBuilder {
  GraphBuilder &graph;
  const std::string &name;
  RankedTensorType type;
  /// From its first element on.
  StringRef bytes;
  uint64_t offset;

  Location location() const { return graph.named(name); }

  Value constant(RankedTensorType as, StringRef elements) const {
    return graph.folded(
        tm::ConstantOp::create(graph.builder(), location(), as, storedElements(as, elements)));
  }
  Value mapped(RankedTensorType as) const {
    return tm::WeightOp::create(graph.builder(), location(), as, name, "", int64_t(offset));
  }

  /// The axes as they are stored, then transposed.
  Value transposed(ArrayRef<int64_t> order) const {
    tm::ExtentList extents;
    SmallVector<int64_t> inverse(order.size());
    for (const auto &[stored, axis] : llvm::enumerate(order)) {
      extents.push_back(tm::number(type.getContext(), type.getDimSize(unsigned(axis))));
      inverse[size_t(axis)] = int64_t(stored);
    }
    const Value stored = mapped(tm::tensorOf(extents, type.getElementType()));
    return tm::TransposeOp::create(graph.builder(), location(), type, stored, ArrayRef(inverse));
  }
};
} // namespace

Result<Value> weightValue(GraphBuilder &graph, const std::string &name, const StoredWeight &weight,
                          RankedTensorType type, const ExportFiles &files) {
  SmallVector<int64_t> strides;
  for (const ExportedSize &stride : weight.tensor.strides)
    strides.push_back(stride.symbol.empty() ? stride.value : -1);
  const int64_t begin = weight.tensor.storageOffset.value;
  if (!type.hasStaticShape() || strides.size() != size_t(type.getRank()) || begin < 0 ||
      begin > tm::kMostExtent)
    return invalid("has extents and strides that do not go together");
  if (type.getNumElements() == 0)
    return WeightBuilder{graph, name, type, "", 0}.constant(type, "");
  const uint64_t size = elementBytes(type.getElementType());
  const auto last = lastElement(type.getShape(), strides, begin);
  const auto storage = files.bytesAt(weight.offset, weight.bytes);
  if (!last || !storage || *last >= weight.bytes / size)
    return invalid("has " + std::to_string(weight.bytes) +
                   " bytes; its type, extents and strides need more");
  const uint64_t offset = weight.offset + uint64_t(begin) * size;
  const WeightBuilder builder{graph, name, type,
                              StringRef(*storage).substr(size_t(offset - weight.offset)), offset};
  SmallVector<int64_t> order(strides.size());
  std::iota(order.begin(), order.end(), 0);
  const bool isInOrder = isDense(type.getShape(), strides, order);
  const uint64_t bytes = storedBytes(type);
  if (isInOrder && bytes > kMostConstantBytes)
    return builder.mapped(type);
  order = storedOrder(type.getShape(), strides);
  if (bytes > kMostConstantBytes && isDense(type.getShape(), strides, order))
    return builder.transposed(order);
  if (bytes > kMostCopied)
    return invalid("has elements that are not beside each other, and is too large to copy");
  return builder.constant(type, copied(builder.bytes, type, strides));
}

} // namespace tilescope::model
