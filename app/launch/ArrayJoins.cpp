// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayJoins.h"

#include "app/launch/ArrayGathers.h"
#include "app/launch/ArrayShapes.h"
#include "compiler/syntax/ExpressionParts.h"
#include "compiler/syntax/FunctionText.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::Dtype;
using profiler::Tensor;
using Kind = ArrayPart::Kind;
using Shape = std::vector<int64_t>;

static constexpr std::pair<std::string_view, Kind> kJoins[] = {
    {"concatenate", Kind::Concatenation},
    {"concat", Kind::Concatenation},
    {"cat", Kind::Concatenation},
    {"stack", Kind::Stack},
    {"roll", Kind::Roll},
    {"repeat", Kind::Repeat},
    {"arange", Kind::Range},
    {"cumsum", Kind::CumulativeSum},
    {"sort", Kind::Sort},
    {"argsort", Kind::SortedOrder},
    {"take", Kind::Take},
    {"take_along_axis", Kind::TakeAlong}};

std::string joinNames() {
  return "concatenate, stack, roll, repeat, arange, cumsum, sort, argsort, take, take_along_axis";
}

bool isJoin(ArrayPart::Kind kind) {
  return std::ranges::find(kJoins, kind, &std::pair<std::string_view, Kind>::second) !=
         std::end(kJoins);
}

/// How many tensors it takes, in front of its numbers; nothing: those of a tuple.
static std::optional<size_t> numTensors(Kind kind) {
  switch (kind) {
  case Kind::Range:
    return 0;
  case Kind::Roll:
  case Kind::Repeat:
  case Kind::CumulativeSum:
  case Kind::Sort:
  case Kind::SortedOrder:
    return 1;
  case Kind::Take:
  case Kind::TakeAlong:
    return 2;
  default:
    return std::nullopt;
  }
}

std::string_view arrayFunctionName(const ast::Call &call) {
  if (const auto *name = ast::as<ast::Name>(call.func))
    return name->id;
  const auto *member = ast::as<ast::Attribute>(call.func);
  const auto *module = member ? ast::as<ast::Name>(member->value) : nullptr;
  const bool isModule =
      module && (module->id == "np" || module->id == "numpy" || module->id == "torch");
  return isModule ? std::string_view(member->attr) : std::string_view();
}

static bool isTruth(const ast::Expr &expr) {
  const auto *constant = ast::as<ast::Constant>(&expr);
  return constant && (constant->constantKind == ast::ConstantKind::True ||
                      constant->constantKind == ast::ConstantKind::False);
}

std::optional<ArrayPart> joinOf(const ast::SyntaxTree &tree, const ast::Call &call) {
  const auto *found =
      std::ranges::find(kJoins, arrayFunctionName(call), &std::pair<std::string_view, Kind>::first);
  if (found == std::end(kJoins))
    return std::nullopt;
  ArrayPart part;
  part.kind = found->second;
  std::vector<const ast::Expr *> rest(call.args.begin(), call.args.end());
  if (part.kind == Kind::Range) {
    part.axes = rest;
    return part;
  }
  const std::optional<size_t> count = numTensors(part.kind);
  if (count) {
    for (size_t i = 0; i < std::min(*count, rest.size()); ++i)
      part.operands.emplace_back(tree.text(rest[i]->range));
  } else if (!rest.empty()) {
    for (const ast::Expr *each : ast::itemsOf(rest[0]))
      part.operands.emplace_back(tree.text(each->range));
  }
  // As NumPy has it.
  const bool isSort = part.kind == Kind::Sort || part.kind == Kind::SortedOrder;
  if (isSort)
    part.axisOfIndices = -1;
  size_t next = count.value_or(1);
  const bool isShifted = part.kind == Kind::Roll || part.kind == Kind::Repeat;
  if (isShifted && next < rest.size())
    part.shift = rest[next++];
  if (next < rest.size())
    part.axis = rest[next++];
  for (const ast::Keyword *keyword : call.keywords)
    if (keyword->arg == "axis" || keyword->arg == "dim")
      part.axis = keyword->value;
    else if (part.kind == Kind::Roll && (keyword->arg == "shift" || keyword->arg == "shifts"))
      part.shift = keyword->value;
    else if (part.kind == Kind::Repeat && keyword->arg == "repeats")
      part.shift = keyword->value;
    else if (isSort && keyword->arg == "descending" && isTruth(*keyword->value))
      part.isDescending = tree.text(keyword->value->range) == "True";
    else
      part.operands.clear();
  return part;
}

