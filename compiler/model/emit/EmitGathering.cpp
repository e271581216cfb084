// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that put tensors behind each other, and that take slices at indices.
#include "compiler/model/emit/Anchor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

void placeElements(Anchor &anchor, Value result) {
  anchor.result = result;
  anchor.value = "x";
  anchor.place = "at";
  anchor.mask = "mask";
  anchor.isOfResultType = true;
  anchor.kernel.walkElements(tensorType(result).getNumElements());
}

namespace {
/// Tensors that are put behind each other, each as [outer, extent, inner].
struct Concatenation {
  AxisView whole;
  std::vector<Value> operands;
  std::vector<AxisView> views;
};
} // namespace

static std::string operandName(size_t number) { return "x" + std::to_string(number); }

/// `x` becomes what is loaded of an operand, where `inside` is true.
static std::string loadedLine(size_t operand, const std::string &place, const std::string &mask) {
  const std::string load =
      "tl.load(" + operandName(operand) + "_ptr + " + place + ", mask=" + mask + ")";
  return "    x = " + (operand == 0 ? load : "tl.where(inside, " + load + ", x)") + "\n";
}

/// An element for each place of the result, for rows that are shorter than a program's block.
static void joinElements(const Concatenation &joined, Anchor &anchor, Value result) {
  EmittedKernel &kernel = anchor.kernel;
  std::string body = std::string(kElementLines) + "    place = at // inner % extent\n"
                                                  "    before = at // (inner * extent)\n"
                                                  "    rest = at % inner\n"
                                                  "    begin = 0\n";
  for (size_t i = 0; i < joined.operands.size(); ++i) {
    const std::string extent = operandName(i) + "_extent";
    kernel.number(extent, joined.views[i].extent);
    body +=
        "    inside = (place >= begin) & (place < begin + " + extent + ")\n" +
        loadedLine(i, "(before * " + extent + " + place - begin) * inner + rest", "mask & inside") +
        "    begin += " + extent + "\n";
  }
  kernel.number("extent", joined.whole.extent);
  kernel.number("inner", joined.whole.inner);
  placeElements(anchor, result);
  kernel.body = body;
}

/// Programs go along rows, in which each operand is one piece: neighbors are neighbors in memory, and no element
/// divides.
static void joinRows(const Concatenation &joined, Anchor &anchor, Value result) {
  EmittedKernel &kernel = anchor.kernel;
  const int64_t row = joined.whole.extent * joined.whole.inner;
  std::string body = "    blocks = tl.cdiv(row, BLOCK)\n"
                     "    before = tl.program_id(0) // blocks\n"
                     "    place = tl.program_id(0) % blocks * BLOCK + tl.arange(0, BLOCK)\n"
                     "    mask = place < row\n"
                     "    begin = 0\n";
  for (size_t i = 0; i < joined.operands.size(); ++i) {
    const std::string own = operandName(i) + "_row";
    kernel.number(own, joined.views[i].extent * joined.views[i].inner);
    body += "    inside = (place >= begin) & (place < begin + " + own + ")\n" +
            loadedLine(i, "before * " + own + " + place - begin", "inside") +
            "    begin += " + own + "\n";
  }
  kernel.number("row", row);
  kernel.constexprs.emplace_back("BLOCK", blockFor(row));
  kernel.grid = {"\"" + std::to_string(joined.whole.outer) + " * cdiv(row, BLOCK)\""};
  kernel.body = body;
  anchor.result = result;
  anchor.value = "x";
  anchor.place = "before * row + place";
  anchor.mask = "mask";
  anchor.coordinates = {{row, joined.whole.outer, "before", true}, {1, row, "place"}};
  anchor.isOfResultType = true;
}

static std::optional<Anchor> emitConcat(tm::ConcatOp op) {
  static constexpr unsigned kMostOperands = 16;
  /// Of a row that programs go along.
  static constexpr int64_t kLeastRow = 512;
  const auto axis = int64_t(op.getAxis());
  const auto view = viewAround(tensorType(op.getResult()).getShape(), {axis});
  Concatenation joined;
  for (const Value operand : op.getOperands())
    if (tensorType(operand).getNumElements() != 0)
      joined.operands.push_back(operand);
  if (!view || joined.operands.empty() || joined.operands.size() > kMostOperands)
    return std::nullopt;
  joined.whole = *view;
  Anchor anchor;
  anchor.kernel.name = "concat_" + std::to_string(joined.operands.size());
  anchor.shape = {view->outer, view->extent, view->inner};
  std::string names;
  for (const auto &[i, operand] : llvm::enumerate(joined.operands)) {
    const AxisView own = *viewAround(tensorType(operand).getShape(), {axis});
    joined.views.push_back(own);
    anchor.kernel.read(operandName(i) + "_ptr", operand, {own.outer, own.extent, own.inner});
    names += operandName(i) + "_ptr, ";
  }
  anchor.expected = "concatenate((" + names + "), axis=1)";
  if (view->extent * view->inner < kLeastRow)
    joinElements(joined, anchor, op.getResult());
  else
    joinRows(joined, anchor, op.getResult());
  return anchor;
}

