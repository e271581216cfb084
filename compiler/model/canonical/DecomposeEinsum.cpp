// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sums of products become products of matrices, two operands at a time:
//
//   bhid, bhjd -> bhij     becomes     reshape [b h, i, d], transpose [b h, d, j], matmul, reshape
#include "compiler/model/canonical/Decompose.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// A letter; the axes of `...` have numbers below 0, counted from the last one.
using Label = int;
using Labels = llvm::SmallSetVector<Label, 8>;

/// A tensor whose axes have labels, each once.
struct Labeled {
  Value value;
  Labels labels;

  int64_t axisOf(Label label) const { return llvm::find(labels, label) - labels.begin(); }
};

class Einsum {
public:
  Einsum(tm::EinsumOp op, TensorOps &ops) : m_op(op), m_ops(ops) {}

  Value result() {
    std::string equation = m_op.getEquation().str();
    std::erase(equation, ' ');
    const auto [inputs, output] = StringRef(equation).split("->");
    SmallVector<StringRef> terms;
    inputs.split(terms, ',');
    SmallVector<Labeled> factors;
    for (const auto &[term, operand] : llvm::zip_equal(terms, m_op.getOperands()))
      factors.push_back(withSingleLabels(operand, labelsOf(term, TensorOps::shapeOf(operand))));
    const Labels wanted = StringRef(equation).contains("->") ? outputOf(output) : impliedOutput();
    Labeled all = factors.front();
    for (size_t i = 1; i < factors.size(); ++i) {
      Labels needed = wanted;
      for (size_t later = i + 1; later < factors.size(); ++later)
        needed.insert(factors[later].labels.begin(), factors[later].labels.end());
      all = product(summed(all, needed, factors[i].labels), summed(factors[i], needed, all.labels),
                    needed);
    }
    all = summed(all, wanted, {});
    return m_ops.expand(arranged(all, wanted), extentsOf(wanted));
  }

private:
  SmallVector<Label> labelsOf(StringRef term, ArrayRef<int64_t> shape) {
    SmallVector<Label> labels;
    while (!term.empty()) {
      if (term.consume_front("...")) {
        const auto others = int64_t(shape.size()) - int64_t(labels.size() + term.size());
        for (int64_t i = 0; i < others; ++i)
          labels.push_back(Label(i - others));
        m_numOthers = std::max(m_numOthers, others);
        continue;
      }
      labels.push_back(term.front());
      term = term.drop_front();
    }
    for (const auto &[label, extent] : llvm::zip_equal(labels, shape)) {
      auto &[whole, uses] = m_labels[label];
      whole = uses == 0 || whole == 1 ? extent : whole;
      ++uses;
    }
    return labels;
  }

  Labels outputOf(StringRef term) const {
    Labels labels;
    while (!term.empty()) {
      if (term.consume_front("...")) {
        insertOthers(labels);
        continue;
      }
      labels.insert(term.front());
      term = term.drop_front();
    }
    return labels;
  }

  /// The letters that occur once, in the order of the alphabet.
  Labels impliedOutput() const {
    Labels labels;
    insertOthers(labels);
    SmallVector<Label> letters;
    for (const auto &[label, use] : m_labels)
      if (label >= 0 && use.second == 1)
        letters.push_back(label);
    llvm::sort(letters);
    labels.insert(letters.begin(), letters.end());
    return labels;
  }

  void insertOthers(Labels &labels) const {
    for (int64_t i = 0; i < m_numOthers; ++i)
      labels.insert(Label(i - m_numOthers));
  }

  /// Of axes with the same label only the diagonal is left.
  Labeled withSingleLabels(Value value, SmallVector<Label> labels) {
    for (size_t first = 0; first < labels.size(); ++first)
      for (size_t second = labels.size() - 1; second > first; --second)
        if (labels[second] == labels[first]) {
          value = diagonal(value, first, second);
          labels.erase(labels.begin() + int64_t(second));
          // It is the last axis now.
          std::rotate(labels.begin() + int64_t(first), labels.begin() + int64_t(first) + 1,
                      labels.end());
          second = labels.size();
        }
    return {value, Labels(labels.begin(), labels.end())};
  }

  /// Both axes side by side are one, of which each (n + 1)-th element is wanted.
  Value diagonal(Value value, size_t first, size_t second) {
    SmallVector<int64_t> order, shape;
    for (size_t axis = 0; axis < TensorOps::shapeOf(value).size(); ++axis)
      if (axis != first && axis != second) {
        order.push_back(int64_t(axis));
        shape.push_back(TensorOps::shapeOf(value)[axis]);
      }
    const int64_t extent = TensorOps::shapeOf(value)[first];
    const auto last = int64_t(shape.size());
    order.append({int64_t(first), int64_t(second)});
    shape.push_back(extent * extent);
    return m_ops.slice(m_ops.reshape(m_ops.transpose(value, order), shape), last, 0, extent,
                       extent + 1);
  }

