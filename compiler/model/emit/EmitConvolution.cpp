// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Convolutions: with a window of one pixel a product of matrices, with one channel in a group a sum over the
// window for each pixel, else a product for each place in the window. Images have up to three axes.
#include "compiler/model/emit/Convolution.h"
#include "compiler/model/emit/PixelTiles.h"
#include "compiler/model/emit/WindowStrips.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

template <typename Op>
static std::optional<Convolution> convolutionOf(Op op, bool isTransposed,
                                                bool hasTapsFirst = false) {
  const RankedTensorType operand = tensorType(op.getOperand()), filter = tensorType(op.getFilter());
  const RankedTensorType result = tensorType(op.getResult());
  if (!isComputedReal(result.getElementType()) || result.getNumElements() == 0)
    return std::nullopt;
  const auto view =
      windowView(operand, result,
                 hasTapsFirst ? filter.getShape().drop_back(2) : filter.getShape().drop_front(2),
                 op.getStrides(), op.getPads(), op.getDilations());
  if (!view)
    return std::nullopt;
  const int64_t groups = int64_t(op.getGroups());
  return Convolution{op.getOperand(),
                     op.getFilter(),
                     op.getBias(),
                     op.getResult(),
                     *view,
                     operand.getDimSize(0),
                     groups,
                     operand.getDimSize(1) / groups,
                     result.getDimSize(1) / groups,
                     isTransposed,
                     hasTapsFirst};
}

static Anchor pointwise(const Convolution &conv) {
  Product product{conv.filter, conv.operand, conv.bias, conv.result};
  product.batch = conv.images;
  product.rows = conv.filters;
  product.columns = conv.view.pixels();
  product.depth = conv.channels;
  product.rightBatch = conv.channels * product.columns;
  product.addendRow = 1;
  return productAnchor(product);
}

Anchor withTensors(const std::string &name, const Convolution &conv) {
  Anchor anchor;
  anchor.result = conv.result;
  anchor.shape = tensorType(conv.result).getShape().vec();
  anchor.value = "total";
  anchor.mask = "mask";
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = name;
  kernel.read("x_ptr", conv.operand);
  kernel.read("w_ptr", conv.filter);
  if (conv.bias) {
    kernel.name += "_bias";
    kernel.read("b_ptr", conv.bias);
  }
  conv.view.addNumbers(kernel);
  return anchor;
}

static Anchor depthwise(const Convolution &conv) {
  if (std::optional<Anchor> strips = emitStrips(
          {"conv_depthwise_strips", conv.operand, conv.result, conv.filter, conv.bias, conv.view}))
    return std::move(*strips);
  Anchor anchor = withTensors("conv_depthwise", conv);
  EmittedKernel &kernel = anchor.kernel;
  kernel.number("channels", conv.groups);
  conv.view.addConstantWindow(kernel);
  walkPixels(anchor, {conv.images * conv.groups * conv.view.z.result, conv.view.y.result,
                      conv.view.x.result});
  anchor.coordinates.push_back({conv.view.pixels(), conv.groups, "channel", true});
  kernel.body += std::string(conv.view.hasDepth ? "    channel = plane // out_depth % channels\n"
                                                  "    lines = window_depth * window_height\n"
                                                : "    channel = plane % channels\n"
                                                  "    lines = window_height\n") +
                 conv.zeros("BLOCK_Y, BLOCK_X") + conv.view.loadWindow("0.0") +
                 "            weight = tl.load(w_ptr + (channel * lines + i) * window_width + j)\n"
                 "            total += value" +
                 toCombinedType(conv.element()) + " * weight" + toCombinedType(conv.element()) +
                 "\n";
  if (conv.bias)
    kernel.body += "    total += tl.load(b_ptr + channel)" + toCombinedType(conv.element()) + "\n";
  return anchor;
}

/// How a program of a convolution goes through the pixels of the result.
enum class PixelOrder {
  /// As they lie in memory, whatever the row.
  Flat,
  /// Pixels of one row, so that what is loaded lies side by side, too.
  ByRows,
  /// Flat; between the pixels of what is transposed are gaps.
  Transposed
};

