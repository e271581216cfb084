// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What passes as a result of kernels that compute in another way, and what does not.
#include "app/launch/ExpectedResult.h"
#include "profiler/analysis/Comparison.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <memory>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Dtype;
using profiler::OutputComparison;
using profiler::PlanArgument;
using profiler::PlanTensor;
using profiler::Tensor;
using profiler::TensorInit;
using Shape = std::vector<int64_t>;

namespace {
/// A launch with normal inputs, and what a kernel makes of them.
class Launch {
public:
  Launch(Dtype dtype, const Shape &shape, const char *expected) {
    m_plan.args = {{"y", PlanTensor{dtype, shape, {}, false, expected}}};
  }

  /// Adds an input.
  const Tensor &input(const char *name, Dtype dtype, const Shape &shape, double scale = 1) {
    const TensorInit init{
        .kind = TensorInit::Kind::Randn, .seed = m_plan.args.size(), .scale = scale};
    m_plan.args.push_back({name, PlanTensor{dtype, shape, init, false, ""}});
    m_inputs.push_back(std::make_unique<Tensor>(profiler::makeTensor(dtype, shape, init)));
    return *m_inputs.back();
  }

  /// `value`: what the kernel writes at a flat index.
  OutputComparison compared(const std::function<double(int64_t)> &value) const {
    const PlanArgument &output = m_plan.args.front();
    const Result<Expectation> expected = expectationOf(output, {m_plan, "/tmp/kernel.py", ""});
    REQUIRE(expected);
    Tensor actual = expected->values;
    for (int64_t i = 0; i < actual.numElements(); ++i)
      actual.set(i, value(i));
    profiler::ComparisonOptions options;
    options.termSizes = expected->knownSizes();
    return profiler::compareTensors(actual, expected->values, options);
  }

private:
  profiler::LaunchPlan m_plan;
  std::vector<std::unique_ptr<Tensor>> m_inputs;
};
} // namespace

/// As single precision has it.
static float f(double value) { return static_cast<float>(value); }

TEST_CASE("zeros in place of small elements do not pass beside large ones", "[app][launch]") {
  Launch exponential(Dtype::Fp32, {1024}, "exp(x * 8)");
  const Tensor &x = exponential.input("x", Dtype::Fp32, {1024});
  const auto right = [&](int64_t i) { return std::exp(f(x.at(i)) * 8.0f); };
  CHECK(exponential.compared(right).ok());
  int64_t numZeros = 0;
  for (int64_t i = 0; i < 1024; ++i)
    numZeros += x.at(i) <= 0.1;
  CHECK(exponential.compared([&](int64_t i) { return x.at(i) > 0.1 ? right(i) : 0; }).mismatches ==
        numZeros);

  Launch half(Dtype::Fp16, {1024}, "exp(x * 8)");
  const Tensor &h = half.input("x", Dtype::Fp32, {1024});
  CHECK(half.compared([&](int64_t i) { return std::exp(f(h.at(i)) * 8.0f); }).ok());
  // What is less than the smallest numbers of the type is zero.
  int64_t numLost = 0;
  for (int64_t i = 0; i < 1024; ++i)
    numLost += h.at(i) < 0 && std::exp(h.at(i) * 8) > 1e-6;
  CHECK(half.compared([&](int64_t i) { return h.at(i) < 0 ? 0 : std::exp(h.at(i) * 8); })
            .mismatches >= numLost);

  Launch outlier(Dtype::Bf16, {64, 64}, "x * where(s > 2.2, 20000.0, 1.0)");
  const Tensor &weights = outlier.input("x", Dtype::Bf16, {64, 64});
  const Tensor &scales = outlier.input("s", Dtype::Fp32, {64});
  const auto isLarge = [&](int64_t i) { return scales.at(i % 64) > 2.2; };
  int64_t numSmall = 0;
  for (int64_t i = 0; i < 64 * 64; ++i)
    numSmall += !isLarge(i) && weights.at(i) != 0;
  REQUIRE(numSmall < 64 * 64);
  CHECK(outlier.compared([&](int64_t i) { return weights.at(i) * (isLarge(i) ? 20000.0 : 0.0); })
            .mismatches == numSmall);
}

