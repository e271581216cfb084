// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that have the same elements with other extents or in another order of axes, and extents
// as numbers.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/torch_export/AtenRules.h"

#include <numeric>

using namespace mlir;

namespace tilescope::model {

static bool reshape(AtenNode &node, const std::vector<tm::Extent> &wanted) {
  const Value x = node.first();
  const auto extents = x ? reshapedExtents(node, AtenNode::extentsOf(x), wanted, false)
                         : std::optional<tm::ExtentList>();
  return extents && node.finish(node.reshaped(x, *extents));
}

/// `view` and `reshape` call the extents differently.
static bool readView(AtenNode &node) {
  if (node.elementType("dtype"))
    return node.fail("it takes the bits of its elements as another type, which is not supported");
  const auto wanted = node.sizes(node.has("size") ? "size" : "shape");
  // A list without elements is a tensor without axes.
  return !node.failed() && reshape(node, wanted.value_or(std::vector<tm::Extent>()));
}
static bool readViewAs(AtenNode &node) {
  const Value other = node.tensor("other");
  if (!other)
    return false;
  const tm::ExtentList extents = AtenNode::extentsOf(other);
  return reshape(node, {extents.begin(), extents.end()});
}

static bool readFlatten(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const tm::ExtentList extents = AtenNode::extentsOf(x);
  const ArrayRef<tm::Extent> all = extents;
  if (all.empty())
    return node.finish(node.reshaped(x, {node.number(1)}));
  const auto begin = size_t(node.axis(node.integer("start_dim", 0), int64_t(all.size()))),
             end = size_t(node.axis(node.integer("end_dim", -1), int64_t(all.size())));
  if (node.failed() || begin > end)
    return node.fail("its axes are in another order");
  tm::ExtentList result(all.take_front(begin));
  result.push_back(tm::product(node.context(), all.slice(begin, end - begin + 1)));
  result.append(all.begin() + int64_t(end) + 1, all.end());
  return node.finish(node.reshaped(x, result));
}

/// One axis becomes several.
static bool readUnflatten(AtenNode &node) {
  const Value x = node.first();
  const auto sizes = node.sizes("sizes");
  if (!x || !sizes)
    return node.fail("it has no extents");
  const auto axis = size_t(node.axis(node.integer("dim", 0), AtenNode::rankOf(x)));
  if (node.failed())
    return false;
  const tm::ExtentList extents = AtenNode::extentsOf(x);
  std::vector<tm::Extent> wanted(extents.begin(), extents.begin() + int64_t(axis));
  wanted.insert(wanted.end(), sizes->begin(), sizes->end());
  wanted.insert(wanted.end(), extents.begin() + int64_t(axis) + 1, extents.end());
  return reshape(node, wanted);
}

/// Axes of 1 go: those that are named, or all. Named ones that are not 1 stay.
static bool readSqueeze(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const auto told = node.integers("dim");
  const auto axes = told ? node.axes(*told, AtenNode::rankOf(x)) : std::nullopt;
  if (node.failed())
    return false;
  tm::ExtentList result;
  for (const auto &[axis, extent] : llvm::enumerate(AtenNode::extentsOf(x)))
    if (!tm::isNumber(extent, 1) || (axes && !llvm::is_contained(*axes, int64_t(axis))))
      result.push_back(extent);
  return node.finish(node.reshaped(x, result));
}
static bool readUnsqueeze(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  tm::ExtentList extents = AtenNode::extentsOf(x);
  const int64_t axis = node.axis(node.integer("dim", 0), int64_t(extents.size()) + 1);
  extents.insert(extents.begin() + axis, node.number(1));
  return node.finish(node.reshaped(x, extents));
}

/// Extents of 1, and new axes in front, become the wanted ones; -1 keeps the extent.
static bool expand(AtenNode &node, Value x, ArrayRef<tm::Extent> wanted) {
  tm::ExtentList from = AtenNode::extentsOf(x), result;
  if (wanted.size() < from.size())
    return node.fail("extents " + tm::extentsText(from) + " cannot be repeated to " +
                     tm::extentsText(wanted));
  from.insert(from.begin(), wanted.size() - from.size(), node.number(1));
  for (const auto &[have, want] : llvm::zip_equal(from, wanted)) {
    const bool keeps = tm::isNumber(want, -1);
    result.push_back(keeps || tm::isNumber(have, 1) ? (keeps ? have : want)
                                                    : tm::repeated(have, want));
    if (!result.back())
      return node.fail("extents " + tm::extentsText(from) + " cannot be repeated to " +
                       tm::extentsText(wanted));
  }
  return node.finish(node.expanded(x, result));
}
static bool readExpand(AtenNode &node) {
  const Value x = node.first();
  const auto wanted = node.sizes("size");
  return x && !node.failed() && expand(node, x, wanted.value_or(std::vector<tm::Extent>()));
}
static bool readExpandAs(AtenNode &node) {
  const Value x = node.first(), other = node.tensor("other");
  return x && other && expand(node, x, AtenNode::extentsOf(other));
}

static bool readPermute(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const auto told = node.integers("dims").value_or(std::vector<int64_t>());
  if (int64_t(told.size()) != AtenNode::rankOf(x))
    return node.fail("its argument `dims` is not an order of " +
                     std::to_string(AtenNode::rankOf(x)) + " axes");
  const auto order = node.axes(told, AtenNode::rankOf(x));
  return order && node.finish(node.transposed(x, *order));
}

static std::vector<int64_t> sameOrder(int64_t rank) {
  std::vector<int64_t> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}
static bool readTranspose(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const int64_t rank = AtenNode::rankOf(x);
  // `swapaxes` has other names.
  const int64_t a = node.axis(node.integer("dim0", node.integer("axis0", 0)), rank),
                b = node.axis(node.integer("dim1", node.integer("axis1", 0)), rank);
  std::vector<int64_t> order = sameOrder(rank);
  if (node.failed())
    return false;
  std::swap(order[size_t(a)], order[size_t(b)]);
  return node.finish(node.transposed(x, order));
}
/// All axes the other way round; `t` takes matrices, and vectors as they are.
static bool readReversed(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  std::vector<int64_t> order = sameOrder(AtenNode::rankOf(x));
  std::reverse(order.begin(), order.end());
  return node.finish(node.transposed(x, order));
}
static bool readMovedim(AtenNode &node) {
  const Value x = node.first();
  const auto from = node.integers("source"), to = node.integers("destination");
  if (!x || !from || !to || from->size() != to->size())
    return node.fail("its axes do not go together");
  const int64_t rank = AtenNode::rankOf(x);
  const auto sources = node.axes(*from, rank), destinations = node.axes(*to, rank);
  if (!sources || !destinations)
    return false;
  std::vector<int64_t> order(static_cast<size_t>(rank), -1), rest;
  for (size_t i = 0; i < sources->size(); ++i)
    order[size_t((*destinations)[i])] = (*sources)[i];
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(*sources, axis))
      rest.push_back(axis);
  size_t next = 0;
  for (int64_t &axis : order)
    axis = axis < 0 ? rest[next++] : axis;
  return node.finish(node.transposed(x, order));
}

