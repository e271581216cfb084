// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockFunctions.h"

#include "compiler/stepping/ElementFunctions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace tilescope::compiler::stepping {

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

static int64_t countOf(const std::vector<int64_t> &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// Elements from one index of each axis of `shape` to the next; 0 where the block is broadcast.
static std::vector<int64_t> stridesIn(const NumberBlock &block, const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < block.shape.size(); ++i) {
    const size_t own = block.shape.size() - 1 - i;
    strides[shape.size() - 1 - i] = block.shape[own] == 1 ? 0 : stride;
    stride *= block.shape[own];
  }
  return strides;
}

static Result<std::vector<int64_t>> broadcast(const NumberBlock &a, const NumberBlock &b) {
  std::vector<int64_t> shape(std::max(a.shape.size(), b.shape.size()), 1);
  for (const NumberBlock *block : {&a, &b})
    for (size_t i = 0; i < block->shape.size(); ++i) {
      int64_t &extent = shape[shape.size() - 1 - i];
      const int64_t own = block->shape[block->shape.size() - 1 - i];
      if (own != 1 && extent != 1 && own != extent)
        return blockError("cannot broadcast " + shapeText(a.shape) + " with " + shapeText(b.shape));
      extent = std::max(extent, own);
    }
  return shape;
}

/// Elements from one index of each axis to the next, the last axis running fastest.
static std::vector<int64_t> ownStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

/// The numbers of the elements of `shape`, one after another, where each axis has a stride.
static std::vector<size_t> elementNumbers(const std::vector<int64_t> &shape,
                                          const std::vector<int64_t> &strides, int64_t begin = 0) {
  std::vector<size_t> numbers(static_cast<size_t>(countOf(shape)));
  for (size_t i = 0; i < numbers.size(); ++i) {
    int64_t at = begin, rest = static_cast<int64_t>(i);
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      at += rest % shape[axis] * strides[axis];
    numbers[i] = static_cast<size_t>(at);
  }
  return numbers;
}

/// The elements of a block at `numbers`.
static NumberBlock taken(const NumberBlock &block, std::vector<int64_t> shape,
                         const std::vector<size_t> &numbers) {
  NumberBlock result{std::move(shape), {}, block.unsignedBits, {}, block.isReal, block.pointed};
  result.numbers.reserve(numbers.size());
  for (const size_t number : numbers) {
    result.numbers.push_back(block.numbers[number]);
    if (!block.defined.empty())
      result.defined.push_back(block.defined[number]);
  }
  return result;
}

static bool decides(const NumberBlock &block, size_t at, Decider decider) {
  return decider != Decider::Nothing && block.isDefined(at) &&
         (block.numbers[at] == 0) == (decider == Decider::Zero);
}

Result<NumberBlock> combine(const NumberBlock &a, const NumberBlock &b, BinaryFunction function,
                            Decider decider) {
  NumberBlock result;
  result.isReal = a.isReal || b.isReal;
  const bool isAnyUndefined = !a.defined.empty() || !b.defined.empty();
  const auto add = [&](size_t atA, size_t atB) {
    result.numbers.push_back(function(a.numbers[atA], b.numbers[atB]));
    if (isAnyUndefined)
      result.defined.push_back((a.isDefined(atA) && b.isDefined(atB)) || decides(a, atA, decider) ||
                               decides(b, atB, decider));
  };
  if (a.shape == b.shape || b.isScalar() || a.isScalar()) {
    const NumberBlock &wide = a.isScalar() ? b : a;
    result.shape = wide.shape;
    result.numbers.reserve(wide.numbers.size());
    for (size_t i = 0; i < wide.numbers.size(); ++i)
      add(a.isScalar() ? 0 : i, b.isScalar() ? 0 : i);
    return result;
  }
  Result<std::vector<int64_t>> shape = broadcast(a, b);
  if (!shape)
    return shape.error();
  result.shape = *shape;
  const std::vector<size_t> atA = elementNumbers(*shape, stridesIn(a, *shape)),
                            atB = elementNumbers(*shape, stridesIn(b, *shape));
  result.numbers.reserve(atA.size());
  for (size_t i = 0; i < atA.size(); ++i)
    add(atA[i], atB[i]);
  return result;
}

