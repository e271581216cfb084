// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ReferenceComparison.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace tilescope::profiler;

static Tensor filled(Dtype dtype, const std::vector<double> &values) {
  Tensor tensor = makeTensor(dtype, {int64_t(values.size())}, {TensorInit::Kind::Zeros});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.set(int64_t(i), values[i]);
  return tensor;
}

static PlanTensor argumentOf(const Tensor &tensor) { return {tensor.dtype, tensor.shape, {}}; }

static constexpr RoundedTo kFp32 = {};
static constexpr RoundedTo kBf16 = {0x1p-7, 0x1p-7};

TEST_CASE("a reference of a narrow type lets its neighbours pass, and more where the kernel rounds",
          "[profiler]") {
  const Tensor reference = filled(Dtype::Bf16, {1, 1.5, -1, 1.9921875});
  const auto isRight = [&](double first, double last, const RoundedTo &kernel) {
    return compareWithReference(filled(Dtype::Bf16, {first, 1.5, -1, last}), reference,
                                argumentOf(reference), {kernel})
        .ok();
  };
  CHECK(isRight(1, 1.9921875, kFp32));
  CHECK(isRight(1.0078125, 1.984375, kFp32));
  // Two numbers further, and three: as far as a kernel goes that rounds to bf16 on its way.
  CHECK_FALSE(isRight(1.015625, 1.9921875, kFp32));
  CHECK_FALSE(isRight(1, 1.9765625, kFp32));
  CHECK(isRight(1.015625, 1.9765625, kBf16));
  CHECK_FALSE(isRight(1.0625, 1.9921875, kBf16));
}

TEST_CASE("of a kernel that nothing is known of, what only coarse roundings explain is in doubt",
          "[profiler]") {
  const Tensor reference = filled(Dtype::Bf16, {1, 1.5, -1, 2});
  const auto compared = [&](double first) {
    return compareWithReference(filled(Dtype::Bf16, {first, 1.5, -1, 2}), reference,
                                argumentOf(reference), {});
  };
  CHECK(compared(1.0078125).doubt == MatchDoubt::None);
  const OutputComparison further = compared(1.015625);
  CHECK(further.ok());
  CHECK(further.doubt == MatchDoubt::Tolerance);
  CHECK(further.unlikely == 1);
  CHECK(compared(1.0625).mismatches == 1);
}

TEST_CASE("tolerances of an argument's own are all that passes beside its reference",
          "[profiler]") {
  const Tensor reference = filled(Dtype::Fp32, {1, 100});
  PlanTensor argument = argumentOf(reference);
  const auto isRight = [&](double first) {
    return compareWithReference(filled(Dtype::Fp32, {first, 100}), reference, argument, {kBf16})
        .ok();
  };
  CHECK(isRight(1.02));
  argument.relativeTolerance = 1e-5;
  argument.absoluteTolerance = 0;
  CHECK(isRight(1.000009));
  CHECK_FALSE(isRight(1.00002));
  argument.absoluteTolerance = 0.5;
  CHECK(isRight(1.4));
  CHECK_FALSE(isRight(1.6));
  argument = argumentOf(reference);
  argument.relativeTolerance = 0;
  CHECK(isRight(1));
  CHECK_FALSE(isRight(1.0000002));
}

TEST_CASE("elements that neither wrote are left out, integers are equal", "[profiler]") {
  Tensor reference = makeTensor(Dtype::Fp32, {3}, {});
  Tensor actual = reference;
  const auto compared = [&] {
    return compareWithReference(actual, reference, argumentOf(reference), {kFp32, true});
  };
  CHECK(compared().ok());
  CHECK(compared().unwritten == 3);
  reference.set(0, 2);
  CHECK(compared().mismatches == 1);
  actual.set(0, 2);
  reference.set(1, std::numeric_limits<double>::infinity());
  CHECK(compared().mismatches == 1);
  const Tensor whole = filled(Dtype::Int32, {7, 8});
  CHECK(compareWithReference(whole, whole, argumentOf(whole), {kBf16}).ok());
  CHECK(compareWithReference(filled(Dtype::Int32, {7, 9}), whole, argumentOf(whole), {kBf16})
            .mismatches == 1);
}

TEST_CASE("a match that the relative tolerance alone explains is in doubt", "[profiler]") {
  const Tensor expected = filled(Dtype::Fp32, {1, 2, 3, 4});
  const Tensor none = filled(Dtype::Fp32, {0, 0, 0, 0});
  const ExpectedTerms terms{expected, expected, none, none};
  ComparisonOptions options;
  options.terms = &terms;
  // Of each, one of 20,000 terms is left out.
  const auto off = [&](double share) {
    return filled(Dtype::Fp32, {1 - share, 2 - 2 * share, 3 - 3 * share, 4 - 4 * share});
  };
  const OutputComparison result = compareTensors(off(5e-5), expected, options);
  CHECK(result.ok());
  CHECK(result.unexplained == 4);
  CHECK(result.doubt == MatchDoubt::Tolerance);
  CHECK(doubtText(result) ==
        ", but 4 elements are off by more than 8 times what rounding explains");
  CHECK(compareTensors(off(5e-6), expected, options).doubt == MatchDoubt::None);
  // A few elements may be ill-conditioned.
  const Tensor one = filled(Dtype::Fp32, {1, 2, 3 - 1.5e-4, 4});
  CHECK(compareTensors(one, expected, options).doubt == MatchDoubt::None);
  // Tolerances of one's own are as large as they are meant to be.
  options.relativeTolerance = 1e-3;
  CHECK(compareTensors(off(5e-5), expected, options).doubt == MatchDoubt::None);
}
