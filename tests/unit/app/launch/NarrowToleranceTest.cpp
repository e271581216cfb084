// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What passes of outputs of narrow types, of integers, and where nothing is defined.
#include "app/launch/NarrowNumbers.h"
#include "profiler/data/Npy.h"
#include "profiler/data/Tolerances.h"
#include "tests/unit/app/launch/ExpectedLaunch.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("an output of a narrow type is rounded once, or as often as the kernel rounds",
          "[app][launch]") {
  for (const Dtype dtype : {Dtype::Fp8e4nv, Dtype::Fp8e5, Dtype::Bf16, Dtype::Fp16}) {
    Launch scaled(dtype, {1024}, "x * 0.7 * s");
    const Tensor &x = scaled.input("x", Dtype::Fp32, {1024});
    const Tensor &s = scaled.input("s", Dtype::Fp32, {1});
    const auto right = [&](int64_t i) { return f(x.at(i)) * 0.7f * f(s.at(0)); };
    CHECK(scaled.compared(right).ok());
    CHECK(scaled.compared(right).absoluteTolerance < profiler::dtypeEpsilon(dtype) * 4);
    // A unit in the last place.
    const double step = 1 + profiler::dtypeEpsilon(dtype);
    CHECK_FALSE(
        scaled.compared([&](int64_t i) { return right(i) * (i % 16 == 3 ? step : 1); }).ok());
    CHECK_FALSE(scaled.compared([&](int64_t i) { return right(i) * 1.02; }).ok());
  }
  // Each product is rounded to bf16.
  Launch products(Dtype::Bf16, {1024}, "x * z * x");
  const Tensor &x = products.input("x", Dtype::Bf16, {1024});
  const Tensor &z = products.input("z", Dtype::Bf16, {1024});
  const auto kernel = [&](int64_t i) { return held(Dtype::Bf16, x.at(i) * z.at(i)) * x.at(i); };
  CHECK_FALSE(products.compared(kernel).ok());
  Launch narrow(Dtype::Bf16, {1024}, "x * z * x");
  narrow.roundings().operations = kBf16;
  narrow.input("x", Dtype::Bf16, {1024});
  narrow.input("z", Dtype::Bf16, {1024});
  CHECK(narrow.compared(kernel).ok());
  CHECK_FALSE(narrow.compared([&](int64_t i) { return kernel(i) * 1.02; }).ok());
}

TEST_CASE(
    "a wide output that is rounded once, before it is stored, passes that rounding and no more",
    "[app][launch]") {
  Launch scaled(Dtype::Fp32, {1024}, "x * 2.0 + 1.0");
  scaled.roundings().stored = kBf16;
  const Tensor &x = scaled.input("x", Dtype::Fp32, {1024});
  const auto right = [&](int64_t i) { return f(x.at(i)) * 2.0f + 1.0f; };
  CHECK(scaled.compared([&](int64_t i) { return held(Dtype::Bf16, right(i)); }).ok());
  CHECK(scaled.compared(right).ok());
  CHECK_FALSE(scaled.compared([&](int64_t i) { return right(i) + 0.01 * x.at(i); }).ok());
  CHECK_FALSE(
      scaled.compared([&](int64_t i) { return held(Dtype::Bf16, right(i)) * (1 + 0x1p-7); }).ok());
}

