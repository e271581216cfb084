// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/RowKernel.h"

#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/MovedViews.h"

using namespace mlir;

namespace tilescope::model {

const char *nameOfKind(tm::ReduceKind kind) {
  static constexpr const char *kNames[] = {"total", "mean", "largest", "smallest", "product"};
  return kNames[unsigned(kind)];
}

static bool isMasked(Operation *softmax) {
  auto op = dyn_cast<tm::SoftmaxOp>(softmax);
  return op && op.getMasked();
}

std::string softmaxBase(Operation *softmax, const std::string &largest) {
  if (!isMasked(softmax))
    return largest;
  // The lowest number of the type: what is that low, and not -inf, keeps its place.
  const bool isDouble = tensorType(softmax->getResult(0)).getElementType().isF64();
  return "tl.maximum(" + largest + ", " +
         (isDouble ? "-1.7976931348623157e+308" : "-3.4028234663852886e+38") + ")";
}

std::string softmaxTotal(Operation *softmax, const std::string &total) {
  // A row with something in it has a power of 1.
  return isMasked(softmax) ? "tl.maximum(" + total + ", 1e-30)" : total;
}

std::string combined(tm::ReduceKind kind, const std::string &elements, const std::string &axis) {
  switch (kind) {
  case tm::ReduceKind::Sum:
    return "tl.sum(" + elements + ", " + axis + ")";
  case tm::ReduceKind::Mean:
    return "tl.sum(" + elements + ", " + axis + ") / reduced";
  case tm::ReduceKind::Max:
    return "tl.max(" + elements + ", " + axis + ")";
  case tm::ReduceKind::Min:
    return "tl.min(" + elements + ", " + axis + ")";
  case tm::ReduceKind::Prod:
    break;
  }
  return "tl.reduce(" + elements + ", " + axis + ", combine_fn=product_of)";
}

std::string accumulated(tm::ReduceKind kind, const std::string &part, const std::string &element) {
  switch (kind) {
  case tm::ReduceKind::Max:
    return "tl.maximum(" + part + ", " + element + ")";
  case tm::ReduceKind::Min:
    return "tl.minimum(" + part + ", " + element + ")";
  case tm::ReduceKind::Prod:
    return part + " * " + element;
  case tm::ReduceKind::Sum:
  case tm::ReduceKind::Mean:
    break;
  }
  return part + " + " + element;
}

void provideRow(Expressions &expressions, const RowKernel &row, Value result,
                const std::string &name) {
  const ArrayRef<int64_t> shape = tensorType(result).getShape();
  std::vector<ElementView::Axis> axes;
  for (const auto &[axis, extent] : llvm::enumerate(row.rows.shape)) {
    const bool isReduced = row.rows.isReduced(axis);
    if (isReduced && shape.size() == row.rows.shape.size())
      axes.emplace_back();
    else if (!isReduced)
      axes.push_back(extent == 1 ? ElementView::Axis{} : ElementView::Axis{int64_t(axis), 1, 0});
  }
  expressions.provide(result, expressions.view(row.elements, shape, std::move(axes)), name);
  expressions.provide(result, expressions.whole(row.perRow, shape), name);
}

std::string placesText(RowKernel &row) {
  const std::string begin = row.rows.map(false).text("row", row.kernel, "row");
  const std::string rest = row.rows.map(true).text("place", row.kernel, "place");
  return (begin.empty() ? "" : begin + " + ") + (rest.empty() ? "place" : rest);
}

bool dependsOn(Value value, Operation *operation, const Group &group) {
  Operation *maker = value.getDefiningOp();
  if (!maker || !group.contains(maker))
    return false;
  return maker == operation || llvm::any_of(maker->getOperands(), [&](Value operand) {
           return dependsOn(operand, operation, group);
         });
}

bool isWhole(const RowKernel &row, Value output, bool holdsElements) {
  const RankedTensorType type = tensorType(output);
  // Rows of one element are both; those that reduce are told by their shape.
  return holdsElements && type.getNumElements() == row.rows.count(true) * row.rows.count(false) &&
         (row.rows.count(true) > 1 || type.getShape() == ArrayRef(row.rows.shape));
}

/// What is transposed behind the rows goes to other places.
static ElementView wholeView(const Group &group, const Expressions &expressions,
                             const RowKernel &row, Value output) {
  const ElementView inOrder = expressions.whole(row.elements, tensorType(output).getShape());
  for (Operation *operation : group.operations)
    if (rowsOf(operation))
      if (const auto moved = viewFrom(group, operation->getOperand(0), output,
                                      expressions.whole(row.elements, row.rows.shape)))
        return *moved;
  return inOrder;
}

/// `out`, `out2`, …: parts of a row may be stored one after the other.
static std::string nameOfOutput(const EmittedKernel &kernel, Value output) {
  size_t number = 1;
  for (const EmittedTensor &tensor : kernel.tensors) {
    if (tensor.isResult && tensor.value == output)
      break;
    number += tensor.isResult ? 1 : 0;
  }
  return number == 1 ? "out" : "out" + std::to_string(number);
}

bool storeRows(const Group &group, ArrayRef<Value> outputs, Expressions &expressions,
               RowKernel &row, bool holdsElements) {
  std::vector<std::string> stores;
  for (const Value output : outputs) {
    const RankedTensorType type = tensorType(output);
    const bool hasElements = isWhole(row, output, holdsElements);
    if (!hasElements && type.getNumElements() != row.rows.count(false)) {
      expressions.refuse("`" + tm::nodeName(output.getDefiningOp()) +
                         "` has neither an element for each of the rows' nor one for each row");
      return false;
    }
    const ElementView view = hasElements ? wholeView(group, expressions, row, output)
                                         : expressions.whole(row.perRow, type.getShape());
    const std::string value = expressions.evaluate(output, view);
    if (value.empty())
      return false;
    const std::string name = nameOfOutput(row.kernel, output);
    const std::string place = !hasElements            ? "row"
                              : view.map.isIdentity() ? row.index
                                                      : view.map.text(name, row.kernel, row.index);
    const std::string mask = hasElements ? row.elementMask : row.mask;
    stores.push_back("tl.store(" + name + "_ptr + " + place + ", " + value +
                     (mask.empty() ? ")" : ", mask=" + mask + ")"));
    const auto isThis = [&](const EmittedTensor &each) {
      return each.isResult && each.value == output;
    };
    if (llvm::none_of(row.kernel.tensors, isThis))
      row.kernel.write(name + "_ptr", output, type.getShape(), "");
  }
  for (const std::string &store : stores)
    expressions.line(store);
  return true;
}

} // namespace tilescope::model
