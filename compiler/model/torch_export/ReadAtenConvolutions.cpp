// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Convolutions.
#include "compiler/model/import/Window.h"
#include "compiler/model/torch_export/AtenRules.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// A convolution: `conv2d` and the others say by their names what `convolution` says by arguments.
struct Convolution {
  AtenNode &node;
  Value x, filter, bias;
  bool isTransposed = false;
};
} // namespace

/// `same` puts what is missing at both sides; the odd one comes behind.
static std::optional<std::vector<int64_t>> padsOf(AtenNode &node, Window &window) {
  const size_t rank = window.rank();
  std::vector<int64_t> pads(2 * rank, 0);
  if (node.name().overload != "padding") {
    const auto told = node.repeated("padding", rank, 0);
    if (!told)
      return std::nullopt;
    std::copy(told->begin(), told->end(), pads.begin());
    std::copy(told->begin(), told->end(), pads.begin() + int64_t(rank));
    return pads;
  }
  const std::string word = node.text("padding", "valid");
  if (word != "same" && word != "valid") {
    node.fail("its argument `padding` is `" + word + "`");
    return std::nullopt;
  }
  for (size_t axis = 0; word == "same" && axis < rank; ++axis) {
    const int64_t total = window.reach(axis) - 1;
    pads[axis] = total / 2;
    pads[rank + axis] = total - total / 2;
  }
  return pads;
}

static std::optional<Window> windowOf(AtenNode &node, std::vector<int64_t> kernel) {
  Window window;
  const size_t rank = kernel.size();
  window.kernel = std::move(kernel);
  const auto strides = node.repeated("stride", rank, 1),
             dilations = node.repeated("dilation", rank, 1);
  if (!strides || !dilations)
    return std::nullopt;
  window.strides = *strides;
  window.dilations = *dilations;
  // Before `same` multiplies them.
  if (!expectWindow(node, window, std::vector<int64_t>(2 * rank, 0)))
    return std::nullopt;
  const auto pads = padsOf(node, window);
  if (!pads || !expectWindow(node, window, *pads))
    return std::nullopt;
  for (const int64_t pad : *pads)
    window.pads.push_back(node.number(pad));
  return window;
}

static std::optional<tm::ExtentList> transposedExtents(AtenNode &node, const Window &window,
                                                       const tm::ExtentList &input) {
  const auto more = node.repeated("output_padding", window.rank(), 0);
  if (!more || !expectNumbers(node, "output paddings", *more, window.rank(), 0))
    return std::nullopt;
  tm::ExtentList result;
  for (size_t axis = 0; axis < window.rank(); ++axis)
    result.push_back(tm::subtract(spreadExtent(node, window, axis, input[axis + 2], (*more)[axis]),
                                  tm::add(window.pads[axis], window.pads[window.rank() + axis])));
  return result;
}

static Value convolved(Convolution &convolution) {
  AtenNode &node = convolution.node;
  const tm::ExtentList input = AtenNode::extentsOf(convolution.x),
                       filter = AtenNode::extentsOf(convolution.filter);
  const auto kernel = filterKernel(node, input, filter);
  const int64_t groups = node.integer("groups", 1);
  if (!kernel || !expectChannels(node, input, filter, groups, convolution.isTransposed))
    return {};
  auto window = windowOf(node, *kernel);
  if (!window)
    return {};
  const auto spatial = convolution.isTransposed ? transposedExtents(node, *window, input)
                                                : windowedExtents(node, *window, input, false);
  if (!spatial)
    return {};
  tm::ExtentList extents{input[0], convolution.isTransposed
                                       ? tm::multiply(filter[1], node.number(groups))
                                       : filter[0]};
  extents.append(*spatial);
  const RankedTensorType type = node.tensorType(extents, AtenNode::elementOf(convolution.x));
  const auto made = [&]<typename Op>() {
    return node.emit<Op>(type, convolution.x, convolution.filter, convolution.bias,
                         ArrayRef(window->strides), padsAttr(node, *window),
                         ArrayRef(window->dilations), groups);
  };
  return convolution.isTransposed ? made.template operator()<tm::ConvTransposeOp>()
                                  : made.template operator()<tm::ConvOp>();
}

static bool readWith(AtenNode &node, bool isTransposed) {
  Convolution convolution{node, node.first(), node.tensor("weight"), node.optionalTensor("bias"),
                          isTransposed};
  if (!convolution.x || !convolution.filter || node.failed())
    return false;
  // A single image has no axis of images.
  const bool isSingle = AtenNode::rankOf(convolution.x) + 1 == AtenNode::rankOf(convolution.filter);
  if (isSingle) {
    tm::ExtentList extents = AtenNode::extentsOf(convolution.x);
    extents.insert(extents.begin(), node.number(1));
    convolution.x = node.reshaped(convolution.x, extents);
  }
  Value result = convolution.x ? convolved(convolution) : Value();
  if (result && isSingle)
    result = node.reshaped(result, ArrayRef<tm::Extent>(AtenNode::extentsOf(result)).drop_front());
  return node.finish(result);
}

static bool readConv(AtenNode &node) { return readWith(node, false); }
static bool readConvTranspose(AtenNode &node) { return readWith(node, true); }
static bool readConvolution(AtenNode &node) {
  return readWith(node, node.truth("transposed", false));
}

static constexpr AtenRule kAtenConvolutionRules[] = {
    {"aten.conv1d", readConv},
    {"aten.conv2d", readConv},
    {"aten.conv3d", readConv},
    {"aten.conv_transpose1d", readConvTranspose},
    {"aten.conv_transpose2d", readConvTranspose},
    {"aten.conv_transpose3d", readConvTranspose},
    {"aten.convolution", readConvolution},
};

std::span<const AtenRule> atenConvolutionRules() { return kAtenConvolutionRules; }

} // namespace tilescope::model
