// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/Window.h"

using namespace mlir;

namespace tilescope::model {

bool expectNumbers(NodeBuilder &node, const char *what, const std::vector<int64_t> &numbers,
                   size_t count, int64_t least) {
  if (numbers.size() != count)
    return node.fail("it has " + std::to_string(numbers.size()) + " " + what + " for " +
                     std::to_string(count));
  for (const int64_t number : numbers)
    if (number < least || number > kMostOfWindow)
      return node.fail("it has " + std::to_string(number) + " among its " + what);
  return true;
}

bool expectWindow(NodeBuilder &node, const Window &window, const std::vector<int64_t> &pads) {
  const size_t rank = window.rank();
  if (!expectNumbers(node, "extents of the kernel", window.kernel, rank, 1) ||
      !expectNumbers(node, "strides", window.strides, rank, 1) ||
      !expectNumbers(node, "dilations", window.dilations, rank, 1) ||
      !expectNumbers(node, "pads", pads, 2 * rank, 0))
    return false;
  for (size_t axis = 0; axis < rank; ++axis)
    if (window.kernel[axis] * window.dilations[axis] > kMostOfWindow)
      return node.fail("its windows are too large");
  return true;
}

void splitPads(NodeBuilder &node, Window &window, size_t axis, tm::Extent total, bool isUpper) {
  const tm::Extent half = tm::floorDivide(total, node.number(2)),
                   rest = total && half ? tm::subtract(total, half) : tm::Extent();
  window.pads[axis] = isUpper ? half : rest;
  window.pads[window.rank() + axis] = isUpper ? rest : half;
}

/// What the windows make of the extent, with `ceilMode` also those that begin inside and end outside.
static tm::Extent windowedExtent(NodeBuilder &node, const Window &window, size_t axis,
                                 tm::Extent extent, bool ceilMode) {
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

std::optional<tm::ExtentList> windowedExtents(NodeBuilder &node, Window &window,
                                              const tm::ExtentList &extents, bool ceilMode) {
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

tm::Extent spreadExtent(NodeBuilder &node, const Window &window, size_t axis, tm::Extent extent,
                        int64_t outputPadding) {
  return tm::add(
      tm::multiply(node.number(window.strides[axis]), tm::subtract(extent, node.number(1))),
      node.number(outputPadding + window.reach(axis)));
}

std::optional<std::vector<int64_t>> filterKernel(NodeBuilder &node, const tm::ExtentList &input,
                                                 const tm::ExtentList &filter) {
  std::vector<int64_t> kernel;
  for (const tm::Extent extent : filter)
    if (const auto number = tm::numberOf(extent))
      kernel.push_back(*number);
  if (filter.size() < 3 || filter.size() != input.size() || kernel.size() != filter.size()) {
    node.fail("a filter of " + tm::extentsText(filter) + " does not go with an input of " +
              tm::extentsText(input));
    return std::nullopt;
  }
  kernel.erase(kernel.begin(), kernel.begin() + 2);
  return kernel;
}

bool expectChannels(NodeBuilder &node, const tm::ExtentList &input, const tm::ExtentList &filter,
                    int64_t groups, bool isTransposed) {
  const auto channels = tm::numberOf(input[1]);
  const auto inputs = tm::numberOf(filter[isTransposed ? 0 : 1]),
             outputs = tm::numberOf(filter[isTransposed ? 1 : 0]);
  const bool fits = groups >= 1 && groups <= kMostOfWindow && inputs && outputs &&
                    (!channels || *channels == (isTransposed ? *inputs : *inputs * groups)) &&
                    (isTransposed ? *inputs : *outputs) % groups == 0;
  return fits ||
         node.fail("a filter of " + tm::extentsText(filter) + " in " + std::to_string(groups) +
                   " groups does not go with an input of " + tm::extentsText(input));
}

tm::ExtentsAttr padsAttr(NodeBuilder &node, const Window &window) {
  return tm::ExtentsAttr::get(node.context(), window.pads);
}

} // namespace tilescope::model
