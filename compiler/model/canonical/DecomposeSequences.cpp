// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Positions and steps of sequences: rotated pairs, and a memory that each step changes.
#include "compiler/model/canonical/Decompose.h"

using namespace mlir;

namespace tilescope::model {

/// Longer sequences are not written out step by step.
static constexpr int64_t kMostSteps = 128;

namespace {
/// The two halves of the pairs that are rotated together.
struct Pairs {
  Value first, second;
};
} // namespace

/// Pairs lie beside each other where they are interleaved, else the seconds behind all firsts.
static Pairs pairsOf(TensorOps &ops, Value x, bool isInterleaved) {
  const auto last = int64_t(TensorOps::shapeOf(x).size()) - 1;
  const int64_t half = TensorOps::shapeOf(x).back() / 2;
  if (isInterleaved)
    return {ops.slice(x, last, 0, half, 2), ops.slice(x, last, 1, half, 2)};
  return {ops.slice(x, last, 0, half), ops.slice(x, last, half, half)};
}

static Value joined(TensorOps &ops, const Pairs &pairs, bool isInterleaved) {
  SmallVector<int64_t> shape(TensorOps::shapeOf(pairs.first));
  const auto last = int64_t(shape.size()) - 1;
  if (!isInterleaved)
    return ops.concat(pairs.first, pairs.second, last);
  SmallVector<int64_t> single(shape);
  single.push_back(1);
  shape.back() *= 2;
  return ops.reshape(
      ops.concat(ops.reshape(pairs.first, single), ops.reshape(pairs.second, single), last + 1),
      shape);
}

/// [batch, heads, length, width], or [batch, length, heads * width].
static Replacement rotary(tm::RotaryOp op, TensorOps &ops) {
  const SmallVector<int64_t> shape(TensorOps::shapeOf(op.getOperand()));
  const bool hasHeads = shape.size() == 4;
  const auto heads = hasHeads ? shape[1] : int64_t(op.getHeads());
  if (!hasHeads && (shape.size() != 3 || heads < 1 || shape[2] % heads != 0))
    return {};
  const int64_t length = hasHeads ? shape[2] : shape[1];
  const int64_t width = hasHeads ? shape[3] : shape[2] / heads;
  const int64_t rotated = op.getDimensions() == 0 ? width : int64_t(op.getDimensions());
  if (rotated > width || rotated % 2 != 0)
    return {};
  const Value x =
      hasHeads ? op.getOperand() : ops.reshape(op.getOperand(), {shape[0], length, heads, width});
  // One angle for all heads.
  SmallVector<int64_t> angleShape{shape[0], length, length, rotated / 2};
  angleShape[hasHeads ? 1 : 2] = 1;
  const auto angles = [&](Value table) {
    if (op.getPositions())
      table = ops.gather(table, op.getPositions(), 0);
    return ops.reshape(table, angleShape);
  };
  const Value cosines = angles(op.getCosines()), sines = angles(op.getSines());
  const Pairs pairs = pairsOf(ops, ops.slice(x, 3, 0, rotated), op.getInterleaved());
  const auto product = [&](Value a, Value b) { return ops.binary<tm::MulOp>(a, b); };
  const Pairs turned{
      ops.binary<tm::SubOp>(product(pairs.first, cosines), product(pairs.second, sines)),
      ops.binary<tm::AddOp>(product(pairs.first, sines), product(pairs.second, cosines))};
  Value result = joined(ops, turned, op.getInterleaved());
  if (rotated < width)
    result = ops.concat(result, ops.slice(x, 3, rotated, width - rotated), 3);
  return {ops.reshape(result, shape)};
}

namespace {
/// One direction of a long short-term memory. Gates come in the order input, output, forget, cell.
class Memory {
public:
  Memory(tm::LstmOp op, TensorOps &ops, int64_t direction, bool isReverse)
      : m_op(op), m_ops(ops), m_direction(direction), m_isReverse(isReverse),
        m_size(int64_t(op.getHiddenSize())) {
    const SmallVector<int64_t> shape(TensorOps::shapeOf(op.getOperand()));
    m_steps = shape[op.getBatchFirst() ? 1 : 0];
    m_batch = shape[op.getBatchFirst() ? 0 : 1];
    m_element = TensorOps::elementOf(op.getOperand());
  }

  /// The hidden states of all steps, [batch, size] each, and `hidden` and `cell` of the last one.
  SmallVector<Value> states;
  Value hidden, cell;

  void run() {
    const Value inputs = gatesOfInputs();
    const Value weights = m_ops.transpose(own(m_op.getStateWeights()), {1, 0});
    hidden = initial(m_op.getHidden());
    cell = initial(m_op.getCell());
    states.resize(size_t(m_steps));
    for (int64_t i = 0; i < m_steps; ++i)
      step(m_isReverse ? m_steps - 1 - i : i, inputs, weights);
  }

private:
  /// The part of a tensor that has one for each direction in front.
  Value own(Value all) {
    const SmallVector<int64_t> shape(TensorOps::shapeOf(all).drop_front());
    return m_ops.reshape(m_ops.slice(all, 0, m_direction, 1), shape);
  }

  Value initial(Value given) {
    if (!given)
      return m_ops.expand(m_ops.number(0, m_element), {m_batch, m_size});
    return own(m_op.getBatchFirst() ? m_ops.transpose(given, {1, 0, 2}) : given);
  }

