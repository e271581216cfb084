// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The largest element and the mean of windows.
#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/WindowView.h"

using namespace mlir;

namespace tilescope::model {

/// Inside of both loops: what is done with the window's element. `initial`: lines before them.
static Anchor poolAnchor(const std::string &name, Operation *operation, const WindowView &view,
                         bool isMean, bool countsPads) {
  const Value operand = operation->getOperand(0), result = operation->getResult(0);
  Anchor anchor;
  anchor.result = result;
  anchor.shape = tensorType(result).getShape().vec();
  anchor.value = "total";
  anchor.place = "plane * out_height * out_width + at";
  anchor.mask = "mask";
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = name;
  kernel.read("x_ptr", operand);
  view.addNumbers(kernel);
  if (countsPads) {
    kernel.name += "_with_pads";
    kernel.number("pad_bottom", view.y.end);
    kernel.number("pad_right", view.x.end);
  }
  kernel.constexprs = {{"BLOCK", blockFor(view.pixels())}};
  const ArrayRef<int64_t> shape = tensorType(result).getShape();
  kernel.grid = {"\"cdiv(out_height * out_width, BLOCK)\"", std::to_string(shape[0] * shape[1])};
  const std::string other = isMean ? "0.0" : "float(\"-inf\")";
  const std::string counted =
      countsPads ? "(y < height + pad_bottom) & (x < width + pad_right)" : "inside";
  kernel.body =
      "    plane = tl.program_id(1)\n"
      "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
      "    mask = at < out_height * out_width\n"
      "    total = tl.full([BLOCK], " +
      other + ", tl.float32)\n" + (isMean ? "    count = tl.zeros([BLOCK], tl.float32)\n" : "") +
      "    for i in range(window_height):\n"
      "        y = at // out_width * stride_y - pad_y + i * dilation_y\n"
      "        for j in range(window_width):\n"
      "            x = at % out_width * stride_x - pad_x + j * dilation_x\n"
      "            inside = mask & (y >= 0) & (y < height) & (x >= 0) & (x < width)\n"
      "            value = tl.load(x_ptr + (plane * height + y) * width + x, mask=inside, other=" +
      other + ")\n" +
      (isMean ? "            total += value.to(tl.float32)\n            count += (" + counted +
                    ").to(tl.float32)\n"
              : "            total = tl.maximum(total, value.to(tl.float32))\n") +
      (isMean ? "    total = total / count\n" : "");
  return anchor;
}

std::optional<Anchor> emitPooling(Operation *operation) {
  const auto emit = [&](auto op, const std::string &name, bool isMean,
                        bool countsPads) -> std::optional<Anchor> {
    const RankedTensorType type = tensorType(op.getResult());
    const auto view = windowView(tensorType(op.getOperand()), type, op.getKernel(), op.getStrides(),
                                 op.getPads(), op.getDilations());
    if (!view || !isSmallReal(type.getElementType()) || type.getNumElements() == 0)
      return std::nullopt;
    return poolAnchor(name, operation, *view, isMean, countsPads);
  };
  if (auto op = dyn_cast<tm::MaxPoolOp>(operation))
    return op.getIndices().use_empty() ? emit(op, "max_pool", false, false) : std::nullopt;
  if (auto op = dyn_cast<tm::AvgPoolOp>(operation))
    return emit(op, "avg_pool", true, op.getCountPads());
  return std::nullopt;
}

} // namespace tilescope::model
