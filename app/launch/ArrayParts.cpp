// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayParts.h"

#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayErrors.h"
#include "app/launch/ArrayIndices.h"
#include "app/launch/ArrayJoins.h"
#include "app/launch/ArrayShapes.h"
#include "app/launch/SourceOffset.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::Dtype;
using profiler::Tensor;
using Shape = std::vector<int64_t>;
using Item = ArrayPart::Item;

/// Some seconds of multiplying.
static constexpr int64_t kMostProducts = int64_t{1} << 32;

Error partError(const ArrayPart &part, const std::string &what) {
  return {ErrorCode::InvalidInput, "`" + part.text + "`: " + what, ""};
}

static Item itemOf(const ast::Expr &expr) {
  if (const auto *slice = ast::as<ast::Slice>(&expr))
    return {Item::Kind::Slice, slice->lower, slice->upper, slice->step};
  const auto *constant = ast::as<ast::Constant>(&expr);
  if (constant && constant->constantKind == ast::ConstantKind::None)
    return {Item::Kind::NewAxis};
  if (constant && constant->constantKind == ast::ConstantKind::Ellipsis)
    return {Item::Kind::Ellipsis};
  return {Item::Kind::Number, &expr};
}

/// `np.matmul(a, b)`.
static bool isMatmul(const ast::Call &call) {
  const auto *name = ast::as<ast::Name>(call.func);
  const auto *member = ast::as<ast::Attribute>(call.func);
  return call.args.size() == 2 && call.keywords.empty() &&
         ((name && name->id == "matmul") || (member && member->attr == "matmul"));
}

std::optional<ArrayPart> findArrayPart(const ast::SyntaxTree &tree, const ast::Expr &expr,
                                       const std::function<bool(const ast::Expr &)> &isTensor) {
  std::optional<ArrayPart> found;
  const auto take = [&](ArrayPart::Kind kind, const ast::Expr &whole, const ast::Expr &operand) {
    found.emplace();
    found->kind = kind;
    found->text = tree.text(whole.range);
    found->operand = tree.text(operand.range);
    found->begin = offsetOf(tree, whole.range.begin);
    found->end = offsetOf(tree, whole.range.end);
  };
  ast::walk(expr, [&](const ast::Node &node) {
    if (found)
      return false;
    if (const auto *binary = ast::as<ast::BinOp>(&node);
        binary && binary->op == ast::BinaryOpKind::MatMult) {
      take(ArrayPart::Kind::Product, *binary, *binary->left);
      found->right = tree.text(binary->right->range);
    } else if (const auto *call = ast::as<ast::Call>(&node); call && isMatmul(*call)) {
      take(ArrayPart::Kind::Product, *call, *call->args[0]);
      found->right = tree.text(call->args[1]->range);
    } else if (std::optional<ArrayPart> join = call ? joinOf(tree, *call) : std::nullopt) {
      take(join->kind, *call, *call);
      found->operands = std::move(join->operands);
      found->axis = join->axis;
      found->axisOfIndices = join->axisOfIndices;
      found->shift = join->shift;
      found->isDescending = join->isDescending;
      found->axes = std::move(join->axes);
    } else if (std::optional<ArrayPart> axes =
                   call ? axesOf(tree, *call, isTensor) : std::nullopt) {
      const std::string operand = axes->operand;
      take(axes->kind, *call, *call);
      found->operand = operand;
      found->function = std::move(axes->function);
      found->axes = std::move(axes->axes);
    } else if (const auto *member = ast::as<ast::Attribute>(&node);
               member && member->attr == "T" && isTensor(*member->value)) {
      take(ArrayPart::Kind::Transpose, *member, *member->value);
    } else if (const auto *subscript = ast::as<ast::Subscript>(&node);
               subscript && isTensor(*subscript->value)) {
      take(ArrayPart::Kind::Index, *subscript, *subscript->value);
      const auto *tuple = ast::as<ast::Tuple>(subscript->slice);
      std::vector<const ast::Expr *> texts = {subscript->slice};
      if (tuple)
        texts.assign(tuple->elts.begin(), tuple->elts.end());
      for (const ast::Expr *each : texts)
        found->items.push_back(itemOf(*each));
      if (std::optional<ArrayPart> gather =
              indicesOf(tree, *subscript->value, texts, found->items, isTensor)) {
        found->kind = gather->kind;
        found->operands = std::move(gather->operands);
        found->function = std::move(gather->function);
        if (!gather->operand.empty())
          found->operand = std::move(gather->operand);
        found->axisOfIndices = gather->axisOfIndices;
      }
    }
    return !found;
  });
  return found;
}

Result<Tensor> partTensor(const ArrayPart &part, Dtype dtype, Shape shape, bool hasData) {
  if (Status status = checkSize(shape); !status)
    return partError(part, status.error().message);
  Tensor result{dtype, std::move(shape), {}};
  if (hasData)
    result.data.resize(static_cast<size_t>(*profiler::tensorBytes(dtype, result.shape)));
  return result;
}

