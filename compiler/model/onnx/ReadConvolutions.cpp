// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators with windows: convolutions and pools.
#include "compiler/model/onnx/OperatorRules.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// Windows over the axes behind the first two, of an input or, transposed, of the result.
struct Window {
  std::vector<int64_t> kernel, strides, dilations;
  /// All begins, then all ends.
  SmallVector<tm::Extent> pads;
  std::string automatic;

  size_t rank() const { return kernel.size(); }
  /// From the first element of a window to its last.
  int64_t reach(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
};

/// Larger ones make no sense, and their products are out of range.
constexpr int64_t kMostOfWindow = int64_t{1} << 31;
} // namespace

static bool expectNumbers(Node &node, const char *what, const std::vector<int64_t> &numbers,
                          size_t count, int64_t least) {
  if (numbers.size() != count)
    return node.fail("it has " + std::to_string(numbers.size()) + " " + what + " for " +
                     std::to_string(count));
  for (const int64_t number : numbers)
    if (number < least || number > kMostOfWindow)
      return node.fail("it has " + std::to_string(number) + " among its " + what);
  return true;
}

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
  if (!expectNumbers(node, "extents of the kernel", window.kernel, rank, 1) ||
      !expectNumbers(node, "strides", window.strides, rank, 1) ||
      !expectNumbers(node, "dilations", window.dilations, rank, 1) ||
      !expectNumbers(node, "pads", pads, 2 * rank, 0))
    return std::nullopt;
  for (size_t axis = 0; axis < rank; ++axis)
    if (window.kernel[axis] * window.dilations[axis] > kMostOfWindow) {
      node.fail("its windows are too large");
      return std::nullopt;
    }
  for (const int64_t pad : pads)
    window.pads.push_back(node.number(pad));
  return window;
}

/// `total` on both sides; the odd one where the mode puts it.
static void splitPads(Node &node, Window &window, size_t axis, tm::Extent total, bool isUpper) {
  const tm::Extent half = tm::floorDivide(total, node.number(2)),
                   rest = total && half ? tm::subtract(total, half) : tm::Extent();
  window.pads[axis] = isUpper ? half : rest;
  window.pads[window.rank() + axis] = isUpper ? rest : half;
}

/// What the windows make of the extent, with `ceilMode` also those that begin inside and end outside.
static tm::Extent windowedExtent(Node &node, const Window &window, size_t axis, tm::Extent extent,
                                 bool ceilMode) {
  const tm::Extent stride = node.number(window.strides[axis]), begin = window.pads[axis];
  const tm::Extent padded = tm::add(extent, tm::add(begin, window.pads[window.rank() + axis]));
  const tm::Extent room = tm::subtract(padded, node.number(window.reach(axis)));
  const auto known = tm::numberOf(room);
  if (known && *known < 0)
    return {};
  const tm::Extent result = tm::add(
      ceilMode ? tm::ceilDivide(room, stride) : tm::floorDivide(room, stride), node.number(1));
  // A window that would begin behind the input is left out.
  const auto last = tm::numberOf(tm::multiply(tm::subtract(result, node.number(1)), stride));
  const auto end = tm::numberOf(tm::add(extent, begin));
  return ceilMode && last && end && *last >= *end ? tm::subtract(result, node.number(1)) : result;
}

/// The extents that the windows make; sets automatic pads. Nothing after a fault.
static std::optional<tm::ExtentList> windowedExtents(Node &node, Window &window, bool ceilMode) {
  const tm::ExtentList extents = node.extents(0);
  tm::ExtentList result;
  const bool isUpper = window.automatic == "SAME_UPPER";
  for (size_t axis = 0; axis < window.rank(); ++axis) {
    const tm::Extent extent = extents[axis + 2], stride = node.number(window.strides[axis]);
    if (isUpper || window.automatic == "SAME_LOWER") {
      result.push_back(tm::ceilDivide(extent, stride));
      const tm::Extent covered =
          tm::add(tm::multiply(tm::subtract(result.back(), node.number(1)), stride),
                  node.number(window.reach(axis)));
      splitPads(node, window, axis, tm::atLeastZero(tm::subtract(covered, extent)), isUpper);
    } else {
      result.push_back(
          windowedExtent(node, window, axis, extent, ceilMode && window.automatic != "VALID"));
    }
    if (!result.back()) {
      node.fail("its windows do not fit into " + tm::extentsText(extents));
      return std::nullopt;
    }
  }
  return result;
}

static ArrayRef<tm::Extent> padsOf(const Window &window) { return window.pads; }

static tm::ExtentsAttr padsAttr(Node &node, const Window &window) {
  return tm::ExtentsAttr::get(node.context(), padsOf(window));
}

/// The kernel's extents by the filter; an attribute must not say anything else.
static std::optional<std::vector<int64_t>> filterKernel(Node &node) {
  const ArrayRef<int64_t> shape = node.type(1).getShape();
  if (shape.size() < 3 || shape.size() != size_t(node.type(0).getRank()) ||
      llvm::is_contained(shape, ShapedType::kDynamic)) {
    node.fail("a filter of " + tm::extentsText(node.extents(1)) + " does not go with an input of " +
              tm::extentsText(node.extents(0)));
    return std::nullopt;
  }
  std::vector<int64_t> kernel(shape.begin() + 2, shape.end());
  const auto told = node.integers("kernel_shape");
  if (told && *told != kernel) {
    node.fail("its `kernel_shape` is not that of the filter, " + tm::extentsText(node.extents(1)));
    return std::nullopt;
  }
  return kernel;
}

/// Channels are those of all groups together.
static bool expectChannels(Node &node, int64_t groups, bool isTransposed) {
  const auto channels = tm::numberOf(node.extents(0)[1]);
  const auto filter = tm::numberOf(node.extents(1)[isTransposed ? 0 : 1]),
             outputs = tm::numberOf(node.extents(1)[isTransposed ? 1 : 0]);
  const bool fits = groups >= 1 && groups <= kMostOfWindow && filter && outputs &&
                    (!channels || *channels == (isTransposed ? *filter : *filter * groups)) &&
                    (isTransposed ? *filter : *outputs) % groups == 0;
  return fits || node.fail("a filter of " + tm::extentsText(node.extents(1)) + " in " +
                           std::to_string(groups) + " groups does not go with an input of " +
                           tm::extentsText(node.extents(0)));
}

static bool readConv(Node &node) {
  if (!node.expectOperands(2, 3))
    return false;
  const auto kernel = filterKernel(node);
  const int64_t groups = node.integer("group", 1);
  if (!kernel || !expectChannels(node, groups, false))
    return false;
  auto window = windowOf(node, *kernel);
  const auto spatial = window ? windowedExtents(node, *window, false) : std::nullopt;
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
    const tm::Extent full = tm::add(tm::multiply(stride, tm::subtract(extent, node.number(1))),
                                    node.number(more[axis] + window.reach(axis)));
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
  const auto kernel = filterKernel(node);
  const int64_t groups = node.integer("group", 1);
  if (!kernel || !expectChannels(node, groups, true))
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
      window ? windowedExtents(node, *window, node.integer("ceil_mode", 0) != 0) : std::nullopt;
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

static constexpr OperatorRule kRules[] = {{"AveragePool", readAveragePool},
                                          {"Conv", readConv},
                                          {"ConvTranspose", readConvTranspose},
                                          {"MaxPool", readMaxPool}};

std::span<const OperatorRule> convolutionRules() { return kRules; }

} // namespace tilescope::model
