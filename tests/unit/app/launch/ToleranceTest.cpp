// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What passes as a result of kernels that compute in another way, and what does not.
#include "tests/unit/app/launch/ExpectedLaunch.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

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

TEST_CASE("a step that is exact lets nothing pass beside it", "[app][launch]") {
  for (const uint64_t seed : kSeeds) {
    for (const char *expected :
         {"floor(q / 16) * s", "trunc((q + 128) / 16) * s - 8 * s", "(q // 16) * s",
          "where(q / 16 >= floor(q / 16), floor(q / 16), 100) * s", "round((q - 7.5) / 16) * s"}) {
      INFO(expected << ", seed " << seed);
      Launch steps(Dtype::Fp32, {1024}, expected, seed);
      const Tensor &q = steps.bytes("q", {1024});
      const Tensor &s = steps.input("s", Dtype::Fp32, {1});
      const auto right = [&](int64_t i) { return f(std::floor(q.at(i) / 16)) * f(s.at(0)); };
      CHECK(steps.compared(right).ok());
      const auto isBorder = [&](int64_t i) { return int64_t(q.at(i)) % 16 == 0; };
      int64_t numBorders = 0;
      for (int64_t i = 0; i < 1024; ++i)
        numBorders += isBorder(i);
      CHECK(steps.compared([&](int64_t i) { return right(i) - (isBorder(i) ? 0.9 * s.at(0) : 0); })
                .mismatches == numBorders);
    }
  }
}

TEST_CASE("integers that 16 bits do not hold are exact, too", "[app][launch]") {
  for (const uint64_t seed : kSeeds) {
    Launch nibbles(Dtype::Fp16, {1024}, "floor(q * 1000 / 16) % 16", seed);
    const Tensor &q = nibbles.bytes("q", {1024});
    const auto right = [&](int64_t i) {
      const double tall = std::floor(q.at(i) * 1000 / 16);
      return tall - 16 * std::floor(tall / 16);
    };
    CHECK(nibbles.compared(right).ok());
    CHECK(nibbles.compared([&](int64_t i) { return right(i) + 0.5; }).mismatches == 1024);
    CHECK(nibbles.compared([&](int64_t i) { return double(int64_t(right(i)) & 14); }).mismatches >
          400);
  }
}

TEST_CASE("remainders of integers that are held as floats are exact", "[app][launch]") {
  for (const uint64_t seed : kSeeds) {
    Launch remainders(Dtype::Fp32, {1024}, "(q / 2) % 3", seed);
    const Tensor &q = remainders.bytes("q", {1024});
    const auto right = [&](int64_t i) { return double((int64_t(q.at(i)) % 6 + 6) % 6) / 2; };
    CHECK(remainders.compared(right).ok());
    CHECK(
        remainders.compared([&](int64_t i) { return right(i) == 0 ? 2.9 : right(i); }).mismatches >
        100);
  }
}

TEST_CASE("a step passes on either side where its operand may lie there", "[app][launch]") {
  for (const uint64_t seed : kSeeds) {
    // Tenths and their thirds: many lie at whole numbers, which fp32 may miss on either side.
    Launch steps(Dtype::Fp32, {512}, "floor(q * 0.1 / 0.3) + where(q * 0.1 > 5, 10.0, 0.0)", seed);
    const Tensor &q = steps.bytes("q", {512});
    const auto kernel = [&](int64_t i, double off) {
      const double x = q.at(i) * 0.1 * (1 + off);
      return std::floor(x / 0.3) + (x > 5 ? 10 : 0);
    };
    CHECK(steps.compared([&](int64_t i) { return kernel(i, 1e-7); }).ok());
    CHECK(steps.compared([&](int64_t i) { return kernel(i, -1e-7); }).ok());
    CHECK_FALSE(steps.compared([&](int64_t i) { return kernel(i, 0.01); }).ok());
    CHECK(steps.compared([&](int64_t i) { return kernel(i, 1e-7) + (i % 7 == 0); }).mismatches >
          35);
    // Of integers that a product takes up again.
    Launch product(Dtype::Fp32, {16, 16}, "round(x * 20) @ w", seed);
    const Tensor &x = product.input("x", Dtype::Fp32, {16, 32});
    const Tensor &w = product.bytes("w", {32, 16});
    const auto dot = [&](int64_t i, int64_t first) {
      double sum = 0;
      for (int64_t k = first; k < 32; ++k)
        sum += std::nearbyint(f(x.at(i / 16 * 32 + k)) * 20.0f) * w.at(k * 16 + i % 16);
      return sum;
    };
    CHECK(product.compared([&](int64_t i) { return dot(i, 0); }).ok());
    CHECK(product.compared([&](int64_t i) { return dot(i, 1); }).mismatches > 200);
  }
}