bool hasElements(const Tensor &tensor) { return !tensor.data.empty() || tensor.numElements() == 0; }

/// The extents in front of the matrices, broadcast.
static std::optional<Shape> batchOf(const Shape &a, const Shape &b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape both(rank, 1);
  for (size_t back = 1; back <= rank; ++back) {
    const int64_t x = back <= a.size() ? a[a.size() - back] : 1;
    const int64_t y = back <= b.size() ? b[b.size() - back] : 1;
    if (x != y && x != 1 && y != 1)
      return std::nullopt;
    both[rank - back] = x == 1 ? y : x;
  }
  return both;
}

namespace {
/// One factor as a stack of matrices.
struct Factor {
  Shape batch;
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<double> values;

  /// Where the matrix at a place of the whole stack begins.
  size_t matrixAt(const Shape &place, const Shape &whole) const {
    const Shape strides = *broadcastStrides(batch, whole);
    int64_t number = 0;
    for (size_t axis = 0; axis < place.size(); ++axis)
      number += place[axis] * strides[axis];
    return static_cast<size_t>(number * rows * columns);
  }
};
} // namespace

/// A vector is a row on the left and a column on the right.
static Factor factorOf(const Tensor &tensor, bool isLeft) {
  Shape shape = tensor.shape;
  if (shape.size() == 1)
    shape.insert(isLeft ? shape.begin() : shape.end(), 1);
  Factor factor;
  factor.columns = shape.back();
  factor.rows = shape[shape.size() - 2];
  factor.batch.assign(shape.begin(), shape.end() - 2);
  if (!tensor.data.empty())
    for (int64_t element = 0; element < tensor.numElements(); ++element)
      factor.values.push_back(tensor.at(element));
  return factor;
}

static Status multiply(const Factor &a, const Factor &b, const Shape &batch,
                       const std::stop_token &stop, Tensor &result) {
  const int64_t numMatrices = profiler::numElements(batch);
  std::vector<double> row(static_cast<size_t>(b.columns));
  int64_t element = 0;
  for (int64_t matrix = 0; matrix < numMatrices; ++matrix) {
    const Shape place = profiler::elementCoordinates(matrix, batch);
    const double *left = a.values.data() + a.matrixAt(place, batch);
    const double *right = b.values.data() + b.matrixAt(place, batch);
    for (int64_t i = 0; i < a.rows; ++i) {
      if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "stopped", ""};
      std::ranges::fill(row, 0);
      for (int64_t k = 0; k < a.columns; ++k)
        for (int64_t j = 0; j < b.columns; ++j)
          row[static_cast<size_t>(j)] += left[i * a.columns + k] * right[k * b.columns + j];
      for (const double value : row)
        result.set(element++, value);
    }
  }
  return {};
}

Result<Tensor> multiplied(const ArrayPart &part, const Tensor &left, const Tensor &right,
                          const std::stop_token &stop) {
  const auto shapes = [&] {
    return "`" + part.operand + "` has the shape " + shapeText(left.shape) + ", `" + part.right +
           "` " + shapeText(right.shape);
  };
  if (left.shape.empty() || right.shape.empty())
    return partError(part, "a number has no rows and columns: " + shapes());
  const Factor a = factorOf(left, true), b = factorOf(right, false);
  if (a.columns != b.rows)
    return partError(part, shapes() + ": the columns of the first, " + std::to_string(a.columns) +
                               ", are not the rows of the second, " + std::to_string(b.rows));
  const std::optional<Shape> batch = batchOf(a.batch, b.batch);
  if (!batch)
    return partError(part, shapes() + ": the extents in front of the matrices do not fit");
  Shape shape = *batch;
  if (left.shape.size() > 1)
    shape.push_back(a.rows);
  if (right.shape.size() > 1)
    shape.push_back(b.columns);
  const bool areIntegers = !profiler::isFloat(left.dtype) && !profiler::isFloat(right.dtype);
  const bool hasData = hasElements(left) && hasElements(right);
  Result<Tensor> result =
      partTensor(part, areIntegers ? Dtype::Int64 : Dtype::Fp64, std::move(shape), hasData);
  if (!result)
    return result;
  const double numProducts = double(profiler::numElements(*batch)) * double(a.rows) *
                             double(a.columns) * double(b.columns);
  if (numProducts > double(kMostProducts))
    return partError(part, "it takes more than " + std::to_string(kMostProducts) + " products");
  if (!hasData)
    return result;
  if (Status status = multiply(a, b, *batch, stop, *result); !status)
    return status.error();
  return result;
}

/// Fills a tensor, where it has memory, with the elements at `offset` + coordinates × strides.
static Tensor gathered(const Tensor &tensor, Tensor result, int64_t offset, const Shape &strides) {
  for (int64_t element = 0; !result.data.empty() && element < result.numElements(); ++element) {
    const Shape at = profiler::elementCoordinates(element, result.shape);
    int64_t source = offset;
    for (size_t axis = 0; axis < at.size(); ++axis)
      source += at[axis] * strides[axis];
    result.set(element, tensor.at(source));
  }
  return result;
}

