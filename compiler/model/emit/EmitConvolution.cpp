// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Convolutions: with a window of one pixel a product of matrices, with one channel in a group a sum over the
// window for each pixel, else a product for each place in the window.
#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/WindowView.h"

using namespace mlir;

namespace tilescope::model {

namespace {
struct Convolution {
  Value operand, filter, bias, result;
  WindowView view;
  int64_t images, groups;
  /// Of one group.
  int64_t channels, filters;
  bool isTransposed;
};
} // namespace

template <typename Op> static std::optional<Convolution> convolutionOf(Op op, bool isTransposed) {
  const RankedTensorType operand = tensorType(op.getOperand()), filter = tensorType(op.getFilter());
  const RankedTensorType result = tensorType(op.getResult());
  if (!isSmallReal(result.getElementType()) || result.getNumElements() == 0)
    return std::nullopt;
  const auto view = windowView(operand, result, filter.getShape().drop_front(2), op.getStrides(),
                               op.getPads(), op.getDilations());
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
                     isTransposed};
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

/// The kernel with its tensors, without a body.
static Anchor withTensors(const std::string &name, const Convolution &conv) {
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
  Anchor anchor = withTensors("conv_depthwise", conv);
  anchor.place = "plane * out_height * out_width + at";
  anchor.coordinates = {{1, conv.view.pixels(), "at"},
                        {conv.view.pixels(), conv.groups, "channel"}};
  EmittedKernel &kernel = anchor.kernel;
  kernel.number("channels", conv.groups);
  kernel.constexprs = {{"BLOCK", blockFor(conv.view.pixels())}};
  kernel.grid = {"\"cdiv(out_height * out_width, BLOCK)\"",
                 std::to_string(conv.images * conv.groups)};
  kernel.body =
      "    plane = tl.program_id(1)\n"
      "    channel = plane % channels\n"
      "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
      "    mask = at < out_height * out_width\n"
      "    total = tl.zeros([BLOCK], tl.float32)\n"
      "    for i in range(window_height):\n"
      "        y = at // out_width * stride_y - pad_y + i * dilation_y\n"
      "        for j in range(window_width):\n"
      "            x = at % out_width * stride_x - pad_x + j * dilation_x\n"
      "            inside = mask & (y >= 0) & (y < height) & (x >= 0) & (x < width)\n"
      "            value = tl.load(x_ptr + (plane * height + y) * width + x, mask=inside, "
      "other=0.0)\n"
      "            weight = tl.load(w_ptr + (channel * window_height + i) * window_width + j)\n"
      "            total += value.to(tl.float32) * weight.to(tl.float32)\n" +
      std::string(conv.bias ? "    total += tl.load(b_ptr + channel).to(tl.float32)\n" : "");
  return anchor;
}

/// Where the pixel of the image is that a place in the window has. Between the pixels of what is
/// transposed are gaps.
static std::string placeText(bool isTransposed) {
  if (!isTransposed)
    return "        y = columns // out_width * stride_y - pad_y + tap // window_width * "
           "dilation_y\n"
           "        x = columns % out_width * stride_x - pad_x + tap % window_width * dilation_x\n"
           "        inside = (columns < pixels) & (y >= 0) & (y < height) & (x >= 0) & (x < "
           "width)\n";
  return "        top = columns // out_width + pad_y - tap // window_width * dilation_y\n"
         "        left = columns % out_width + pad_x - tap % window_width * dilation_x\n"
         "        y = top // stride_y\n"
         "        x = left // stride_x\n"
         "        inside = (columns < pixels) & (top >= 0) & (y < height) & (left >= 0) & (x < "
         "width)\n"
         "        inside = inside & (top % stride_y == 0) & (left % stride_x == 0)\n";
}

static Anchor general(const Convolution &conv) {
  Anchor anchor = withTensors(conv.isTransposed ? "conv_transpose" : "conv", conv);
  anchor.place = "(image * filters + rows[:, None]) * pixels + columns[None, :]";
  anchor.mask = "(rows[:, None] < filters) & (columns[None, :] < pixels)";
  anchor.coordinates = {
      {1, conv.view.pixels(), "columns[None, :]"},
      {conv.view.pixels(), conv.groups * conv.filters, "(group * filters + rows[:, None])"}};
  EmittedKernel &kernel = anchor.kernel;
  kernel.number("groups", conv.groups);
  kernel.number("channels", conv.channels);
  kernel.number("filters", conv.filters);
  kernel.constexprs = {{"BLOCK_M", std::max<int64_t>(16, blockFor(conv.filters, 32))},
                       {"BLOCK_N", std::max<int64_t>(16, blockFor(conv.view.pixels(), 64))},
                       {"BLOCK_K", std::max<int64_t>(16, blockFor(conv.channels, 32))}};
  kernel.grid = {"\"cdiv(filters, BLOCK_M) * cdiv(out_height * out_width, BLOCK_N)\"",
                 std::to_string(conv.images * conv.groups)};
  const std::string weight =
      conv.isTransposed
          ? "((group * channels + at[None, :]) * filters + rows[:, None]) * taps + tap"
          : "((group * filters + rows[:, None]) * channels + at[None, :]) * taps + tap";
  kernel.body =
      "    pixels = out_height * out_width\n"
      "    taps = window_height * window_width\n"
      "    rows = tl.program_id(0) // tl.cdiv(pixels, BLOCK_N) * BLOCK_M + tl.arange(0, BLOCK_M)\n"
      "    columns = tl.program_id(0) % tl.cdiv(pixels, BLOCK_N) * BLOCK_N + tl.arange(0, "
      "BLOCK_N)\n"
      "    image = tl.program_id(1)  # and group\n"
      "    group = image % groups\n"
      "    total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)\n"
      "    for tap in range(taps):\n" +
      placeText(conv.isTransposed) +
      "        for begin in range(0, channels, BLOCK_K):\n"
      "            at = begin + tl.arange(0, BLOCK_K)\n"
      "            weight = tl.load(w_ptr + " +
      weight +
      ",\n"
      "                             mask=(rows[:, None] < filters) & (at[None, :] < channels), "
      "other=0.0)\n"
      "            value = tl.load(x_ptr + ((image * channels + at[:, None]) * height + y[None, "
      ":]) * width + x[None, :],\n"
      "                            mask=(at[:, None] < channels) & inside[None, :], other=0.0)\n"
      "            total = tl.dot(weight, value, total, input_precision=\"ieee\")\n" +
      (conv.bias ? "    total += tl.load(b_ptr + group * filters + rows, mask=rows < filters, "
                   "other=0.0)[:, None]\n"
                 : "");
  return anchor;
}

std::optional<Anchor> emitConvolution(Operation *operation) {
  if (auto op = dyn_cast<tm::ConvTransposeOp>(operation)) {
    const auto conv = convolutionOf(op, true);
    return conv ? std::optional(general(*conv)) : std::nullopt;
  }
  auto op = dyn_cast<tm::ConvOp>(operation);
  const auto conv = op ? convolutionOf(op, false) : std::nullopt;
  if (!conv)
    return std::nullopt;
  if (conv->groups == 1 && conv->view.isPointwise())
    return pointwise(*conv);
  return conv->channels == 1 && conv->filters == 1 ? depthwise(*conv) : general(*conv);
}

} // namespace tilescope::model
