// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Images whose channels come last. A convolution is one product: a row for each pixel, a column for each filter, and
// along the depth all channels of one place in the window after the other:
//
//   window 3 × 3, 128 channels, blocks of 64:     step  0     1    2     …   17
//                                                 tap   0     0    1     …   8
//                                                 at    0…  64…    0…    … 64…
//
// What a step reads of a pixel lies side by side, and so does what it reads of a filter [M, height, width, C].
// Pooling, and convolutions with a channel in each group, compute elements by themselves.
#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/ProductTile.h"
#include "compiler/model/emit/WindowStrips.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::model {

template <typename Op> static std::optional<WindowView> viewLast(Op op, ArrayRef<int64_t> window) {
  const RankedTensorType operand = tensorType(op.getOperand()), result = tensorType(op.getResult());
  if (!isSmallReal(operand.getElementType()) || result.getNumElements() == 0 ||
      result.getRank() < 4)
    return std::nullopt;
  return windowView(operand, result, window, op.getStrides(), op.getPads(), op.getDilations(), 1);
}

/// The block that leaves least of the blocks empty, the larger one of two.
static int64_t depthBlock(int64_t depth, int64_t most) {
  int64_t best = 16;
  for (int64_t block = 32; block <= most; block *= 2)
    if (llvm::alignTo(uint64_t(depth), uint64_t(block)) <=
        llvm::alignTo(uint64_t(depth), uint64_t(best)))
      best = block;
  return best;
}

static int64_t constexprOf(const EmittedKernel &kernel, StringRef name) {
  for (const auto &[each, value] : kernel.constexprs)
    if (each == name)
      return value;
  return 0;
}

/// The kernel with its tensors, without numbers and a body.
static Anchor withTensors(tm::ConvOp op, const std::string &name, int64_t pixels) {
  const ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  const int64_t filters = shape.back();
  Anchor anchor;
  anchor.result = op.getResult();
  anchor.shape = shape.vec();
  anchor.value = "total";
  anchor.place = "rows[:, None] * filters + columns[None, :]";
  anchor.mask = "mask";
  const std::string ofImage =
      shape.size() == 5 ? "(out_depth * out_height * out_width)" : "(out_height * out_width)";
  const std::string isPixel = "rows[:, None] < pixels";
  // What is transposed to the model's order goes through the pixels of each image.
  anchor.coordinates = {
      {1, filters, "columns[None, :]", false, "columns[None, :] < filters"},
      {filters, pixels, "rows[:, None]", false, isPixel},
      {filters, pixels / shape.front(), "(rows % " + ofImage + ")[:, None]", false, isPixel},
      {filters * pixels / shape.front(), shape.front(), "(rows // " + ofImage + ")[:, None]", false,
       isPixel}};
  EmittedKernel &kernel = anchor.kernel;
  kernel.name = name;
  kernel.read("x_ptr", op.getOperand());
  kernel.read("w_ptr", op.getFilter());
  if (op.getBias()) {
    kernel.name += "_bias";
    kernel.read("b_ptr", op.getBias());
  }
  kernel.number("filters", filters);
  kernel.number("pixels", pixels);
  kernel.grid = {"\"cdiv(pixels, BLOCK_M) * cdiv(filters, BLOCK_N)\""};
  return anchor;
}

/// Blocks along `depth`, which is one of `steps` parts of the whole depth.
static void setTile(EmittedKernel &kernel, tm::ConvOp op, int64_t pixels, int64_t depth,
                    int64_t steps) {
  const int64_t filters = tensorType(op.getResult()).getShape().back();
  ProductTile tile = convolutionTile({1, pixels, filters, depth * steps},
                                     tensorType(op.getOperand()).getElementTypeBitWidth() / 8);
  tile.depth = depthBlock(depth, tile.depth);
  kernel.constexprs.insert(kernel.constexprs.end(),
                           {{"BLOCK_M", tile.rows},
                            {"BLOCK_N", tile.columns},
                            {"BLOCK_K", tile.depth},
                            {"BLOCKS", int64_t(llvm::divideCeil(depth, tile.depth))}});
  kernel.options = {{"num_warps", tile.warps}, {"num_stages", tile.stages}};
}