static PixelOrder pixelOrder(const Convolution &conv) {
  if (conv.isTransposed)
    return PixelOrder::Transposed;
  const int64_t width = conv.view.x.result;
  const auto padded = int64_t(llvm::alignTo(uint64_t(width), uint64_t(tileWidth(width, 64))));
  // With tensor cores a row's empty end takes as long as pixels; a plane's pixels are many against one such end.
  if (conv.view.hasDepth && conv.isInParts() && 16 * padded > 17 * width)
    return PixelOrder::Flat;
  return 2 * padded <= 3 * width ? PixelOrder::ByRows : PixelOrder::Flat;
}

/// The pixels of a program, `columns`, and its filters, `rows`.
static std::string tileText(PixelOrder order, bool hasDepth) {
  if (order == PixelOrder::ByRows)
    return std::string("    tiles = tl.cdiv(out_width, BLOCK_N)\n") +
           (hasDepth
                ? "    rows = tl.program_id(0) // (tiles * out_height * out_depth) * BLOCK_M + "
                  "tl.arange(0, BLOCK_M)\n"
                  "    front = tl.program_id(0) // (tiles * out_height) % out_depth\n"
                : "    rows = tl.program_id(0) // (tiles * out_height) * BLOCK_M + tl.arange(0, "
                  "BLOCK_M)\n") +
           "    down = tl.program_id(0) // tiles % out_height\n"
           "    right = tl.program_id(0) % tiles * BLOCK_N + tl.arange(0, BLOCK_N)\n" +
           (hasDepth ? "    columns = (front * out_height + down) * out_width + right\n"
                     : "    columns = down * out_width + right\n");
  return std::string("    rows = tl.program_id(0) // tl.cdiv(pixels, BLOCK_N) * BLOCK_M + "
                     "tl.arange(0, BLOCK_M)\n"
                     "    columns = tl.program_id(0) % tl.cdiv(pixels, BLOCK_N) * BLOCK_N + "
                     "tl.arange(0, BLOCK_N)\n") +
         (hasDepth ? "    front = columns // (out_width * out_height)\n"
                     "    down = columns // out_width % out_height\n"
                   : "    down = columns // out_width\n") +
         "    right = columns % out_width\n";
}

/// Which of a window's rows, and of its slices, place `tap` is in.
static const char *rowOfTap(bool hasDepth) {
  return hasDepth ? "tap // window_width % window_height" : "tap // window_width";
}
static constexpr const char *kSliceOfTap = "tap // (window_width * window_height)";

/// Where the pixel of the image is that a place in the window has.
static std::string placeText(PixelOrder order, bool hasDepth) {
  const std::string row = rowOfTap(hasDepth), slice = kSliceOfTap;
  if (order != PixelOrder::Transposed)
    return (hasDepth ? "        z = front * stride_z - pad_z + " + slice + " * dilation_z\n" : "") +
           "        y = down * stride_y - pad_y + " + row + " * dilation_y\n" +
           "        x = right * stride_x - pad_x + tap % window_width * dilation_x\n"
           "        inside = (" +
           (order == PixelOrder::ByRows ? "right < out_width" : "columns < pixels") +
           ") & (y >= 0) & (y < height) & (x >= 0) & (x < width)\n" +
           (hasDepth ? "        inside = inside & (z >= 0) & (z < depth)\n" : "");
  return "        top = down + pad_y - " + row +
         " * dilation_y\n"
         "        left = right + pad_x - tap % window_width * dilation_x\n"
         "        y = top // stride_y\n"
         "        x = left // stride_x\n"
         "        inside = (columns < pixels) & (top >= 0) & (y < height) & (left >= 0) & (x < "
         "width)\n"
         "        inside = inside & (top % stride_y == 0) & (left % stride_x == 0)\n" +
         (hasDepth ? "        before = front + pad_z - " + slice +
                         " * dilation_z\n"
                         "        z = before // stride_z\n"
                         "        inside = inside & (before >= 0) & (z < depth) & (before % "
                         "stride_z == 0)\n"
                   : "");
}

/// Of the result and of the window.
static std::string sizesText(bool hasDepth) {
  return hasDepth ? "    pixels = out_depth * out_height * out_width\n"
                    "    taps = window_depth * window_height * window_width\n"
                  : "    pixels = out_height * out_width\n"
                    "    taps = window_height * window_width\n";
}

