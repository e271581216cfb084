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
// most of the row is in the cache. Of rows that do not begin at a vector's place, the ends are computed apart:
//
//   rows of 50,257 elements of two bytes, vectors of 8:     row 1 begins at 50,257
//                                                           ends         50,257 to 50,263, 100,512 to 100,513
//                                                           pieces from  50,264, whole vectors
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/RowKernel.h"

using namespace mlir;

namespace tilescope::model {

/// Elements of a piece, and the bytes of a softmax's row up to which a multiprocessor has two rows at once: the rows of all
/// of them are to stay in the cache.
static constexpr int64_t kPiece = 4096, kMostBytesOfTwo = int64_t(128) << 10;
/// Longer rows are left to several kernels, where there are so few rows that most multiprocessors would be idle.
static constexpr int64_t kLongOfFew = 65536, kFewLongRows = 64;
static constexpr int64_t kVectorBytes = 16;

/// The bytes of an element that the group reads for each of the rows'; 0: there is none.
static int64_t bytesOfElements(const Group &group, const Rows &rows) {
  int64_t bytes = 0;
  for (Operation *operation : group.operations)
    for (const Value operand : operation->getOperands()) {
      const RankedTensorType type = tensorType(operand);
      if (!(operand.getDefiningOp() && group.contains(operand.getDefiningOp())) &&
          type.getNumElements() == rows.count(true) * rows.count(false))
        bytes = std::max<int64_t>(bytes, type.getElementTypeBitWidth() / 8);
    }
  return bytes;
}

namespace {
class LongRows {
public:
  LongRows(const Group &group, RowKernel &row, bool hasEnds);

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
  /// Elements that are computed in the loop over the pieces, or those of the ends.
  struct Block {
    size_t space;
    std::string index, mask, indent;
  };

  const Block &block() const { return m_blocks[m_current]; }
  void enter(size_t block);
  bool hasEnds() const { return m_blocks.size() > 1; }
  std::string elementsOf(Value value);
  std::string wantedElements(Value value);
  void provideSoftmaxes(ArrayRef<Value> wanted);
  std::string combine(tm::ReduceKind kind, const std::function<std::string()> &element, Type type,
                      const std::string &wanted);
  bool addArg(tm::ArgReduceOp op);
  bool addSoftmax(Operation *softmax);
  void endLoop(const std::string &before, const std::string &behind);
  void startLoop();

