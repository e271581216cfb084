// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/Rows.h"

using namespace mlir;

namespace tilescope::model {

static std::vector<int64_t> sorted(ArrayRef<int64_t> axes) {
  std::vector<int64_t> result = axes.vec();
  llvm::sort(result);
  return result;
}

std::optional<Rows> rowsOf(Operation *operation) {
  if (auto op = dyn_cast<tm::ReduceOp>(operation))
    return Rows{tensorType(op.getOperand()).getShape().vec(), sorted(op.getAxes())};
  if (auto op = dyn_cast<tm::ArgReduceOp>(operation))
    return Rows{tensorType(op.getOperand()).getShape().vec(), {int64_t(op.getAxis())}};
  if (auto op = dyn_cast<tm::CumSumOp>(operation))
    return Rows{tensorType(op.getOperand()).getShape().vec(), {int64_t(op.getAxis())}};
  if (auto op = dyn_cast<tm::SoftmaxOp>(operation))
    return Rows{tensorType(op.getOperand()).getShape().vec(), sorted(op.getAxes())};
  if (auto op = dyn_cast<tm::LogSoftmaxOp>(operation))
    return Rows{tensorType(op.getOperand()).getShape().vec(), sorted(op.getAxes())};
  return std::nullopt;
}

std::optional<AxisView> rowsBeside(const Rows &rows) {
  static constexpr int64_t kFewestBeside = 16, kLongest = 1024, kManyBeside = 2048;
  const auto view = viewAround(rows.shape, rows.axes);
  return view && view->inner >= kFewestBeside &&
                 (view->extent <= kLongest || view->outer * view->inner >= kManyBeside)
             ? view
             : std::nullopt;
}

} // namespace tilescope::model