  /// What the inputs of all steps add to the gates, in one product: [steps, batch, 4 * size].
  Value gatesOfInputs() {
    Value x = m_op.getOperand();
    if (m_op.getBatchFirst())
      x = m_ops.transpose(x, {1, 0, 2});
    const int64_t width = TensorOps::shapeOf(x)[2];
    const Value weights = m_ops.transpose(own(m_op.getInputWeights()), {1, 0});
    Value gates = m_ops.matmul(m_ops.reshape(x, {m_steps * m_batch, width}), weights, m_element);
    if (m_op.getBias()) {
      const Value bias = own(m_op.getBias());
      gates = add(add(gates, m_ops.slice(bias, 0, 0, 4 * m_size)),
                  m_ops.slice(bias, 0, 4 * m_size, 4 * m_size));
    }
    return m_ops.reshape(gates, {m_steps, m_batch, 4 * m_size});
  }

  Value add(Value a, Value b) { return m_ops.binary<tm::AddOp>(a, b); }
  Value product(Value a, Value b) { return m_ops.binary<tm::MulOp>(a, b); }

  /// With what the gate sees of the cell, where there are weights for that.
  Value peeked(Value gate, Value seen, int64_t which) {
    if (!m_op.getPeepholes())
      return gate;
    const Value weights = m_ops.slice(own(m_op.getPeepholes()), 0, which * m_size, m_size);
    return add(gate, product(seen, weights));
  }

  void step(int64_t at, Value inputs, Value weights) {
    const Value own = m_ops.reshape(m_ops.slice(inputs, 0, at, 1), {m_batch, 4 * m_size});
    const Value gates = add(own, m_ops.matmul(hidden, weights, m_element));
    const auto gate = [&](int64_t which) { return m_ops.slice(gates, 1, which * m_size, m_size); };
    const Value input = m_ops.unary<tm::SigmoidOp>(peeked(gate(0), cell, 0));
    const Value forget = m_op.getCouplesForget()
                             ? m_ops.binary<tm::SubOp>(m_ops.number(1, m_element), input)
                             : m_ops.unary<tm::SigmoidOp>(peeked(gate(2), cell, 2));
    const Value content =
        add(product(forget, cell), product(input, m_ops.unary<tm::TanhOp>(gate(3))));
    const Value output = m_ops.unary<tm::SigmoidOp>(peeked(gate(1), content, 1));
    const Value state = product(output, m_ops.unary<tm::TanhOp>(content));
    keep(at, state, content);
  }

  /// Behind the end of a sequence nothing changes, and the states are 0.
  void keep(int64_t at, Value state, Value content) {
    states[size_t(at)] = state;
    if (m_op.getLengths()) {
      const Value lengths = m_ops.reshape(m_op.getLengths(), {m_batch, 1});
      const Value isInside = m_ops.compare(tm::Comparison::Greater, lengths,
                                           m_ops.number(double(at), TensorOps::elementOf(lengths)));
      states[size_t(at)] = m_ops.where(isInside, state, m_ops.number(0, m_element));
      state = m_ops.where(isInside, state, hidden);
      content = m_ops.where(isInside, content, cell);
    }
    hidden = state;
    cell = content;
  }

  tm::LstmOp m_op;
  TensorOps &m_ops;
  int64_t m_direction;
  bool m_isReverse;
  int64_t m_size, m_steps = 0, m_batch = 0;
  Type m_element;
};
} // namespace

static Value stacked(TensorOps &ops, ArrayRef<Value> values) {
  SmallVector<Value> rows;
  for (const Value value : values) {
    SmallVector<int64_t> shape(TensorOps::shapeOf(value));
    shape.insert(shape.begin(), 1);
    rows.push_back(ops.reshape(value, shape));
  }
  return ops.concat(rows, 0);
}

static Replacement lstm(tm::LstmOp op, TensorOps &ops) {
  const ArrayRef<int64_t> shape = TensorOps::shapeOf(op.getOperand());
  const int64_t steps = shape[op.getBatchFirst() ? 1 : 0];
  const Type element = TensorOps::elementOf(op.getOperand());
  if (steps < 1 || steps > kMostSteps || !(element.isF32() || element.isF16() || element.isBF16()))
    return {};
  // A reverse one is the only one, or the second of both.
  const bool isReverse = op.getDirection() == "reverse";
  const int64_t directions = TensorOps::shapeOf(op.getInputWeights())[0];
  SmallVector<Value> states, hidden, cells;
  for (int64_t direction = 0; direction < directions; ++direction) {
    Memory memory(op, ops, direction, isReverse || direction == 1);
    memory.run();
    states.push_back(stacked(ops, memory.states));
    hidden.push_back(memory.hidden);
    cells.push_back(memory.cell);
  }
  // [directions, steps, batch, size]
  const Value all = stacked(ops, states), last = stacked(ops, hidden), cell = stacked(ops, cells);
  if (op.getBatchFirst())
    return {ops.transpose(all, {2, 1, 0, 3}), ops.transpose(last, {1, 0, 2}),
            ops.transpose(cell, {1, 0, 2})};
  return {ops.transpose(all, {1, 0, 2, 3}), last, cell};
}

Replacement decomposeSequence(Operation *operation, TensorOps &ops) {
  if (auto op = dyn_cast<tm::RotaryOp>(operation))
    return rotary(op, ops);
  if (auto op = dyn_cast<tm::LstmOp>(operation))
    return lstm(op, ops);
  return {};
}

} // namespace tilescope::model
