// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels with a program for each row: the elements along the axes that a reduction combines. A short row
// is held in registers, so that what comes before and behind the reductions is computed there; what a single
// reduction makes of a row is combined piece by piece.
#include "compiler/dialects/tm/ir/NodeName.h"
#include "compiler/model/emit/GroupName.h"
#include "compiler/model/emit/RowKernel.h"

using namespace mlir;

namespace tilescope::model {

/// Of elements that a warp holds at once, in rows of its own: warps then do not wait for each other.
static constexpr int64_t kOfWarp = 1024;
/// Fewer programs would leave multiprocessors without work.
static constexpr int64_t kManyRows = 4096;
/// Rows that four warps have no registers for.
static constexpr int64_t kLongRow = 8192;
/// Of rows beside each other, 64 in each program: as many programs as most devices have multiprocessors.
static constexpr int64_t kWideRows = 64 * 120;

static bool isHeldType(Type element) {
  return isa<FloatType>(element) || (isa<IntegerType>(element) && !element.isInteger(1));
}

static void emitSoftmax(Expressions &expressions, const RowKernel &row, Operation *operation,
                        const std::string &x) {
  const bool isLog = isa<tm::LogSoftmaxOp>(operation);
  const std::string shifted = expressions.unusedName("shifted");
  const std::string powers = expressions.unusedName("powers");
  const std::string name = expressions.unusedName(operation->getName().stripDialect().str());
  const std::string largest =
      "tl.max(tl.where(mask, " + x + ", float(\"-inf\")), " + row.axis + ")";
  expressions.line(shifted + " = " + x + " - " + softmaxBase(operation, largest));
  expressions.line(powers + " = tl.where(mask, tl.exp(" + shifted + "), 0.0)");
  const std::string total = softmaxTotal(operation, "tl.sum(" + powers + ", " + row.axis + ")");
  expressions.line(name + " = " +
                   (isLog ? shifted + " - tl.log(" + total + ")" : powers + " / " + total));
  expressions.provide(operation->getResult(0), expressions.whole(row.elements, row.rows.shape),
                      name);
}

/// The first or the last place of the largest or smallest element.
static void emitArg(Expressions &expressions, const RowKernel &row, tm::ArgReduceOp op,
                    const std::string &x) {
  const std::string best = expressions.unusedName("best"), name = expressions.unusedName("index");
  const std::string other = neutralText(op.getKind(), tensorType(op.getOperand()).getElementType());
  expressions.line(best + " = " +
                   combined(op.getKind(), "tl.where(mask, " + x + ", " + other + ")", row.axis));
  const std::string isBest = "mask & (" + x + " == " + best + ")";
  // What follows computes with 64 bits, as the model does.
  expressions.line(name + " = " +
                   (op.getLast()
                        ? "tl.max(tl.where(" + isBest + ", place, -1), " + row.axis + ")"
                        : "tl.min(tl.where(" + isBest + ", place, reduced), " + row.axis + ")") +
                   ".to(tl.int64)");
  provideRow(expressions, row, op.getResult(), name);
}

static void emitCumSum(Expressions &expressions, const RowKernel &row, tm::CumSumOp op,
                       const std::string &x) {
  const std::string inside = expressions.unusedName("inside");
  const std::string name = expressions.unusedName("sums");
  const Type element = tensorType(op.getOperand()).getElementType();
  expressions.line(inside + " = tl.where(mask, " + x + ", " +
                   neutralText(tm::ReduceKind::Sum, element) + ")");
  std::string sums = "tl.cumsum(" + inside + ", axis=" + (row.mask.empty() ? "0" : "1") + ")";
  if (op.getReverse())
    sums = "tl.sum(" + inside + ", " + row.axis + ") - " + sums +
           (op.getExclusive() ? "" : " + " + inside);
  else if (op.getExclusive())
    sums += " - " + inside;
  expressions.line(name + " = " + sums);
  expressions.provide(op.getResult(), expressions.whole(row.elements, row.rows.shape), name);
}

static bool emitHeld(Expressions &expressions, const RowKernel &row, Operation *operation) {
  const Value operand = operation->getOperand(0);
  const std::string x =
      expressions.evaluate(operand, expressions.whole(row.elements, row.rows.shape));
  if (x.empty())
    return false;
  if (auto op = dyn_cast<tm::ArgReduceOp>(operation)) {
    emitArg(expressions, row, op, x);
    return true;
  }
  if (auto op = dyn_cast<tm::CumSumOp>(operation)) {
    emitCumSum(expressions, row, op, x);
    return true;
  }
  auto reduce = dyn_cast<tm::ReduceOp>(operation);
  if (!reduce) {
    emitSoftmax(expressions, row, operation, x);
    return true;
  }
  const std::string name = expressions.unusedName(nameOfKind(reduce.getKind()));
  const std::string other = neutralText(reduce.getKind(), tensorType(operand).getElementType());
  expressions.line(
      name + " = " +
      combined(reduce.getKind(), "tl.where(mask, " + x + ", " + other + ")", row.axis));
  provideRow(expressions, row, operation->getResult(0), name);
  return true;
}

/// The beginning of a kernel whose programs go through pieces of their rows.
static std::string piecesText(RowKernel &row, const std::string &other, const std::string &type,
                              bool isNarrow) {
  EmittedKernel &kernel = row.kernel;
  if (const auto beside = rowsBeside(row.rows)) {
    kernel.number("inner", beside->inner);
    const bool isLong = beside->extent > kOfWarp;
    // Elements of two bytes are loaded from whole lines of the cache where that leaves enough programs.
    const int64_t numBeside = beside->outer * beside->inner;
    const bool isWide = isLong && isNarrow && numBeside >= kWideRows;
    // The fewer programs there are, the more each has under way.
    const bool isFew = isLong && numBeside < kWideRows,
               isFewest = isLong && numBeside < kWideRows / 2;
    const int64_t mostRows = isFewest ? 1024 : isLong ? 512 : 16;
    kernel.constexprs = {{"ROWS", blockFor(beside->inner, isLong && !isWide ? 32 : 64)},
                         {"BLOCK", blockFor(beside->extent, mostRows)}};
    kernel.options = {{"num_warps", isFewest ? 32 : isFew || isWide ? 16 : isLong ? 8 : 2}};
    kernel.grid = {"\"" + std::to_string(beside->outer) + " * cdiv(inner, ROWS)\""};
    return "    column = tl.program_id(0) % tl.cdiv(inner, ROWS) * ROWS + tl.arange(0, ROWS)\n"
           "    outer = tl.program_id(0) // tl.cdiv(inner, ROWS)\n"
           "    row = outer * inner + column\n"
           "    inside = column < inner\n"
           "    total = tl.full([BLOCK, ROWS], " +
           other + ", " + type +
           ")\n"
           "    for begin in range(0, reduced, BLOCK):\n"
           "        place = begin + tl.arange(0, BLOCK)\n"
           "        mask = (place[:, None] < reduced) & inside[None, :]\n"
           "        at = (outer * reduced + place[:, None]) * inner + column[None, :]\n";
  }
  kernel.constexprs = {{"BLOCK", blockFor(row.rows.count(true))}};
  return "    row = tl.program_id(0)\n"
         "    total = tl.full([BLOCK], " +
         other + ", " + type +
         ")\n"
         "    for begin in range(0, reduced, BLOCK):\n"
         "        place = begin + tl.arange(0, BLOCK)\n"
         "        mask = place < reduced\n"
         "        at = " +
         placesText(row) + "\n";
}

/// A sum, mean or extremum of long rows. What comes before it is computed for each piece.
static GroupKernel emitPieces(const Group &group, RowKernel &row, tm::ReduceOp reduce) {
  EmittedKernel &kernel = row.kernel;
  row.mask = rowsBeside(row.rows) ? "inside" : "";
  Expressions expressions(group, kernel, "        ");
  row.elements = expressions.add({row.rows.shape, "at", "mask", {}, true});
  row.perRow = expressions.add({row.rows.kept(), "row", row.mask, {}, true});
  const Type element = tensorType(reduce.getOperand()).getElementType();
  const tm::ReduceKind kind = reduce.getKind();
  const std::string other = neutralText(kind, element);
  const std::string begin =
      piecesText(row, other, combinedType(element), element.getIntOrFloatBitWidth() == 16);
  const std::string x =
      expressions.evaluate(reduce.getOperand(), expressions.whole(row.elements, row.rows.shape));
  if (x.empty())
    return {std::nullopt, expressions.reason()};
  const std::string inside = "tl.where(mask, " + x + ", " + other + ")";
  expressions.line("total = " + accumulated(kind, "total", inside));
  const std::string loop = expressions.takeLines();
  expressions.setIndent("    ");
  provideRow(expressions, row, reduce.getResult(), expressions.unusedName("result"));
  if (!storeRows(group, group.outputs(), expressions, row, /*holdsElements=*/false))
    return {std::nullopt, expressions.reason()};
  kernel.body = begin + loop + "    result = " + combined(kind, "total", "axis=0") + "\n" +
                expressions.takeLines();
  if (group.operations.size() == 1 && isa<FloatType>(element))
    kernel.tensors.back().expected = stringifyReduceKind(kind).str();
  return {std::move(kernel), ""};
}

static GroupKernel emitHeldRows(const Group &group, RowKernel &row,
                                ArrayRef<Operation *> reductions) {
  if (row.rows.count(true) > kMostHeld || isFasterByPieces(group, row, reductions))
    return emitLongRows(group, row, reductions);
  EmittedKernel &kernel = row.kernel;
  const int64_t reduced = row.rows.count(true), numRows = row.rows.count(false);
  const int64_t block = blockFor(reduced, kMostHeld);
  const auto view = viewAround(row.rows.shape, row.rows.axes);
  const bool isInOrder = view && view->inner == 1;
  const int64_t together =
      isInOrder && numRows >= kManyRows ? std::max<int64_t>(kOfWarp / block, 1) : 1;
  std::vector<Coordinate> coordinates;
  if (isInOrder)
    coordinates = {{1, reduced, "place", false, "place < reduced"},
                   {reduced, numRows, "row", together == 1, "row < rows"}};
  if (together > 1) {
    kernel.number("rows", numRows);
    row.mask = "row < rows";
    row.axis = "axis=1, keep_dims=True";
  }
  Expressions expressions(group, kernel);
  row.elements = expressions.add({row.rows.shape, "at", "mask", coordinates, true});
  row.perRow = expressions.add({row.rows.kept(), "row", row.mask, {}, true});
  const std::string at = placesText(row);
  for (Operation *reduction : reductions)
    if (!emitHeld(expressions, row, reduction))
      return {std::nullopt, expressions.reason()};
  if (!storeRows(group, group.outputs(), expressions, row, /*holdsElements=*/true))
    return {std::nullopt, expressions.reason()};
  kernel.body = together == 1 ? "    row = tl.program_id(0)\n"
                                "    place = tl.arange(0, BLOCK)\n"
                                "    mask = place < reduced\n"
                              : "    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]\n"
                                "    place = tl.arange(0, BLOCK)[None, :]\n"
                                "    mask = (row < rows) & (place < reduced)\n";
  kernel.body += "    at = " + at + "\n" + expressions.takeLines();
  kernel.constexprs = {{"BLOCK", block}};
  if (together > 1) {
    kernel.constexprs.insert(kernel.constexprs.begin(), {"ROWS", together});
    kernel.grid = {"\"cdiv(rows, ROWS)\""};
  }
  if (block >= kLongRow)
    kernel.options = {{"num_warps", 8}};
  else if (block <= kOfWarp && numRows >= kManyRows)
    kernel.options = {{"num_warps", 1}};
  return {std::move(kernel), ""};
}

/// `mean(x_ptr, axis=1)`, with the tensors seen so that there is one axis to combine.
static void setExpected(const Group &group, RowKernel &row, EmittedKernel &kernel) {
  static constexpr int64_t kMostTerms = 4'000'000;
  EmittedTensor &result = kernel.tensors.back();
  const AxisView unknown{};
  const auto view = viewAround(row.rows.shape, row.rows.axes).value_or(unknown);
  const bool isView =
      view.outer * view.extent * view.inner == row.rows.count(true) * row.rows.count(false);
  if (group.operations.size() != 1 || kernel.tensors.size() != 2 || !isView ||
      isa<tm::ArgReduceOp, tm::CumSumOp>(group.operations.front()) ||
      row.rows.count(true) * row.rows.count(false) > kMostTerms)
    return;
  const std::string x = kernel.tensors.front().name;
  kernel.tensors.front().shape = {view.outer, view.extent, view.inner};
  if (auto reduce = dyn_cast<tm::ReduceOp>(group.operations.front())) {
    result.shape = {view.outer, view.inner};
    result.expected = stringifyReduceKind(reduce.getKind()).str() + "(" + x + ", axis=1)";
    return;
  }
  const std::string shifted = "(" + x + " - max(" + x + ", axis=1, keepdims=True))";
  const std::string total = "sum(exp(" + shifted + "), axis=1, keepdims=True)";
  result.shape = kernel.tensors.front().shape;
  result.expected = isa<tm::LogSoftmaxOp>(group.operations.front())
                        ? shifted + " - log(" + total + ")"
                        : "exp(" + shifted + ") / " + total;
}

GroupKernel emitRows(const Group &group) {
  RowKernel row;
  SmallVector<Operation *> reductions;
  for (Operation *operation : group.operations) {
    const auto rows = rowsOf(operation);
    if (!rows)
      continue;
    if (!isHeldType(tensorType(operation->getOperand(0)).getElementType()))
      return {std::nullopt, "there is no kernel for rows of this type"};
    if (auto reduce = dyn_cast<tm::ReduceOp>(operation);
        reduce && reduce.getKind() == tm::ReduceKind::Prod)
      row.kernel.helper = "@triton.jit\ndef product_of(a, b):\n    return a * b\n";
    if (!reductions.empty() && (rows->shape != row.rows.shape || rows->axes != row.rows.axes))
      return {std::nullopt, "`" + tm::nodeName(reductions.front()) + "` and `" +
                                tm::nodeName(operation) + "` combine other rows"};
    row.rows = *rows;
    reductions.push_back(operation);
  }
  if (row.rows.count(true) == 0 || row.rows.count(false) == 0 || row.rows.axes.empty())
    return {std::nullopt, "there is no kernel for rows without elements"};
  row.kernel.name = groupName(group);
  row.kernel.grid = {std::to_string(row.rows.count(false))};
  row.kernel.number("reduced", row.rows.count(true));
  auto reduce = dyn_cast<tm::ReduceOp>(reductions.front());
  const bool isPieces =
      reduce && reductions.size() == 1 && llvm::all_of(group.outputs(), [&](Value output) {
        return tensorType(output).getNumElements() == row.rows.count(false);
      });
  GroupKernel result =
      isPieces ? emitPieces(group, row, reduce) : emitHeldRows(group, row, reductions);
  if (result.kernel)
    setExpected(group, row, *result.kernel);
  return result;
}

} // namespace tilescope::model
