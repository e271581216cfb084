// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/OperatorRules.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace tilescope::model {

/// The whole part of so many elements; none beyond what a tensor can have.
static tm::Extent wholeExtent(Node &node, double elements) {
  if (!(std::abs(elements) <= double(tm::kMostExtent)))
    return {};
  return node.number(int64_t(std::floor(elements)));
}

/// Scales of the named axes, and the extents that they make.
static std::optional<tm::ExtentList> scaledExtents(Node &node, const Known &scales,
                                                   const std::vector<int64_t> &axes,
                                                   std::vector<float> &all) {
  tm::ExtentList extents = node.extents(0);
  for (const auto &[i, axis] : llvm::enumerate(axes)) {
    const auto scale = scales[i].value();
    if (!scale)
      return std::nullopt;
    all[size_t(axis)] = float(*scale);
    tm::Extent &extent = extents[size_t(axis)];
    const auto size = tm::numberOf(extent);
    if (*scale <= 0)
      extent = {};
    else if (size)
      extent = wholeExtent(node, double(*size) * float(*scale));
    else if (*scale == std::floor(*scale) && *scale <= double(tm::kMostExtent))
      extent = tm::multiply(extent, node.number(int64_t(*scale)));
    else if (const double parts = std::round(1 / *scale);
             parts >= 1 && parts <= double(tm::kMostExtent) && float(1 / parts) == float(*scale))
      extent = tm::floorDivide(extent, node.number(int64_t(parts)));
    else
      extent = node.unknownExtent(size_t(axis));
  }
  return extents;
}

/// Extents of the named axes; the policy chooses one scale for all.
static std::optional<tm::ExtentList> sizedExtents(Node &node, const std::vector<tm::Extent> &sizes,
                                                  const std::vector<int64_t> &axes,
                                                  std::vector<float> &scales) {
  tm::ExtentList extents = node.extents(0);
  const std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch") {
    for (const auto &[i, axis] : llvm::enumerate(axes))
      extents[size_t(axis)] = sizes[i];
    return extents;
  }
  std::optional<double> chosen;
  for (const auto &[i, axis] : llvm::enumerate(axes)) {
    const auto from = tm::numberOf(extents[size_t(axis)]), to = tm::numberOf(sizes[i]);
    if (!from || !to || *from == 0)
      return std::nullopt;
    const double scale = double(*to) / double(*from);
    chosen = !chosen                  ? scale
             : policy == "not_larger" ? std::min(*chosen, scale)
                                      : std::max(*chosen, scale);
  }
  for (const int64_t axis : axes) {
    extents[size_t(axis)] =
        wholeExtent(node, *chosen * double(*tm::numberOf(extents[size_t(axis)])) + 0.5);
    scales[size_t(axis)] = float(*chosen);
  }
  return extents;
}

/// The begins of all axes, then their ends: the whole of those that are not named. Null: it is computed.
static Value regionOf(Node &node, const std::vector<int64_t> &axes) {
  const auto rank = size_t(node.type(0).getRank());
  std::vector<float> region(2 * rank, 0);
  std::fill(region.begin() + int64_t(rank), region.end(), 1.0f);
  const Known *known = node.known(1);
  if (!known || known->size() != 2 * axes.size())
    return {};
  for (const auto &[i, axis] : llvm::enumerate(axes)) {
    const auto begin = (*known)[i].value(), end = (*known)[axes.size() + i].value();
    if (!begin || !end)
      return {};
    region[size_t(axis)] = float(*begin);
    region[rank + size_t(axis)] = float(*end);
  }
  const auto type = RankedTensorType::get({int64_t(region.size())}, node.builder().getF32Type());
  return node.emit<tm::ConstantOp>(
      type, cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef(region))));
}

static tm::ExtentList unknownExtents(Node &node, const std::vector<int64_t> &axes) {
  tm::ExtentList extents = node.extents(0);
  for (const int64_t axis : axes)
    extents[size_t(axis)] = node.unknownExtent(size_t(axis));
  return extents;
}

/// Versions 9 (as `Upsample`) and 10 have scales as input 1, later ones also a region and extents.
static bool readResize(Node &node) {
  if (!node.expectOperands(1, 4))
    return false;
  if (node.version() < 9)
    return node.fail("its scales are attributes, as before version 9, which is not supported: "
                     "convert the model to version 9 or later");
  const bool isEarly = node.version() < 11;
  const size_t scaleIndex = isEarly ? 1 : 2, sizeIndex = 3;
  const auto rank = size_t(node.type(0).getRank());
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (const auto told = node.integers("axes")) {
    const auto checked = node.axes(*told, int64_t(rank));
    if (!checked)
      return false;
    axes = *checked;
  }
  // An empty tensor stands for an operand that is left out.
  const auto isGiven = [&](size_t index) {
    return node.operand(index) &&
           !(node.type(index).hasStaticShape() && node.type(index).getNumElements() == 0);
  };
  std::vector<float> scales(rank, 1);
  std::optional<tm::ExtentList> extents;
  const Known *known = node.known(scaleIndex);
  const auto sizes = isEarly ? std::nullopt : node.knownSizes(sizeIndex);
  const bool byScale = isGiven(scaleIndex), bySize = !isEarly && isGiven(sizeIndex);
  if (byScale == bySize)
    return node.fail("it needs scales or sizes");
  if ((byScale && known && known->size() != axes.size()) ||
      (bySize && sizes && sizes->size() != axes.size()))
    return node.fail("it has scales or sizes for other axes than " + std::to_string(axes.size()));
  if (byScale && known)
    extents = scaledExtents(node, *known, axes, scales);
  else if (bySize && sizes)
    extents = sizedExtents(node, *sizes, axes, scales);
  SmallVector<Value> operands;
  const bool cropsRegion = node.text("coordinate_transformation_mode", "") == "tf_crop_and_resize";
  if (!extents)
    operands.push_back(node.operand(byScale ? scaleIndex : sizeIndex));
  if (cropsRegion && node.operand(1)) {
    const Value region = regionOf(node, axes);
    operands.push_back(region ? region : node.operand(1));
  }
  const RankedTensorType type =
      node.tensorType(extents ? *extents : unknownExtents(node, axes), node.element(0));
  if (!type)
    return false;
  // What a policy chooses is more exact than the extents that it makes.
  const bool hasScales =
      extents && (byScale || node.text("keep_aspect_ratio_policy", "stretch") != "stretch");
  const std::string coordinates =
      node.text("coordinate_transformation_mode", isEarly ? "asymmetric" : "half_pixel");
  return node.finish(node.emit<tm::ResizeOp>(
      type, node.operand(0), operands, node.text("mode", "nearest"), coordinates,
      node.text("nearest_mode", isEarly ? "floor" : "round_prefer_floor"),
      hasScales ? node.builder().getDenseF32ArrayAttr(scales) : DenseF32ArrayAttr(),
      llvm::APFloat(node.real("cubic_coeff_a", -0.75f)),
      llvm::APFloat(node.real("extrapolation_value", 0)), node.integer("antialias", 0) != 0,
      node.integer("exclude_outside", 0) != 0));
}

static constexpr OperatorRule kResizeRules[] = {{"Resize", readResize}, {"Upsample", readResize}};

std::span<const OperatorRule> resizeRules() { return kResizeRules; }

} // namespace tilescope::model
