// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that take tensors apart, put them together and surround them.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/torch_export/AtenRules.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

/// Of one element type, the result's.
static Value joined(AtenNode &node, SmallVector<Value> parts, size_t axis) {
  const Type element = node.resultElement(AtenNode::elementOf(parts.front()));
  for (Value &part : parts)
    part = node.cast(part, element);
  if (llvm::is_contained(parts, Value()))
    return {};
  const auto extents = joinedExtents(node, parts, axis);
  return extents ? node.emit<tm::ConcatOp>(node.tensorType(*extents, element), ValueRange(parts),
                                           int64_t(axis))
                 : Value();
}

static bool readCat(AtenNode &node) {
  SmallVector<Value> parts = node.tensors("tensors");
  // Tensors of one axis without elements go with all others.
  llvm::erase_if(parts, [](Value part) {
    return part && AtenNode::rankOf(part) == 1 && AtenNode::typeOf(part).getDimSize(0) == 0;
  });
  if (parts.empty() || llvm::is_contained(parts, Value()))
    return node.fail("it has no tensors");
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(parts.front())));
  return !node.failed() && node.finish(joined(node, parts, axis));
}

/// Along a new axis.
static bool readStack(AtenNode &node) {
  SmallVector<Value> parts = node.tensors("tensors");
  if (parts.empty() || llvm::is_contained(parts, Value()))
    return node.fail("it has no tensors");
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(parts.front()) + 1));
  for (Value &part : parts) {
    tm::ExtentList extents = AtenNode::extentsOf(part);
    if (extents.size() < axis)
      return node.fail("its tensors do not have the same number of axes");
    extents.insert(extents.begin() + int64_t(axis), node.number(1));
    part = node.reshaped(part, extents);
  }
  return !node.failed() && node.finish(joined(node, parts, axis));
}

namespace {
/// A part of an axis.
struct Part {
  Value x;
  size_t axis = 0;
  tm::Extent begin, size;
  int64_t step = 1;
};
} // namespace

/// `x[start:end:step]` of an axis; nothing after a fault.
static std::optional<Part> partOf(AtenNode &node) {
  Part part;
  part.x = node.first();
  if (!part.x)
    return std::nullopt;
  part.axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(part.x)));
  part.step = node.integer("step", 1);
  if (part.step < 1)
    node.fail("its step is " + std::to_string(part.step));
  if (node.failed())
    return std::nullopt;
  std::tie(part.begin, part.size) = slicedExtent(node.size("start", node.number(0)),
                                                 node.size("end", node.number(tm::kMostExtent)),
                                                 part.step, AtenNode::extentsOf(part.x)[part.axis]);
  return part;
}

static bool readSlice(AtenNode &node) {
  const auto part = partOf(node);
  return part && node.finish(node.sliced(part->x, part->axis, part->begin, part->size, part->step));
}

static bool readNarrow(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  tm::Extent begin = node.size("start", node.number(0));
  if (const auto number = tm::numberOf(begin); number && *number < 0)
    begin = tm::add(begin, AtenNode::extentsOf(x)[axis]);
  return node.finish(node.sliced(x, axis, begin, node.size("length", tm::Extent())));
}

/// The axis goes.
static Value selected(AtenNode &node, Value x, size_t axis, tm::Extent index) {
  if (const auto number = tm::numberOf(index); number && *number < 0)
    index = tm::add(index, AtenNode::extentsOf(x)[axis]);
  const auto at = tm::numberOf(index), count = tm::numberOf(AtenNode::extentsOf(x)[axis]);
  if ((at && *at < 0) || (at && count && *at >= *count)) {
    node.fail("its index is not one of " + tm::extentsText({AtenNode::extentsOf(x)[axis]}));
    return {};
  }
  const Value part = node.sliced(x, axis, index, node.number(1));
  if (!part)
    return {};
  tm::ExtentList extents = AtenNode::extentsOf(part);
  extents.erase(extents.begin() + int64_t(axis));
  return node.reshaped(part, extents);
}
static bool readSelect(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  return !node.failed() && node.finish(selected(node, x, axis, node.size("index", node.number(0))));
}
static bool readUnbind(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  SmallVector<Value> parts;
  for (size_t i = 0; i < node.numResults() && !node.failed(); ++i)
    parts.push_back(selected(node, x, axis, node.number(int64_t(i))));
  return node.finish(parts);
}

