// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that put elements to other places.
#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/emit/EmittedKernel.h"

using namespace mlir;

namespace tilescope::model {

static IndexMap mapTo(RankedTensorType result) {
  return {{result.getShape().begin(), result.getShape().end()},
          std::vector<int64_t>(size_t(result.getRank()), 0),
          0};
}

static IndexMap transposed(tm::TransposeOp op) {
  IndexMap map = mapTo(tensorType(op.getResult()));
  const std::vector<int64_t> strides = rowStrides(tensorType(op.getOperand()).getShape());
  for (const auto &[axis, from] : llvm::enumerate(op.getOrder()))
    map.strides[axis] = strides[size_t(from)];
  return map;
}

static std::optional<IndexMap> sliced(tm::SliceOp op) {
  if (!op.getBegins())
    return std::nullopt;
  IndexMap map = mapTo(tensorType(op.getResult()));
  const std::vector<int64_t> strides = rowStrides(tensorType(op.getOperand()).getShape());
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    const auto begin = tm::numberOf(op.getBegins()->getValues()[axis]);
    if (!begin)
      return std::nullopt;
    map.offset += *begin * strides[axis];
    map.strides[axis] = (*op.getSteps())[axis] * strides[axis];
  }
  return map;
}

static IndexMap expanded(tm::ExpandOp op) {
  IndexMap map = mapTo(tensorType(op.getResult()));
  const RankedTensorType type = tensorType(op.getOperand());
  const std::vector<int64_t> strides = rowStrides(type.getShape());
  const size_t skipped = map.strides.size() - strides.size();
  for (size_t axis = 0; axis < strides.size(); ++axis)
    map.strides[skipped + axis] = type.getDimSize(unsigned(axis)) == 1 ? 0 : strides[axis];
  return map;
}

static std::string list(ArrayRef<int64_t> numbers) {
  std::string text;
  for (const int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

static EmittedKernel copyKernel(Operation *operation, const IndexMap &map,
                                const std::string &expected) {
  const RankedTensorType type = tensorType(operation->getResult(0));
  EmittedKernel kernel;
  kernel.name = operation->getName().stripDialect().str();
  kernel.read("x_ptr", operation->getOperand(0));
  kernel.write("out_ptr", operation->getResult(0), type.getShape(), expected);
  const std::string index = map.text("x", kernel);
  kernel.number("n", type.getNumElements());
  kernel.constexprs = {{"BLOCK", 1024}};
  kernel.grid = {"\"cdiv(n, BLOCK)\""};
  kernel.body = "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    mask = at < n\n"
                "    x = tl.load(x_ptr" +
                (index.empty() ? std::string() : " + " + index + ", mask=mask") +
                ")\n    tl.store(out_ptr + at, x, mask=mask)\n";
  return kernel;
}

/// `x_ptr[0:4:1, 8:2:-1]`
static std::string slicedText(tm::SliceOp op, const IndexMap &map) {
  std::string text;
  for (size_t axis = 0; axis < map.extents.size(); ++axis) {
    const int64_t begin = *tm::numberOf(op.getBegins()->getValues()[axis]);
    const int64_t step = (*op.getSteps())[axis], end = begin + step * map.extents[axis];
    text += (text.empty() ? "" : ", ") + std::to_string(begin) + ":" +
            (end < 0 ? "" : std::to_string(end)) + ":" + std::to_string(step);
  }
  return text.empty() ? "" : "x_ptr[" + text + "]";
}

std::optional<EmittedKernel> emitMovement(Operation *operation) {
  if (operation->getNumResults() != 1 || operation->getNumOperands() != 1 ||
      tensorType(operation->getResult(0)).getNumElements() == 0)
    return std::nullopt;
  if (auto op = dyn_cast<tm::TransposeOp>(operation))
    return copyKernel(op, transposed(op), "transpose(x_ptr, (" + list(op.getOrder()) + "))");
  if (auto op = dyn_cast<tm::SliceOp>(operation))
    if (const auto map = sliced(op))
      return copyKernel(op, *map, slicedText(op, *map));
  if (auto op = dyn_cast<tm::ExpandOp>(operation))
    return copyKernel(op, expanded(op), "x_ptr");
  return std::nullopt;
}

} // namespace tilescope::model
