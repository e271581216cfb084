// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Pools of windows, and pools that make a given number of means.
#include "compiler/model/import/Window.h"
#include "compiler/model/torch_export/AtenRules.h"

using namespace mlir;

namespace tilescope::model {

namespace {
/// A pool over the last axes of its input; those before are images and channels.
struct Pool {
  Value x;
  Window window;
  tm::ExtentList extents;
  /// Of the input, where it has fewer axes than two before the windows.
  bool isSingle = false;
};
} // namespace

/// With two axes before those of the windows.
static Value withImages(AtenNode &node, Value x, size_t rank) {
  if (!x)
    return {};
  tm::ExtentList extents = AtenNode::extentsOf(x);
  if (extents.size() == rank + 2)
    return x;
  if (extents.size() != rank + 1) {
    node.fail("its windows of " + std::to_string(rank) + " axes do not go with an input of " +
              tm::extentsText(extents));
    return {};
  }
  extents.insert(extents.begin(), node.number(1));
  return node.reshaped(x, extents);
}

static bool finishPool(AtenNode &node, const Pool &pool, ArrayRef<Value> results) {
  SmallVector<Value> all(results);
  for (Value &each : all)
    if (each && pool.isSingle)
      each = node.reshaped(each, ArrayRef<tm::Extent>(AtenNode::extentsOf(each)).drop_front());
  return node.finish(all);
}

/// The rank of the windows is in the operator's name: `max_pool2d`.
static size_t rankOfName(AtenNode &node) {
  const StringRef name = node.name().base;
  return name.contains("1d") ? 1 : name.contains("3d") ? 3 : 2;
}

static std::optional<Pool> poolOf(AtenNode &node) {
  const size_t rank = rankOfName(node);
  Pool pool;
  const Value x = node.first();
  pool.x = withImages(node, x, rank);
  const auto kernel = node.repeated("kernel_size", rank, 1);
  if (!pool.x || !kernel)
    return std::nullopt;
  pool.isSingle = x != pool.x;
  pool.window.kernel = *kernel;
  // Windows lie beside each other unless told otherwise.
  const auto told = node.integers("stride");
  const auto strides = told && !told->empty() ? node.repeated("stride", rank, 1) : kernel,
             pads = node.repeated("padding", rank, 0),
             dilations = node.repeated("dilation", rank, 1);
  if (!strides || !pads || !dilations)
    return std::nullopt;
  pool.window.strides = *strides;
  pool.window.dilations = *dilations;
  std::vector<int64_t> both(*pads);
  both.insert(both.end(), pads->begin(), pads->end());
  if (!expectWindow(node, pool.window, both))
    return std::nullopt;
  for (const int64_t pad : both)
    pool.window.pads.push_back(node.number(pad));
  const tm::ExtentList input = AtenNode::extentsOf(pool.x);
  const auto spatial = windowedExtents(node, pool.window, input, node.truth("ceil_mode", false));
  if (!spatial)
    return std::nullopt;
  pool.extents = {input[0], input[1]};
  pool.extents.append(*spatial);
  return pool;
}

/// Places count from the begin of each image, not of the whole tensor as ONNX's do: nothing uses them.
static bool readMaxPool(AtenNode &node) {
  const auto pool = poolOf(node);
  if (!pool)
    return false;
  const Type types[] = {node.tensorType(pool->extents, AtenNode::elementOf(pool->x)),
                        node.tensorType(pool->extents, node.builder().getI64Type())};
  const Window &window = pool->window;
  const SmallVector<Value> results = node.emitAll<tm::MaxPoolOp>(
      types, pool->x, ArrayRef(window.kernel), ArrayRef(window.strides), padsAttr(node, window),
      ArrayRef(window.dilations), /*column_major=*/false);
  return !results.empty() && finishPool(node, *pool, {results.front(), Value()});
}

static bool readAvgPool(AtenNode &node) {
  const auto pool = poolOf(node);
  if (!pool)
    return false;
  if (node.has("divisor_override"))
    return node.fail("its argument `divisor_override` is not supported");
  const Window &window = pool->window;
  const bool countsPads = node.truth("count_include_pad", true);
  return finishPool(
      node, *pool,
      {node.emit<tm::AvgPoolOp>(node.tensorType(pool->extents, AtenNode::elementOf(pool->x)),
                                pool->x, ArrayRef(window.kernel), ArrayRef(window.strides),
                                padsAttr(node, window), ArrayRef(window.dilations), countsPads)});
}

/// As many results as told: all of an axis as one, equal windows, or an error.
template <tm::ReduceKind kind> static bool readAdaptivePool(AtenNode &node) {
  const size_t rank = rankOfName(node);
  const Value x = node.first();
  Pool pool;
  pool.x = withImages(node, x, rank);
  pool.isSingle = x != pool.x;
  const auto sizes = node.repeated("output_size", rank, 1);
  if (!pool.x || !sizes)
    return false;
  std::vector<int64_t> axes;
  for (size_t axis = 0; axis < rank; ++axis)
    axes.push_back(int64_t(axis + 2));
  if (llvm::all_of(*sizes, [](int64_t size) { return size == 1; }))
    return finishPool(node, pool, {node.reduced(pool.x, kind, axes, true)});
  pool.extents = AtenNode::extentsOf(pool.x);
  for (size_t axis = 0; axis < rank; ++axis) {
    const auto extent = tm::numberOf(pool.extents[axis + 2]);
    const int64_t size = (*sizes)[axis];
    if (!extent || size < 1 || *extent < 1 || *extent % size != 0)
      return node.fail("it makes " + std::to_string(size) + " of " +
                       tm::extentsText({pool.extents[axis + 2]}) +
                       " elements, in windows of several sizes, which is not supported");
    pool.window.kernel.push_back(*extent / size);
    pool.extents[axis + 2] = node.number(size);
  }
  pool.window.strides = pool.window.kernel;
  pool.window.dilations.assign(rank, 1);
  pool.window.pads.assign(2 * rank, node.number(0));
  const RankedTensorType type = node.tensorType(pool.extents, AtenNode::elementOf(pool.x));
  const Window &window = pool.window;
  if (kind == tm::ReduceKind::Mean)
    return finishPool(
        node, pool,
        {node.emit<tm::AvgPoolOp>(type, pool.x, ArrayRef(window.kernel), ArrayRef(window.strides),
                                  padsAttr(node, window), ArrayRef(window.dilations), false)});
  const Type types[] = {type, node.tensorType(pool.extents, node.builder().getI64Type())};
  const SmallVector<Value> results = node.emitAll<tm::MaxPoolOp>(
      types, pool.x, ArrayRef(window.kernel), ArrayRef(window.strides), padsAttr(node, window),
      ArrayRef(window.dilations), /*column_major=*/false);
  return !results.empty() && finishPool(node, pool, {results.front(), Value()});
}

using enum tm::ReduceKind;
static constexpr AtenRule kAtenPoolingRules[] = {
    {"aten._adaptive_avg_pool2d", readAdaptivePool<Mean>},
    {"aten._adaptive_avg_pool3d", readAdaptivePool<Mean>},
    {"aten.adaptive_avg_pool1d", readAdaptivePool<Mean>},
    {"aten.adaptive_avg_pool2d", readAdaptivePool<Mean>},
    {"aten.adaptive_avg_pool3d", readAdaptivePool<Mean>},
    {"aten.adaptive_max_pool1d", readAdaptivePool<Max>},
    {"aten.adaptive_max_pool2d", readAdaptivePool<Max>},
    {"aten.avg_pool1d", readAvgPool},
    {"aten.avg_pool2d", readAvgPool},
    {"aten.avg_pool3d", readAvgPool},
    {"aten.max_pool1d", readMaxPool},
    {"aten.max_pool1d_with_indices", readMaxPool},
    {"aten.max_pool2d", readMaxPool},
    {"aten.max_pool2d_with_indices", readMaxPool},
    {"aten.max_pool3d", readMaxPool},
    {"aten.max_pool3d_with_indices", readMaxPool},
};

std::span<const AtenRule> atenPoolingRules() { return kAtenPoolingRules; }

} // namespace tilescope::model
