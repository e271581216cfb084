// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include "profiler/analysis/Differences.h"
#include "profiler/data/Element.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace tilescope::profiler;

static Tensor tensor(Dtype dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  Tensor result = makeTensor(dtype, std::move(shape), TensorInit{TensorInit::Kind::Zeros});
  for (size_t i = 0; i < values.size(); ++i)
    result.set(int64_t(i), values[i]);
  return result;
}

static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInf = std::numeric_limits<double>::infinity();

/// What is known of expected numbers whose terms have these sizes.
static ExpectedTerms termsOf(const Tensor &exact, const Tensor &sizes) {
  const Tensor none = makeTensor(Dtype::Fp32, exact.shape, {TensorInit::Kind::Zeros});
  return {exact, sizes, none, none};
}

TEST_CASE("equal tensors match", "[profiler]") {
  Tensor a = tensor(Dtype::Fp32, {2, 2}, {1, -2, kInf, 0});
  OutputComparison result = compareTensors(a, a);
  CHECK(result.ok());
  CHECK(result.maxAbsError == 0);
  CHECK(result.relErrorInNorm == 0);
}

TEST_CASE("the first and the worst mismatch are told with their coordinates", "[profiler]") {
  OutputComparison result = compareTensors(tensor(Dtype::Fp32, {2, 3}, {1, 2, 3, 4.5, 5, 9}),
                                           tensor(Dtype::Fp32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(result.mismatches == 2);
  CHECK(result.firstMismatch == std::vector<int64_t>{1, 0});
  CHECK(result.firstActual == 4.5);
  CHECK(result.firstExpected == 4);
  CHECK(result.worst == std::vector<int64_t>{1, 2});
  CHECK(result.maxAbsError == 3);
  CHECK(result.maxRelError == 0.5);
  CHECK(result.relErrorInNorm == Approx(std::sqrt(9.25 / 91)));
}

TEST_CASE("NaN never passes", "[profiler]") {
  Tensor nan = tensor(Dtype::Fp32, {2}, {1, kNan}), number = tensor(Dtype::Fp32, {2}, {1, 2});
  for (const auto &[actual, expected] :
       {std::pair(nan, nan), std::pair(nan, number), std::pair(number, nan)}) {
    OutputComparison result = compareTensors(actual, expected);
    CHECK(result.mismatches == 1);
    CHECK(result.firstMismatch == std::vector<int64_t>{1});
    CHECK(result.maxAbsError == kInf);
  }
}

TEST_CASE("infinities pass only against themselves", "[profiler]") {
  Tensor inf = tensor(Dtype::Fp16, {1}, {kInf});
  CHECK(compareTensors(inf, inf).ok());
  CHECK_FALSE(compareTensors(inf, tensor(Dtype::Fp16, {1}, {-kInf})).ok());
  CHECK_FALSE(compareTensors(inf, tensor(Dtype::Fp16, {1}, {65504})).ok());
  CHECK_FALSE(compareTensors(tensor(Dtype::Fp16, {1}, {65504}), inf).ok());
}

TEST_CASE("elements that neither side wrote are counted apart", "[profiler]") {
  Tensor poison = makeTensor(Dtype::Fp32, {3}, {});
  Tensor half = poison;
  half.set(0, 1);
  ComparisonOptions options;
  options.poisoned = true;
  OutputComparison both = compareTensors(half, half, options);
  CHECK(both.ok());
  CHECK(both.unwritten == 2);
  OutputComparison one = compareTensors(half, poison, options);
  CHECK(one.mismatches == 1);
  CHECK(compareTensors(poison, poison).mismatches == 3);
}

TEST_CASE("integers must be equal, also beyond what doubles hold", "[profiler]") {
  Tensor a = makeTensor(Dtype::Int64, {1}, {}), b = a;
  a.set(0, 0x1p60);
  b.set(0, 0x1p60);
  CHECK(compareTensors(a, b).ok());
  b.data[0] = std::byte(1);
  OutputComparison result = compareTensors(a, b);
  CHECK(result.mismatches == 1);
  CHECK(result.maxAbsError == 1);
}

/// The rules, one element after the other.
static OutputComparison comparedSingly(const Tensor &actual, const Tensor &expected,
                                       OutputComparison tolerances, bool poisoned) {
  OutputComparison result = std::move(tolerances);
  const uint64_t poison = poisonBits(actual.dtype);
  double worstGrade = -1, worstError = -1;
  for (int64_t i = 0; i < actual.numElements(); ++i) {
    const uint64_t bits = elementBits(actual.dtype, actual.element(i));
    const uint64_t wantedBits = elementBits(actual.dtype, expected.element(i));
    if (poisoned && bits == poison && wantedBits == poison) {
      ++result.unwritten;
      continue;
    }
    const double a = actual.at(i), e = expected.at(i);
    double error = std::fabs(a - e);
    if (isFloat(actual.dtype) ? a == e : bits == wantedBits)
      error = 0;
    else if (std::isnan(error))
      error = kInf;
    else if (!isFloat(actual.dtype))
      error = std::max(error, 1.0);
    result.maxAbsError = std::max(result.maxAbsError, error);
    const double allowed = result.absoluteTolerance + result.relativeTolerance * std::fabs(e);
    const bool isExact = result.absoluteTolerance == 0 && result.relativeTolerance == 0;
    double excess = error == 0 ? 0 : error / (isExact ? 1 : allowed);
    excess = std::isnan(excess) ? kInf : excess;
    const double grade = excessGrade(excess);
    if (grade > worstGrade || (grade == worstGrade && error > worstError)) {
      result.worst = elementCoordinates(i, actual.shape);
      result.worstActual = a;
      result.worstExpected = e;
      worstGrade = grade;
      worstError = error;
    }
    const double relative = error == 0 ? 0 : error / std::fabs(e);
    result.maxRelError = std::max(result.maxRelError, std::isnan(relative) ? kInf : relative);
    if (!agrees(actual, expected, i, result) && result.mismatches++ == 0) {
      result.firstMismatch = elementCoordinates(i, actual.shape);
      result.firstActual = a;
      result.firstExpected = e;
    }
  }
  return result;
}

static OutputComparison withoutNaN(OutputComparison comparison) {
  // NaN is not equal to itself.
  for (double *value : {&comparison.firstActual, &comparison.firstExpected, &comparison.worstActual,
                        &comparison.worstExpected})
    *value = std::isnan(*value) ? -12345 : *value;
  // Counted in a pass of its own.
  comparison.indistinct = 0;
  comparison.doubt = MatchDoubt::None;
  // Sums have another order.
  comparison.relErrorInNorm = 0;
  return comparison;
}

/// Two tensors that differ in one of `oneOf` elements: by any bits, by poison on one side or both,
/// or by a little.
static std::pair<Tensor, Tensor> differing(Dtype dtype, int64_t size, unsigned oneOf) {
  std::mt19937_64 random(7);
  Tensor expected = makeTensor(dtype, {size}, {.kind = TensorInit::Kind::Randn, .scale = 20});
  Tensor actual = expected;
  const Tensor poison = makeTensor(dtype, {1}, {});
  const auto put = [&](Tensor &tensor, int64_t i, const std::byte *from) {
    std::copy_n(from, dtypeSize(dtype), tensor.element(i));
  };
  for (int64_t i = 0; i < size; ++i) {
    if (random() % oneOf != 0)
      continue;
    const uint64_t bits = random();
    const auto kind = static_cast<unsigned>(random() % 5);
    if (kind <= 1)
      put(actual, i, reinterpret_cast<const std::byte *>(&bits));
    if (kind == 1 || kind == 4)
      put(expected, i, kind == 4 ? poison.element(0) : actual.element(i));
    if (kind >= 3)
      put(actual, i, poison.element(0));
    if (kind == 2)
      actual.set(i, actual.at(i) * 1.001);
  }
  return {std::move(actual), std::move(expected)};
}

static void checkAgainstRules(Dtype dtype, int64_t size, unsigned oneOf) {
  CAPTURE(std::string(dtypeName(dtype)), size, oneOf);
  const auto [actual, expected] = differing(dtype, size, oneOf);
  for (const bool poisoned : {false, true}) {
    ComparisonOptions options;
    options.poisoned = poisoned;
    const OutputComparison result = compareTensors(actual, expected, options);
    OutputComparison tolerances;
    tolerances.elements = size;
    tolerances.relativeTolerance = result.relativeTolerance;
    tolerances.absoluteTolerance = result.absoluteTolerance;
    const OutputComparison wanted = comparedSingly(actual, expected, tolerances, poisoned);
    CHECK(withoutNaN(result) == withoutNaN(wanted));
  }
}

TEST_CASE("a pass over many elements finds what the rules say of each", "[profiler]") {
  for (const auto &info : allDtypes())
    for (const int64_t size : {1, 3, 1023, 1024, 1025, 5000})
      for (const unsigned oneOf : {2u, 500u})
        checkAgainstRules(info.kind, size, oneOf);
  // Several segments, which several threads look at.
  checkAgainstRules(Dtype::Bf16, (1 << 20) + 7, 500);
  checkAgainstRules(Dtype::Int64, (2 << 20) + 7, 500'000);
}

TEST_CASE("the worst element is the one farthest beyond the tolerance", "[profiler]") {
  // Half an ulp of fp16 at 266 is more than the whole of a small number.
  const Tensor expected = tensor(Dtype::Fp16, {4}, {266, 0.25, 1, 2});
  const Tensor actual = tensor(Dtype::Fp16, {4}, {265.75, 0.125, 1, 2});
  ComparisonOptions options;
  options.absoluteTolerance = 0.01;
  OutputComparison result = compareTensors(actual, expected, options);
  CHECK(result.maxAbsError == 0.25);
  CHECK(result.mismatches == 1);
  CHECK(result.worst == std::vector<int64_t>{1});
  CHECK(result.worstActual == 0.125);

  options.relativeTolerance = 1e-4;
  options.absoluteTolerance = 0;
  result = compareTensors(actual, expected, options);
  CHECK(result.mismatches == 2);
  CHECK(result.worst == std::vector<int64_t>{1});
}

TEST_CASE("a comparison says what passes", "[profiler]") {
  const Tensor one = tensor(Dtype::Fp32, {1}, {1});
  CHECK(toleranceText(compareTensors(one, one)) ==
        "values within 1e-05 + 0.0001 × |expected| pass");
  const Tensor whole = tensor(Dtype::Int32, {1}, {1});
  CHECK(toleranceText(compareTensors(whole, whole)) == "equal values pass");
  PlanTensor argument;
  argument.relativeTolerance = 0.5;
  argument.absoluteTolerance = 0;
  CHECK(toleranceText(compareTensors(one, one, comparisonOptions(argument))) ==
        "values within 0.5 × |expected| pass");
  argument.relativeTolerance = 0;
  argument.absoluteTolerance = 0.25;
  const OutputComparison result =
      compareTensors(tensor(Dtype::Fp32, {1}, {1.25}), one, comparisonOptions(argument));
  CHECK(result.ok());
  CHECK(toleranceText(result) == "values within 0.25 pass");
}

TEST_CASE("the error in norm and the tolerance are of the finite elements", "[profiler]") {
  const int64_t size = 3000;
  Tensor expected = makeTensor(Dtype::Fp32, {size}, {.kind = TensorInit::Kind::Full, .value = 3});
  expected.set(1500, kInf);
  expected.set(2999, kNan);
  Tensor actual = expected;
  actual.set(10, 3.5);
  actual.set(2000, 2);
  const OutputComparison result = compareTensors(actual, expected);
  CHECK(result.absoluteTolerance == Approx(3e-5));
  CHECK(result.relErrorInNorm == Approx(std::sqrt(1.25 / (9 * 2998))));
  CHECK(result.mismatches == 3);
}

TEST_CASE("a few large elements leave no room for zeros in place of the others", "[profiler]") {
  // exp(8 x) over normal numbers x: the largest is some 10^14 times the smallest.
  Tensor expected = makeTensor(Dtype::Fp32, {4096}, {.kind = TensorInit::Kind::Randn});
  for (int64_t i = 0; i < 4096; ++i)
    expected.set(i, std::exp(8 * expected.at(i)));
  Tensor actual = expected;
  CHECK(compareTensors(actual, expected).mismatches == 0);
  int64_t numWrong = 0;
  for (int64_t i = 0; i < 4096; ++i)
    if (expected.at(i) < 2) {
      actual.set(i, 0);
      ++numWrong;
    }
  REQUIRE(numWrong > 1000);
  const OutputComparison result = compareTensors(actual, expected);
  // Not those that are small themselves.
  CHECK(result.mismatches > numWrong / 4);
  CHECK(result.absoluteTolerance < 0.01);
  // Where all are alike, the mean is what counts, and of a few numbers nothing else is known.
  const Tensor alike = makeTensor(Dtype::Fp32, {4096}, {.kind = TensorInit::Kind::Randn});
  CHECK(compareTensors(alike, alike).absoluteTolerance == Approx(1e-5).epsilon(0.1));
  Tensor few = makeTensor(Dtype::Fp32, {4}, {.kind = TensorInit::Kind::Ones});
  few.set(0, 1e6);
  CHECK(compareTensors(few, few).absoluteTolerance == Approx(5));
}

TEST_CASE("elements that still hold poison are counted, with the first of them", "[profiler]") {
  for (const auto &info : allDtypes()) {
    CAPTURE(std::string(info.signatureName));
    Tensor written = makeTensor(info.kind, {50, 40}, {.kind = TensorInit::Kind::Zeros});
    OutputResult output;
    noteUnwritten(written, output);
    CHECK(output.neverWritten == 0);
    CHECK(output.firstNeverWritten.empty());
    const Tensor poison = makeTensor(info.kind, {1}, {});
    for (const int64_t i : {1203, 1999})
      std::copy_n(poison.element(0), dtypeSize(info.kind), written.element(i));
    noteUnwritten(written, output);
    CHECK(output.neverWritten == 2);
    CHECK(output.firstNeverWritten == std::vector<int64_t>{30, 3});
  }
}

TEST_CASE("tolerances follow the type unless given", "[profiler]") {
  auto off = [](Dtype dtype, double error) {
    return compareTensors(tensor(dtype, {1}, {1 + error}), tensor(dtype, {1}, {1})).mismatches;
  };
  CHECK(off(Dtype::Fp32, 1e-5) == 0);
  CHECK(off(Dtype::Fp32, 1e-3) == 1);
  CHECK(off(Dtype::Fp16, 0x1p-9) == 0);
  CHECK(off(Dtype::Fp16, 0x1p-6) == 1);
  ComparisonOptions strict;
  strict.relativeTolerance = 0;
  strict.absoluteTolerance = 0;
  CHECK_FALSE(
      compareTensors(tensor(Dtype::Fp32, {1}, {1 + 0x1p-23}), tensor(Dtype::Fp32, {1}, {1}), strict)
          .ok());
}

TEST_CASE("tensors of different shape or type cannot be compared", "[profiler]") {
  Tensor a = tensor(Dtype::Fp32, {2}, {});
  CHECK_FALSE(compareTensors(a, tensor(Dtype::Fp32, {1, 2}, {})).fault.empty());
  CHECK_FALSE(compareTensors(a, tensor(Dtype::Fp16, {2}, {})).ok());
}

TEST_CASE("a summary counts what is not a number apart", "[profiler]") {
  TensorSummary summary = summarizeTensor(tensor(Dtype::Fp32, {5}, {1, kNan, kInf, -3, 8}), false);
  CHECK(summary.numFinite == 3);
  CHECK(summary.numNan == 1);
  CHECK(summary.numInfinite == 1);
  CHECK(summary.least == -3);
  CHECK(summary.most == 8);
  CHECK(summary.mean == 2);
  Tensor poison = makeTensor(Dtype::Fp32, {3}, {});
  CHECK(summarizeTensor(poison, true).numUnwritten == 3);
  CHECK(summarizeTensor(poison, false).numNan == 3);
}

TEST_CASE("each element has a tolerance of its own where its terms are known", "[profiler]") {
  // One element is a million times larger than the others, and the last is what is left of large
  // terms.
  const Tensor expected = tensor(Dtype::Fp32, {4}, {1e6, 1, 1, 1e-3});
  const ExpectedTerms terms = termsOf(expected, tensor(Dtype::Fp32, {4}, {1e6, 1, kNan, 1e4}));
  ComparisonOptions options;
  options.terms = &terms;
  const Tensor zeros = tensor(Dtype::Fp32, {4}, {1e6, 0, 0, 0});
  OutputComparison result = compareTensors(zeros, expected, options);
  CHECK(result.mismatches == 2);
  CHECK(result.firstMismatch == std::vector<int64_t>{1});
  CHECK(result.isTolerancePerElement);
  CHECK(result.absoluteTolerance == Approx(1e6 * 0x1p-20));
  CHECK(toleranceText(result) == "values within 0.0001 × |expected| + what rounding on the way "
                                 "adds, at most 0.954 here, pass");
  const std::optional<ElementRanges> ranges = elementRanges(expected, options);
  REQUIRE(ranges);
  CHECK(1 - ranges->least.at(1) == Approx(1e-4 + 0x1p-20).epsilon(0.01));
  CHECK(ranges->most.at(1) - 1 == Approx(1e-4 + 0x1p-20).epsilon(0.01));
  // Where its terms are not known, an element is its own measure.
  CHECK(1 - ranges->least.at(2) == Approx(2e-4).epsilon(0.01));
  CHECK(ranges->most.at(3) == Approx(1e-3 + 1e4 * 0x1p-20).epsilon(0.01));
  CHECK(agrees(zeros, expected, 3, result, &*ranges));
  CHECK_FALSE(agrees(zeros, expected, 1, result, &*ranges));
  // A tolerance that the launch block states is for all elements.
  options.absoluteTolerance = 2;
  CHECK(compareTensors(zeros, expected, options).ok());
  CHECK(toleranceText(compareTensors(zeros, expected, options)) ==
        "values within 2 + 0.0001 × |expected| pass");
  // A larger relative tolerance allows for larger roundings.
  options.absoluteTolerance.reset();
  options.relativeTolerance = 1e-2;
  CHECK(elementRanges(expected, options)->most.at(3) == Approx(1e6 * 0x1p-20).epsilon(0.01));
  options.relativeTolerance = 0;
  CHECK(elementRanges(expected, options)->most.at(3) == expected.at(3));
}

TEST_CASE("what is said of tolerances leaves out infinite elements", "[profiler]") {
  const Tensor expected = tensor(Dtype::Fp16, {2}, {1, kInf});
  const ExpectedTerms terms = termsOf(expected, tensor(Dtype::Fp32, {2}, {1, 1e30}));
  ComparisonOptions options;
  options.terms = &terms;
  const OutputComparison result = compareTensors(expected, expected, options);
  CHECK(result.ok());
  CHECK(result.absoluteTolerance == 0);
}

TEST_CASE("numbers near the end of a type's range may be rounded to zero", "[profiler]") {
  const auto passes = [](Dtype dtype, double expected) {
    ComparisonOptions options;
    options.relativeTolerance = 1e-60;
    return compareTensors(tensor(dtype, {2}, {0, 1}), tensor(dtype, {2}, {expected, 1}), options)
        .ok();
  };
  CHECK(passes(Dtype::Fp16, 0x1p-24));
  CHECK_FALSE(passes(Dtype::Fp16, 0x1p-20));
  // GPUs take these for zero.
  CHECK(passes(Dtype::Fp32, 1e-39));
  CHECK_FALSE(passes(Dtype::Fp32, 1e-37));
}
