// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Transposed convolutions whose windows do not overlap: one product, with a row for each filter and place in the window.
#include "compiler/model/emit/Convolution.h"

using namespace mlir;

namespace tilescope::model {

bool hasWindowsOfTheirOwn(const Convolution &conv) {
  const auto isPlain = [](const WindowView::Axis &axis) {
    return axis.window == axis.stride && axis.begin == 0 && axis.end == 0 && axis.dilation == 1 &&
           axis.result == axis.extent * axis.stride;
  };
  return conv.isTransposed && conv.groups == 1 && !conv.view.hasDepth && isPlain(conv.view.y) &&
         isPlain(conv.view.x);
}

Anchor separateWindows(const Convolution &conv) {
  Anchor anchor = withTensors("conv_transpose_windows", conv);
  anchor.place = "((image * filters + filter[:, None]) * out_height + down) * out_width + right";
  anchor.mask = "(filter[:, None] < filters) & (columns[None, :] < pixels)";
  anchor.coordinates = {{1, conv.view.x.result, "right"},
                        {conv.view.x.result, conv.view.y.result, "down"},
                        {conv.view.pixels(), conv.filters, "filter[:, None]"}};
  EmittedKernel &kernel = anchor.kernel;
  const int64_t rows = conv.filters * conv.view.taps();
  const int64_t pixels = conv.view.y.extent * conv.view.x.extent;
  kernel.number("channels", conv.channels);
  kernel.number("filters", conv.filters);
  kernel.constexprs = {{"BLOCK_M", std::max<int64_t>(16, blockFor(rows, 32))},
                       {"BLOCK_N", std::max<int64_t>(16, blockFor(pixels, 64))},
                       {"BLOCK_K", std::max<int64_t>(16, blockFor(conv.channels, 32))}};
  kernel.grid = {"\"cdiv(filters * stride_y * stride_x, BLOCK_M) * cdiv(height * width, BLOCK_N)\"",
                 std::to_string(conv.images)};
  kernel.body =
      "    pixels = height * width\n"
      "    taps = stride_y * stride_x\n"
      "    rows = tl.program_id(0) // tl.cdiv(pixels, BLOCK_N) * BLOCK_M + tl.arange(0, BLOCK_M)\n"
      "    columns = tl.program_id(0) % tl.cdiv(pixels, BLOCK_N) * BLOCK_N + tl.arange(0, "
      "BLOCK_N)\n"
      "    image = tl.program_id(1)\n" +
      conv.zeros("BLOCK_M, BLOCK_N") +
      "    for begin in range(0, channels, BLOCK_K):\n"
      "        at = begin + tl.arange(0, BLOCK_K)\n"
      "        weight = tl.load(w_ptr + at[None, :] * filters * taps + rows[:, None],\n"
      "                         mask=(rows[:, None] < filters * taps) & (at[None, :] < channels), "
      "other=0.0)\n"
      "        value = tl.load(x_ptr + (image * channels + at[:, None]) * pixels + columns[None, "
      ":],\n"
      "                        mask=(at[:, None] < channels) & (columns[None, :] < pixels), "
      "other=0.0)\n"
      "        total = tl.dot(weight, value, total, " +
      dotOptions(conv.element()) +
      ")\n"
      "    filter = rows // taps\n"
      "    down = (columns // width * stride_y)[None, :] + (rows % taps // stride_x)[:, None]\n"
      "    right = (columns % width * stride_x)[None, :] + (rows % stride_x)[:, None]\n" +
      std::string(conv.bias ? "    total += tl.load(b_ptr + filter, mask=filter < filters, "
                              "other=0.0)[:, None]\n"
                            : "");
  return anchor;
}

} // namespace tilescope::model
