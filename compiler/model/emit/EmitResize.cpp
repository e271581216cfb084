// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Images of other extents: the nearest pixel, or the mean of four, weighted by how near they are.
#include "compiler/model/emit/PixelTiles.h"

using namespace mlir;

namespace tilescope::model {

/// Where a pixel of the result is in the operand, on one axis, `y` or `x`; empty: there is no template.
static std::string coordinateText(StringRef mode, const std::string &axis,
                                  const std::string &place) {
  if (mode == "asymmetric")
    return "tl.div_rn(" + place + ".to(tl.float32), scale_" + axis + ")";
  if (mode == "half_pixel")
    return "tl.div_rn(" + place + " + 0.5, scale_" + axis + ") - 0.5";
  if (mode == "pytorch_half_pixel")
    return "tl.where(out_" + axis + " > 1, tl.div_rn(" + place + " + 0.5, scale_" + axis +
           ") - 0.5, 0.0)";
  if (mode == "align_corners")
    return place + " * step_" + axis;
  return "";
}

static std::string nearestText(StringRef mode, const std::string &coordinate) {
  if (mode == "floor")
    return "tl.floor(" + coordinate + ")";
  if (mode == "ceil")
    return "tl.ceil(" + coordinate + ")";
  if (mode == "round_prefer_ceil")
    return "tl.floor(" + coordinate + " + 0.5)";
  return "tl.ceil(" + coordinate + " - 0.5)";
}

static std::string nearestBody(StringRef mode) {
  std::string text;
  for (const std::string axis : {"y", "x"})
    text += "    " + axis + " = " + nearestText(mode, axis) + ".to(tl.int32)\n    " + axis +
            " = tl.minimum(tl.maximum(" + axis + ", 0), in_" + axis + " - 1)\n";
  return text + "    value = tl.load(x_ptr + (plane * in_y + y) * in_x + x, mask=mask)\n";
}

/// How often each pixel is there, beside each other, on an axis; nothing: pixels of the result take theirs in another way.
static std::optional<int64_t> timesOf(tm::ResizeOp op, unsigned axis) {
  const int64_t from = tensorType(op.getOperand()).getDimSize(axis);
  const int64_t to = tensorType(op.getResult()).getDimSize(axis);
  const double scale = op.getScales() ? double((*op.getScales())[axis]) : double(to) / double(from);
  const bool isFloor = op.getCoordinates() == "asymmetric" && op.getNearest() == "floor";
  // Centers of pixels are never a half away from the center of theirs.
  const bool isCenter =
      op.getCoordinates().ends_with("half_pixel") && op.getNearest().starts_with("round");
  if (op.getMode() != "nearest" || (!isFloor && !isCenter) || to % from != 0 ||
      scale != double(to / from))
    return std::nullopt;
  return to / from;
}

/// A pixel of the result is one of several that are the same.
static Anchor repeated(tm::ResizeOp op, int64_t timesY, int64_t timesX) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape();
  const ArrayRef<int64_t> to = tensorType(op.getResult()).getShape();
  Anchor anchor;
  anchor.result = op.getResult();
  anchor.shape = to.vec();
  anchor.value = "value";
  anchor.isOfResultType = true;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "repeat_pixels";
  kernel.read("x_ptr", op.getOperand());
  kernel.number("out_y", to.end()[-2]);
  kernel.number("out_x", to.back());
  kernel.number("in_y", from.end()[-2]);
  kernel.number("in_x", from.back());
  kernel.constexprs = {{"times_y", timesY}, {"times_x", timesX}};
  walkPixels(anchor, {llvm::product_of(to.drop_back(2)), to.end()[-2], to.back(), "out_y", "out_x",
                      1024, wideTile(to.back(), 256)});
  kernel.body += "    value = tl.load(x_ptr + (plane * in_y + down // times_y) * in_x + right // "
                 "times_x, mask=mask)\n";
  return anchor;
}

