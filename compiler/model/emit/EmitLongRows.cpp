// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rows that no program holds. A program goes through the pieces of its row once for each number that it needs of the
// whole row, and once more for the elements of the results:
//
//   softmax of rows of 20,000        loop    largest
//                                    loop    total of exp(x - largest)
//                                    loop    exp(x - largest) / total, stored
//
// What was computed for a piece is computed again in the next loop: registers hold one piece. From the second loop on
// most of the row is in the cache.
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/RowKernel.h"

using namespace mlir;

namespace tilescope::model {

static constexpr int64_t kPiece = 4096;
/// Longer rows are left to several kernels, where there are so few rows that most multiprocessors would be idle.
static constexpr int64_t kLongOfFew = 65536, kFewLongRows = 64;

static bool dependsOn(Value value, Operation *operation, const Group &group) {
  Operation *maker = value.getDefiningOp();
  if (!maker || !group.contains(maker))
    return false;
  return maker == operation || llvm::any_of(maker->getOperands(), [&](Value operand) {
           return dependsOn(operand, operation, group);
         });
}

namespace {
class LongRows {
public:
  LongRows(const Group &group, RowKernel &row)
      : m_group(group), m_row(row), m_expressions(group, row.kernel, "        ") {
    row.elements = m_expressions.add({row.rows.shape, "at", "mask", {}, true});
    row.perRow = m_expressions.add({row.rows.kept(), "row", "", {}, true});
    m_pieces = "    for begin in range(0, reduced, BLOCK):\n"
               "        place = begin + tl.arange(0, BLOCK)\n"
               "        mask = place < reduced\n"
               "        at = " +
               placesText(row) + "\n";
  }

  bool add(Operation *reduction);
  bool store();
  const std::string &reason() const { return m_expressions.reason(); }
  std::string takeBody() { return std::move(m_body); }

private:
  /// A reduction's result, or the two that a softmax is made of.
  struct Known {
    Operation *operation;
    std::string name, total = {};
  };

  std::string elementsOf(Value value);
  void provideSoftmaxes(ArrayRef<Value> wanted);
  std::string combine(tm::ReduceKind kind, const std::string &x, Type element,
                      const std::string &wanted);
  bool addArg(tm::ArgReduceOp op);
  bool addSoftmax(Operation *softmax);
  void endLoop(const std::string &before, const std::string &behind);
  void startLoop();