static Shape stridesOf(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

Tensor permuted(const Tensor &tensor, const std::vector<size_t> &order) {
  const Shape from = stridesOf(tensor.shape);
  Shape shape, strides;
  for (const size_t axis : order) {
    shape.push_back(tensor.shape[axis]);
    strides.push_back(from[axis]);
  }
  Tensor result{tensor.dtype, std::move(shape), {}};
  result.data.resize(tensor.data.size());
  return gathered(tensor, std::move(result), 0, strides);
}

Tensor transposed(const Tensor &tensor) {
  std::vector<size_t> order(tensor.shape.size());
  std::iota(order.rbegin(), order.rend(), size_t{0});
  return permuted(tensor, order);
}

namespace {
/// What the brackets make of a tensor, axis by axis.
struct Selection {
  const ArrayPart &part;
  const IndexValue &valueOf;
  const Shape &from;
  const Shape sourceStrides = stridesOf(from);
  size_t axis = 0;
  int64_t offset = 0;
  Shape shape = {};
  Shape strides = {};

  void keepAxis() {
    shape.push_back(from[axis]);
    strides.push_back(sourceStrides[axis++]);
  }
  Status number(const Item &item);
  Status slice(const Item &item);
};
} // namespace

Status Selection::number(const Item &item) {
  const Result<int64_t> value = valueOf(*item.begin);
  if (!value)
    return partError(part, value.error().message);
  const int64_t extent = from[axis];
  if (*value < -extent || *value >= extent)
    return partError(part, "axis " + std::to_string(axis) + " has " + std::to_string(extent) +
                               " elements, and no " + std::to_string(*value));
  offset += (*value < 0 ? *value + extent : *value) * sourceStrides[axis++];
  return {};
}

/// As Python cuts sequences.
Status Selection::slice(const Item &item) {
  const int64_t extent = from[axis];
  const auto read = [&](const ast::Expr *expr, int64_t otherwise) {
    return expr ? valueOf(*expr) : Result<int64_t>(otherwise);
  };
  const Result<int64_t> written = read(item.step, 1);
  if (!written || *written == 0)
    return partError(part, written ? "the step of a slice is not 0" : written.error().message);
  const bool isForward = *written > 0;
  // A longer one takes no other element.
  const int64_t longest = std::max<int64_t>(extent, 1);
  const int64_t step = std::clamp(*written, -longest, longest);
  const auto clipped = [&](int64_t value) {
    const int64_t counted = value < 0 ? value + extent : value;
    return std::clamp<int64_t>(counted, isForward ? 0 : -1, isForward ? extent : extent - 1);
  };
  const Result<int64_t> begin = read(item.begin, 0), end = read(item.end, 0);
  if (!begin || !end)
    return partError(part, (begin ? end : begin).error().message);
  const int64_t first = item.begin ? clipped(*begin) : isForward ? 0 : extent - 1;
  const int64_t last = item.end ? clipped(*end) : isForward ? extent : -1;
  const int64_t span = isForward ? last - first : first - last;
  shape.push_back(span <= 0 ? 0 : (span - 1) / std::abs(step) + 1);
  strides.push_back(step * sourceStrides[axis]);
  offset += span <= 0 ? 0 : first * sourceStrides[axis];
  ++axis;
  return {};
}

Result<Tensor> indexed(const ArrayPart &part, const Tensor &tensor, const IndexValue &valueOf) {
  Selection selection{part, valueOf, tensor.shape};
  const auto takesAxis = [](const Item &item) {
    return item.kind == Item::Kind::Number || item.kind == Item::Kind::Slice;
  };
  const auto numTaken = static_cast<size_t>(std::ranges::count_if(part.items, takesAxis));
  if (numTaken > tensor.shape.size())
    return partError(part, "`" + part.operand + "` of the shape " + shapeText(tensor.shape) +
                               " has " + std::to_string(tensor.shape.size()) + " axes, here are " +
                               std::to_string(numTaken) + " indices");
  size_t numOpen = tensor.shape.size() - numTaken;
  for (const Item &item : part.items) {
    Status status;
    if (item.kind == Item::Kind::Number)
      status = selection.number(item);
    else if (item.kind == Item::Kind::Slice)
      status = selection.slice(item);
    for (; item.kind == Item::Kind::Ellipsis && numOpen > 0; --numOpen)
      selection.keepAxis();
    if (item.kind == Item::Kind::NewAxis) {
      selection.shape.push_back(1);
      selection.strides.push_back(0);
    }
    if (!status)
      return status.error();
  }
  while (selection.axis < tensor.shape.size())
    selection.keepAxis();
  Result<Tensor> result =
      partTensor(part, tensor.dtype, std::move(selection.shape), hasElements(tensor));
  return result ? gathered(tensor, std::move(*result), selection.offset, selection.strides)
                : result;
}

} // namespace tilescope::app