static bool splitBy(AtenNode &node, const std::vector<tm::Extent> &sizes) {
  const Value x = node.first();
  if (!x)
    return false;
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  if (node.failed())
    return false;
  const tm::Extent all = AtenNode::extentsOf(x)[axis];
  const auto have = tm::numberOf(all),
             need =
                 tm::numberOf(std::accumulate(sizes.begin(), sizes.end(), node.number(0), tm::add));
  if (sizes.size() != node.numResults() || (have && need && *have != *need))
    return node.fail("its " + std::to_string(sizes.size()) + " parts do not make up " +
                     tm::extentsText({all}));
  SmallVector<Value> parts;
  tm::Extent begin = node.number(0);
  for (const tm::Extent size : sizes) {
    parts.push_back(node.sliced(x, axis, begin, size));
    begin = tm::add(begin, size);
  }
  return node.finish(parts);
}
/// All parts of a size, but for the last, as many as the node has results.
static bool splitEvenly(AtenNode &node, tm::Extent each) {
  const Value x = node.first();
  if (!x || !each || node.numResults() == 0)
    return node.fail("it makes no parts");
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  std::vector<tm::Extent> sizes(node.numResults(), each);
  sizes.back() = tm::subtract(AtenNode::extentsOf(x)[axis],
                              tm::multiply(each, node.number(int64_t(node.numResults()) - 1)));
  return splitBy(node, sizes);
}
static bool readSplit(AtenNode &node) {
  if (node.has("split_size"))
    // `split.sizes` has a list of the same name.
    if (const auto sizes = node.sizes("split_size"); sizes && sizes->size() != 1)
      return splitBy(node, *sizes);
  if (const auto sizes = node.sizes("split_sizes"))
    return splitBy(node, *sizes);
  const auto each = node.sizes("split_size");
  return each ? splitEvenly(node, each->front()) : node.fail("it has no sizes");
}
static bool readChunk(AtenNode &node) {
  const Value x = node.first();
  const int64_t chunks = node.integer("chunks", 0);
  if (!x || chunks < 1)
    return node.fail("it makes " + std::to_string(chunks) + " parts");
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  return splitEvenly(node, tm::ceilDivide(AtenNode::extentsOf(x)[axis], node.number(chunks)));
}

/// A part of an axis replaced: what is before it, the new part, and what is behind.
static Value withPart(AtenNode &node, const Part &part, Value source) {
  if (part.step != 1) {
    node.fail("its step is not 1, which is not supported");
    return {};
  }
  const tm::Extent all = AtenNode::extentsOf(part.x)[part.axis];
  const tm::Extent end = tm::add(part.begin, part.size);
  SmallVector<Value> parts;
  if (!tm::isNumber(part.begin, 0))
    parts.push_back(node.sliced(part.x, part.axis, node.number(0), part.begin));
  parts.push_back(source);
  if (end != all)
    parts.push_back(node.sliced(part.x, part.axis, end, tm::subtract(all, end)));
  if (node.failed())
    return {};
  const Value result = joined(node, parts, part.axis);
  if (!result || result.getType() == part.x.getType())
    return result;
  node.fail("its new part does not have the extents of the old one");
  return {};
}
static bool readSliceScatter(AtenNode &node) {
  const auto part = partOf(node);
  const Value source = node.tensor("src");
  return part && source && node.finish(withPart(node, *part, source));
}
/// One place of an axis replaced.
static Value withPlace(AtenNode &node, Value x, Value source) {
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  const int64_t index = node.integer("index", 0);
  if (node.failed())
    return {};
  tm::ExtentList extents = AtenNode::extentsOf(x);
  const auto count = tm::numberOf(extents[axis]);
  const int64_t at = index + (index < 0 && count ? *count : 0);
  if (!count || at < 0 || at >= *count) {
    node.fail("its index is out of range");
    return {};
  }
  extents[axis] = node.number(1);
  const Value one = node.reshaped(source, extents);
  return one ? withPart(node, {x, axis, node.number(at), node.number(1)}, one) : Value();
}
static bool readSelectScatter(AtenNode &node) {
  const Value x = node.first(), source = node.tensor("src");
  return x && source && node.finish(withPlace(node, x, source));
}