  const Group &m_group;
  RowKernel &m_row;
  Expressions m_expressions;
  std::string m_pieces, m_body = "    row = tl.program_id(0)\n";
  std::vector<Known> m_known;
};
} // namespace

/// Elements of the next loop have nothing of those before but what is known of the whole row.
void LongRows::startLoop() {
  m_expressions.forget();
  for (const Known &each : m_known)
    if (each.total.empty())
      provideRow(m_expressions, m_row, each.operation->getResult(0), each.name);
}

void LongRows::endLoop(const std::string &before, const std::string &behind) {
  m_body += before + m_pieces + m_expressions.takeLines() + behind;
}

/// Computes the elements of softmaxes that are needed in this loop.
void LongRows::provideSoftmaxes(ArrayRef<Value> wanted) {
  for (const Known &each : m_known) {
    const auto isNeeded = [&](Value value) { return dependsOn(value, each.operation, m_group); };
    if (each.total.empty() || llvm::none_of(wanted, isNeeded))
      continue;
    const std::string x = elementsOf(each.operation->getOperand(0));
    if (x.empty())
      return;
    const std::string shifted = x + " - " + each.name;
    const std::string name =
        m_expressions.unusedName(each.operation->getName().stripDialect().str());
    m_expressions.line(name + " = " +
                       (isa<tm::LogSoftmaxOp>(each.operation)
                            ? shifted + " - tl.log(" + each.total + ")"
                            : "tl.exp(" + shifted + ") / " + each.total));
    m_expressions.provide(each.operation->getResult(0),
                          m_expressions.whole(m_row.elements, m_row.rows.shape), name);
  }
}

std::string LongRows::elementsOf(Value value) {
  const ElementView whole = m_expressions.whole(m_row.elements, m_row.rows.shape);
  return m_expressions.evaluate(value, whole);
}

/// Ends the loop with the name of what all `x` come to.
std::string LongRows::combine(tm::ReduceKind kind, const std::string &x, Type element,
                              const std::string &wanted) {
  const std::string name = m_expressions.unusedName(wanted), part = name + "_part";
  const std::string other = neutralText(kind, element);
  m_expressions.line(part + " = " +
                     accumulated(kind, part, "tl.where(mask, " + x + ", " + other + ")"));
  endLoop("    " + part + " = tl.full([BLOCK], " + other + ", " + combinedType(element) + ")\n",
          "    " + name + " = " + combined(kind, part, m_row.axis) + "\n");
  return name;
}

bool LongRows::addSoftmax(Operation *softmax) {
  const Value operand = softmax->getOperand(0);
  const Type element = tensorType(operand).getElementType();
  const std::string x = elementsOf(operand);
  if (x.empty())
    return false;
  const std::string largest = combine(tm::ReduceKind::Max, x, element, "largest");
  startLoop();
  provideSoftmaxes(operand);
  const std::string powers = "tl.exp(" + elementsOf(operand) + " - " + largest + ")";
  m_known.push_back({softmax, largest, combine(tm::ReduceKind::Sum, powers, element, "total")});
  return true;
}

/// Each lane keeps the best element that it has seen, and its place.
bool LongRows::addArg(tm::ArgReduceOp op) {
  const Type element = tensorType(op.getOperand()).getElementType();
  const std::string x = elementsOf(op.getOperand());
  if (x.empty())
    return false;
  const std::string name = m_expressions.unusedName("index");
  const std::string best = name + "_best", part = name + "_part";
  const std::string sign =
      std::string(op.getKind() == tm::ReduceKind::Max ? " >" : " <") + (op.getLast() ? "= " : " ");
  m_expressions.line("is_better = mask & (" + x + sign + best + ")");
  m_expressions.line(best + " = tl.where(is_better, " + x + ", " + best + ")");
  m_expressions.line(part + " = tl.where(is_better, place, " + part + ")");
  const std::string isBest = best + " == " + combined(op.getKind(), best, m_row.axis);
  endLoop("    " + best + " = tl.full([BLOCK], " + neutralText(op.getKind(), element) + ", " +
              combinedType(element) + ")\n    " + part + " = tl.arange(0, BLOCK)\n",
          // What follows computes with 64 bits, as the model does.
          "    " + name + " = " +
              (op.getLast() ? "tl.max(tl.where(" + isBest + ", " + part + ", -1), "
                            : "tl.min(tl.where(" + isBest + ", " + part + ", reduced), ") +
              m_row.axis + ").to(tl.int64)\n");
  m_known.push_back({op, name});
  return true;
}

bool LongRows::add(Operation *reduction) {
  startLoop();
  provideSoftmaxes(reduction->getOperand(0));
  if (auto op = dyn_cast<tm::ArgReduceOp>(reduction))
    return addArg(op);
  auto op = dyn_cast<tm::ReduceOp>(reduction);
  if (!op)
    return addSoftmax(reduction);
  const std::string x = elementsOf(op.getOperand());
  if (x.empty())
    return false;
  const Type element = tensorType(op.getOperand()).getElementType();
  m_known.push_back({op, combine(op.getKind(), x, element, nameOfKind(op.getKind()))});
  return true;
}

bool LongRows::store() {
  std::vector<Value> whole, ofRows;
  for (const Value output : m_group.outputs())
    (isWhole(m_row, output, true) ? whole : ofRows).push_back(output);
  startLoop();
  provideSoftmaxes(whole);
  if (!storeRows(m_group, whole, m_expressions, m_row, true))
    return false;
  if (!whole.empty())
    endLoop("", "");
  startLoop();
  m_expressions.setIndent("    ");
  if (!storeRows(m_group, ofRows, m_expressions, m_row, false))
    return false;
  m_body += m_expressions.takeLines();
  return true;
}

/// Why there is no kernel for such rows; empty: there is one.
static std::string refusal(const Group &group, const RowKernel &row,
                           ArrayRef<Operation *> reductions) {
  const std::string rows = "rows of " + std::to_string(row.rows.count(true)) + " elements ";
  if (llvm::any_of(reductions, llvm::IsaPred<tm::CumSumOp>))
    return rows + "are not held in registers, which cumulative sums need";
  if (group.operations.size() > 1 && rowsBeside(row.rows))
    return rows + "that lie beside each other are combined by a kernel of their own";
  if (group.operations.size() > 1 && row.rows.count(true) > kLongOfFew &&
      row.rows.count(false) < kFewLongRows)
    return rows + "would each be gone through by one program, and there are few of them";
  return "";
}

GroupKernel emitLongRows(const Group &group, RowKernel &row, ArrayRef<Operation *> reductions) {
  if (std::string reason = refusal(group, row, reductions); !reason.empty())
    return {std::nullopt, std::move(reason)};
  LongRows rows(group, row);
  for (Operation *reduction : reductions)
    if (!rows.add(reduction))
      return {std::nullopt, rows.reason()};
  if (!rows.store())
    return {std::nullopt, rows.reason()};
  EmittedKernel &kernel = row.kernel;
  kernel.body = rows.takeBody();
  kernel.constexprs = {{"BLOCK", kPiece}};
  kernel.options = {{"num_warps", 16}};
  return {std::move(kernel), ""};
}

} // namespace tilescope::model