  const Group &m_group;
  RowKernel &m_row;
  Expressions m_expressions;
  std::string m_pieces, m_body = "    row = tl.program_id(0)\n";
  std::vector<Block> m_blocks;
  size_t m_current = 0;
  std::vector<Known> m_known;
};
} // namespace

LongRows::LongRows(const Group &group, RowKernel &row, bool hasEnds)
    : m_group(group), m_row(row), m_expressions(group, row.kernel, "        ") {
  m_blocks.push_back(
      {m_expressions.add({row.rows.shape, "at", "mask", {}, true}), "at", "mask", "        "});
  row.perRow = m_expressions.add({row.rows.kept(), "row", "", {}, true});
  row.elements = m_blocks.front().space;
  if (!hasEnds) {
    m_pieces = "    for begin in range(0, reduced, BLOCK):\n"
               "        place = begin + tl.arange(0, BLOCK)\n"
               "        mask = place < reduced\n"
               "        at = " +
               placesText(row) + "\n";
    return;
  }
  m_blocks.push_back(
      {m_expressions.add({row.rows.shape, "end", "is_end", {}, true}), "end", "is_end", "    "});
  m_body += kEndsLines;
  m_pieces = "    for begin in tl.range(first, last, BLOCK, loop_unroll_factor=4):\n"
             "        at = begin + tl.arange(0, BLOCK)\n"
             "        mask = at < last\n";
}

/// What follows is computed of the elements of this block.
void LongRows::enter(size_t block) {
  m_current = block;
  m_row.elements = m_blocks[block].space;
  m_row.index = m_blocks[block].index;
  m_row.elementMask = m_blocks[block].mask;
  m_expressions.setIndent(m_blocks[block].indent);
}

/// Elements of the next loop have nothing of those before but what is known of the whole row.
void LongRows::startLoop() {
  m_expressions.forget();
  for (size_t number = m_blocks.size(); number-- > 0;) {
    enter(number);
    for (const Known &each : m_known)
      if (each.total.empty())
        provideRow(m_expressions, m_row, each.operation->getResult(0), each.name);
  }
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

/// With the elements of softmaxes that they need.
std::string LongRows::wantedElements(Value value) {
  provideSoftmaxes(value);
  return elementsOf(value);
}

/// Ends the loop with the name of what all elements come to; empty: they cannot be computed.
std::string LongRows::combine(tm::ReduceKind kind, const std::function<std::string()> &element,
                              Type type, const std::string &wanted) {
  const std::string x = element();
  if (x.empty())
    return "";
  const std::string name = m_expressions.unusedName(wanted), part = name + "_part";
  const std::string other = neutralText(kind, type);
  const auto inside = [&](const std::string &value) {
    return "tl.where(" + block().mask + ", " + value + ", " + other + ")";
  };
  m_expressions.line(part + " = " + accumulated(kind, part, inside(x)));
  const std::string loop = m_expressions.takeLines();
  std::string result = combined(kind, part, m_row.axis);
  if (hasEnds()) {
    // They are loaded ahead of the loop, and so there behind it.
    enter(1);
    result = accumulated(kind, result, combined(kind, inside(element()), m_row.axis));
    enter(0);
  }
  m_body += m_expressions.takeLines() + "    " + part + " = tl.full([BLOCK], " + other + ", " +
            combinedType(type) + ")\n" + m_pieces + loop + "    " + name + " = " + result + "\n";
  return name;
}

bool LongRows::addSoftmax(Operation *softmax) {
  const Value operand = softmax->getOperand(0);
  const Type element = tensorType(operand).getElementType();
  const std::string largest =
      combine(tm::ReduceKind::Max, [&] { return wantedElements(operand); }, element, "largest");
  if (largest.empty())
    return false;
  if (const std::string finite = softmaxBase(softmax, largest); finite != largest)
    m_body += "    " + largest + " = " + finite + "\n";
  startLoop();
  const auto power = [&] { return "tl.exp(" + wantedElements(operand) + " - " + largest + ")"; };
  const std::string total = combine(tm::ReduceKind::Sum, power, element, "total");
  m_known.push_back({softmax, largest, softmaxTotal(softmax, total)});
  return true;
}

/// Each lane keeps the best element that it has seen, and its place.
bool LongRows::addArg(tm::ArgReduceOp op) {
  const Type element = tensorType(op.getOperand()).getElementType();
  const std::string x = wantedElements(op.getOperand());
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
  if (auto op = dyn_cast<tm::ArgReduceOp>(reduction))
    return addArg(op);
  auto op = dyn_cast<tm::ReduceOp>(reduction);
  if (!op)
    return addSoftmax(reduction);
  const Value operand = op.getOperand();
  const std::string name = combine(
      op.getKind(), [&] { return wantedElements(operand); }, tensorType(operand).getElementType(),
      nameOfKind(op.getKind()));
  m_known.push_back({op, name});
  return !name.empty();
}

bool LongRows::store() {
  std::vector<Value> whole, ofRows;
  for (const Value output : m_group.outputs())
    (isWhole(m_row, output, true) ? whole : ofRows).push_back(output);
  startLoop();
  for (size_t number = m_blocks.size(); number-- > 0 && !whole.empty();) {
    enter(number);
    provideSoftmaxes(whole);
    if (!storeRows(m_group, whole, m_expressions, m_row, true))
      return false;
    m_body += (number == 0 ? m_pieces : "") + m_expressions.takeLines();
  }
  startLoop();
  m_expressions.setIndent("    ");
  if (!storeRows(m_group, ofRows, m_expressions, m_row, false))
    return false;
  m_body += m_expressions.takeLines();
  return true;
}

/// Whether rows of a large launch begin in the middle of vectors, so that no element would be loaded with its neighbors.
static bool hasOddRows(const Group &group, const RowKernel &row, ArrayRef<Operation *> reductions) {
  const int64_t bytes = bytesOfElements(group, row.rows);
  const auto view = viewAround(row.rows.shape, row.rows.axes);
  return bytes != 0 && view && view->inner == 1 &&
         row.rows.count(true) * bytes % kVectorBytes != 0 &&
         uint64_t(row.rows.count(true) * row.rows.count(false) * bytes) >= kLargeLaunch &&
         llvm::none_of(reductions, llvm::IsaPred<tm::ArgReduceOp>);
}

bool isFasterByPieces(const Group &group, const RowKernel &row, ArrayRef<Operation *> reductions) {
  const int64_t length = row.rows.count(true), bytes = bytesOfElements(group, row.rows);
  return length > kMostHeld / 2 && 4 * length <= 3 * blockFor(length, kMostHeld) && bytes <= 2 &&
         uint64_t(length * row.rows.count(false) * bytes) >= kLargeLaunch &&
         !rowsBeside(row.rows) && llvm::none_of(reductions, llvm::IsaPred<tm::CumSumOp>);
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
  const bool hasEnds = hasOddRows(group, row, reductions);
  const int64_t bytes = std::max<int64_t>(bytesOfElements(group, row.rows), 1);
  if (std::optional<GroupKernel> held =
          emitHeldPieces(group, row, reductions, hasEnds ? kVectorBytes / bytes : 0))
    return std::move(*held);
  LongRows rows(group, row, hasEnds);
  for (Operation *reduction : reductions)
    if (!rows.add(reduction))
      return {std::nullopt, rows.reason()};
  if (!rows.store())
    return {std::nullopt, rows.reason()};
  EmittedKernel &kernel = row.kernel;
  kernel.body = rows.takeBody();
  const int64_t length = row.rows.count(true);
  const bool isOneAtOnce = length * bytes > kMostBytesOfTwo &&
                           llvm::all_of(reductions, llvm::IsaPred<tm::SoftmaxOp, tm::LogSoftmaxOp>);
  kernel.constexprs = {{"BLOCK", isOneAtOnce ? 2 * kPiece : kPiece}};
  if (hasEnds) {
    kernel.constexprs.emplace_back("VECTOR", kVectorBytes / bytes);
    kernel.numBlocks = 2;
  }
  kernel.options = {{"num_warps", isOneAtOnce ? 32 : length > kMostHeld ? 16 : 8}};
  return {std::move(kernel), ""};
}

} // namespace tilescope::model