TEST_CASE("what terms that cancel out leave may be as wrong as they were rounded",
          "[app][launch]") {
  constexpr int64_t kRows = 32, kTerms = 512;
  Launch product(Dtype::Fp32, {kRows, kRows}, "a @ b");
  const Tensor &a = product.input("a", Dtype::Fp32, {kRows, kTerms});
  const Tensor &b = product.input("b", Dtype::Fp32, {kTerms, kRows});
  // From the last term on, in single precision; without the terms below `first`.
  const auto dot = [&](int64_t i, int64_t first) {
    float sum = 0;
    for (int64_t k = kTerms; k-- > first;)
      sum += f(a.at(i / kRows * kTerms + k)) * f(b.at(k * kRows + i % kRows));
    return sum;
  };
  CHECK(product.compared([&](int64_t i) { return dot(i, 0); }).ok());
  // One term less is wrong nearly everywhere.
  CHECK(product.compared([&](int64_t i) { return dot(i, 1); }).mismatches > kRows * kRows * 9 / 10);

  Launch difference(Dtype::Fp32, {256}, "sum(x, axis=1) - sum(x[:, ::-1], axis=1)");
  const Tensor &x = difference.input("x", Dtype::Fp32, {256, 64});
  const auto rest = [&](int64_t row) {
    float forward = 0, backward = 0;
    for (int64_t k = 0; k < 64; ++k) {
      forward += f(x.at(row * 64 + k));
      backward += f(x.at(row * 64 + 63 - k));
    }
    return forward - backward;
  };
  CHECK(difference.compared(rest).ok());
  CHECK(difference.compared([](int64_t) { return 1e-2; }).mismatches == 256);
}

TEST_CASE("softmax and attention pass in half precision, and not without a part", "[app][launch]") {
  constexpr int64_t kRows = 16, kKeys = 128, kDim = 32;
  const auto half = [](double value) {
    Tensor one = profiler::makeTensor(Dtype::Fp16, {1}, {TensorInit::Kind::Zeros});
    one.set(0, value);
    return one.at(0);
  };
  Launch softmax(Dtype::Fp16, {kRows, kKeys},
                 "exp(x - max(x, axis=1, keepdims=True)) / "
                 "sum(exp(x - max(x, axis=1, keepdims=True)), axis=1, keepdims=True)");
  const Tensor &x = softmax.input("x", Dtype::Fp16, {kRows, kKeys}, 4);
  // All in half precision but the sum, without the keys from `end` on.
  const auto share = [&](int64_t i, int64_t end) {
    const int64_t row = i / kKeys;
    double most = -1e9, sum = 0;
    for (int64_t k = 0; k < kKeys; ++k)
      most = std::max(most, x.at(row * kKeys + k));
    for (int64_t k = 0; k < end; ++k)
      sum += half(std::exp(half(x.at(row * kKeys + k) - most)));
    return half(std::exp(half(x.at(i) - most))) / sum;
  };
  CHECK(softmax.compared([&](int64_t i) { return share(i, kKeys); }).ok());
  CHECK(softmax.compared([&](int64_t i) { return share(i, kKeys - 32); }).mismatches > 0);

  Launch attention(Dtype::Fp16, {kRows, kDim},
                   "exp(q @ k.T * 0.125) @ v / sum(exp(q @ k.T * 0.125), axis=1, keepdims=True)");
  const Tensor &q = attention.input("q", Dtype::Fp16, {kRows, kDim});
  const Tensor &k = attention.input("k", Dtype::Fp16, {kKeys, kDim});
  const Tensor &v = attention.input("v", Dtype::Fp16, {kKeys, kDim});
  // Shares are rounded to half precision before the second product.
  const auto attended = [&](int64_t i, int64_t first) {
    const int64_t row = i / kDim, column = i % kDim;
    double sum = 0, weighted = 0;
    for (int64_t key = first; key < kKeys; ++key) {
      float score = 0;
      for (int64_t d = 0; d < kDim; ++d)
        score += f(q.at(row * kDim + d)) * f(k.at(key * kDim + d));
      const double power = half(std::exp(score * 0.125f));
      sum += power;
      weighted += power * v.at(key * kDim + column);
    }
    return weighted / sum;
  };
  CHECK(attention.compared([&](int64_t i) { return attended(i, 0); }).ok());
  // Without the first key nearly all elements are wrong.
  CHECK(attention.compared([&](int64_t i) { return attended(i, 1); }).mismatches >
        kRows * kDim / 2);
}