static std::string tileLines(bool hasDepth) {
  return std::string(
             "    rows = tl.program_id(0) // tl.cdiv(filters, BLOCK_N) * BLOCK_M + tl.arange(0, "
             "BLOCK_M)\n"
             "    columns = tl.program_id(0) % tl.cdiv(filters, BLOCK_N) * BLOCK_N + tl.arange(0, "
             "BLOCK_N)\n") +
         (hasDepth ? "    image = rows // (out_depth * out_height * out_width)\n"
                   : "    image = rows // (out_height * out_width)\n");
}

static std::string endLines(tm::ConvOp op) {
  return std::string("        total = tl.dot(value, weight, total, input_precision=\"ieee\")\n"
                     "    mask = (rows[:, None] < pixels) & (columns[None, :] < filters)\n") +
         (op.getBias() ? "    total += tl.load(b_ptr + columns, mask=columns < filters, "
                         "other=0.0)[None, :]\n"
                       : "");
}

static Anchor convolution(tm::ConvOp op, const WindowView &view) {
  const int64_t channels = tensorType(op.getOperand()).getShape().back();
  const int64_t pixels = tensorType(op.getResult()).getDimSize(0) * view.pixels();
  Anchor anchor = withTensors(op, "conv_channels_last", pixels);
  EmittedKernel &kernel = anchor.kernel;
  view.addNumbers(kernel);
  kernel.number("channels", channels);
  view.addConstantWindow(kernel);
  setTile(kernel, op, pixels, channels, view.taps());
  const bool hasDepth = view.hasDepth;
  const auto ofDepth = [&](const char *text) { return std::string(hasDepth ? text : ""); };
  const std::string taps = ofDepth("window_depth * ") + "window_height * window_width";
  const bool isWhole = channels % constexprOf(kernel, "BLOCK_K") == 0;
  const std::string ofRow = isWhole ? "" : " & (at[None, :] < channels)";
  const std::string ofColumn = isWhole ? "" : " & (at[:, None] < channels)";
  kernel.body =
      tileLines(hasDepth) +
      ofDepth("    front = rows // out_width // out_height % out_depth * stride_z - pad_z\n") +
      "    top = rows // out_width % out_height * stride_y - pad_y\n"
      "    left = rows % out_width * stride_x - pad_x\n"
      "    corner = ((" +
      (hasDepth ? "(image * depth + front)" : "image") +
      " * height + top) * width + left) * channels\n"
      "    filter = columns * (" +
      taps +
      " * channels)\n"
      "    total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)\n"
      "    # All blocks of channels at one place in the window, then those at the next.\n"
      "    for step in range(" +
      taps +
      " * BLOCKS):\n"
      "        tap = step // BLOCKS\n"
      "        at = step % BLOCKS * BLOCK_K + tl.arange(0, BLOCK_K)\n" +
      ofDepth("        back = tap // (window_height * window_width) * dilation_z\n") +
      "        down = tap // window_width " + ofDepth("% window_height ") +
      "* dilation_y\n"
      "        right = tap % window_width * dilation_x\n"
      "        inside = (rows < pixels) & (top + down >= 0) & (top + down < height)\n"
      "        inside = inside & (left + right >= 0) & (left + right < width)\n" +
      ofDepth("        inside = inside & (front + back >= 0) & (front + back < depth)\n") +
      "        pixel = corner + (" + (hasDepth ? "(back * height + down)" : "down") +
      " * width + right) * channels\n"
      "        value = tl.load(x_ptr + pixel[:, None] + at[None, :], mask=inside[:, None]" +
      ofRow +
      ", other=0.0)\n"
      "        weight = tl.load(w_ptr + (filter + tap * channels)[None, :] + at[:, None],\n"
      "                         mask=(columns[None, :] < filters)" +
      ofColumn + ", other=0.0)\n" + endLines(op);
  return anchor;
}

