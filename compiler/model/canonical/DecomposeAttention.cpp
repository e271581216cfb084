// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// softmax(scale · Q · Kᵀ + mask) · V. Where several heads of queries share one of keys, it is repeated, which costs nothing
// in a kernel of attention; of few queries, their rows lie below each other, so that the product takes them as one matrix.
#include "compiler/model/canonical/Decompose.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

/// More elements of a causal mask are not made in advance.
static constexpr int64_t kMostMask = 1 << 26;
/// So many are numbers; more of them are truths, of a bit each.
static constexpr int64_t kMostNumbers = 1 << 22;

/// Of fewer queries a kernel of attention would compute more rows than there are.
static constexpr int64_t kFewQueries = 16;

/// What a kernel of attention holds of a row of queries, keys and values.
static constexpr int64_t kLongestRow = 128;

static constexpr double kNone = -std::numeric_limits<double>::infinity();

/// [batch, heads, length, width]
static Value withHeads(TensorOps &ops, Value value, int64_t heads) {
  const ArrayRef<int64_t> shape = TensorOps::shapeOf(value);
  if (shape.size() == 4)
    return value;
  const Value split = ops.reshape(value, {shape[0], shape[1], heads, shape[2] / heads});
  return ops.transpose(split, {0, 2, 1, 3});
}

namespace {
/// What hides keys from queries: truths of which ones are seen, and what is added to the scores, where that is -inf.
class Mask {
public:
  Mask(tm::AttentionOp op, TensorOps &ops, Type work, int64_t queries, int64_t keys, int64_t past)
      : m_op(op), m_ops(ops), m_work(work), m_queries(queries), m_keys(keys), m_past(past) {}

  /// The scores, -inf where a query does not see a key.
  Value onto(Value scores) {
    addGiven();
    if (m_op.getCausal())
      addCausal();
    if (m_op.getValidLengths())
      see(m_ops.compare(tm::Comparison::Less, m_ops.counted({1, m_keys}, integer()), lengths()));
    if (m_seen && !m_mask)
      return m_ops.where(m_seen, scores, m_ops.number(kNone, m_work));
    if (m_seen)
      add(m_ops.where(m_seen, m_ops.number(0, m_work), m_ops.number(kNone, m_work)));
    return m_mask ? m_ops.binary<tm::AddOp>(scores, m_mask) : scores;
  }

private:
  Value lengths() {
    const Value lengths = m_ops.cast(m_op.getValidLengths(), integer());
    return m_ops.reshape(lengths, {TensorOps::shapeOf(lengths)[0], 1, 1, 1});
  }
  Type integer() { return IntegerType::get(m_op.getContext(), 32); }
  void add(Value mask) { m_mask = m_mask ? m_ops.binary<tm::AddOp>(m_mask, mask) : mask; }
  void see(Value seen) { m_seen = m_seen ? m_ops.binary<tm::AndOp>(m_seen, seen) : seen; }

  /// A shorter one hides the keys behind its end.
  void addGiven() {
    Value mask = m_op.getMask();
    if (!mask)
      return;
    const ArrayRef<int64_t> shape = TensorOps::shapeOf(mask);
    const bool isTruth = TensorOps::elementOf(mask).isInteger(1);
    if (isTruth && shape.back() == m_keys)
      return see(mask);
    if (isTruth)
      mask = m_ops.where(mask, m_ops.number(0, m_work), m_ops.number(kNone, m_work));
    mask = m_ops.cast(mask, m_work);
    if (shape.back() < m_keys) {
      SmallVector<int64_t> rest(shape);
      rest.back() = m_keys - shape.back();
      const Value none = m_ops.expand(m_ops.number(kNone, m_work), rest);
      mask = m_ops.concat(mask, none, int64_t(shape.size()) - 1);
    }
    add(mask);
  }

  void addCausal() {
    if (m_op.getValidLengths() && !m_op.getPastKey()) {
      const Value begin =
          m_ops.binary<tm::SubOp>(lengths(), m_ops.number(double(m_queries), integer()));
      const Value query = m_ops.binary<tm::AddOp>(begin, m_ops.counted({m_queries, 1}, integer()));
      see(m_ops.compare(tm::Comparison::LessEqual, m_ops.counted({1, m_keys}, integer()), query));
      return;
    }
    if (m_queries * m_keys > kMostNumbers)
      return see(causalTruths());
    SmallVector<APFloat> values;
    const llvm::fltSemantics &semantics = ::mlir::cast<FloatType>(m_work).getFloatSemantics();
    for (int64_t query = 0; query < m_queries; ++query)
      for (int64_t key = 0; key < m_keys; ++key)
        values.push_back(key <= query + m_past ? APFloat::getZero(semantics)
                                               : APFloat::getInf(semantics, true));
    add(m_ops.constant<APFloat>({m_queries, m_keys}, m_work, values));
  }