/// An axis counted from the first, of `rank`.
static Result<size_t> axisOf(const ArrayPart &part, size_t rank, const IndexValue &valueOf) {
  const Result<int64_t> axis =
      part.axis ? valueOf(*part.axis) : Result<int64_t>(part.axisOfIndices.value_or(0));
  if (!axis)
    return partError(part, axis.error().message);
  const auto count = static_cast<int64_t>(rank);
  if (*axis < -count || *axis >= count)
    return partError(part,
                     "there is no axis " + std::to_string(*axis) + " of " + std::to_string(rank));
  return static_cast<size_t>(*axis < 0 ? *axis + count : *axis);
}

/// Of this shape; with memory where all that it is made of have some.
static Result<Tensor> emptyLike(const ArrayPart &part, const std::vector<Tensor> &tensors,
                                Shape shape) {
  const auto isReal = [](const Tensor &tensor) { return profiler::isFloat(tensor.dtype); };
  return partTensor(part, std::ranges::any_of(tensors, isReal) ? Dtype::Fp64 : Dtype::Int64,
                    std::move(shape), std::ranges::all_of(tensors, hasElements));
}

/// Copies a tensor to where its index of `axis` is `shift` further, within the result's extent.
static void place(const Tensor &from, size_t axis, int64_t shift, Tensor &to) {
  for (int64_t element = 0; !to.data.empty() && element < from.numElements(); ++element) {
    Shape at = profiler::elementCoordinates(element, from.shape);
    at[axis] = (at[axis] + shift) % to.shape[axis];
    to.set(profiler::elementIndex(at, to.shape), from.at(element));
  }
}

/// What `roll` and `repeat` are told: along which axis, and how far or how often.
static Result<std::pair<size_t, int64_t>> axisAndNumber(const ArrayPart &part, const Tensor &from,
                                                        const IndexValue &valueOf) {
  const Result<size_t> axis = axisOf(part, from.shape.size(), valueOf);
  if (!axis)
    return axis.error();
  const Result<int64_t> number = valueOf(*part.shift);
  if (!number)
    return partError(part, number.error().message);
  return std::pair(*axis, *number);
}

/// Without an axis all elements move on, from each row into the next.
static Result<Tensor> rolled(const ArrayPart &part, const std::vector<Tensor> &tensors,
                             const IndexValue &valueOf) {
  Tensor from = tensors.front();
  if (!part.axis)
    from.shape = {from.numElements()};
  const auto told = axisAndNumber(part, from, valueOf);
  if (!told)
    return told.error();
  const auto [axis, shift] = *told;
  Result<Tensor> result = emptyLike(part, tensors, from.shape);
  if (!result)
    return result;
  const int64_t extent = std::max<int64_t>(from.shape[axis], 1);
  place(from, axis, ((shift % extent) + extent) % extent, *result);
  result->shape = tensors.front().shape;
  return result;
}

/// Each index of an axis several times, one behind the other; without an axis each element.
static Result<Tensor> repeated(const ArrayPart &part, const std::vector<Tensor> &tensors,
                               const IndexValue &valueOf) {
  static constexpr int64_t kMostRepeats = int64_t{1} << 20;
  Tensor from = tensors.front();
  if (!part.axis)
    from.shape = {from.numElements()};
  const auto told = axisAndNumber(part, from, valueOf);
  if (!told)
    return told.error();
  const auto [axis, count] = *told;
  if (count < 1 || count > kMostRepeats)
    return partError(part, "it cannot be repeated " + std::to_string(count) + " times");
  Shape shape = from.shape;
  shape[axis] *= count;
  Result<Tensor> result = emptyLike(part, tensors, std::move(shape));
  if (!result)
    return result;
  for (int64_t element = 0; !result->data.empty() && element < result->numElements(); ++element) {
    Shape at = profiler::elementCoordinates(element, result->shape);
    at[axis] /= count;
    result->set(element, from.at(profiler::elementIndex(at, from.shape)));
  }
  return result;
}

