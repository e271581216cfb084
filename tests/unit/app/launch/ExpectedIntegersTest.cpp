// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Npy.h"
#include "tests/unit/app/launch/ExpectedLaunch.h"

#include <filesystem>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("integers from a file of another type are equal, or numbers before a cast",
          "[app][launch]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tilescope-integers-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto filled = [](Dtype dtype, const std::vector<double> &values) {
    Tensor tensor = profiler::makeTensor(dtype, {int64_t(values.size())}, {});
    for (size_t i = 0; i < values.size(); ++i)
      tensor.set(int64_t(i), values[i]);
    return tensor;
  };
  const auto expectedOf = [&](Dtype dtype, const Tensor &file) {
    REQUIRE(profiler::writeNpy((folder / "y.npy").string(), file));
    profiler::LaunchPlan plan;
    plan.args = {{"y", PlanTensor{dtype, file.shape, {}, false, "y.npy"}}};
    return expectationOf(plan.args[0], {plan, (folder / "k.py").string(), ""});
  };
  const auto compared = [&](const Tensor &actual, const Tensor &file) {
    const Result<Expectation> expected = expectedOf(actual.dtype, file);
    REQUIRE(expected);
    profiler::ComparisonOptions options;
    options.terms = &expected->terms;
    return profiler::compareTensors(actual, expected->values, options);
  };
  // Those that NumPy saves are of 64 bits.
  const Tensor actual = filled(Dtype::Int8, {1, -2, 127});
  CHECK(compared(actual, filled(Dtype::Int64, {1, -2, 127})).ok());
  CHECK(compared(actual, filled(Dtype::Fp64, {1, -2, 127})).ok());
  CHECK(compared(actual, filled(Dtype::Fp64, {1, -2, 126})).mismatches == 1);
  CHECK(
      expectedOf(Dtype::Int8, filled(Dtype::Int64, {1, 300, -200})).error().message ==
      "`y` could not be checked: of `y.npy`, 2 expected values do not fit `i8`, the first at [1]: "
      "300");
  CHECK(expectedOf(Dtype::Uint8, filled(Dtype::Fp32, {1, -3})).error().message ==
        "`y` could not be checked: of `y.npy`, 1 expected value does not fit `u8`, the first at "
        "[1]: -3");
  // Fractions are cut off, and a number near an integer may lie on its other side.
  const Tensor fractions = filled(Dtype::Fp64, {1.7, -2.99999, 100000.4});
  CHECK(compared(filled(Dtype::Int32, {1, -2, 100000}), fractions).ok());
  CHECK(compared(filled(Dtype::Int32, {1, -3, 100000}), fractions).ok());
  CHECK(compared(filled(Dtype::Int32, {2, -1, 100002}), fractions).mismatches == 3);
  const OutputComparison undefined =
      compared(filled(Dtype::Int32, {5, 1}), filled(Dtype::Fp32, {double(NAN), 1}));
  CHECK(undefined.ok());
  CHECK(undefined.undefined == 1);
  // A double does not hold what differs here.
  Tensor large = profiler::makeTensor(Dtype::Uint64, {1}, {});
  Tensor result = profiler::makeTensor(Dtype::Int64, {1}, {});
  for (Tensor *each : {&large, &result})
    *reinterpret_cast<int64_t *>(each->data.data()) = (int64_t(1) << 62) + 1;
  CHECK(compared(result, large).ok());
  *reinterpret_cast<int64_t *>(result.data.data()) += 1;
  CHECK(compared(result, large).mismatches == 1);
  *reinterpret_cast<uint64_t *>(large.data.data()) = uint64_t(1) << 63;
  CHECK_FALSE(expectedOf(Dtype::Int64, large));
  std::filesystem::remove_all(folder);
}

TEST_CASE("the largest integers of 64 bits are expected as they are", "[app][launch]") {
  for (const auto &[dtype, value] : {std::pair(Dtype::Int64, 0x1p63),
                                     {Dtype::Int64, -0x1p63},
                                     {Dtype::Uint64, 0x1p64},
                                     {Dtype::Uint64, 0x1p63}})
    for (const char *expected : {"x", "x // 1", "maximum(x, x)"}) {
      INFO(profiler::dtypeName(dtype) << " " << value << ": " << expected);
      const TensorInit full{.kind = TensorInit::Kind::Full, .value = value};
      profiler::LaunchPlan plan;
      plan.args = {{"x", PlanTensor{dtype, {2}, full, false, ""}},
                   {"y", PlanTensor{dtype, {2}, {}, false, expected}}};
      const Result<Expectation> made = expectationOf(plan.args[1], {plan, "kernel.py", ""});
      REQUIRE(made);
      profiler::ComparisonOptions options;
      options.terms = &made->terms;
      CHECK(profiler::compareTensors(profiler::makeTensor(dtype, {2}, full), made->values, options)
                .ok());
      CHECK(made->values == profiler::makeTensor(dtype, {2}, full));
    }
}