/// Where the elements of a tile are in the result; `image` counts images and groups.
static void setPlaces(const Convolution &conv, Anchor &anchor) {
  const int64_t pixels = conv.view.pixels(), filters = conv.groups * conv.filters;
  anchor.place = "(image * filters + rows[:, None]) * pixels + columns[None, :]";
  anchor.coordinates = {{1, pixels, "columns[None, :]"},
                        {pixels, filters, "(group * filters + rows[:, None])"},
                        {pixels * filters, conv.images, "(image // groups)", true}};
}

/// What is inside of the image, the tiles and the launch's programs.
static void setTiles(const Convolution &conv, PixelOrder order, Anchor &anchor) {
  const bool isByRows = order == PixelOrder::ByRows;
  const std::string slices = conv.view.hasDepth ? "out_depth * " : "";
  const int64_t columns = isByRows ? tileWidth(conv.view.x.result, 64)
                                   : std::max<int64_t>(16, blockFor(conv.view.pixels(), 64));
  anchor.mask = std::string("(rows[:, None] < filters) & (") +
                (isByRows ? "right[None, :] < out_width)" : "columns[None, :] < pixels)");
  // Tensor cores take larger tiles, of which each pixel is loaded for more filters.
  const bool isNarrow = tensorType(conv.operand).getElementTypeBitWidth() == 16;
  const bool isInParts = conv.isInParts();
  const int64_t mostRows = isNarrow || isInParts ? kRowsOfTensorCores : 32;
  anchor.kernel.constexprs = {{"BLOCK_M", std::max<int64_t>(16, blockFor(conv.filters, mostRows))},
                              {"BLOCK_N", columns},
                              {"BLOCK_K", std::max<int64_t>(16, blockFor(conv.channels, 32))}};
  if (isInParts)
    anchor.kernel.options = {{"num_stages", 2}};
  anchor.kernel.grid = {"\"cdiv(filters, BLOCK_M) * " +
                            (isByRows ? slices + "out_height * cdiv(out_width, BLOCK_N)\""
                                      : "cdiv(" + slices + "out_height * out_width, BLOCK_N)\""),
                        std::to_string(conv.images * conv.groups)};
}

/// Loads the weights of a tile, `[rows, at]`.
static std::string weightText(const Convolution &conv) {
  return std::string("            weight = tl.load(w_ptr + ") +
         (conv.isTransposed
              ? "((group * channels + at[None, :]) * filters + rows[:, None]) * taps + tap"
          : conv.hasTapsFirst
              ? "((tap * groups + group) * filters + rows[:, None]) * channels + at[None, :]"
              : "((group * filters + rows[:, None]) * channels + at[None, :]) * taps + tap") +
         ",\n"
         "                             mask=(rows[:, None] < filters) & (at[None, :] < channels), "
         "other=0.0)\n";
}

/// With so few channels that those of one place in the window leave most of a tile empty, channels and places are
/// one axis.
static bool hasFewChannels(const Convolution &conv) {
  return conv.channels < 16 && conv.view.taps() > 1 && pixelOrder(conv) == PixelOrder::ByRows;
}