TEST_CASE("integers may lie on the other side where the number before is near the border",
          "[app][launch]") {
  for (const uint64_t seed : kSeeds) {
    // Half of them lie in the middle between two integers.
    Launch rounded(Dtype::Int8, {512}, "clip(round(q * 0.3 / 0.6), -50, 50)", seed);
    const Tensor &q = rounded.bytes("q", {512});
    const auto kernel = [&](int64_t i, double off) {
      return std::clamp(std::nearbyint(q.at(i) / 2 * (1 + off)), -50.0, 50.0);
    };
    CHECK(rounded.compared([&](int64_t i) { return kernel(i, 0); }).ok());
    CHECK(rounded.compared([&](int64_t i) { return kernel(i, 1e-7); }).ok());
    CHECK(rounded.compared([&](int64_t i) { return kernel(i, -1e-7); }).ok());
    // On the wrong side of the middle, or where there is no middle.
    CHECK(rounded.compared([&](int64_t i) { return kernel(i, 0) + 1; }).mismatches > 256);
    int64_t numEven = 0, numInside = 0;
    for (int64_t i = 0; i < 512; ++i) {
      numEven += int64_t(q.at(i)) % 2 == 0;
      numInside += std::fabs(q.at(i)) < 98 && int64_t(q.at(i)) % 2 == 0;
    }
    CHECK(rounded
              .compared([&](int64_t i) {
                return kernel(i, 0) + (std::fabs(q.at(i)) < 98 && int64_t(q.at(i)) % 2 == 0);
              })
              .mismatches == numInside);
    // A cast cuts off.
    Launch cut(Dtype::Int32, {512}, "q * 0.1 / 0.2", seed);
    cut.bytes("q", {512});
    CHECK(cut.compared([&](int64_t i) { return std::trunc(q.at(i) / 2 * (1 - 1e-7)); }).ok());
    CHECK(cut.compared([&](int64_t i) { return std::floor(q.at(i) / 2 - 0.25); }).mismatches >=
          numEven / 2);
  }
}

TEST_CASE("elements for which nothing is defined are left out, and the others are checked",
          "[app][launch]") {
  Launch quotient(Dtype::Fp32, {256}, "1.0 / q + where(q == 0, 0, 1 / q)");
  const Tensor &q = quotient.bytes("q", {256});
  int64_t numZeros = 0;
  for (int64_t i = 0; i < 256; ++i)
    numZeros += q.at(i) == 0;
  REQUIRE(numZeros > 0);
  const auto kernel = [&](int64_t i) { return q.at(i) == 0 ? 7 : 2 / q.at(i); };
  const OutputComparison right = quotient.compared(kernel);
  CHECK(right.ok());
  CHECK(right.undefined == numZeros);
  CHECK(profiler::toleranceText(right).ends_with(
      " of 256 elements " + std::string(numZeros == 1 ? "is" : "are") +
      std::string(" left out, where what is expected is not a number")));
  CHECK(quotient.compared([&](int64_t i) { return kernel(i) * 1.01; }).mismatches ==
        256 - numZeros);
  // What is not chosen need not be defined.
  Launch chosen(Dtype::Fp32, {256}, "where(q == 0, 5, 1 / q)");
  chosen.bytes("q", {256});
  CHECK(chosen.compared([&](int64_t i) { return q.at(i) == 0 ? 5 : 1 / q.at(i); }).ok());
  CHECK(chosen.compared([&](int64_t i) { return q.at(i) == 0 ? 4 : 1 / q.at(i); }).mismatches ==
        numZeros);
  // Infinity is as good as another number, and no element is left where none is defined.
  Launch infinite(Dtype::Fp32, {256}, "where(q < 0, -np.inf, 1)");
  infinite.bytes("q", {256});
  const auto masked = [&](int64_t i) { return q.at(i) < 0 ? -double(INFINITY) : 1; };
  CHECK(infinite.compared(masked).ok());
  CHECK(infinite.compared([&](int64_t i) { return std::max(masked(i), -1e30); }).mismatches > 64);
  Launch nothing(Dtype::Fp32, {256}, "sqrt(-1 - q * q)");
  nothing.bytes("q", {256});
  CHECK_FALSE(nothing.compared(masked).fault.empty());
}

