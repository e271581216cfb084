// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The places of the largest or smallest elements: a program holds a row and takes one after the other.
#include "compiler/model/emit/Anchor.h"

using namespace mlir;

namespace tilescope::model {

std::optional<Anchor> emitTopPlaces(Operation *operation) {
  auto op = dyn_cast<tm::TopKOp>(operation);
  if (!op || !op.getValues().use_empty())
    return std::nullopt;
  const RankedTensorType type = tensorType(op.getOperand()), result = tensorType(op.getIndices());
  const auto view = viewAround(type.getShape(), {int64_t(op.getAxis())});
  if (!view || view->extent > kMostHeld || type.getElementType().isInteger(1) ||
      result.getNumElements() == 0)
    return std::nullopt;
  const tm::ReduceKind kind = op.getSmallest() ? tm::ReduceKind::Min : tm::ReduceKind::Max;
  const std::string least = neutralText(kind, type.getElementType());
  const std::string best = op.getSmallest() ? "tl.min" : "tl.max";
  Anchor anchor;
  anchor.result = op.getIndices();
  anchor.shape = result.getShape().vec();
  anchor.value = "found";
  anchor.place = "(row // inner * k + place) * inner + row % inner";
  anchor.mask = "place < k";
  anchor.isOfResultType = true;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = op.getSmallest() ? "smallest_places" : "largest_places";
  kernel.read("x_ptr", op.getOperand());
  kernel.number("extent", view->extent);
  kernel.number("inner", view->inner);
  kernel.number("k", result.getDimSize(unsigned(op.getAxis())));
  kernel.constexprs = {{"BLOCK", blockFor(view->extent, kMostHeld)}};
  kernel.grid = {std::to_string(view->outer * view->inner)};
  kernel.body = "    row = tl.program_id(0)\n"
                "    place = tl.arange(0, BLOCK)\n"
                "    is_open = place < extent\n"
                "    x = tl.load(x_ptr + (row // inner * extent + place) * inner + row % inner, "
                "mask=is_open)" +
                widened(op.getOperand()) +
                "\n"
                "    found = tl.zeros([BLOCK], tl.int64)\n"
                "    for i in range(k):\n"
                "        best = " +
                best + "(tl.where(is_open, x, " + least +
                "), axis=0)\n"
                "        index = tl.min(tl.where(is_open & (x == best), place, extent), axis=0)\n"
                "        found = tl.where(place == i, index, found)\n"
                "        is_open = is_open & (place != index)\n";
  return anchor;
}

} // namespace tilescope::model