/// With few channels all elements that a row of the window covers, which lie side by side, are the depth of a step. The
/// image has its pads already.
static bool hasWholeRows(tm::ConvOp op, const WindowView &view) {
  return !view.hasDepth && tensorType(op.getOperand()).getShape().back() < 16 &&
         view.y.begin == 0 && view.x.begin == 0 && view.y.end <= 0 && view.x.end <= 0 &&
         view.x.dilation == 1;
}

static Anchor rowsOfWindows(tm::ConvOp op, const WindowView &view) {
  const int64_t channels = tensorType(op.getOperand()).getShape().back();
  const int64_t pixels = tensorType(op.getResult()).getDimSize(0) * view.pixels();
  Anchor anchor = withTensors(op, "conv_channels_last_rows", pixels);
  EmittedKernel &kernel = anchor.kernel;
  for (const auto &[name, number] : {std::pair{"height", view.y.extent},
                                     {"width", view.x.extent},
                                     {"out_height", view.y.result},
                                     {"out_width", view.x.result},
                                     {"stride_y", view.y.stride},
                                     {"dilation_y", view.y.dilation}})
    kernel.number(name, number);
  kernel.constexprs = {{"stride_x", view.x.stride}, {"channels", channels}};
  view.addConstantWindow(kernel);
  const int64_t run = channels * view.x.window;
  setTile(kernel, op, pixels, run, view.y.window);
  const bool isWhole = run % constexprOf(kernel, "BLOCK_K") == 0;
  kernel.body =
      tileLines(false) +
      "    top = rows // out_width % out_height * stride_y\n"
      "    left = rows % out_width * stride_x\n"
      "    corner = ((image * height + top) * width + left) * channels\n"
      "    run = window_width * channels\n"
      "    filter = columns * (window_height * run)\n"
      "    total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)\n"
      "    # A row of the window, then the next one.\n"
      "    for step in range(window_height * BLOCKS):\n"
      "        tap = step // BLOCKS\n"
      "        at = step % BLOCKS * BLOCK_K + tl.arange(0, BLOCK_K)\n"
      "        pixel = corner + tap * dilation_y * width * channels\n"
      "        value = tl.load(x_ptr + pixel[:, None] + at[None, :], mask=(rows[:, None] < "
      "pixels)" +
      std::string(isWhole ? "" : " & (at[None, :] < run)") +
      ", other=0.0)\n"
      "        weight = tl.load(w_ptr + (filter + tap * run)[None, :] + at[:, None],\n"
      "                         mask=(columns[None, :] < filters)" +
      (isWhole ? "" : " & (at[:, None] < run)") + ", other=0.0)\n" + endLines(op);
  return anchor;
}

/// Elements by themselves, with `channel`, and `right` and `down` in an image.
static Anchor elements(const std::string &name, Value operand, Value result,
                       const WindowView &view) {
  Anchor anchor = elementAnchor(name, result);
  anchor.value = "total";
  anchor.isOfResultType = false;
  EmittedKernel &kernel = anchor.kernel;
  const int64_t channels = tensorType(result).getShape().back();
  kernel.read("x_ptr", operand);
  view.addNumbers(kernel);
  view.addConstantWindow(kernel);
  kernel.number("channels", channels);
  anchor.coordinates.push_back({1, channels, "channel"});
  kernel.body += "    channel = at % channels\n"
                 "    right = at // channels % out_width\n"
                 "    down = at // channels // out_width % out_height\n"
                 "    image = at // channels // out_width // out_height\n";
  return anchor;
}

/// Two loops over the window, whose body has the place's `value`.
static std::string loadWindow(const WindowView &view, const std::string &other) {
  return "    for i in " + view.rangeName() +
         "(window_height):\n"
         "        y = down * stride_y - pad_y + i * dilation_y\n"
         "        for j in " +
         view.rangeName() +
         "(window_width):\n"
         "            x = right * stride_x - pad_x + j * dilation_x\n"
         "            inside = mask & (y >= 0) & (y < height) & (x >= 0) & (x < width)\n"
         "            value = tl.load(x_ptr + ((image * height + y) * width + x) * channels + "
         "channel,\n"
         "                            mask=inside, other=" +
         other + ").to(tl.float32)\n";
}