TEST_CASE("a tolerance of one's own holds whatever the kernel rounds", "[app][launch]") {
  profiler::LaunchPlan plan;
  plan.args = {{"y", PlanTensor{Dtype::Fp32, {4}, {}, false, "sum(x, axis=1)"}},
               {"x", PlanTensor{Dtype::Fp16, {4, 64}, {TensorInit::Kind::Ones}, false, ""}}};
  ExpectedSources sources{plan, "/tmp/kernel.py", ""};
  sources.roundings = {{"y", {}, {}, kFp16, {}}};
  const auto size = [&] { return expectationOf(plan.args[0], sources)->terms.sizes.at(0); };
  const double rounded = size();
  std::get<PlanTensor>(plan.args[0].value).relativeTolerance = 1e-3;
  CHECK(size() < rounded / 100);
}

TEST_CASE("numbers from a file pass as far as fp32 goes, or as far as the kernel rounds",
          "[app][launch]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tilescope-tolerance-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const Tensor numbers =
      profiler::makeTensor(Dtype::Fp32, {1024}, {.kind = TensorInit::Kind::Randn});
  REQUIRE(profiler::writeNpy((folder / "y.npy").string(), numbers));
  const auto compared = [&](Dtype dtype, double factor, const compiler::Precision &narrow = {}) {
    profiler::LaunchPlan plan;
    plan.args = {{"y", PlanTensor{dtype, {1024}, {}, false, "y.npy"}}};
    ExpectedSources sources{plan, (folder / "k.py").string(), ""};
    sources.roundings = {{"y", narrow, {}, {}, {}}};
    const Result<Expectation> expected = expectationOf(plan.args[0], sources);
    REQUIRE(expected);
    profiler::ComparisonOptions options;
    options.terms = &expected->terms;
    Tensor actual = expected->values;
    for (int64_t i = 0; i < 1024; ++i)
      actual.set(i, numbers.at(i) * factor);
    return profiler::compareTensors(actual, expected->values, options);
  };
  for (const Dtype dtype : {Dtype::Fp32, Dtype::Bf16, Dtype::Fp8e4nv}) {
    CHECK(compared(dtype, 1).ok());
    CHECK(compared(dtype, 1.00001).ok());
    CHECK(compared(dtype, 1.02).mismatches > 64);
  }
  CHECK(compared(Dtype::Bf16, 1.02, kBf16).ok());
  CHECK(compared(Dtype::Fp32, 1.02, kBf16).ok());
  CHECK_FALSE(compared(Dtype::Fp32, 1.1, kBf16).ok());
  std::filesystem::remove_all(folder);
}

TEST_CASE("terms of a product may be rounded one by one", "[app][launch]") {
  const auto compared = [](const compiler::Precision &operations, double factor) {
    Launch product(Dtype::Fp32, {64}, "a @ b");
    product.roundings().operations = operations;
    const Tensor &a = product.input("a", Dtype::Fp16, {64, 128});
    const Tensor &b = product.input("b", Dtype::Fp16, {128});
    return product.compared([&](int64_t row) {
      float sum = 0;
      for (int64_t k = 0; k < 128; ++k)
        sum += f(held(Dtype::Fp16, a.at(row * 128 + k) * b.at(k)));
      return sum * factor;
    });
  };
  CHECK(compared(kFp16, 1).ok());
  CHECK_FALSE(compared({}, 1).ok());
  CHECK_FALSE(compared(kFp16, 1.01).ok());
}

