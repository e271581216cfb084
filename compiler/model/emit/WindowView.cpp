// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/WindowView.h"

#include "compiler/dialects/tm/ir/Extents.h"

using namespace mlir;

namespace tilescope::model {

bool WindowView::isPointwise() const {
  const auto isPlain = [](const Axis &axis) {
    return axis.window == 1 && axis.stride == 1 && axis.begin == 0 && axis.end == 0;
  };
  return isPlain(z) && isPlain(y) && isPlain(x);
}

void WindowView::addNumbers(EmittedKernel &kernel) const {
  if (hasDepth) {
    kernel.number("depth", z.extent);
    kernel.number("out_depth", z.result);
    kernel.number("stride_z", z.stride);
    kernel.number("pad_z", z.begin);
    kernel.number("dilation_z", z.dilation);
  }
  const auto add = [&](const char *first, int64_t ofY, const char *second, int64_t ofX) {
    kernel.number(first, ofY);
    kernel.number(second, ofX);
  };
  add("height", y.extent, "width", x.extent);
  add("out_height", y.result, "out_width", x.result);
  add("stride_y", y.stride, "stride_x", x.stride);
  add("pad_y", y.begin, "pad_x", x.begin);
  add("dilation_y", y.dilation, "dilation_x", x.dilation);
}

void WindowView::addWindow(EmittedKernel &kernel) const {
  if (hasDepth)
    kernel.number("window_depth", z.window);
  kernel.number("window_height", y.window);
  kernel.number("window_width", x.window);
}

void WindowView::addConstantWindow(EmittedKernel &kernel) const {
  if (hasDepth)
    kernel.constexprs.emplace_back("window_depth", z.window);
  kernel.constexprs.emplace_back("window_height", y.window);
  kernel.constexprs.emplace_back("window_width", x.window);
}

std::optional<WindowView> windowView(RankedTensorType operand, RankedTensorType result,
                                     ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                                     tm::ExtentsAttr pads, ArrayRef<int64_t> dilations,
                                     unsigned firstAxis) {
  const size_t axes = window.size();
  if (axes == 0 || axes > 3 || operand.getRank() != int64_t(axes) + 2)
    return std::nullopt;
  WindowView view;
  view.hasDepth = axes == 3;
  WindowView::Axis *const all[] = {&view.x, &view.y, &view.z};
  for (size_t i = 0; i < axes; ++i) {
    WindowView::Axis &axis = *all[axes - 1 - i];
    const auto begin = tm::numberOf(pads.getValues()[i]),
               end = tm::numberOf(pads.getValues()[axes + i]);
    if (!begin || !end)
      return std::nullopt;
    axis = {operand.getDimSize(unsigned(i) + firstAxis),
            result.getDimSize(unsigned(i) + firstAxis),
            window[i],
            strides[i],
            *begin,
            *end,
            dilations[i]};
  }
  return view;
}

std::string WindowView::loadWindow(const std::string &other) const {
  return "    for i in " + rangeName() +
         (hasDepth ? "(window_depth * window_height):\n"
                     "        z = plane % out_depth * stride_z - pad_z + i // window_height * "
                     "dilation_z\n"
                     "        y = down * stride_y - pad_y + i % window_height * dilation_y\n"
                   : "(window_height):\n"
                     "        y = down * stride_y - pad_y + i * dilation_y\n") +
         "        for j in " + rangeName() +
         "(window_width):\n"
         "            x = right * stride_x - pad_x + j * dilation_x\n"
         "            inside = mask & (y >= 0) & (y < height) & (x >= 0) & (x < width)\n" +
         (hasDepth ? "            inside = inside & (z >= 0) & (z < depth)\n"
                     "            image = plane // out_depth * depth + z\n"
                   : "") +
         "            value = tl.load(x_ptr + (" + (hasDepth ? "image" : "plane") +
         " * height + y) * width + x, mask=inside, "
         "other=" +
         other + ")\n";
}

} // namespace tilescope::model
