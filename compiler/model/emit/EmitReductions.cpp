// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that combine the elements along axes. The tensor is seen as [outer, reduced, inner].
#include "compiler/model/emit/EmittedKernel.h"

using namespace mlir;

namespace tilescope::model {

/// A row that is held in registers.
static constexpr int64_t kMostHeld = 16384;

/// The start of a program's row, and where its elements are.
static constexpr const char *kRow =
    "    out = tl.program_id(0)\n"
    "    row = x_ptr + out // inner * reduced * inner + out % inner\n";

static EmittedKernel withRow(const std::string &name, const AxisView &row, Value value) {
  EmittedKernel kernel;
  kernel.name = name;
  kernel.read("x_ptr", value, {row.outer, row.extent, row.inner});
  kernel.number("reduced", row.extent);
  kernel.number("inner", row.inner);
  kernel.grid = {std::to_string(row.outer * row.inner)};
  return kernel;
}

static std::optional<EmittedKernel> emitReduce(tm::ReduceOp op) {
  const auto type = cast<RankedTensorType>(op.getOperand().getType());
  const auto row = viewAround(type.getShape(), op.getAxes());
  const Type element = type.getElementType();
  const bool isExtremum =
      op.getKind() == tm::ReduceKind::Max || op.getKind() == tm::ReduceKind::Min;
  if (!row || row->outer * row->inner == 0 || row->extent == 0 || !isa<FloatType>(element) ||
      op.getKind() == tm::ReduceKind::Prod)
    return std::nullopt;
  const std::string kind = stringifyReduceKind(op.getKind()).str();
  EmittedKernel kernel = withRow("reduce_" + kind, *row, op.getOperand());
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
  kernel.constexprs = {{"BLOCK", blockFor(row->extent)}};
  kernel.write("out_ptr", op.getResult(), {row->outer, row->inner}, kind + "(x_ptr, axis=1)",
               row->outer * row->extent * row->inner);
  return kernel;
}

static std::optional<EmittedKernel> emitSoftmax(Operation *operation, ArrayRef<int64_t> axes) {
  const auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  const auto row = viewAround(type.getShape(), axes);
  if (!row || row->extent > kMostHeld || type.getNumElements() == 0)
    return std::nullopt;
  const bool isLog = isa<tm::LogSoftmaxOp>(operation);
  EmittedKernel kernel = withRow(isLog ? "log_softmax" : "softmax", *row, operation->getOperand(0));
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
  kernel.constexprs = {{"BLOCK", blockFor(row->extent, kMostHeld)}};
  const std::string shifted = "(x_ptr - max(x_ptr, axis=1, keepdims=True))";
  const std::string total = "sum(exp(" + shifted + "), axis=1, keepdims=True)";
  kernel.write("out_ptr", operation->getResult(0), {row->outer, row->extent, row->inner},
               isLog ? shifted + " - log(" + total + ")" : "exp(" + shifted + ") / " + total);
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