static Result<Tensor> concatenated(const ArrayPart &part, std::vector<Tensor> tensors,
                                   const IndexValue &valueOf) {
  const bool isStack = part.kind == Kind::Stack;
  const Result<size_t> axis =
      axisOf(part, tensors.front().shape.size() + (isStack ? 1 : 0), valueOf);
  if (!axis)
    return axis.error();
  Shape shape;
  for (Tensor &tensor : tensors) {
    if (isStack)
      tensor.shape.insert(tensor.shape.begin() + static_cast<ptrdiff_t>(*axis), 1);
    Shape other = tensor.shape;
    const bool isFirst = shape.empty();
    if (isFirst)
      shape = other;
    else if (other.size() == shape.size())
      other[*axis] = shape[*axis];
    if (other != shape)
      return partError(part, "the shapes " + shapeText(tensors.front().shape) + " and " +
                                 shapeText(tensor.shape) + " do not fit together");
    if (!isFirst)
      shape[*axis] += tensor.shape[*axis];
  }
  Result<Tensor> result = emptyLike(part, tensors, std::move(shape));
  if (!result)
    return result;
  int64_t begin = 0;
  for (const Tensor &tensor : tensors) {
    place(tensor, *axis, begin, *result);
    begin += tensor.shape[*axis];
  }
  return result;
}

static bool isName(const std::string &text) {
  return !text.empty() && std::ranges::all_of(text, ast::isWordByte);
}

/// How parts are written that gather elements of `array`; empty: others.
static std::string formOf(Kind kind, const std::string &array) {
  switch (kind) {
  case Kind::CumulativeSum:
    return "cumsum(" + array + ", axis=0)";
  case Kind::Sort:
    return "sort(" + array + ", axis=0)";
  case Kind::SortedOrder:
    return "argsort(" + array + ", axis=0)";
  case Kind::Take:
    return "take(" + array + ", indices, axis=0)";
  case Kind::TakeAlong:
    return "take_along_axis(" + array + ", indices, axis=0)";
  default:
    return "";
  }
}

Result<Tensor> joined(const ArrayPart &part, std::vector<Tensor> tensors,
                      const IndexValue &valueOf) {
  // As its author calls it, where that is short.
  const std::string first = part.operands.empty() ? std::string() : part.operands.front();
  const std::string array =
      isName(first) && part.text.find(first) != std::string::npos ? first : "a";
  if (part.kind == Kind::Roll)
    return tensors.empty() || !part.shift
               ? Result<Tensor>(partError(part, "write it as `roll(" + array + ", 2, axis=0)`"))
               : rolled(part, tensors, valueOf);
  if (part.kind == Kind::Repeat)
    return tensors.empty() || !part.shift
               ? Result<Tensor>(partError(part, "write it as `repeat(" + array + ", 2, axis=0)`"))
               : repeated(part, tensors, valueOf);
  if (part.kind == Kind::Range)
    return numberRange(part, valueOf);
  if (const std::string form = formOf(part.kind, array); !form.empty()) {
    // Of several axes it must be said which.
    const bool isClear =
        part.axis || part.axisOfIndices || (tensors.size() > 0 && tensors[0].shape.size() == 1);
    if (tensors.size() != numTensors(part.kind) || !isClear)
      return partError(part, "write it as `" + form + "`");
    const Result<size_t> axis = axisOf(part, tensors[0].shape.size(), valueOf);
    return axis ? gathered(part, tensors, *axis) : axis.error();
  }
  if (tensors.empty())
    return partError(part, part.kind == Kind::Stack ? "write it as `stack((a, b), axis=0)`"
                                                    : "write it as `concatenate((a, b), axis=0)`");
  return concatenated(part, std::move(tensors), valueOf);
}

} // namespace tilescope::app