  Value causalTruths() {
    SmallVector<bool> isSeen;
    isSeen.reserve(size_t(m_queries * m_keys));
    for (int64_t query = 0; query < m_queries; ++query)
      for (int64_t key = 0; key < m_keys; ++key)
        isSeen.push_back(key <= query + m_past);
    return m_ops.constant<bool>({m_queries, m_keys}, IntegerType::get(m_op.getContext(), 1),
                                isSeen);
  }

  tm::AttentionOp m_op;
  TensorOps &m_ops;
  Type m_work;
  int64_t m_queries, m_keys, m_past;
  Value m_mask, m_seen;
};
} // namespace

/// Whether a query may see no key at all. A causal one sees the first.
static bool mayBeEmpty(tm::AttentionOp op) { return op.getMask() || op.getValidLengths(); }

static Value softcapped(TensorOps &ops, Value scores, double cap, Type work) {
  if (cap <= 0)
    return scores;
  const Value limit = ops.number(cap, work);
  return ops.binary<tm::MulOp>(ops.unary<tm::TanhOp>(ops.binary<tm::DivOp>(scores, limit)), limit);
}

/// [batch, heads, length, width] of fewer heads, each for several that lie behind each other.
static Value repeatedHeads(TensorOps &ops, Value value, int64_t heads) {
  const SmallVector<int64_t> shape(TensorOps::shapeOf(value));
  if (shape[1] == heads)
    return value;
  const Value apart = ops.reshape(value, {shape[0], shape[1], 1, shape[2], shape[3]});
  const Value several =
      ops.expand(apart, {shape[0], shape[1], heads / shape[1], shape[2], shape[3]});
  return ops.reshape(several, {shape[0], heads, shape[2], shape[3]});
}

Replacement decomposeAttention(Operation *operation, TensorOps &ops) {
  auto op = dyn_cast<tm::AttentionOp>(operation);
  if (!op)
    return {};
  const Type element = TensorOps::elementOf(op.getQuery());
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return {};
  const Type work = Float32Type::get(op.getContext());
  const Value query = withHeads(ops, op.getQuery(), int64_t(op.getQueryHeads()));
  Value key = withHeads(ops, op.getKey(), int64_t(op.getKeyHeads()));
  Value value = withHeads(ops, op.getValue(), int64_t(op.getKeyHeads()));
  const int64_t past = op.getPastKey() ? TensorOps::shapeOf(op.getPastKey())[2] : 0;
  if (op.getPastKey() && op.getPastValue()) {
    key = ops.concat(op.getPastKey(), key, 2);
    value = ops.concat(op.getPastValue(), value, 2);
  }
  const SmallVector<int64_t> q(TensorOps::shapeOf(query)), k(TensorOps::shapeOf(key));
  const int64_t width = TensorOps::shapeOf(value)[3];
  if (k[1] == 0 || q[1] % k[1] != 0 || (op.getCausal() && q[2] * k[2] > kMostMask))
    return {};
  const double scale =
      op.getScale() ? op.getScale()->convertToDouble() : 1 / std::sqrt(double(q[3]));
  const bool isOneKernel =
      q[2] >= kFewQueries && q[3] <= kLongestRow && width <= kLongestRow && op.getNumResults() < 4;
  const int64_t heads = isOneKernel ? q[1] : k[1];
  const Value keys = repeatedHeads(ops, key, heads), values = repeatedHeads(ops, value, heads);
  const Value rows = ops.reshape(query, {q[0], heads, q[1] / heads * q[2], q[3]});
  Value scores = ops.matmul(rows, ops.transpose(keys, {0, 1, 3, 2}), work);
  scores = ops.reshape(scores, {q[0], q[1], q[2], k[2]});
  scores = ops.binary<tm::MulOp>(scores, ops.number(scale, work));
  scores = softcapped(ops, scores, op.getSoftcap().convertToDouble(), work);
  const Value masked = Mask(op, ops, work, q[2], k[2], past).onto(scores);
  const Value weights =
      ops.make<tm::SoftmaxOp>(masked.getType(), masked, ArrayRef<int64_t>{3}, mayBeEmpty(op));
  const Value seen =
      ops.reshape(ops.cast(weights, element), {q[0], heads, q[1] / heads * q[2], k[2]});
  Value result = ops.reshape(ops.matmul(seen, values, element), {q[0], q[1], q[2], width});
  if (TensorOps::shapeOf(op.getResult()).size() == 3)
    result = ops.reshape(ops.transpose(result, {0, 2, 1, 3}), TensorOps::shapeOf(op.getResult()));
  Replacement results{result};
  const int64_t mode = int64_t(op.getWeightsMode());
  if (op.getNumResults() > 1)
    results.append({key, value,
                    ops.cast(mode == 3   ? weights
                             : mode == 2 ? masked
                                         : scores,
                             element)});
  return results;
}

} // namespace tilescope::model