Value withSlice(AtenNode &maker, Value slice) {
  if (maker.name().base == "aten.select") {
    const Value x = maker.first();
    return x ? withPlace(maker, x, slice) : Value();
  }
  const auto part = partOf(maker);
  return part ? withPart(maker, *part, slice) : Value();
}

/// Pads come in pairs, from the last axis on; less than 0 cuts.
static bool readPad(AtenNode &node) {
  const Value x = node.first();
  const auto pads = node.sizes("pad").has_value() ? node.sizes("pad") : node.sizes("padding");
  if (!x || !pads)
    return node.fail("it has no pads");
  std::string mode = node.text("mode", "constant");
  for (const char *each : {"reflection", "replication", "circular"})
    if (StringRef(node.name().base).contains(each))
      mode = each;
  const std::optional<tm::PadMode> kind = mode == "replicate" || mode == "replication"
                                              ? tm::PadMode::Edge
                                          : mode == "circular"   ? tm::PadMode::Wrap
                                          : mode == "reflection" ? tm::PadMode::Reflect
                                                                 : tm::symbolizePadMode(mode);
  tm::ExtentList extents = AtenNode::extentsOf(x);
  const size_t rank = extents.size();
  if (!kind || pads->size() % 2 != 0 || pads->size() > 2 * rank)
    return node.fail("its pads do not go with an input of " + tm::extentsText(extents));
  SmallVector<tm::Extent> all(2 * rank, node.number(0));
  for (size_t i = 0; i < pads->size() / 2; ++i) {
    const size_t axis = rank - 1 - i;
    all[axis] = (*pads)[2 * i];
    all[rank + axis] = (*pads)[2 * i + 1];
    extents[axis] = tm::add(extents[axis], tm::add(all[axis], all[rank + axis]));
  }
  if (llvm::is_contained(all, tm::Extent()))
    return node.fail("its pads are out of range");
  const Type element = AtenNode::elementOf(x);
  const Value value = node.has("value") ? node.operand("value", element) : node.scalar(0, element);
  const RankedTensorType type = node.tensorType(extents, element);
  if (!type || !value)
    return false;
  return node.finish(node.emit<tm::PadOp>(type, *kind, x, value, ValueRange(),
                                          tm::ExtentsAttr::get(node.context(), all)));
}

/// What leaves at the end of an axis comes in at its front.
static bool readRoll(AtenNode &node) {
  Value x = node.first();
  const auto shifts = node.integers("shifts"), told = node.integers("dims");
  const auto axes = x && told ? node.axes(*told, AtenNode::rankOf(x)) : std::nullopt;
  if (!shifts || !axes || axes->empty() || axes->size() != shifts->size())
    return node.fail("it needs a shift for each axis");
  for (size_t i = 0; i < axes->size() && x; ++i) {
    const auto axis = size_t((*axes)[i]);
    const auto extent = tm::numberOf(AtenNode::extentsOf(x)[axis]);
    if (!extent || *extent < 1)
      return node.fail("it shifts an axis whose extent is not known");
    const int64_t shift = ((*shifts)[i] % *extent + *extent) % *extent;
    if (shift == 0)
      continue;
    const Value front = node.sliced(x, axis, node.number(*extent - shift), node.number(shift)),
                rest = node.sliced(x, axis, node.number(0), node.number(*extent - shift));
    x = front && rest ? joined(node, {front, rest}, axis) : Value();
  }
  return node.finish(x);
}

static constexpr AtenRule kAtenMovementRules[] = {
    {"aten.cat", readCat},
    {"aten.chunk", readChunk},
    {"aten.concat", readCat},
    {"aten.constant_pad_nd", readPad},
    {"aten.narrow", readNarrow},
    {"aten.pad", readPad},
    {"aten.reflection_pad1d", readPad},
    {"aten.reflection_pad2d", readPad},
    {"aten.replication_pad1d", readPad},
    {"aten.replication_pad2d", readPad},
    {"aten.roll", readRoll},
    {"aten.select", readSelect},
    {"aten.select_scatter", readSelectScatter},
    {"aten.slice", readSlice},
    {"aten.slice_scatter", readSliceScatter},
    {"aten.split", readSplit},
    {"aten.split_with_sizes", readSplit},
    {"aten.stack", readStack},
    {"aten.unbind", readUnbind},
};

std::span<const AtenRule> atenMovementRules() { return kAtenMovementRules; }

} // namespace tilescope::model