TEST_CASE("a sum is off by its depth, and further than is likely only where that is asked for",
          "[app][launch]") {
  profiler::LaunchPlan plan;
  plan.args = {{"y", PlanTensor{Dtype::Fp32, {4}, {}, false, "sum(x, axis=1)"}},
               {"x", PlanTensor{Dtype::Bf16, {4, 2048}, {TensorInit::Kind::Ones}, false, ""}}};
  ExpectedSources sources{plan, "/tmp/kernel.py", ""};
  const auto share = [&] {
    const Result<Expectation> expected = expectationOf(plan.args[0], sources);
    REQUIRE(expected);
    return expected->terms.sizes.at(0) * profiler::termShare(Dtype::Fp32) / 2048;
  };
  CHECK(share() < 1e-5);
  CHECK_FALSE(sources.mayReachFurther(plan.args[0]));
  sources.roundings = {{"y", {}, {}, {}, {}, {kBf16, 23, 2}}};
  CHECK(share() > 0.005);
  CHECK(share() < 0.02);
  CHECK(sources.mayReachFurther(plan.args[0]));
  sources.reach = RoundingReach::Most;
  CHECK(share() == Approx(23 * 0x1p-8).epsilon(0.01));
  CHECK_FALSE(sources.mayReachFurther(plan.args[0]));
  // What is assumed of a kernel counts only there.
  sources.roundings = {{"y", {}, {}, kBf16, {}, {}, true}};
  CHECK(share() > 0.1);
  sources.reach = RoundingReach::Likely;
  CHECK(share() < 1e-5);
  CHECK(sources.mayReachFurther(plan.args[0]));
}

TEST_CASE("numbers are as a kernel has them in a narrow type, or as they are written",
          "[app][launch]") {
  const auto numWrong = [](bool isNarrow, double factor) {
    Launch launch(Dtype::Fp16, {1024}, "x * 1.1");
    const Tensor &x = launch.input("x", Dtype::Fp16, {1024});
    if (isNarrow)
      launch.roundings().numbers = {{1.099609375, kFp16.epsilon}};
    return launch.compared([&](int64_t i) { return x.at(i) * factor; }).mismatches;
  };
  CHECK(numWrong(true, 1.099609375) == 0);
  CHECK(numWrong(true, 1.1) == 0);
  CHECK(numWrong(true, 1.1005859375) > 100);
  CHECK(numWrong(false, 1.099609375) > 100);
  CHECK(numWrong(false, 1.1) == 0);
  // Terms of a sum are off by the same share, in one direction.
  Launch sum(Dtype::Fp32, {1}, "sum(abs(x) * 0.1)");
  const Tensor &x = sum.input("x", Dtype::Fp16, {4096});
  const double tenth = held(Dtype::Fp16, 0.1);
  sum.roundings().numbers = {{tenth, kFp16.epsilon}};
  double total = 0;
  for (int64_t i = 0; i < 4096; ++i)
    total += std::fabs(x.at(i));
  CHECK(sum.compared([&](int64_t) { return total * tenth; }).ok());
  CHECK(sum.compared([&](int64_t) { return total * 0.1; }).ok());
  CHECK_FALSE(sum.compared([&](int64_t) { return total * 0.1001; }).ok());
}

TEST_CASE("numbers of an expression are found among those of a kernel", "[app][launch]") {
  profiler::LaunchPlan plan;
  plan.args = {{"x", PlanTensor{Dtype::Fp16, {4}, {}, false, ""}}};
  plan.constexprs = {{"SCALE", "1.1"}};
  const std::vector<compiler::NarrowNumber> numbers = {
      {1.099609375, 0x1p-10}, {-0.333251953125, 0x1p-10}, {2048, 0x1p-10}};
  const auto narrow = [&](const char *text) { return withNarrowNumbers(text, plan, numbers); };
  CHECK(narrow("x * 1.1") == "x * (1.0996093750000000)");
  CHECK(narrow("-1.1 * x + (0.1 + 1)").starts_with("(-1.0996093750000000) * x + ("));
  CHECK(narrow("x * SCALE") == "x * (1.0996093750000000)");
  CHECK(narrow("x / 3").starts_with("x / (3.000732"));
  CHECK(narrow("x * 2049") == "x * (2048.0000000000000)");
  // Those that the type holds stay, and so do others.
  for (const char *text : {"x * 1.099609375", "x * 1.101", "x * 3", "x", "sum(x, axis=0)", "x *"})
    CHECK(narrow(text).empty());
}
