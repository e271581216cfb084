// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of matrices and attention.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/torch_export/AtenRules.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

static Value product(AtenNode &node, Value a, Value b) {
  if (!a || !b)
    return {};
  const auto extents = productExtents(node, AtenNode::extentsOf(a), AtenNode::extentsOf(b));
  return extents ? node.emit<tm::MatmulOp>(node.tensorType(*extents, AtenNode::elementOf(a)), a, b)
                 : Value();
}

/// `mm`, `bmm`, `matmul`, `mv`, `dot`: their second operands have three names.
static bool readProduct(AtenNode &node) {
  for (const char *name : {"mat2", "other", "vec", "tensor"})
    if (node.has(name))
      return node.finish(product(node, node.first(), node.tensor(name)));
  return node.fail("it has one operand");
}

static Value times(AtenNode &node, Value value, double factor) {
  if (!value || factor == 1)
    return value;
  return node.binary<tm::MulOp>(value, node.scalar(factor, AtenNode::elementOf(value)));
}

/// beta * self + alpha * mat1 * mat2
static bool readAddmm(AtenNode &node) {
  const Value addend = node.first(), a = node.tensor("mat1"), b = node.tensor("mat2");
  if (!addend || !a || !b)
    return false;
  const tm::ExtentList left = AtenNode::extentsOf(a), right = AtenNode::extentsOf(b);
  if (left.size() != 2 || right.size() != 2)
    return node.fail("its factors are not matrices");
  const auto extents = productExtents(node, left, right);
  if (!extents)
    return false;
  const RankedTensorType type = node.tensorType(*extents, AtenNode::elementOf(a));
  if (!type || node.broadcast({addend}, type.getElementType()) == RankedTensorType())
    return false;
  return node.finish(node.emit<tm::GemmOp>(type, a, b, addend,
                                           llvm::APFloat(float(node.real("alpha", 1))),
                                           llvm::APFloat(float(node.real("beta", 1))),
                                           /*transpose_lhs=*/false, /*transpose_rhs=*/false));
}

static bool readBaddbmm(AtenNode &node) {
  const Value addend = times(node, node.first(), node.real("beta", 1));
  const Value result = times(node, product(node, node.tensor("batch1"), node.tensor("batch2")),
                             node.real("alpha", 1));
  return node.finish(node.binary<tm::AddOp>(addend, result));
}

/// input * weightᵀ + bias
static bool readLinear(AtenNode &node) {
  const Value x = node.first(), weight = node.tensor("weight");
  const Value bias = node.optionalTensor("bias");
  if (!x || !weight || node.failed())
    return false;
  if (AtenNode::rankOf(weight) != 2)
    return node.fail("its weight is not a matrix");
  tm::ExtentList right = AtenNode::extentsOf(weight);
  std::swap(right[0], right[1]);
  const auto extents = productExtents(node, AtenNode::extentsOf(x), right);
  if (!extents)
    return false;
  const RankedTensorType type = node.tensorType(*extents, AtenNode::elementOf(x));
  if (AtenNode::rankOf(x) == 2)
    return node.finish(node.emit<tm::GemmOp>(type, x, weight, bias, llvm::APFloat(1.0f),
                                             llvm::APFloat(1.0f), /*transpose_lhs=*/false,
                                             /*transpose_rhs=*/true));
  const Value result = node.emit<tm::MatmulOp>(type, x, node.transposed(weight, {1, 0}));
  return node.finish(bias ? node.binary<tm::AddOp>(result, bias) : result);
}

namespace {
/// Attention over tensors of four axes: batch, heads, sequence, width.
class Attention {
public:
  explicit Attention(AtenNode &node) : m_node(node) {}