Result<NumberBlock> combine(const std::array<NumberBlock, 3> &blocks,
                            double (*function)(double, double, double), bool chooses) {
  const auto &[a, b, c] = blocks;
  // The shape of all three: of two, and then of these and the third.
  Result<std::vector<int64_t>> shape = broadcast(a, b);
  if (shape)
    shape = broadcast({*shape, {}}, c);
  if (!shape)
    return shape.error();
  NumberBlock result{*shape, {}};
  result.isReal = b.isReal || c.isReal || (!chooses && a.isReal);
  const bool isAnyUndefined =
      std::ranges::any_of(blocks, [](const NumberBlock &each) { return !each.defined.empty(); });
  std::array<std::vector<size_t>, 3> at;
  for (size_t k = 0; k < at.size(); ++k)
    at[k] = elementNumbers(*shape, stridesIn(blocks[k], *shape));
  for (size_t i = 0; i < at[0].size(); ++i) {
    const double first = a.numbers[at[0][i]];
    result.numbers.push_back(function(first, b.numbers[at[1][i]], c.numbers[at[2][i]]));
    if (!isAnyUndefined)
      continue;
    const bool isSecond = b.isDefined(at[1][i]), isThird = c.isDefined(at[2][i]);
    result.defined.push_back(a.isDefined(at[0][i]) &&
                             (chooses ? (first != 0 ? isSecond : isThird) : isSecond && isThird));
  }
  return result;
}

NumberBlock mapped(NumberBlock block, double (*function)(double)) {
  for (double &number : block.numbers)
    number = function(number);
  block.unsignedBits = 0;
  block.pointed = nullptr;
  return block;
}

namespace {

/// Brings many elements to one.
struct Reduction {
  std::string_view name;
  double start;
  BinaryFunction add;
  /// What is made of the sum of so many elements; null: nothing.
  double (*finish)(double sum, double count) = nullptr;
  /// Of which a defined one decides about all.
  Decider decider = Decider::Nothing;
};

} // namespace

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// NaN wins, as it does in NumPy.
static double least(double a, double b) { return std::isnan(a) || a < b ? a : b; }
static double most(double a, double b) { return std::isnan(a) || a > b ? a : b; }

static constexpr Reduction kReductions[] = {
    {"any", 0, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, nullptr,
     Decider::Other},
    {"all", 1, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, nullptr,
     Decider::Zero},
    {"count", 0, [](double a, double b) { return a + (b != 0 ? 1.0 : 0.0); }},
    {"sum", 0, [](double a, double b) { return a + b; }},
    {"mean", 0, [](double a, double b) { return a + b; },
     [](double sum, double count) { return sum / count; }},
    {"min", kInfinity, least},
    {"max", -kInfinity, most},
};

namespace {

/// What many elements come to, one after another.
struct Sum {
  explicit Sum(const Reduction &reduction) : of(reduction), number(reduction.start) {}

  void add(const NumberBlock &block, size_t i) {
    isUndefined |= !block.isDefined(i);
    isDecided |= decides(block, i, of.decider);
    number = of.add(number, block.numbers[i]);
    ++count;
  }
  /// Appends it to a block.
  void addTo(NumberBlock &result) const {
    result.numbers.push_back(of.finish ? of.finish(number, count) : number);
    result.defined.push_back(isDecided || !isUndefined);
  }

  const Reduction &of;
  double number;
  double count = 0;
  bool isUndefined = false, isDecided = false;
};

} // namespace

static Result<NumberBlock> reduce(const Reduction &reduction, const NumberBlock &block,
                                  const ReductionOptions &options) {
  NumberBlock result;
  result.isReal = block.isReal;
  if (!options.axis) {
    Sum sum(reduction);
    for (size_t i = 0; i < block.numbers.size(); ++i)
      sum.add(block, i);
    sum.addTo(result);
    if (options.keepsDims)
      result.shape.assign(block.shape.size(), 1);
    return result;
  }
  const auto rank = static_cast<int64_t>(block.shape.size());
  const int64_t chosen = *options.axis < 0 ? *options.axis + rank : *options.axis;
  if (chosen < 0 || chosen >= rank)
    return blockError("there is no axis " + std::to_string(*options.axis) + " in " +
                      shapeText(block.shape));
  int64_t inner = 1;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != chosen)
      result.shape.push_back(block.shape[static_cast<size_t>(i)]);
    else if (options.keepsDims)
      result.shape.push_back(1);
    if (i > chosen)
      inner *= block.shape[static_cast<size_t>(i)];
  }
  const int64_t extent = block.shape[static_cast<size_t>(chosen)];
  std::vector<Sum> sums(static_cast<size_t>(countOf(result.shape)), Sum(reduction));
  for (int64_t i = 0; i < static_cast<int64_t>(block.numbers.size()); ++i)
    sums[static_cast<size_t>(i / inner / extent * inner + i % inner)].add(block,
                                                                          static_cast<size_t>(i));
  for (const Sum &sum : sums)
    sum.addTo(result);
  return result;
}