static Anchor fewChannels(const Convolution &conv) {
  Anchor anchor = withTensors("conv_few_channels", conv);
  setPlaces(conv, anchor);
  setTiles(conv, PixelOrder::ByRows, anchor);
  EmittedKernel &kernel = anchor.kernel;
  kernel.constexprs.back().second =
      std::max<int64_t>(16, blockFor(conv.channels * conv.view.taps(), 32));
  conv.view.addWindow(kernel);
  kernel.number("groups", conv.groups);
  kernel.number("channels", conv.channels);
  kernel.number("filters", conv.filters);
  const bool hasDepth = conv.view.hasDepth;
  kernel.body =
      sizesText(hasDepth) + "    terms = channels * taps\n" +
      tileText(PixelOrder::ByRows, hasDepth) +
      "    image = tl.program_id(1)  # and group\n"
      "    group = image % groups\n" +
      conv.zeros("BLOCK_M, BLOCK_N") +
      "    for begin in range(0, terms, BLOCK_K):\n"
      "        at = begin + tl.arange(0, BLOCK_K)\n"
      "        weight = tl.load(w_ptr + (group * filters + rows[:, None]) * terms + at[None, :],\n"
      "                         mask=(rows[:, None] < filters) & (at[None, :] < terms), "
      "other=0.0)\n"
      "        tap = at % taps\n"
      "        y = (down * stride_y - pad_y + " +
      rowOfTap(hasDepth) +
      " * dilation_y)[:, None]\n"
      "        x = (right * stride_x - pad_x)[None, :] + (tap % window_width * dilation_x)[:, "
      "None]\n"
      "        inside = (at[:, None] < terms) & (right[None, :] < out_width) & (y >= 0) & (y < "
      "height)\n"
      "        inside = inside & (x >= 0) & (x < width)\n"
      "        plane = (image * channels + at // taps)[:, None]\n" +
      (hasDepth ? std::string("        z = (front * stride_z - pad_z + ") + kSliceOfTap +
                      " * dilation_z)[:, None]\n"
                      "        inside = inside & (z >= 0) & (z < depth)\n"
                      "        plane = plane * depth + z\n"
                : std::string()) +
      "        value = tl.load(x_ptr + (plane * height + y) * width + x, mask=inside, other=0.0)\n"
      "        total = tl.dot(weight, value, total, " +
      dotOptions(conv.element()) + ")\n" +
      std::string(conv.bias ? "    total += tl.load(b_ptr + group * filters + rows, mask=rows < "
                              "filters, other=0.0)[:, None]\n"
                            : "");
  return anchor;
}

static Anchor general(const Convolution &conv) {
  const PixelOrder order = pixelOrder(conv);
  Anchor anchor = withTensors(conv.isTransposed ? "conv_transpose" : "conv", conv);
  setPlaces(conv, anchor);
  setTiles(conv, order, anchor);
  EmittedKernel &kernel = anchor.kernel;
  conv.view.addWindow(kernel);
  kernel.number("groups", conv.groups);
  kernel.number("channels", conv.channels);
  kernel.number("filters", conv.filters);
  const bool hasDepth = conv.view.hasDepth;
  const std::string across = order == PixelOrder::ByRows ? "" : "[None, :]";
  kernel.body =
      sizesText(hasDepth) + tileText(order, hasDepth) +
      "    image = tl.program_id(1)  # and group\n"
      "    group = image % groups\n" +
      conv.zeros("BLOCK_M, BLOCK_N") + "    for tap in range(taps):\n" +
      placeText(order, hasDepth) +
      "        for begin in range(0, channels, BLOCK_K):\n"
      "            at = begin + tl.arange(0, BLOCK_K)\n" +
      weightText(conv) + "            plane = image * channels + at[:, None]\n" +
      (hasDepth ? "            plane = plane * depth + z" + across + "\n" : "") +
      "            value = tl.load(x_ptr + (plane * height + y" + across +
      ") * width + x[None, :],\n"
      "                            mask=(at[:, None] < channels) & inside[None, :], other=0.0)\n"
      "            total = tl.dot(weight, value, total, " +
      conv.dotOptions() + ")\n" +
      (conv.bias ? "    total += tl.load(b_ptr + group * filters + rows, mask=rows < filters, "
                   "other=0.0)[:, None]\n"
                 : "");
  return anchor;
}

std::optional<Anchor> emitConvolution(Operation *operation) {
  if (auto op = dyn_cast<tm::ConvTransposeOp>(operation)) {
    const auto conv = convolutionOf(op, true);
    if (!conv)
      return std::nullopt;
    return hasWindowsOfTheirOwn(*conv) ? separateWindows(*conv) : general(*conv);
  }
  auto op = dyn_cast<tm::ConvOp>(operation);
  const auto conv =
      op && !op.getChannelsLast() ? convolutionOf(op, false, op.getTapsFirst()) : std::nullopt;
  if (!conv)
    return std::nullopt;
  if (conv->groups == 1 && conv->view.isPointwise())
    return pointwise(*conv);
  if (conv->channels == 1 && conv->filters == 1)
    return depthwise(*conv);
  return hasFewChannels(*conv) ? fewChannels(*conv) : general(*conv);
}

} // namespace tilescope::model
