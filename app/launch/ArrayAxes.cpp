// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayAxes.h"

#include "app/launch/ArrayJoins.h"
#include "app/launch/ArrayShapes.h"

#include <algorithm>
#include <numeric>

namespace tilescope::app {

namespace ast = compiler::ast;
using Order = std::vector<size_t>;

static constexpr std::string_view kFunctions[] = {"flatten", "moveaxis", "permute",  "ravel",
                                                  "reshape", "swapaxes", "transpose"};

std::string axesFunctionNames() {
  return "flatten, moveaxis, permute, ravel, reshape, swapaxes, transpose";
}

/// `(0, 2, 1)` or `0, 2, 1`.
static void addAxes(const ast::Expr &expr, ArrayPart &part) {
  const auto *tuple = ast::as<ast::Tuple>(&expr);
  const auto *list = ast::as<ast::List>(&expr);
  if (!tuple && !list) {
    part.axes.push_back(&expr);
    return;
  }
  for (const ast::Expr *each : tuple ? tuple->elts : list->elts)
    part.axes.push_back(each);
}

std::optional<ArrayPart> axesOf(const ast::SyntaxTree &tree, const ast::Call &call,
                                const std::function<bool(const ast::Expr &)> &isTensor) {
  std::vector<const ast::Expr *> rest(call.args.begin(), call.args.end());
  std::string_view name = arrayFunctionName(call);
  const auto *member = ast::as<ast::Attribute>(call.func);
  if (name.empty() && member && isTensor(*member->value)) {
    name = member->attr;
    rest.insert(rest.begin(), member->value);
  }
  if (std::ranges::find(kFunctions, name) == std::end(kFunctions))
    return std::nullopt;
  ArrayPart part;
  part.kind = ArrayPart::Kind::Axes;
  part.function = name;
  if (!rest.empty())
    part.operand = std::string(tree.text(rest[0]->range));
  for (size_t i = 1; i < rest.size(); ++i)
    addAxes(*rest[i], part);
  for (const ast::Keyword *keyword : call.keywords)
    if (keyword->value)
      addAxes(*keyword->value, part);
  return part;
}

/// An example of how the function is written.
static std::string usage(const ArrayPart &part) {
  const bool takesTwo = part.function == "swapaxes" || part.function == "moveaxis";
  return "write it as `" + part.function + (takesTwo ? "(a, 0, 1)`" : "(a, (0, 2, 1))`");
}

static Order moved(size_t rank, size_t from, size_t to) {
  Order order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  order.erase(order.begin() + static_cast<ptrdiff_t>(from));
  order.insert(order.begin() + static_cast<ptrdiff_t>(to), from);
  return order;
}

bool isReshape(const ArrayPart &part) {
  return part.function == "reshape" || part.function == "ravel" || part.function == "flatten";
}

Result<profiler::Tensor> reshaped(const ArrayPart &part, profiler::Tensor tensor,
                                  const IndexValue &valueOf) {
  const int64_t count = tensor.numElements();
  std::vector<int64_t> shape;
  std::optional<size_t> open;
  int64_t known = 1;
  for (const ast::Expr *expr : part.axes) {
    const Result<int64_t> extent = valueOf(*expr);
    if (!extent)
      return partError(part, extent.error().message);
    if (*extent < -1 || (*extent == -1 && open))
      return partError(part, "an extent is a number, and one may be -1");
    if (*extent == -1)
      open = shape.size();
    // A product that is too large is not that of the elements.
    else if (__builtin_mul_overflow(known, *extent, &known))
      known = -1;
    shape.push_back(*extent);
  }
  if (part.function != "reshape")
    shape = {count};
  else if (shape.empty())
    return partError(part, "write it as `reshape(a, (2, -1))`");
  else if (open && known > 0)
    shape[*open] = count / known;
  if (part.function == "reshape" && (open ? known < 1 || count % known != 0 : known != count))
    return partError(part, "`" + part.operand + "` of the shape " + shapeText(tensor.shape) +
                               " has " + std::to_string(count) + " elements, which do not make " +
                               shapeText(shape));
  tensor.shape = std::move(shape);
  return tensor;
}

Result<Order> orderOfAxes(const ArrayPart &part, size_t rank, const IndexValue &valueOf) {
  Order axes;
  for (const ast::Expr *expr : part.axes) {
    const Result<int64_t> axis = valueOf(*expr);
    if (!axis)
      return partError(part, axis.error().message);
    const auto count = static_cast<int64_t>(rank);
    if (*axis < -count || *axis >= count)
      return partError(part,
                       "there is no axis " + std::to_string(*axis) + " of " + std::to_string(rank));
    axes.push_back(static_cast<size_t>(*axis < 0 ? *axis + count : *axis));
  }
  Order order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  const bool isTranspose = part.function == "transpose";
  if (axes.empty() && isTranspose) {
    std::ranges::reverse(order);
    return order;
  }
  // As PyTorch's `transpose` does; NumPy's would have nothing else to do with two.
  const bool areTwo = axes.size() == 2 && axes[0] != axes[1];
  if (areTwo && (part.function == "swapaxes" || isTranspose)) {
    std::swap(order[axes[0]], order[axes[1]]);
    return order;
  }
  if (axes.size() == 2 && part.function == "moveaxis")
    return moved(rank, axes[0], axes[1]);
  if (part.function == "swapaxes" || part.function == "moveaxis")
    return partError(part, usage(part));
  if (!std::ranges::is_permutation(axes, order))
    return partError(part, "each of the " + std::to_string(rank) + " axes of `" + part.operand +
                               "` is named once: " + usage(part));
  return axes;
}

} // namespace tilescope::app