TEST_CASE("zeros do not pass for a variance that fp32 can tell from 0", "[app][launch]") {
  constexpr int64_t kRows = 16, kTerms = 256;
  for (const uint64_t seed : kSeeds) {
    Launch variance(
        Dtype::Fp32, {kRows},
        "mean((x + 30) * (x + 30), axis=1) - mean(x + 30, axis=1) * mean(x + 30, axis=1)", seed);
    const Tensor &x = variance.input("x", Dtype::Fp32, {kRows, kTerms}, 0.3);
    const auto moments = [&](int64_t row) {
      float sum = 0, squares = 0;
      for (int64_t k = 0; k < kTerms; ++k) {
        const float each = f(x.at(row * kTerms + k)) + 30.0f;
        sum += each;
        squares += each * each;
      }
      const float mean = sum / kTerms;
      return squares / kTerms - mean * mean;
    };
    CHECK(variance.compared(moments).ok());
    CHECK(variance.compared([](int64_t) { return 0; }).mismatches == kRows);
    CHECK(variance.compared([&](int64_t row) { return 1.2 * moments(row); }).mismatches > 12);
  }
}

TEST_CASE("weights that are rounded before a product pass, and wrong ones do not",
          "[app][launch]") {
  constexpr int64_t kRows = 128, kColumns = 256, kTerms = 192, kHalf = kTerms / 2;
  const auto half = [](double value) { return held(Dtype::Fp16, value); };
  for (const Dtype dtype : {Dtype::Fp16, Dtype::Fp32})
    for (const uint64_t seed : kSeeds) {
      INFO("seed " << seed);
      Launch product(
          dtype, {kRows, kColumns},
          "a @ ((((q[arange(192) // 2] >> (arange(192)[:, None] % 2 * 4)) & 15) - 8) * s)", seed);
      product.roundings().factors = kFp16;
      const Tensor &a = product.input("a", Dtype::Fp16, {kRows, kTerms});
      const Tensor &q = product.bytes("q", {kHalf, kColumns});
      const Tensor &s = product.input("s", Dtype::Fp16, {kColumns});
      std::vector<double> left(kRows * kTerms);
      for (size_t i = 0; i < left.size(); ++i)
        left[i] = a.at(int64_t(i));
      const auto run = [&](int64_t mask, int64_t first) {
        std::vector<double> weights(kTerms * kColumns);
        for (int64_t k = first; k < kTerms; ++k)
          for (int64_t j = 0; j < kColumns; ++j) {
            const auto byte = int64_t(q.at(k / 2 * kColumns + j));
            const int64_t nibble = (byte >> (k % 2 * 4)) & mask;
            weights[size_t(k * kColumns + j)] = half(double(nibble - 8) * s.at(j));
          }
        return product.compared([&](int64_t i) {
          float sum = 0;
          for (int64_t k = 0; k < kTerms; ++k)
            sum += f(left[size_t(i / kColumns * kTerms + k)] *
                     weights[size_t(k * kColumns + i % kColumns)]);
          return sum;
        });
      };
      CHECK(run(15, 0).ok());
      CHECK(run(14, 0).mismatches > kRows * kColumns * 9 / 10);
      CHECK(run(15, 1).mismatches > kRows * kColumns * 8 / 10);
      CHECK(product.compared([](int64_t) { return 0; }).mismatches > kRows * kColumns * 95 / 100);
    }
}