static std::string filled(const std::string &name, const std::string &value) {
  return "    " + name + " = tl.full([BLOCK], " + value + ", tl.float32)\n";
}

static Anchor depthwise(tm::ConvOp op, const WindowView &view) {
  if (std::optional<Anchor> strips =
          emitStrips({"conv_depthwise_strips_channels_last", op.getOperand(), op.getResult(),
                      op.getFilter(), op.getBias(), view, true}))
    return std::move(*strips);
  Anchor anchor = elements("conv_depthwise_channels_last", op.getOperand(), op.getResult(), view);
  EmittedKernel &kernel = anchor.kernel;
  kernel.read("w_ptr", op.getFilter());
  if (op.getBias()) {
    kernel.name += "_bias";
    kernel.read("b_ptr", op.getBias());
  }
  kernel.body +=
      filled("total", "0.0") + loadWindow(view, "0.0") +
      "            weight = tl.load(w_ptr + (i * window_width + j) * channels + channel)\n"
      "            total += value * weight.to(tl.float32)\n";
  if (op.getBias())
    kernel.body += "    total += tl.load(b_ptr + channel).to(tl.float32)\n";
  return anchor;
}

static Anchor mean(tm::AvgPoolOp op, const WindowView &view) {
  const bool countsPads = op.getCountPads();
  Anchor anchor =
      elements(countsPads ? "avg_pool_channels_last_with_pads" : "avg_pool_channels_last",
               op.getOperand(), op.getResult(), view);
  EmittedKernel &kernel = anchor.kernel;
  const std::string counted =
      countsPads ? "(y < height + pad_bottom) & (x < width + pad_right)" : "inside";
  kernel.body += filled("total", "0.0") + filled("count", "0.0") + loadWindow(view, "0.0") +
                 "            total += value\n"
                 "            count += (" +
                 counted +
                 ").to(tl.float32)\n"
                 "    total = total / count\n";
  if (countsPads) {
    kernel.number("pad_bottom", view.y.end);
    kernel.number("pad_right", view.x.end);
  }
  return anchor;
}

static Anchor largest(tm::MaxPoolOp op, const WindowView &view) {
  if (std::optional<Anchor> strips = emitStrips(
          {"max_pool_strips_channels_last", op.getOperand(), op.getResult(), {}, {}, view, true}))
    return std::move(*strips);
  Anchor anchor = elements("max_pool_channels_last", op.getOperand(), op.getResult(), view);
  anchor.kernel.body += filled("total", "float(\"-inf\")") + loadWindow(view, "float(\"-inf\")") +
                        "            total = tl.maximum(total, value)\n";
  return anchor;
}

std::optional<Anchor> emitChannelsLast(Operation *operation) {
  if (auto op = dyn_cast<tm::ConvOp>(operation); op && op.getChannelsLast()) {
    const ArrayRef<int64_t> filter = tensorType(op.getFilter()).getShape();
    const bool isDepthwise = op.getGroups() != 1;
    const auto view =
        viewLast(op, isDepthwise ? filter.take_front(2) : filter.drop_front().drop_back());
    if (!view)
      return std::nullopt;
    if (isDepthwise)
      return depthwise(op, *view);
    return hasWholeRows(op, *view) ? rowsOfWindows(op, *view) : convolution(op, *view);
  }
  if (auto op = dyn_cast<tm::AvgPoolOp>(operation); op && op.getChannelsLast())
    if (const auto view = viewLast(op, op.getKernel()))
      return mean(op, *view);
  if (auto op = dyn_cast<tm::MaxPoolOp>(operation); op && op.getChannelsLast())
    if (const auto view = viewLast(op, op.getKernel()))
      return largest(op, *view);
  return std::nullopt;
}

} // namespace tilescope::model