  bool read() {
    const Value query = m_node.tensor("query"), key = m_node.tensor("key"),
                value = m_node.tensor("value");
    Value mask = m_node.optionalTensor("attn_mask");
    if (!query || !key || !value || m_node.failed())
      return false;
    if (m_node.real("dropout_p", 0) != 0)
      return m_node.fail("it drops a part of the weights at random, as in training");
    const auto rank = AtenNode::rankOf(query);
    if (rank < 3 || rank > 4 || AtenNode::rankOf(key) != rank || AtenNode::rankOf(value) != rank)
      return m_node.fail("attention over tensors of " + std::to_string(rank) +
                         " axes is not supported");
    const Value q = withHeads(query), k = withHeads(key), v = withHeads(value);
    mask = mask ? withAxes(mask, rank) : Value();
    if (!q || !k || !v)
      return false;
    const tm::ExtentList from = AtenNode::extentsOf(q), keys = AtenNode::extentsOf(k),
                         values = AtenNode::extentsOf(v);
    if (!fits(from, keys, values))
      return m_node.fail("queries, keys and values of " + tm::extentsText(from) + ", " +
                         tm::extentsText(keys) + " and " + tm::extentsText(values) +
                         " do not go together");
    const RankedTensorType type =
        m_node.tensorType({from[0], from[1], from[2], values[3]}, AtenNode::elementOf(q));
    const FloatAttr scale = m_node.has("scale")
                                ? m_node.builder().getF32FloatAttr(float(m_node.real("scale", 1)))
                                : FloatAttr();
    const bool isCausal = m_node.truth("is_causal", false);
    const SmallVector<Value> results = m_node.emitAll<tm::AttentionOp>(
        {type}, q, k, v, mask, Value(), Value(), Value(), int64_t{0}, int64_t{0}, scale,
        llvm::APFloat(0.0f), int64_t{0}, isCausal);
    if (results.empty())
      return false;
    if (rank == 4)
      return m_node.finish(results.front());
    return m_node.finish(m_node.reshaped(results.front(), {from[0], from[2], values[3]}));
  }

private:
  /// [batch, sequence, width] has one head.
  Value withHeads(Value value) {
    const tm::ExtentList extents = AtenNode::extentsOf(value);
    if (extents.size() == 4)
      return value;
    return m_node.reshaped(value, {extents[0], m_node.number(1), extents[1], extents[2]});
  }

  /// Four axes, those that are missing in front, and that of heads where there is none.
  Value withAxes(Value mask, int64_t rank) {
    tm::ExtentList extents = AtenNode::extentsOf(mask);
    if (rank == 3 && extents.size() == 3)
      extents.insert(extents.begin() + 1, m_node.number(1));
    if (extents.size() > 4) {
      m_node.fail("a mask of " + tm::extentsText(extents) + " is not supported");
      return {};
    }
    extents.insert(extents.begin(), 4 - extents.size(), m_node.number(1));
    return m_node.reshaped(mask, extents);
  }

  static bool mayBeEqual(tm::Extent a, tm::Extent b) {
    const auto x = tm::numberOf(a), y = tm::numberOf(b);
    return !x || !y || *x == *y;
  }

  /// Several heads of queries may share one of keys.
  bool fits(const tm::ExtentList &query, const tm::ExtentList &key, const tm::ExtentList &value) {
    const auto heads = tm::numberOf(query[1]), keyHeads = tm::numberOf(key[1]);
    const bool isGrouped = m_node.truth("enable_gqa", false);
    const bool fitsHeads = heads && keyHeads && *keyHeads > 0 &&
                           (isGrouped ? *heads % *keyHeads == 0 : *heads == *keyHeads);
    return fitsHeads && mayBeEqual(query[0], key[0]) && mayBeEqual(query[0], value[0]) &&
           mayBeEqual(key[1], value[1]) && mayBeEqual(query[3], key[3]) &&
           mayBeEqual(key[2], value[2]);
  }

  AtenNode &m_node;
};
} // namespace

static bool readAttention(AtenNode &node) { return Attention(node).read(); }

static constexpr AtenRule kAtenContractionRules[] = {
    {"aten._scaled_dot_product_flash_attention_for_cpu", readAttention},
    {"aten.addmm", readAddmm},
    {"aten.baddbmm", readBaddbmm},
    {"aten.bmm", readProduct},
    {"aten.dot", readProduct},
    {"aten.linear", readLinear},
    {"aten.matmul", readProduct},
    {"aten.mm", readProduct},
    {"aten.mv", readProduct},
    {"aten.scaled_dot_product_attention", readAttention},
};

std::span<const AtenRule> atenContractionRules() { return kAtenContractionRules; }

} // namespace tilescope::model