/// Where it only changes the strides of axes of 1, as decompositions of `mean` have it.
static bool readAsStrided(AtenNode &node) {
  const auto extents = node.integers("size"), strides = node.integers("stride");
  const bool isWhole = node.integer("storage_offset", 0) == 0 && extents && strides &&
                       extents->size() == strides->size();
  int64_t expected = 1;
  bool isDense = isWhole && node.isRowMajor();
  for (size_t axis = isWhole ? extents->size() : 0; axis-- > 0;) {
    isDense &= (*extents)[axis] == 1 || (*strides)[axis] == expected;
    expected *= std::clamp<int64_t>((*extents)[axis], 0, 1 << 20);
  }
  if (!isDense)
    return node.fail(
        "it takes elements by other strides than those of rows, which is not supported");
  const auto wanted = node.sizes("size");
  return reshape(node, *wanted);
}

/// An extent as a number.
static bool readSymSize(AtenNode &node) {
  const Value x = node.first();
  if (!x)
    return false;
  const int64_t axis = node.axis(node.integer("dim", 0), AtenNode::rankOf(x));
  return !node.failed() && node.finish(AtenNode::extentsOf(x)[size_t(axis)]);
}
static bool readSymNumel(AtenNode &node) {
  const Value x = node.first();
  return x && node.finish(tm::product(node.context(), AtenNode::extentsOf(x)));
}

/// Arithmetic of Python on such numbers: its arguments are `a` and `b`.
template <tm::Extent (*compute)(tm::Extent, tm::Extent)> static bool readSize(AtenNode &node) {
  const auto [a, b] = node.twoSizes();
  return node.finish(a && b ? compute(a, b) : tm::Extent());
}
static bool readNegated(AtenNode &node) {
  return node.finish(tm::subtract(node.number(0), node.twoSizes().first));
}
/// Questions about numbers, which only assertions use.
static bool readNothing(AtenNode &node) { return node.finishWithout(); }

static constexpr AtenRule kAtenShapeRules[] = {
    {"_operator.add", readSize<tm::add>},
    {"_operator.and_", readNothing, false},
    {"_operator.eq", readNothing, false},
    {"_operator.floordiv", readSize<tm::floorDivide>},
    {"_operator.ge", readNothing, false},
    {"_operator.gt", readNothing, false},
    {"_operator.le", readNothing, false},
    {"_operator.lt", readNothing, false},
    {"_operator.mod", readSize<tm::remainder>},
    {"_operator.mul", readSize<tm::multiply>},
    {"_operator.ne", readNothing, false},
    {"_operator.neg", readNegated},
    {"_operator.sub", readSize<tm::subtract>},
    {"aten._assert_scalar", readNothing, false},
    {"aten._assert_tensor_metadata", readNothing, false},
    {"aten._unsafe_view", readView},
    {"aten.as_strided", readAsStrided},
    {"aten.expand", readExpand},
    {"aten.expand_as", readExpandAs},
    {"aten.flatten", readFlatten},
    {"aten.movedim", readMovedim},
    {"aten.numpy_T", readReversed},
    {"aten.permute", readPermute},
    {"aten.reshape", readView},
    {"aten.squeeze", readSqueeze},
    {"aten.swapaxes", readTranspose},
    {"aten.sym_constrain_range", readNothing, false},
    {"aten.sym_constrain_range_for_size", readNothing, false},
    {"aten.sym_numel", readSymNumel},
    {"aten.sym_size", readSymSize},
    {"aten.t", readReversed},
    {"aten.transpose", readTranspose},
    {"aten.unflatten", readUnflatten},
    {"aten.unsqueeze", readUnsqueeze},
    {"aten.view", readView},
    {"aten.view_as", readViewAs},
};

std::span<const AtenRule> atenShapeRules() { return kAtenShapeRules; }

} // namespace tilescope::model
