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

Result<NumberBlock> combine(const NumberBlock &a, const NumberBlock &b, BinaryFunction function) {
  NumberBlock result;
  if (a.shape == b.shape || b.isScalar() || a.isScalar()) {
    const bool isWide = !a.isScalar();
    result.shape = isWide ? a.shape : b.shape;
    result.numbers.resize(isWide ? a.numbers.size() : b.numbers.size());
    for (size_t i = 0; i < result.numbers.size(); ++i)
      result.numbers[i] =
          function(a.numbers[a.isScalar() ? 0 : i], b.numbers[b.isScalar() ? 0 : i]);
    return result;
  }
  Result<std::vector<int64_t>> shape = broadcast(a, b);
  if (!shape)
    return shape.error();
  result.shape = *shape;
  const std::vector<int64_t> strideA = stridesIn(a, *shape), strideB = stridesIn(b, *shape);
  const int64_t count = countOf(*shape);
  result.numbers.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t atA = 0, atB = 0, rest = i;
    for (size_t axis = shape->size(); axis-- > 0; rest /= (*shape)[axis]) {
      atA += rest % (*shape)[axis] * strideA[axis];
      atB += rest % (*shape)[axis] * strideB[axis];
    }
    result.numbers[static_cast<size_t>(i)] =
        function(a.numbers[static_cast<size_t>(atA)], b.numbers[static_cast<size_t>(atB)]);
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
    {"any", 0, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
    {"all", 1, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
    {"count", 0, [](double a, double b) { return a + (b != 0 ? 1.0 : 0.0); }},
    {"sum", 0, [](double a, double b) { return a + b; }},
    {"mean", 0, [](double a, double b) { return a + b; },
     [](double sum, double count) { return sum / count; }},
    {"min", kInfinity, least},
    {"max", -kInfinity, most},
};

static Result<NumberBlock> reduce(const Reduction &reduction, const NumberBlock &block,
                                  std::optional<int64_t> axis) {
  const auto finish = [&](double sum, int64_t count) {
    return reduction.finish ? reduction.finish(sum, static_cast<double>(count)) : sum;
  };
  if (!axis) {
    double sum = reduction.start;
    for (const double number : block.numbers)
      sum = reduction.add(sum, number);
    return NumberBlock::scalar(finish(sum, static_cast<int64_t>(block.numbers.size())));
  }
  const auto rank = static_cast<int64_t>(block.shape.size());
  const int64_t chosen = *axis < 0 ? *axis + rank : *axis;
  if (chosen < 0 || chosen >= rank)
    return wrong("there is no axis " + std::to_string(*axis) + " in " + shapeText(block.shape));
  NumberBlock result;
  int64_t inner = 1;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != chosen)
      result.shape.push_back(block.shape[static_cast<size_t>(i)]);
    if (i > chosen)
      inner *= block.shape[static_cast<size_t>(i)];
  }
  const int64_t extent = block.shape[static_cast<size_t>(chosen)];
  result.numbers.assign(static_cast<size_t>(countOf(result.shape)), reduction.start);
  for (int64_t i = 0; i < static_cast<int64_t>(block.numbers.size()); ++i) {
    double &sum = result.numbers[static_cast<size_t>(i / inner / extent * inner + i % inner)];
    sum = reduction.add(sum, block.numbers[static_cast<size_t>(i)]);
  }
  for (double &sum : result.numbers)
    sum = finish(sum, extent);
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
  std::string known;
  for (const Reduction &each : kReductions)
    known += std::string(each.name) + ", ";
  for (const Elementwise &each : kElementwise)
    known += std::string(each.name) + (&each == std::end(kElementwise) - 1 ? "" : ", ");
  return wrong("there is no function `" + std::string(name) + "`: known are " + known);
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
  return result;
}

} // namespace tilescope::compiler::stepping