  /// Without axes that neither the result nor the other factor has.
  Labeled summed(Labeled factor, const Labels &needed, const Labels &others) {
    SmallVector<int64_t> axes;
    Labels left;
    for (const auto &[axis, label] : llvm::enumerate(factor.labels))
      if (needed.contains(label) || others.contains(label))
        left.insert(label);
      else
        axes.push_back(int64_t(axis));
    if (axes.empty())
      return factor;
    SmallVector<int64_t> shape;
    for (const Label label : left)
      shape.push_back(TensorOps::shapeOf(factor.value)[size_t(factor.axisOf(label))]);
    return {m_ops.reshape(m_ops.reduce(tm::ReduceKind::Sum, factor.value, axes), shape), left};
  }

  SmallVector<int64_t> extentsOf(const Labels &labels) const {
    SmallVector<int64_t> extents;
    for (const Label label : labels)
      extents.push_back(m_labels.lookup(label).first);
    return extents;
  }

  /// The axes in this order; those that it does not have are 1.
  Value arranged(const Labeled &factor, const Labels &labels) {
    SmallVector<int64_t> order, shape;
    for (const Label label : labels) {
      const bool isOwn = factor.labels.contains(label);
      if (isOwn)
        order.push_back(factor.axisOf(label));
      shape.push_back(isOwn ? TensorOps::shapeOf(factor.value)[size_t(order.back())] : 1);
    }
    const Value moved =
        llvm::is_sorted(order) ? factor.value : m_ops.transpose(factor.value, order);
    return m_ops.reshape(moved, shape);
  }

  Labeled product(const Labeled &a, const Labeled &b, const Labels &needed) {
    Labels both, onlyLeft, onlyRight, dropped;
    for (const Label label : a.labels)
      (!b.labels.contains(label) ? onlyLeft
       : needed.contains(label)  ? both
                                 : dropped)
          .insert(label);
    for (const Label label : b.labels)
      if (!a.labels.contains(label))
        onlyRight.insert(label);
    const Type element = TensorOps::elementOf(a.value);
    if (!dropped.empty() && (element.isF32() || element.isF16() || element.isBF16()))
      return matrices(a, b, {both, onlyLeft, onlyRight, dropped});
    Labels labels = both;
    for (const Labels *more : {&onlyLeft, &onlyRight, &dropped})
      labels.insert(more->begin(), more->end());
    const Value value = m_ops.binary<tm::MulOp>(arranged(a, labels), arranged(b, labels));
    return summed({value, labels}, needed, {});
  }

  struct Parts {
    Labels both, onlyLeft, onlyRight, dropped;
  };

  Labeled matrices(const Labeled &a, const Labeled &b, const Parts &parts) {
    const auto count = [&](const Labels &labels) { return llvm::product_of(extentsOf(labels)); };
    const auto factor = [&](const Labeled &each, const Labels &first, const Labels &second) {
      Labels labels = parts.both;
      labels.insert(first.begin(), first.end());
      labels.insert(second.begin(), second.end());
      const Value whole = m_ops.expand(arranged(each, labels), extentsOf(labels));
      return m_ops.reshape(whole, {count(parts.both), count(first), count(second)});
    };
    const Value value =
        m_ops.matmul(factor(a, parts.onlyLeft, parts.dropped),
                     factor(b, parts.dropped, parts.onlyRight), TensorOps::elementOf(a.value));
    Labels labels = parts.both;
    labels.insert(parts.onlyLeft.begin(), parts.onlyLeft.end());
    labels.insert(parts.onlyRight.begin(), parts.onlyRight.end());
    return {m_ops.reshape(value, extentsOf(labels)), labels};
  }

  tm::EinsumOp m_op;
  TensorOps &m_ops;
  /// The extent of each label, and how often it occurs.
  llvm::MapVector<Label, std::pair<int64_t, int>> m_labels;
  int64_t m_numOthers = 0;
};
} // namespace

Replacement decomposeEinsum(Operation *operation, TensorOps &ops) {
  auto op = dyn_cast<tm::EinsumOp>(operation);
  const bool hasElements = op && llvm::all_of(op->getOperandTypes(), [](Type type) {
                             return cast<RankedTensorType>(type).getNumElements() > 0;
                           });
  return hasElements ? Replacement{Einsum(op, ops).result()} : Replacement();
}

} // namespace tilescope::model
