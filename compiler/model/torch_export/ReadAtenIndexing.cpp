// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that read elements at indices.
#include "compiler/model/torch_export/AtenRules.h"

using namespace mlir;

namespace tilescope::model {

static Value gathered(AtenNode &node, Value x, Value indices, size_t axis) {
  if (!x || !indices)
    return {};
  const tm::ExtentList from = AtenNode::extentsOf(x), at = AtenNode::extentsOf(indices);
  if (axis >= from.size()) {
    node.fail("its input has no axes");
    return {};
  }
  tm::ExtentList result(from.begin(), from.begin() + int64_t(axis));
  result.append(at);
  result.append(from.begin() + int64_t(axis) + 1, from.end());
  return node.emit<tm::GatherOp>(node.tensorType(result, AtenNode::elementOf(x)), x, indices,
                                 int64_t(axis));
}

static bool readEmbedding(AtenNode &node) {
  return node.finish(gathered(node, node.first(), node.tensor("indices"), 0));
}
static bool readIndexSelect(AtenNode &node) {
  const Value x = node.first(), indices = node.tensor("index");
  if (!x || !indices)
    return false;
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  return !node.failed() && node.finish(gathered(node, x, indices, axis));
}

static bool readGather(AtenNode &node) {
  const Value x = node.first(), indices = node.tensor("index");
  if (!x || !indices)
    return false;
  const int64_t axis = node.axis(node.integer("dim", 0), AtenNode::rankOf(x));
  if (AtenNode::rankOf(x) != AtenNode::rankOf(indices))
    return node.fail("input and indices do not have the same number of axes");
  return node.finish(node.emit<tm::GatherElementsOp>(
      node.tensorType(AtenNode::extentsOf(indices), AtenNode::elementOf(x)), x, indices, axis));
}

namespace {
/// `x[:, i, j]`: indices for some of the axes, which go together.
class AdvancedIndexing {
public:
  AdvancedIndexing(AtenNode &node, Value x, ArrayRef<Value> indices) : m_node(node), m_x(x) {
    for (const auto &[axis, index] : llvm::enumerate(indices))
      if (index) {
        m_axes.push_back(int64_t(axis));
        m_indices.push_back(index);
      }
  }

  Value read() {
    if (m_axes.empty() || m_axes.back() >= AtenNode::rankOf(m_x))
      return fail("its indices do not go with its input");
    for (const Value index : m_indices)
      if (AtenNode::elementOf(index).isInteger(1))
        return fail("indices that are truth values, so that a run decides how many elements there "
                    "are, are not supported");
    if (m_axes.size() == 1)
      return gathered(m_node, m_x, m_indices.front(), size_t(m_axes.front()));
    return gatheredTogether();
  }

private:
  Value fail(const std::string &message) {
    m_node.fail(message);
    return {};
  }

  /// The indexed axes in front, those of the indices in their place; moved back where they were
  /// beside each other.
  Value gatheredTogether() {
    const int64_t rank = AtenNode::rankOf(m_x);
    SmallVector<int64_t> order(m_axes);
    for (int64_t axis = 0; axis < rank; ++axis)
      if (!llvm::is_contained(m_axes, axis))
        order.push_back(axis);
    const Value front = m_node.transposed(m_x, order);
    const Value places = together();
    if (!front || !places)
      return {};
    tm::ExtentList result = AtenNode::extentsOf(places);
    result.pop_back();
    const auto indexRank = int64_t(result.size());
    const tm::ExtentList from = AtenNode::extentsOf(front);
    result.append(from.begin() + int64_t(m_axes.size()), from.end());
    const Value gathered = m_node.emit<tm::GatherNdOp>(
        m_node.tensorType(result, AtenNode::elementOf(front)), front, places, int64_t{0});
    const bool areBeside = m_axes.back() - m_axes.front() + 1 == int64_t(m_axes.size());
    if (!areBeside || m_axes.front() == 0 || !gathered)
      return gathered;
    SmallVector<int64_t> back;
    for (int64_t axis = 0; axis < m_axes.front(); ++axis)
      back.push_back(indexRank + axis);
    for (int64_t axis = 0; axis < indexRank; ++axis)
      back.push_back(axis);
    for (int64_t axis = indexRank + m_axes.front(); axis < AtenNode::rankOf(gathered); ++axis)
      back.push_back(axis);
    return m_node.transposed(gathered, back);
  }

  /// All indices as one tensor, whose last axis has one for each indexed axis.
  Value together() {
    const Type whole = m_node.builder().getI64Type();
    for (Value &index : m_indices)
      index = m_node.cast(index, whole);
    const RankedTensorType type = m_node.broadcast(m_indices, whole);
    if (!type)
      return {};
    tm::ExtentList extents = tm::extentsOf(type);
    const tm::ExtentList common = extents;
    extents.push_back(m_node.number(1));
    SmallVector<Value> parts;
    for (const Value index : m_indices)
      parts.push_back(m_node.reshaped(m_node.expanded(index, common), extents));
    extents.back() = m_node.number(int64_t(parts.size()));
    if (llvm::is_contained(parts, Value()))
      return {};
    return m_node.emit<tm::ConcatOp>(m_node.tensorType(extents, whole), ValueRange(parts),
                                     int64_t(common.size()));
  }

  AtenNode &m_node;
  Value m_x;
  SmallVector<int64_t> m_axes;
  SmallVector<Value> m_indices;
};
} // namespace

static bool readIndex(AtenNode &node) {
  const Value x = node.first();
  const SmallVector<Value> indices = node.tensors("indices");
  return x && !node.failed() && node.finish(AdvancedIndexing(node, x, indices).read());
}

static constexpr AtenRule kAtenIndexingRules[] = {
    {"aten.embedding", readEmbedding},
    {"aten.gather", readGather},
    {"aten.index", readIndex},
    {"aten.index_select", readIndexSelect},
};

std::span<const AtenRule> atenIndexingRules() { return kAtenIndexingRules; }

} // namespace tilescope::model