/// Programs take a piece of several slices. Where slices are taken again, programs that run at the same time have the same
/// piece of all slices, so small a one that these pieces stay in the cache; else they have the pieces of a slice.
static void gatherPieces(Anchor &anchor, const AxisView &view, int64_t indices, int64_t bytes) {
  static constexpr int64_t kBytesOfPiece = 256, kBytes = 8192;
  EmittedKernel &kernel = anchor.kernel;
  const bool isTakenAgain = indices > view.extent;
  const int64_t elements = kBytes / bytes;
  const int64_t block = isTakenAgain ? kBytesOfPiece / bytes : 256;
  kernel.name = "gather_slices";
  kernel.number("rows", view.outer * indices);
  kernel.constexprs = {{"ROWS", elements / block}, {"BLOCK", block}};
  kernel.options = {{"num_warps", 8}};
  kernel.grid = {"\"cdiv(rows, ROWS) * cdiv(inner, BLOCK)\""};
  anchor.value = "x";
  anchor.place = "row * inner + place";
  anchor.mask = "(row < rows) & (place < inner)";
  anchor.coordinates = {{1, view.inner, "place", false, "place < inner"},
                        {view.inner, view.outer * indices, "row", false, "row < rows"}};
  anchor.isOfResultType = true;
  // What is read again stays in the cache, and not what is written.
  anchor.storeOptions = ", eviction_policy=\"evict_first\"";
  const std::string count = isTakenAgain ? "blocks" : "pieces";
  const std::string first = "tl.program_id(0) % " + count, second = "tl.program_id(0) // " + count;
  kernel.body =
      std::string(isTakenAgain ? "    blocks = tl.cdiv(rows, ROWS)\n"
                               : "    pieces = tl.cdiv(inner, BLOCK)\n") +
      "    row = (" + (isTakenAgain ? first : second) + ") * ROWS + tl.arange(0, ROWS)[:, None]\n" +
      "    place = (" + (isTakenAgain ? second : first) +
      ") * BLOCK + tl.arange(0, BLOCK)[None, :]\n"
      "    index = tl.load(index_ptr + row % indices, mask=row < rows, other=0)\n"
      "    index = tl.where(index < 0, index + extent, index)\n"
      "    inside = (row < rows) & (index >= 0) & (index < extent) & (place < inner)\n"
      "    x = tl.load(x_ptr + (row // indices * extent + index) * inner + place, mask=inside, "
      "eviction_policy=\"evict_last\")\n";
}

static std::optional<Anchor> emitGather(tm::GatherOp op) {
  /// Of a slice whose pieces fill a program.
  static constexpr int64_t kLeastSlice = 256;
  const RankedTensorType type = tensorType(op.getOperand()), indices = tensorType(op.getIndices());
  const auto view = viewAround(type.getShape(), {int64_t(op.getAxis())});
  if (!view || view->extent == 0)
    return std::nullopt;
  Anchor anchor;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "gather";
  kernel.read("x_ptr", op.getOperand(), {view->outer, view->extent, view->inner});
  kernel.read("index_ptr", op.getIndices(), {indices.getNumElements()});
  kernel.tensors.back().limit = view->extent;
  anchor.shape = {view->outer, indices.getNumElements(), view->inner};
  anchor.expected = "take(x_ptr, index_ptr, axis=1)";
  kernel.number("extent", view->extent);
  kernel.number("inner", view->inner);
  kernel.number("indices", indices.getNumElements());
  if (view->inner >= kLeastSlice) {
    anchor.result = op.getResult();
    gatherPieces(anchor, *view, indices.getNumElements(),
                 int64_t(llvm::divideCeil(type.getElementTypeBitWidth(), 8)));
    return anchor;
  }
  placeElements(anchor, op.getResult());
  kernel.body =
      std::string(kElementLines) +
      "    index = tl.load(index_ptr + at // inner % indices, mask=mask)\n"
      "    index = tl.where(index < 0, index + extent, index)\n"
      "    inside = mask & (index >= 0) & (index < extent)\n"
      "    before = at // (inner * indices)\n"
      "    x = tl.load(x_ptr + (before * extent + index) * inner + at % inner, mask=inside)\n";
  return anchor;
}

std::optional<Anchor> emitGathering(Operation *operation) {
  if (operation->getNumResults() != 1 || tensorType(operation->getResult(0)).getNumElements() == 0)
    return std::nullopt;
  if (auto op = dyn_cast<tm::ConcatOp>(operation))
    return emitConcat(op);
  if (auto op = dyn_cast<tm::GatherOp>(operation))
    return emitGather(op);
  return std::nullopt;
}

} // namespace tilescope::model
