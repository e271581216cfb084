// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Images of other extents: the nearest pixel, or the mean of four, weighted by how near they are.
#include "compiler/dialects/tm/ir/Extents.h"
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

/// The kernel of pixels that are repeated, with its tensors and sizes.
static Anchor repeatedAnchor(tm::ResizeOp op) {
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
  return anchor;
}

/// A pixel of the result is one of several that are the same.
static Anchor repeated(tm::ResizeOp op, int64_t timesY, int64_t timesX) {
  const ArrayRef<int64_t> to = tensorType(op.getResult()).getShape();
  Anchor anchor = repeatedAnchor(op);
  EmittedKernel &kernel = anchor.kernel;
  kernel.constexprs = {{"times_y", timesY}, {"times_x", timesX}};
  walkPixels(anchor, {llvm::product_of(to.drop_back(2)), to.end()[-2], to.back(), "out_y", "out_x",
                      1024, wideTile(to.back(), 256)});
  kernel.body += "    value = tl.load(x_ptr + (plane * in_y + down // times_y) * in_x + right // "
                 "times_x, mask=mask)\n";
  return anchor;
}

/// A thread loads pixels that lie beside each other, has each of them twice, and stores the row as often as it is there:
/// loads and stores are of whole vectors.
static Anchor doubled(tm::ResizeOp op, int64_t timesY) {
  const ArrayRef<int64_t> to = tensorType(op.getResult()).getShape();
  const int64_t height = to.end()[-2], width = to.back();
  const int64_t planes = llvm::product_of(to.drop_back(2));
  Anchor anchor = repeatedAnchor(op);
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = "double_pixels";
  const int64_t columns = wideTile(width / 2, 128);
  kernel.constexprs = {{"BLOCK_Y", blockFor(height / timesY, 512 / columns)}, {"BLOCK_X", columns}};
  setPlanes(kernel, "cdiv(in_y, BLOCK_Y) * cdiv(in_x, BLOCK_X)", planes);
  const auto part = [&](int64_t row) {
    const std::string times = std::to_string(timesY);
    const std::string down = "(down * " + times + " + " + std::to_string(row) + ")";
    AnchorPart part;
    part.value = "value";
    part.place = "(plane * out_y + " + down + ") * out_x + wide";
    part.mask = "(down < in_y) & (wide < out_x)";
    part.coordinates = {{1, width, "wide"},
                        {width, height, down},
                        {1, width * height, "(" + down + " * out_x + wide)"},
                        {width * height, planes, "plane", true}};
    return part;
  };
  static_cast<AnchorPart &>(anchor) = part(0);
  for (int64_t row = 1; row < timesY; ++row)
    anchor.others.push_back(part(row));
  kernel.numBlocks = size_t(timesY);
  kernel.body =
      planesText(planes) +
      "    tiles = tl.cdiv(in_x, BLOCK_X)\n"
      "    down = tile // tiles * BLOCK_Y + tl.arange(0, BLOCK_Y)[:, None]\n"
      "    right = tile % tiles * BLOCK_X + tl.arange(0, BLOCK_X)[None, :]\n"
      "    wide = tile % tiles * BLOCK_X * 2 + tl.arange(0, 2 * BLOCK_X)[None, :]\n"
      "    x = tl.load(x_ptr + (plane * in_y + down) * in_x + right, mask=(down < in_y) & (right < "
      "in_x))\n"
      "    value = tl.reshape(tl.join(x, x), [BLOCK_Y, 2 * BLOCK_X])\n";
  kernel.templateLines = size_t(llvm::count(kernel.body, '\n'));
  return anchor;
}

/// Whether a launch moves so much, in small pieces, that it is worth loads and stores of whole vectors.
static bool isLargeDoubling(tm::ResizeOp op, int64_t timesY, int64_t timesX) {
  static constexpr int64_t kMostRows = 4;
  const uint64_t bytes = tm::bytesOf(tensorType(op.getOperand())).value_or(0) +
                         tm::bytesOf(tensorType(op.getResult())).value_or(0);
  return timesX == 2 && timesY <= kMostRows && bytes >= kLargeLaunch &&
         tensorType(op.getResult()).getElementTypeBitWidth() <= 16;
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
    return isLargeDoubling(op, *timesY, *timesX) ? doubled(op, *timesY)
                                                 : repeated(op, *timesY, *timesX);
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
