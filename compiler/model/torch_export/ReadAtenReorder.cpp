// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that repeat elements, turn them round, leave some out, or lay them out in another way.
#include "compiler/model/torch_export/AtenRules.h"

using namespace mlir;

namespace tilescope::model {

/// The whole tensor again and again; new axes come in front.
static bool readRepeat(AtenNode &node) {
  Value x = node.first();
  const auto told = node.sizes(node.has("repeats") ? "repeats" : "dims");
  if (!x || !told)
    return node.fail("it does not say how often");
  tm::ExtentList extents = AtenNode::extentsOf(x);
  std::vector<tm::Extent> times = *told;
  if (times.size() > extents.size())
    extents.insert(extents.begin(), times.size() - extents.size(), node.number(1));
  times.insert(times.begin(), extents.size() - times.size(), node.number(1));
  x = node.reshaped(x, extents);
  for (size_t axis = 0; axis < extents.size(); ++axis)
    extents[axis] = tm::multiply(extents[axis], times[axis]);
  const RankedTensorType type =
      x ? node.tensorType(extents, AtenNode::elementOf(x)) : RankedTensorType();
  return type && node.finish(node.emit<tm::TileOp>(type, x, Value()));
}

/// Each element so many times, beside each other.
static bool readRepeatInterleave(AtenNode &node) {
  const Value x = node.first();
  const tm::Extent times = node.size("repeats", tm::Extent());
  if (!x || !times || !node.has("dim"))
    return node.fail("it needs one number of repeats and an axis");
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  if (node.failed())
    return false;
  tm::ExtentList extents = AtenNode::extentsOf(x), result = extents;
  result[axis] = tm::multiply(result[axis], times);
  extents.insert(extents.begin() + int64_t(axis) + 1, node.number(1));
  const Value apart = node.reshaped(x, extents);
  extents[axis + 1] = times;
  return node.finish(node.reshaped(node.expanded(apart, extents), result));
}

/// Axes the other way round.
static bool readFlip(AtenNode &node) {
  Value x = node.first();
  const auto told = node.integers("dims");
  const auto axes = x && told ? node.axes(*told, AtenNode::rankOf(x)) : std::nullopt;
  if (!axes)
    return node.fail("it has no axes");
  for (const int64_t axis : *axes) {
    const tm::Extent extent = x ? AtenNode::extentsOf(x)[size_t(axis)] : tm::Extent();
    x = node.sliced(x, size_t(axis), tm::subtract(extent, node.number(1)), extent, -1);
  }
  return node.finish(x);
}

template <bool isUpper> static bool readTriangle(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  if (AtenNode::rankOf(x) < 2)
    return node.fail("its input is not a matrix");
  const Value diagonal =
      node.scalar(double(node.integer("diagonal", 0)), node.builder().getI64Type());
  return node.finish(node.emit<tm::TriluOp>(AtenNode::typeOf(x), x, diagonal, isUpper));
}

/// The last axis of pixels is a square of the channels: `C * r * r` become `H * r` and `W * r`.
static bool readPixelShuffle(AtenNode &node) {
  const Value x = node.first();
  const int64_t factor = node.integer("upscale_factor", 0);
  if (!x || AtenNode::rankOf(x) != 4 || factor < 1 || factor > (1 << 15))
    return node.fail("it needs an image of four axes and a factor above 0");
  tm::ExtentList extents = AtenNode::extentsOf(x);
  extents[1] = tm::quotient(extents[1], node.number(factor * factor));
  for (const size_t axis : {2, 3})
    extents[axis] = tm::multiply(extents[axis], node.number(factor));
  return node.finish(node.emit<tm::DepthToSpaceOp>(node.tensorType(extents, AtenNode::elementOf(x)),
                                                   x, factor, /*columns_first=*/true));
}

static constexpr AtenRule kAtenReorderRules[] = {
    {"aten.flip", readFlip},           {"aten.pixel_shuffle", readPixelShuffle},
    {"aten.repeat", readRepeat},       {"aten.repeat_interleave", readRepeatInterleave},
    {"aten.tile", readRepeat},         {"aten.tril", readTriangle<false>},
    {"aten.triu", readTriangle<true>},
};

std::span<const AtenRule> atenReorderRules() { return kAtenReorderRules; }

} // namespace tilescope::model
