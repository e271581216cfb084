// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators with windows: convolutions and pools.
#include "compiler/model/import/Window.h"
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

/// Nothing after a fault. Automatic pads are left for the operator.
static std::optional<Window> windowOf(Node &node, std::vector<int64_t> kernel) {
  Window window;
  const size_t rank = kernel.size();
  window.kernel = std::move(kernel);
  window.strides = node.integers("strides").value_or(std::vector<int64_t>(rank, 1));
  window.dilations = node.integers("dilations").value_or(std::vector<int64_t>(rank, 1));
  window.automatic = node.text("auto_pad", "NOTSET");
  std::vector<int64_t> pads = node.integers("pads").value_or(std::vector<int64_t>(2 * rank, 0));
  // Files give pads of zeros beside `VALID`.
  if (window.automatic != "NOTSET")
    pads.assign(2 * rank, 0);
  if (!expectWindow(node, window, pads))
    return std::nullopt;
  for (const int64_t pad : pads)
    window.pads.push_back(node.number(pad));
  return window;
}

/// By the filter; an attribute must not say anything else.
static std::optional<std::vector<int64_t>> kernelOf(Node &node) {
  const auto kernel = filterKernel(node, node.extents(0), node.extents(1));
  const auto told = kernel ? node.integers("kernel_shape") : std::nullopt;
  if (!told || *told == *kernel)
    return kernel;
  node.fail("its `kernel_shape` is not that of the filter, " + tm::extentsText(node.extents(1)));
  return std::nullopt;
}

static bool readConv(Node &node) {
  if (!node.expectOperands(2, 3))
    return false;
  const auto kernel = kernelOf(node);
  const int64_t groups = node.integer("group", 1);
  if (!kernel || !expectChannels(node, node.extents(0), node.extents(1), groups, false))
    return false;
  auto window = windowOf(node, *kernel);
  const auto spatial =
      window ? windowedExtents(node, *window, node.extents(0), false) : std::nullopt;
  if (!spatial)
    return false;
  tm::ExtentList extents{node.extents(0)[0], node.extents(1)[0]};
  extents.append(*spatial);
  return node.finish(node.emit<tm::ConvOp>(
      node.tensorType(extents, node.element(0)), node.operand(0), node.operand(1), node.operand(2),
      ArrayRef(window->strides), padsAttr(node, *window), ArrayRef(window->dilations), groups));
}

/// The extents of the result, from which the pads follow where the file gives them.
static std::optional<tm::ExtentList> transposedExtents(Node &node, Window &window) {
  const auto more =
      node.integers("output_padding").value_or(std::vector<int64_t>(window.rank(), 0));
  const auto told = node.integers("output_shape");
  if (!expectNumbers(node, "output paddings", more, window.rank(), 0) ||
      (told && !expectNumbers(node, "extents of the output", *told, window.rank(), 0)))
    return std::nullopt;
  tm::ExtentList result;
  const bool isUpper = window.automatic == "SAME_UPPER",
             isSame = isUpper || window.automatic == "SAME_LOWER";
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    const tm::Extent extent = node.extents(0)[axis + 2], stride = node.number(window.strides[axis]);
    const tm::Extent full = spreadExtent(node, window, axis, extent, more[axis]);
    if (told || isSame) {
      result.push_back(told ? node.number((*told)[axis]) : tm::multiply(extent, stride));
      splitPads(node, window, axis, tm::atLeastZero(tm::subtract(full, result.back())), isUpper);
    } else {
      result.push_back(
          tm::subtract(full, tm::add(window.pads[axis], window.pads[window.rank() + axis])));
    }
  }
  return result;
}

static bool readConvTranspose(Node &node) {
  if (!node.expectOperands(2, 3))
    return false;
  const auto kernel = kernelOf(node);
  const int64_t groups = node.integer("group", 1);
  if (!kernel || !expectChannels(node, node.extents(0), node.extents(1), groups, true))
    return false;
  auto window = windowOf(node, *kernel);
  const auto spatial = window ? transposedExtents(node, *window) : std::nullopt;
  if (!spatial)
    return false;
  tm::ExtentList extents{node.extents(0)[0], tm::multiply(node.extents(1)[1], node.number(groups))};
  extents.append(*spatial);
  return node.finish(node.emit<tm::ConvTransposeOp>(
      node.tensorType(extents, node.element(0)), node.operand(0), node.operand(1), node.operand(2),
      ArrayRef(window->strides), padsAttr(node, *window), ArrayRef(window->dilations), groups));
}

static std::optional<Window> poolWindow(Node &node, tm::ExtentList &extents) {
  const auto kernel = node.integers("kernel_shape");
  if (!node.expectOperands(1, 1))
    return std::nullopt;
  if (!kernel || kernel->empty() || int64_t(kernel->size()) + 2 != node.type(0).getRank()) {
    node.fail("its `kernel_shape` does not go with an input of " +
              tm::extentsText(node.extents(0)));
    return std::nullopt;
  }
  auto window = windowOf(node, *kernel);
  const auto spatial =
      window ? windowedExtents(node, *window, node.extents(0), node.integer("ceil_mode", 0) != 0)
             : std::nullopt;
  if (!spatial)
    return std::nullopt;
  extents = {node.extents(0)[0], node.extents(0)[1]};
  extents.append(*spatial);
  return window;
}

static bool readMaxPool(Node &node) {
  tm::ExtentList extents;
  const auto window = poolWindow(node, extents);
  if (!window)
    return false;
  const Type types[] = {node.tensorType(extents, node.element(0)),
                        node.tensorType(extents, node.builder().getI64Type())};
  const bool isColumnMajor = node.integer("storage_order", 0) != 0;
  return node.finish(node.emitAll<tm::MaxPoolOp>(types, node.operand(0), ArrayRef(window->kernel),
                                                 ArrayRef(window->strides), padsAttr(node, *window),
                                                 ArrayRef(window->dilations), isColumnMajor));
}

static bool readAveragePool(Node &node) {
  tm::ExtentList extents;
  const auto window = poolWindow(node, extents);
  if (!window)
    return false;
  const bool countsPads = node.integer("count_include_pad", 0) != 0;
  return node.finish(node.emit<tm::AvgPoolOp>(
      node.tensorType(extents, node.element(0)), node.operand(0), ArrayRef(window->kernel),
      ArrayRef(window->strides), padsAttr(node, *window), ArrayRef(window->dilations), countsPads));
}

static constexpr OperatorRule kConvolutionRules[] = {{"AveragePool", readAveragePool},
                                                     {"Conv", readConv},
                                                     {"ConvTranspose", readConvTranspose},
                                                     {"MaxPool", readMaxPool}};

std::span<const OperatorRule> convolutionRules() { return kConvolutionRules; }

} // namespace tilescope::model
