// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Images of other extents.
#include "compiler/model/torch_export/AtenRules.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

namespace {
struct Resize {
  /// ONNX's words for how elements are sampled.
  const char *mode, *coordinates, *nearest;
};
} // namespace

/// What the scales make of the extents behind the first two. Nothing after a fault.
static std::optional<tm::ExtentList> scaledExtents(AtenNode &node, const tm::ExtentList &from,
                                                   const std::vector<double> &factors) {
  tm::ExtentList result(from);
  for (size_t axis = 2; axis < from.size(); ++axis) {
    const double factor = factors[axis - 2];
    const auto extent = tm::numberOf(from[axis]);
    const bool isWhole = factor == std::floor(factor) && factor >= 1 && factor < 1 << 20;
    const double size = extent ? std::floor(double(*extent) * factor) : -1;
    if (!(factor > 0) || (!extent && !isWhole) || !(size < double(tm::kMostExtent))) {
      node.fail("its scales do not go with an input of " + tm::extentsText(from));
      return std::nullopt;
    }
    result[axis] = isWhole ? tm::multiply(from[axis], node.number(int64_t(factor)))
                           : node.number(int64_t(size));
  }
  return result;
}

/// `upsample_….vec` has extents or scales, the others extents and, maybe, a scale for each axis.
static bool resize(AtenNode &node, const Resize &how) {
  const Value x = node.first();
  if (!x)
    return false;
  const tm::ExtentList from = AtenNode::extentsOf(x);
  const size_t axes = from.size() < 2 ? 0 : from.size() - 2;
  const auto sizes = node.sizes("output_size");
  const auto factors = node.reals("scale_factors");
  if (axes == 0 || (sizes && sizes->size() != axes) || (factors && factors->size() != axes) ||
      (!sizes && !factors))
    return node.fail("its extents do not go with an input of " + tm::extentsText(from));
  tm::ExtentList extents(from);
  SmallVector<float> scales;
  if (sizes)
    std::copy(sizes->begin(), sizes->end(), extents.begin() + 2);
  if (!sizes || factors) {
    const auto scaled = scaledExtents(node, from, *factors);
    if (!scaled)
      return false;
    extents = *scaled;
    scales.assign(2, 1.0f);
    scales.append(factors->begin(), factors->end());
  }
  const RankedTensorType type = node.tensorType(extents, AtenNode::elementOf(x));
  if (!type)
    return false;
  const bool alignsCorners = node.truth("align_corners", false);
  return node.finish(node.emit<tm::ResizeOp>(
      type, x, ValueRange(), how.mode, alignsCorners ? "align_corners" : how.coordinates,
      how.nearest,
      scales.empty() ? DenseF32ArrayAttr() : node.builder().getDenseF32ArrayAttr(scales),
      llvm::APFloat(-0.75f), llvm::APFloat(0.0f), /*antialias=*/false, /*exclude_outside=*/false));
}

static bool readNearest(AtenNode &node) { return resize(node, {"nearest", "asymmetric", "floor"}); }
static bool readNearestExact(AtenNode &node) {
  return resize(node, {"nearest", "half_pixel", "round_prefer_ceil"});
}
static bool readLinear(AtenNode &node) { return resize(node, {"linear", "half_pixel", "floor"}); }
static bool readCubic(AtenNode &node) { return resize(node, {"cubic", "half_pixel", "floor"}); }

static constexpr AtenRule kAtenResizeRules[] = {
    {"aten._upsample_nearest_exact2d", readNearestExact},
    {"aten.upsample_bicubic2d", readCubic},
    {"aten.upsample_bilinear2d", readLinear},
    {"aten.upsample_linear1d", readLinear},
    {"aten.upsample_nearest1d", readNearest},
    {"aten.upsample_nearest2d", readNearest},
    {"aten.upsample_nearest3d", readNearest},
    {"aten.upsample_trilinear3d", readLinear},
};

std::span<const AtenRule> atenResizeRules() { return kAtenResizeRules; }

} // namespace tilescope::model
