// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that combine the elements along axes. The tensor is seen as [outer, reduced, inner].
#include "compiler/model/emit/EmittedKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

namespace {
struct Row {
  int64_t outer = 1, reduced = 1, inner = 1;
};
/// A row that is held in registers.
constexpr int64_t kMostHeld = 16384;
} // namespace

/// Nothing where the axes do not lie beside each other.
static std::optional<Row> rowOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  Row row;
  if (axes.empty())
    return std::nullopt;
  const int64_t first = *llvm::min_element(axes), last = *llvm::max_element(axes);
  if (last - first + 1 != int64_t(axes.size()))
    return std::nullopt;
  for (const auto &[axis, extent] : llvm::enumerate(shape))
    (int64_t(axis) < first ? row.outer : int64_t(axis) > last ? row.inner : row.reduced) *= extent;
  return row;
}

/// The start of a program's row, and where its elements are.
static constexpr const char *kRow =
    "    out = tl.program_id(0)\n"
    "    row = x_ptr + out // inner * reduced * inner + out % inner\n";

static EmittedKernel withRow(const std::string &name, const Row &row, Type element) {
  EmittedKernel kernel;
  kernel.name = name;
  kernel.parameters = {"x_ptr", "out_ptr", "reduced", "inner", "BLOCK: tl.constexpr"};
  kernel.arguments = {
      tensorArgument("x_ptr", {row.outer, row.reduced, row.inner}, element, inputData(element, 0)),
      "reduced = " + std::to_string(row.reduced), "inner = " + std::to_string(row.inner)};
  kernel.grid = {std::to_string(row.outer * row.inner)};
  return kernel;
}

static std::optional<EmittedKernel> emitReduce(tm::ReduceOp op) {
  const auto type = cast<RankedTensorType>(op.getOperand().getType());
  const auto row = rowOf(type.getShape(), op.getAxes());
  const Type element = type.getElementType();
  const bool isExtremum =
      op.getKind() == tm::ReduceKind::Max || op.getKind() == tm::ReduceKind::Min;
  if (!row || row->outer * row->inner == 0 || row->reduced == 0 || !isa<FloatType>(element) ||
      op.getKind() == tm::ReduceKind::Prod)
    return std::nullopt;
  const std::string kind = stringifyReduceKind(op.getKind()).str();
  EmittedKernel kernel = withRow("reduce_" + kind, *row, element);
  const char *other = op.getKind() == tm::ReduceKind::Max   ? "float(\"-inf\")"
                      : op.getKind() == tm::ReduceKind::Min ? "float(\"inf\")"
                                                            : "0.0";
  const std::string combine = op.getKind() == tm::ReduceKind::Max   ? "tl.maximum(total, x)"
                              : op.getKind() == tm::ReduceKind::Min ? "tl.minimum(total, x)"
                                                                    : "total + x";
  const std::string end = isExtremum                             ? "tl." + kind + "(total, axis=0)"
                          : op.getKind() == tm::ReduceKind::Mean ? "tl.sum(total, axis=0) / reduced"
                                                                 : "tl.sum(total, axis=0)";
  kernel.body = std::string(kRow) + "    total = tl.full([BLOCK], " + other +
                ", tl.float32)\n"
                "    for begin in range(0, reduced, BLOCK):\n"
                "        at = begin + tl.arange(0, BLOCK)\n"
                "        x = tl.load(row + at * inner, mask=at < reduced, other=" +
                other + ").to(tl.float32)\n        total = " + combine +
                "\n    tl.store(out_ptr + out, " + end + ")\n";
  kernel.constexprs = {
      "BLOCK = " +
      std::to_string(std::min<int64_t>(1024, int64_t(llvm::PowerOf2Ceil(uint64_t(row->reduced)))))};
  kernel.arguments.push_back(tensorArgument(
      "out_ptr", {row->outer, row->inner}, element,
      expectedData(kind + "(x_ptr, axis=1)", row->outer * row->reduced * row->inner)));
  return kernel;
}

static std::optional<EmittedKernel> emitSoftmax(Operation *operation, ArrayRef<int64_t> axes) {
  const auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  const auto row = rowOf(type.getShape(), axes);
  if (!row || row->reduced > kMostHeld || type.getNumElements() == 0)
    return std::nullopt;
  const bool isLog = isa<tm::LogSoftmaxOp>(operation);
  EmittedKernel kernel = withRow(isLog ? "log_softmax" : "softmax", *row, type.getElementType());
  kernel.body =
      std::string(kRow) +
      "    at = tl.arange(0, BLOCK)\n"
      "    mask = at < reduced\n"
      "    x = tl.load(row + at * inner, mask=mask, other=float(\"-inf\")).to(tl.float32)\n"
      "    shifted = x - tl.max(x, axis=0)\n"
      "    total = tl.sum(tl.exp(shifted), axis=0)\n"
      "    result = out_ptr + out // inner * reduced * inner + out % inner\n"
      "    tl.store(result + at * inner, " +
      (isLog ? "shifted - tl.log(total)" : "tl.exp(shifted) / total") + ", mask=mask)\n";
  kernel.constexprs = {"BLOCK = " + std::to_string(llvm::PowerOf2Ceil(uint64_t(row->reduced)))};
  const std::string shifted = "(x_ptr - max(x_ptr, axis=1, keepdims=True))";
  const std::string total = "sum(exp(" + shifted + "), axis=1, keepdims=True)";
  kernel.arguments.push_back(tensorArgument(
      "out_ptr", {row->outer, row->reduced, row->inner}, type.getElementType(),
      expectedData(isLog ? shifted + " - log(" + total + ")" : "exp(" + shifted + ") / " + total,
                   type.getNumElements())));
  return kernel;
}

std::optional<EmittedKernel> emitReduction(Operation *operation) {
  if (auto op = dyn_cast<tm::ReduceOp>(operation))
    return emitReduce(op);
  if (auto op = dyn_cast<tm::SoftmaxOp>(operation))
    return emitSoftmax(op, op.getAxes());
  if (auto op = dyn_cast<tm::LogSoftmaxOp>(operation))
    return emitSoftmax(op, op.getAxes());
  return std::nullopt;
}

} // namespace tilescope::model