Result<NumberBlock> reduce(std::string_view name, const NumberBlock &block,
                           const ReductionOptions &options) {
  const auto *found = std::ranges::find(kReductions, name, &Reduction::name);
  if (found == std::end(kReductions))
    return blockError("`" + std::string(name) + "` does not bring a block to one number");
  return reduce(*found, block, options);
}

bool isReduction(std::string_view name) {
  return std::ranges::find(kReductions, name, &Reduction::name) != std::end(kReductions);
}

/// Of which a block's own memory or type decides.
static constexpr std::string_view kOthers[] = {"to", "cast", "load"};

bool isFunction(std::string_view name) {
  return isReduction(name) || findElementFunction(name) ||
         std::ranges::find(kOthers, name) != std::end(kOthers);
}

std::string functionNames() {
  std::string names;
  const auto add = [&](std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const Reduction &each : kReductions)
    add(each.name);
  for (const std::string_view each : elementFunctionNames())
    add(each);
  for (const std::string_view each : kOthers)
    add(each);
  return names;
}

/// The first place of a slice, its distance to the next one and how many there are, as Python has them.
static std::array<int64_t, 3> placesOf(const BlockIndex &slice, int64_t extent) {
  const bool isForward = slice.step > 0;
  const auto inside = [&](int64_t at) {
    return std::clamp(at < 0 ? at + extent : at, isForward ? int64_t{0} : int64_t{-1},
                      isForward ? extent : extent - 1);
  };
  const int64_t begin = slice.begin ? inside(*slice.begin) : isForward ? 0 : extent - 1;
  const int64_t end = slice.end ? inside(*slice.end) : isForward ? extent : -1;
  const int64_t distance = isForward ? end - begin : begin - end, step = std::abs(slice.step);
  return {begin, slice.step, std::max<int64_t>(0, (distance + step - 1) / step)};
}

Result<NumberBlock> elementsAt(const NumberBlock &block, const std::vector<BlockIndex> &index) {
  const auto numAxes = static_cast<size_t>(std::ranges::count_if(
      index, [](const BlockIndex &each) { return each.kind != BlockIndex::Kind::NewAxis; }));
  if (numAxes > block.shape.size())
    return blockError("an index of " + std::to_string(numAxes) + " numbers does not fit " +
                      shapeText(block.shape));
  const std::vector<int64_t> own = ownStrides(block.shape);
  std::vector<int64_t> shape, strides;
  int64_t first = 0;
  size_t axis = 0;
  for (const BlockIndex &each : index) {
    if (each.kind == BlockIndex::Kind::NewAxis) {
      shape.push_back(1);
      strides.push_back(0);
      continue;
    }
    const int64_t extent = block.shape[axis], stride = own[axis];
    ++axis;
    if (each.kind == BlockIndex::Kind::Slice) {
      const auto [begin, step, count] = placesOf(each, extent);
      if (count == 0)
        return blockError("a slice has no elements of " + shapeText(block.shape));
      first += begin * stride;
      shape.push_back(count);
      strides.push_back(step * stride);
      continue;
    }
    const int64_t at = each.at < 0 ? each.at + extent : each.at;
    if (at < 0 || at >= extent)
      return blockError("index " + std::to_string(each.at) + " is outside of " +
                        shapeText(block.shape));
    first += at * stride;
  }
  shape.insert(shape.end(), block.shape.begin() + static_cast<ptrdiff_t>(axis), block.shape.end());
  strides.insert(strides.end(), own.begin() + static_cast<ptrdiff_t>(axis), own.end());
  const std::vector<size_t> numbers = elementNumbers(shape, strides, first);
  return taken(block, std::move(shape), numbers);
}

Result<NumberBlock> loaded(const NumberBlock &addresses) {
  const PointedArray *array = addresses.pointed.get();
  if (!array)
    return blockError("only a pointer can be loaded, such as `x_ptr + offs`");
  NumberBlock result{addresses.shape, {}};
  result.isReal = array->isReal();
  for (size_t i = 0; i < addresses.numbers.size(); ++i) {
    const double at = addresses.numbers[i];
    const bool isInside =
        addresses.isDefined(i) && at >= 0 && at < static_cast<double>(array->numElements());
    result.numbers.push_back(isInside ? array->at(static_cast<int64_t>(at)) : 0);
    result.defined.push_back(isInside);
  }
  return result;
}

} // namespace tilescope::compiler::stepping