TEST_CASE("an index is right that was found by a number which nearly ties", "[app][launch]") {
  const auto numWrong = [](const char *expected, double first, double second) {
    profiler::LaunchPlan plan;
    plan.args = {{"x", PlanTensor{Dtype::Fp32, {2, 4}, {TensorInit::Kind::Arange}, false, ""}},
                 {"y", PlanTensor{Dtype::Int32, {2}, {}, false, expected}}};
    const Result<Expectation> made = expectationOf(plan.args[1], {plan, "kernel.py", ""});
    REQUIRE(made);
    profiler::ComparisonOptions options;
    options.terms = &made->terms;
    Tensor actual = made->values;
    actual.set(0, first);
    actual.set(1, second);
    return profiler::compareTensors(actual, made->values, options).mismatches;
  };
  // Of 0, 1, 2, 3 the first and the last tie, of 4, 5, 6, 7 the last is the largest.
  const char *index = "argmax(exp(square(x - 1.5)), axis=1)";
  CHECK(numWrong(index, 0, 3) == 0);
  CHECK(numWrong(index, 3, 3) == 0);
  // Those between them do not pass.
  CHECK(numWrong(index, 1, 3) == 1);
  CHECK(numWrong(index, 0, 2) == 1);
  const char *least = "10 * argmin(exp(square(x - 1.5)), axis=1) + 1";
  CHECK(numWrong(least, 11, 1) == 0);
  CHECK(numWrong(least, 21, 1) == 0);
  CHECK(numWrong(least, 16, 1) == 1);
  CHECK(numWrong(least, 31, 11) == 2);
  // Equal inputs are not rounded: the first of them is the right one.
  CHECK(numWrong("argmax(where(x < 4, 1, x), axis=1)", 3, 3) == 1);
}

TEST_CASE("integers are what they are where nothing is rounded", "[app][launch]") {
  // Of 0 to 8, how many zeros are wrong.
  const auto numWrong = [](const char *expected, bool isIntegral) {
    profiler::LaunchPlan plan;
    plan.args = {{"x", PlanTensor{Dtype::Int32, {9}, {TensorInit::Kind::Arange}, false, ""}},
                 {"y", PlanTensor{Dtype::Int32, {9}, {}, false, expected}}};
    ExpectedSources sources{plan, "kernel.py", ""};
    sources.roundings = {{"y", {}, {}, {}, {}}};
    sources.roundings.front().isIntegral = isIntegral;
    const Result<Expectation> made = expectationOf(plan.args[1], sources);
    REQUIRE(made);
    profiler::ComparisonOptions options;
    options.terms = &made->terms;
    CHECK(profiler::compareTensors(made->values, made->values, options).ok());
    return profiler::compareTensors(
               profiler::makeTensor(Dtype::Int32, {9}, {TensorInit::Kind::Zeros}), made->values,
               options)
        .mismatches;
  };
  for (const bool isIntegral : {false, true}) {
    CHECK(numWrong("sign(x)", isIntegral) == 8);
    CHECK(numWrong("abs(sign(x))", isIntegral) == 8);
    CHECK(numWrong("maximum(sign(x), 0)", isIntegral) == 8);
    CHECK(numWrong("sign(x - 1)", isIntegral) == 8);
    CHECK(numWrong("floor(x / 4)", isIntegral) == 5);
  }
  // A quotient that a kernel rounds may lie below 1.
  CHECK(numWrong("floor(x / 7)", false) == 1);
  CHECK(numWrong("floor(x / 7)", true) == 2);
  CHECK(numWrong("floor(sqrt(x))", true) == 8);
  // As the double of the expression is rounded: 0.1 * 3 is more than 0.3.
  CHECK(numWrong("floor(x * 0.1 / 0.3)", true) == 5);
}