static std::string linearBody() {
  std::string text;
  for (const std::string axis : {"y", "x"})
    text += "    " + axis + " = tl.minimum(tl.maximum(" + axis + ", 0.0), in_" + axis +
            " - 1.0)\n" + "    " + axis + "0 = tl.floor(" + axis + ").to(tl.int32)\n" + "    " +
            axis + "1 = tl.minimum(" + axis + "0 + 1, in_" + axis + " - 1)\n" + "    part_" + axis +
            " = " + axis + " - " + axis + "0\n";
  const auto load = [](const std::string &name, const std::string &y, const std::string &x) {
    return "    " + name + " = tl.load(x_ptr + (plane * in_y + " + y + ") * in_x + " + x +
           ", mask=mask).to(tl.float32)\n";
  };
  return text + load("a", "y0", "x0") + load("b", "y0", "x1") + load("c", "y1", "x0") +
         load("d", "y1", "x1") +
         "    top = a + (b - a) * part_x\n"
         "    bottom = c + (d - c) * part_x\n"
         "    value = top + (bottom - top) * part_y\n";
}

/// A real number as the launch block writes it.
static std::string realText(double value) {
  const std::string text = numberText(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::optional<Anchor> emitResize(Operation *operation) {
  auto op = dyn_cast<tm::ResizeOp>(operation);
  if (!op || op.getAntialias())
    return std::nullopt;
  const RankedTensorType from = tensorType(op.getOperand()), type = tensorType(op.getResult());
  const int64_t rank = type.getRank();
  const bool isNearest = op.getMode() == "nearest";
  if (rank < 3 || type.getNumElements() == 0 ||
      from.getShape().drop_back(2) != type.getShape().drop_back(2) ||
      (!isNearest && (op.getMode() != "linear" || !isSmallReal(type.getElementType()))))
    return std::nullopt;
  const auto timesY = timesOf(op, unsigned(rank - 2)), timesX = timesOf(op, unsigned(rank - 1));
  if (timesY && timesX)
    return repeated(op, *timesY, *timesX);
  const std::string y = coordinateText(op.getCoordinates(), "y", "down");
  const std::string x = coordinateText(op.getCoordinates(), "x", "right");
  if (y.empty())
    return std::nullopt;
  Anchor anchor;
  anchor.result = op.getResult();
  anchor.shape = type.getShape().vec();
  anchor.value = "value";
  anchor.isOfResultType = isNearest;
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = isNearest ? "resize_nearest" : "resize_linear";
  kernel.read("x_ptr", op.getOperand());
  const int64_t planes = llvm::product_of(type.getShape().drop_back(2));
  for (const auto &[i, axis] : llvm::enumerate(std::vector<std::string>{"y", "x"})) {
    const auto at = unsigned(rank - 2 + int64_t(i));
    const double scale = op.getScales() ? double((*op.getScales())[at])
                                        : double(type.getDimSize(at)) / double(from.getDimSize(at));
    kernel.number("in_" + axis, from.getDimSize(at));
    kernel.number("out_" + axis, type.getDimSize(at));
    // The last pixel may lie before the end that the scale gives.
    const double last = scale * double(from.getDimSize(at)) - 1;
    if (op.getCoordinates() == "align_corners")
      kernel.numbers.emplace_back("step_" + axis,
                                  realText(last > 0 ? double(from.getDimSize(at) - 1) / last : 0));
    else
      kernel.numbers.emplace_back("scale_" + axis, realText(scale));
  }
  walkPixels(anchor, {planes, type.getDimSize(unsigned(rank - 2)),
                      type.getDimSize(unsigned(rank - 1)), "out_y", "out_x"});
  kernel.body += "    y = " + y + "\n    x = " + x + "\n" +
                 (isNearest ? nearestBody(op.getNearest()) : linearBody());
  return anchor;
}

} // namespace tilescope::model
