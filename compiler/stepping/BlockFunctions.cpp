// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockFunctions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tilescope::compiler::stepping {

static Error wrong(std::string message) { return Error{ErrorCode::Usage, std::move(message), ""}; }

static std::string shapeText(const std::vector<int64_t> &shape) {
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
        return wrong("cannot broadcast " + shapeText(a.shape) + " with " + shapeText(b.shape));
      extent = std::max(extent, own);
    }
  return shape;
}

static bool decides(const NumberBlock &block, size_t at, Decider decider) {
  return decider != Decider::Nothing && block.isDefined(at) &&
         (block.numbers[at] == 0) == (decider == Decider::Zero);
}

Result<NumberBlock> combine(const NumberBlock &a, const NumberBlock &b, BinaryFunction function,
                            Decider decider) {
  NumberBlock result;
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
  const std::vector<int64_t> strideA = stridesIn(a, *shape), strideB = stridesIn(b, *shape);
  const int64_t count = countOf(*shape);
  result.numbers.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t atA = 0, atB = 0, rest = i;
    for (size_t axis = shape->size(); axis-- > 0; rest /= (*shape)[axis]) {
      atA += rest % (*shape)[axis] * strideA[axis];
      atB += rest % (*shape)[axis] * strideB[axis];
    }
    add(static_cast<size_t>(atA), static_cast<size_t>(atB));
  }
  return result;
}

namespace {

struct Elementwise {
  std::string_view name;
  double (*apply)(double);
};

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

static constexpr Elementwise kElementwise[] = {
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
    {"isinf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }},
    {"isfinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }},
    {"abs", [](double x) { return std::fabs(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
};

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
                                  std::optional<int64_t> axis) {
  NumberBlock result;
  if (!axis) {
    Sum sum(reduction);
    for (size_t i = 0; i < block.numbers.size(); ++i)
      sum.add(block, i);
    sum.addTo(result);
    return result;
  }
  const auto rank = static_cast<int64_t>(block.shape.size());
  const int64_t chosen = *axis < 0 ? *axis + rank : *axis;
  if (chosen < 0 || chosen >= rank)
    return wrong("there is no axis " + std::to_string(*axis) + " in " + shapeText(block.shape));
  int64_t inner = 1;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != chosen)
      result.shape.push_back(block.shape[static_cast<size_t>(i)]);
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

Result<NumberBlock> applyFunction(std::string_view name, const NumberBlock &block,
                                  std::optional<int64_t> axis) {
  for (const Elementwise &each : kElementwise)
    if (each.name == name) {
      NumberBlock result = block;
      for (double &number : result.numbers)
        number = each.apply(number);
      return result;
    }
  for (const Reduction &each : kReductions)
    if (each.name == name)
      return reduce(each, block, axis);
  return wrong("there is no function `" + std::string(name) + "`: known are " + functionNames());
}

bool isFunction(std::string_view name) {
  return std::ranges::find(kReductions, name, &Reduction::name) != std::end(kReductions) ||
         std::ranges::find(kElementwise, name, &Elementwise::name) != std::end(kElementwise);
}

std::string functionNames() {
  std::string names;
  for (const Reduction &each : kReductions)
    names += std::string(each.name) + ", ";
  for (const Elementwise &each : kElementwise)
    names += std::string(each.name) + (&each == std::end(kElementwise) - 1 ? "" : ", ");
  return names;
}

Result<NumberBlock> elementsAt(const NumberBlock &block, const std::vector<int64_t> &index) {
  if (index.size() > block.shape.size())
    return wrong("an index of " + std::to_string(index.size()) + " numbers does not fit " +
                 shapeText(block.shape));
  int64_t begin = 0, count = static_cast<int64_t>(block.numbers.size());
  for (size_t axis = 0; axis < index.size(); ++axis) {
    const int64_t extent = block.shape[axis];
    const int64_t at = index[axis] < 0 ? index[axis] + extent : index[axis];
    if (at < 0 || at >= extent)
      return wrong("index " + std::to_string(index[axis]) + " is outside of " +
                   shapeText(block.shape));
    count /= extent;
    begin += at * count;
  }
  NumberBlock result;
  result.unsignedBits = block.unsignedBits;
  result.shape.assign(block.shape.begin() + static_cast<ptrdiff_t>(index.size()),
                      block.shape.end());
  result.numbers.assign(block.numbers.begin() + begin, block.numbers.begin() + begin + count);
  if (!block.defined.empty())
    result.defined.assign(block.defined.begin() + begin, block.defined.begin() + begin + count);
  return result;
}

} // namespace tilescope::compiler::stepping