TEST_CASE("softmax and attention pass in half precision, and not without a part", "[app][launch]") {
  constexpr int64_t kRows = 16, kKeys = 128, kDim = 32;
  const auto half = [](double value) { return held(Dtype::Fp16, value); };
  Launch softmax(Dtype::Fp16, {kRows, kKeys},
                 "exp(x - max(x, axis=1, keepdims=True)) / "
                 "sum(exp(x - max(x, axis=1, keepdims=True)), axis=1, keepdims=True)");
  softmax.roundings().operations = kFp16;
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
  attention.roundings().operations = attention.roundings().factors = kFp16;
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

/// In fp32, as kernels compute.
static float tenths(double value) { return static_cast<float>(value) * 0.1F; }

TEST_CASE("a kernel may scale integers before it adds them up", "[app][launch]") {
  constexpr int64_t kRows = 64, kTerms = 256;
  for (const uint64_t seed : kSeeds) {
    const Shape wide{kRows, kTerms};
    Launch sums(Dtype::Fp32, {kRows}, "sum(x, axis=1) * 0.1", seed);
    Launch products(Dtype::Fp32, {kRows, kRows}, "(x @ z.T) * 0.1", seed);
    Launch running(Dtype::Fp32, wide, "cumsum(x, axis=1) * 0.1", seed);
    Launch differences(Dtype::Fp32, wide, "(x - z) * 0.1", seed);
    const Tensor &x = sums.bytes("x", wide);
    const Tensor &a = products.bytes("x", wide), &b = products.bytes("z", wide);
    const Tensor &r = running.bytes("x", wide);
    const Tensor &u = differences.bytes("x", wide), &v = differences.bytes("z", wide);
    const auto sumOf = [](int64_t count, const std::function<float(int64_t)> &term) {
      float sum = 0;
      for (int64_t i = 0; i < count; ++i)
        sum += term(i);
      return sum;
    };
    const auto ofRow = [&](int64_t row) {
      return sumOf(kTerms, [&](int64_t i) { return tenths(x.at(row * kTerms + i)); });
    };
    const auto ofProduct = [&](int64_t element) {
      const int64_t row = element / kRows * kTerms, column = element % kRows * kTerms;
      return sumOf(kTerms, [&](int64_t i) { return tenths(a.at(row + i) * b.at(column + i)); });
    };
    const auto ofRun = [&](int64_t element) {
      const int64_t row = element / kTerms * kTerms;
      return sumOf(element - row + 1, [&](int64_t i) { return tenths(r.at(row + i)); });
    };
    const auto ofDifference = [&](int64_t element) {
      return tenths(u.at(element)) - tenths(v.at(element));
    };
    CHECK(sums.compared(ofRow).ok());
    CHECK(products.compared(ofProduct).ok());
    CHECK(running.compared(ofRun).ok());
    CHECK(differences.compared(ofDifference).ok());
    // One integer more or less, in one place, is wrong; of products of bytes, one product.
    const auto wrongAt7 = [](const auto &right, float by = 0.1F) {
      return [&right, by](int64_t element) { return right(element) + (element == 7 ? by : 0); };
    };
    CHECK(sums.compared(wrongAt7(ofRow)).mismatches == 1);
    CHECK(products.compared(wrongAt7(ofProduct, 100.0F)).mismatches == 1);
    CHECK(running.compared(wrongAt7(ofRun)).mismatches == 1);
    CHECK(differences.compared(wrongAt7(ofDifference)).mismatches == 1);
    // Without a factor an integer's sum is exact.
    Launch plain(Dtype::Fp32, {kRows}, "sum(x, axis=1)", seed);
    const Tensor &y = plain.bytes("x", wide);
    const auto exact = [&](int64_t row) {
      return sumOf(kTerms, [&](int64_t i) { return static_cast<float>(y.at(row * kTerms + i)); });
    };
    CHECK(plain.compared(exact).ok());
    CHECK(plain.compared([&](int64_t row) { return exact(row) + 1; }).mismatches == kRows);
  }
}
