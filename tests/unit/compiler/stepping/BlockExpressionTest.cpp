// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/BlockExpression.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <memory>

using namespace tilescope;
using namespace tilescope::compiler::stepping;

namespace {

const std::map<std::string, NumberBlock> kValues{
    {"x", {{2, 3}, {1, 2, 3, 4, 5, 6}}}, {"row", {{3}, {10, 20, 30}}},
    {"mask", {{4}, {0, 1, 0, 0}}},       {"off", {{4}, {0, 0, 0, 0}}},
    {"%acc_1", {{3}, {7, 8, 9}}},        {"%5#1", NumberBlock::scalar(6)},
    {"bad", {{2}, {1, std::nan("")}}},   {"n", NumberBlock::scalar(4)},
    {"q", {{3}, {0, 1, 0xb4}, 8}},       {"real", {{3}, {0.1, 300, -2.5}, 0, {}, true}},
    {"half", {{2}, {5, 6}, 0, {1, 0}}},
};

/// Four elements.
struct Tens : PointedArray {
  std::string name() const override { return "x_ptr"; }
  int64_t numElements() const override { return 4; }
  double at(int64_t index) const override { return static_cast<double>(10 * index); }
  bool isReal() const override { return true; }
};

/// The same elements as [2, 2].
struct SquareOfTens : Tens {
  std::vector<int64_t> shape() const override { return {2, 2}; }
};

Result<NumberBlock> lookUp(const std::string &name) {
  if (name == "x_ptr")
    return NumberBlock{{}, {0}, 0, {}, false, std::make_shared<Tens>()};
  if (name == "square_ptr")
    return NumberBlock{{}, {0}, 0, {}, false, std::make_shared<SquareOfTens>()};
  const auto found = kValues.find(name);
  if (found == kValues.end())
    return Error{ErrorCode::Usage, "no " + name, ""};
  return found->second;
}

std::vector<double> evaluate(const std::string &text) {
  const Result<BlockExpression> expression = BlockExpression::parse(text);
  REQUIRE(expression);
  const Result<NumberBlock> value = expression->evaluate(&lookUp);
  if (!value)
    FAIL(value.error().message);
  return value->numbers;
}

std::string problemOf(const std::string &text) {
  const Result<BlockExpression> expression = BlockExpression::parse(text);
  if (!expression)
    return expression.error().message;
  const Result<NumberBlock> value = expression->evaluate(&lookUp);
  return value ? "" : value.error().message;
}

bool holds(const std::string &text) { return *BlockExpression::parse(text)->holds(&lookUp); }

using Numbers = std::vector<double>;

} // namespace

TEST_CASE("values of the IR have names with a sign, which behind a value is the remainder",
          "[compiler][stepping]") {
  CHECK(evaluate("%acc_1") == Numbers{7, 8, 9});
  CHECK(evaluate("%acc_1 % 4") == Numbers{3, 0, 1});
  CHECK(evaluate("max(%acc_1) %4 + %5#1") == Numbers{7});
  CHECK(evaluate("n % %5#1") == Numbers{4});
  CHECK(evaluate("not %acc_1 > 7") == Numbers{1, 0, 0});
  CHECK(evaluate("mask[1] % 2") == Numbers{1});
  CHECK(evaluate("%acc_1[%5#1 - 5]") == Numbers{8});
  CHECK(evaluate("%acc_1.max() and n") == Numbers{1});
  CHECK(problemOf("%gone + 1") == "no %gone");
  CHECK_FALSE(problemOf("% 3").empty());
}

TEST_CASE("expressions take blocks element by element", "[compiler][stepping]") {
  CHECK(evaluate("n + 2 * 3 - 1") == Numbers{9});
  CHECK(evaluate("row / 10") == Numbers{1, 2, 3});
  CHECK(evaluate("7 // 2 + 7 % 4 + 2 ** 3") == Numbers{14});
  CHECK(evaluate("x + row") == Numbers{11, 22, 33, 14, 25, 36});
  CHECK(evaluate("x > 3") == Numbers{0, 0, 0, 1, 1, 1});
  CHECK(evaluate("1 < x <= 4") == Numbers{0, 1, 1, 1, 0, 0});
  CHECK(evaluate("not mask") == Numbers{1, 0, 1, 1});
  CHECK(evaluate("~mask & 1") == Numbers{1, 0, 1, 1});
  CHECK(evaluate("q >> 4") == Numbers{0, 0, 11});
  CHECK(evaluate("q & 15") == Numbers{0, 1, 4});
  CHECK(evaluate("~q") == Numbers{255, 254, 75});
  CHECK(evaluate("~q[2]") == Numbers{75});
  CHECK(evaluate("(1 << n) | 3 ^ 1") == Numbers{18});
  CHECK(evaluate("-5 >> 1") == Numbers{-3});
  CHECK(evaluate("mask or n == 4") == Numbers{1, 1, 1, 1});
  CHECK(evaluate("-x[1, 2]") == Numbers{-6});
  CHECK(evaluate("x[-1]") == Numbers{4, 5, 6});
}

TEST_CASE("infinity is written as in Python and in kernels", "[compiler][stepping]") {
  CHECK(evaluate("inf") == std::vector<double>{INFINITY});
  CHECK(evaluate("-inf < n") == std::vector<double>{1});
  CHECK(evaluate("n == float(\"inf\")") == std::vector<double>{0});
  CHECK(evaluate("float('-inf')") == std::vector<double>{-INFINITY});
  CHECK(evaluate("-float( \"inf\" )") == std::vector<double>{-INFINITY});
  CHECK(std::isnan(evaluate("nan").front()));
  const Result<BlockExpression> expression =
      BlockExpression::parse("n == -float(\"inf\") or row > inf");
  REQUIRE(expression);
  CHECK(expression->names() == std::vector<std::string>{"n", "row"});
  CHECK(expression->unknownFunction().empty());
  CHECK(problemOf("infinite") == "no infinite");
}

TEST_CASE("functions bring a block to one number, or to one for each row", "[compiler][stepping]") {
  CHECK(evaluate("sum(x)") == Numbers{21});
  CHECK(evaluate("sum(x, axis=0)") == Numbers{5, 7, 9});
  CHECK(evaluate("x.max(axis=1)") == Numbers{3, 6});
  // As users of NumPy and kernels write it.
  CHECK(evaluate("np.max(x)") == Numbers{6});
  CHECK(evaluate("tl.sum(x, axis=1)") == evaluate("x.sum(axis=1)"));
  CHECK(BlockExpression::parse("np.max(row) + n")->names() == std::vector<std::string>{"row", "n"});
  CHECK(evaluate("mean(x, 1)") == Numbers{2, 5});
  CHECK(evaluate("count(mask)") == Numbers{1});
  CHECK(evaluate("any(isnan(bad))") == Numbers{1});
  CHECK(std::isnan(evaluate("max(bad)")[0]));
  CHECK(evaluate("abs(n - 9)") == Numbers{5});
}

TEST_CASE("Functions of elements are those of kernels", "[compiler][stepping]") {
  CHECK(evaluate("tl.where(mask, 7, 8)") == Numbers{8, 7, 8, 8});
  CHECK(evaluate("np.where(x > 3, row, 0)") == Numbers{0, 0, 0, 10, 20, 30});
  CHECK(evaluate("tl.maximum(row, 15) + tl.minimum(row, 15)") == Numbers{25, 35, 45});
  CHECK(evaluate("tl.maximum(bad, 0)") == Numbers{1, 0});
  CHECK(evaluate("tl.cdiv(n, 3)") == Numbers{2});
  CHECK(evaluate("tl.clamp(row, 12, 25)") == Numbers{12, 20, 25});
  CHECK(evaluate("tl.fma(row, 2, n)") == Numbers{24, 44, 64});
  CHECK(evaluate("tl.sigmoid(0)") == Numbers{0.5});
  CHECK(evaluate("tl.exp2(n) + tl.log2(n)") == Numbers{18});
  CHECK(evaluate("n if n > 3 else row") == Numbers{4, 4, 4});
  CHECK(evaluate("tl.sum(x, axis=1, keep_dims=True) - x") == Numbers{5, 4, 3, 11, 10, 9});
  // What is not chosen may be undefined, and the other operand may not.
  const Result<NumberBlock> chosen =
      BlockExpression::parse("tl.where(half > 5, half, 1) + 0")->evaluate(&lookUp);
  REQUIRE(chosen);
  CHECK(chosen->numbers[0] == 1);
  CHECK(chosen->isDefined(0));
  CHECK_FALSE(chosen->isDefined(1));
  CHECK(BlockExpression::parse("tl.where(mask[:2] == 1, 1, half)")->evaluate(&lookUp)->defined ==
        std::vector<uint8_t>{1, 1});
}

TEST_CASE("Casts round and cut numbers as the device does", "[compiler][stepping]") {
  CHECK(evaluate("real.to(tl.float32)[0]") == Numbers{0.1F});
  CHECK(evaluate("tl.cast(real, tl.float16)") == Numbers{0.0999755859375, 300, -2.5});
  CHECK(evaluate("real.to(tl.int32)") == Numbers{0, 300, -2});
  // Of integers the low bits are kept, and of those of 16 bits that reals become first.
  CHECK(evaluate("real.to(tl.int8)") == Numbers{0, 44, -2});
  CHECK(evaluate("(row * 10).to(tl.int8)") == Numbers{100, -56, 44});
  CHECK(evaluate("(n / 1 * 100).to(tl.uint8)") == Numbers{144});
  CHECK(evaluate("~row.to(tl.uint8)") == Numbers{245, 235, 225});
  CHECK(evaluate("row.to(tl.int1)") == Numbers{1, 1, 1});
  CHECK(BlockExpression::parse("x.to(tl.float16)")->names() == std::vector<std::string>{"x"});
  CHECK(problemOf("x.to(other)") == "a cast names its type here, as `x.to(tl.float32)` does");
  CHECK(problemOf("x.to(tl.int32, bitcast=True)") == "`to` has no `bitcast` here");
}

TEST_CASE("What a pointer leads to is read", "[compiler][stepping]") {
  CHECK(evaluate("x_ptr[3]") == Numbers{30});
  CHECK(evaluate("(x_ptr + 1)[2]") == Numbers{30});
  CHECK(evaluate("x_ptr[row // 10]") == Numbers{10, 20, 30});
  CHECK(evaluate("tl.load(x_ptr + row // 10 - 1)") == Numbers{0, 10, 20});
  CHECK(evaluate("tl.load(x_ptr + row, mask=row > 90, other=-1.0)") == Numbers{-1, -1, -1});
  CHECK(problemOf("x_ptr[4]") == "`x_ptr` has 4 elements, and none at 4");
  CHECK(problemOf("tl.load(row)") == "only a pointer can be loaded, such as `x_ptr + offs`");
  // Of several, those outside are undefined.
  const Result<NumberBlock> outside =
      BlockExpression::parse("x_ptr[row // 10 + 2]")->evaluate(&lookUp);
  REQUIRE(outside);
  CHECK(outside->defined == std::vector<uint8_t>{1, 0, 0});
  CHECK(BlockExpression::parse("x_ptr + 3")->evaluate(&lookUp)->pointed);
  CHECK_FALSE(BlockExpression::parse("x_ptr * 3")->evaluate(&lookUp)->pointed);
}

TEST_CASE("An element of an array has an index for each axis, too", "[compiler][stepping]") {
  CHECK(evaluate("square_ptr[1, 0]") == Numbers{20});
  CHECK(evaluate("square_ptr[n - 4, 1]") == Numbers{10});
  CHECK(evaluate("square_ptr[3]") == Numbers{30});
  CHECK(problemOf("square_ptr[0, 2]") == "`x_ptr` has the shape [2, 2], and no element at [0, 2]");
  CHECK(problemOf("square_ptr[-1, 0]") ==
        "`x_ptr` has the shape [2, 2], and no element at [-1, 0]");
  CHECK(problemOf("square_ptr[0, 0, 0]") ==
        "`x_ptr` has the shape [2, 2], and no element at [0, 0, 0]");
  CHECK(problemOf("x_ptr[0, 1]") == "`x_ptr` has the shape [4], and no element at [0, 1]");
}

TEST_CASE("Brackets take slices and new axes", "[compiler][stepping]") {
  CHECK(evaluate("row[:, None] - row[None, :]") == Numbers{0, -10, -20, 10, 0, -10, 20, 10, 0});
  CHECK(evaluate("x[:, 1]") == Numbers{2, 5});
  CHECK(evaluate("x[1, 1:]") == Numbers{5, 6});
  CHECK(evaluate("row[::-1]") == Numbers{30, 20, 10});
  CHECK(evaluate("row[-2:]") == Numbers{20, 30});
  CHECK(problemOf("row[3:]") == "a slice has no elements of [3]");
}

TEST_CASE("a condition holds where any element is other than 0", "[compiler][stepping]") {
  CHECK(holds("isnan(bad)"));
  CHECK_FALSE(holds("isnan(x)"));
  CHECK(holds("not any(off)"));
  CHECK_FALSE(holds("not any(mask)"));
  CHECK(holds("x > 5"));
  CHECK_FALSE(holds("x > 6"));
}

TEST_CASE("what is wrong with an expression is said", "[compiler][stepping]") {
  CHECK(problemOf("x +") != "");
  CHECK(problemOf("y") == "no y");
  CHECK(problemOf("x + mask") == "cannot broadcast [2, 3] with [4]");
  CHECK(problemOf("x[2, 0]") == "index 2 is outside of [2, 3]");
  CHECK(problemOf("x[0, 0, 0]") == "an index of 3 numbers does not fit [2, 3]");
  CHECK(problemOf("sum(x, axis=2)") == "there is no axis 2 in [2, 3]");
  CHECK_THAT(problemOf("median(x)"), Catch::Contains("there is no function `median`"));
  CHECK_THAT(
      problemOf("tl.dot(x, x)"),
      Catch::Contains("there is no function `dot` here: watches and conditions have any, all"));
  CHECK(problemOf("where(x, 1)") == "`where` takes 3 values, not 2");
  CHECK(problemOf("exp(x, axis=1)") == "`exp` has no `axis` here");
  CHECK_THAT(problemOf("lambda: 1"), Catch::Contains("not an expression over values"));
}

TEST_CASE("What comes from undefined elements is undefined, unless a defined one decides",
          "[compiler][stepping]") {
  const NameLookup lookup = [](const std::string &name) -> Result<NumberBlock> {
    if (name == "v")
      return NumberBlock{{2, 2}, {5, 6, 0, 0}, 0, {1, 1, 0, 0}};
    return NumberBlock{{2, 2}, {1, 0, 1, 0}, 0, {}};
  };
  const auto definedOf = [&](const std::string &text) {
    const Result<NumberBlock> value = BlockExpression::parse(text)->evaluate(lookup);
    REQUIRE(value);
    std::string defined;
    for (size_t i = 0; i < value->numbers.size(); ++i)
      defined += value->isDefined(i) ? '1' : '0';
    return defined;
  };
  CHECK(definedOf("v") == "1100");
  CHECK(definedOf("v * 2 + m") == "1100");
  CHECK(definedOf("-v") == "1100");
  CHECK(definedOf("abs(v)") == "1100");
  CHECK(definedOf("v > 0") == "1100");
  CHECK(definedOf("v[1]") == "00");
  CHECK(definedOf("v[0, 1]") == "1");
  CHECK(definedOf("sum(v)") == "0");
  CHECK(definedOf("sum(v, axis=1)") == "10");
  CHECK(definedOf("max(v, axis=0)") == "00");
  CHECK(definedOf("v + v[0]") == "1100");
  // A truth value that is defined decides.
  CHECK(definedOf("m & (v > 0)") == "1101");
  CHECK(definedOf("m and v > 0") == "1101");
  CHECK(definedOf("m or v > 0") == "1110");
  CHECK(definedOf("any(v > 0)") == "1");
  CHECK(definedOf("any(v > 9)") == "0");
  CHECK(definedOf("all(v > 9)") == "1");
  // No breakpoint stops for what is not there.
  CHECK_FALSE(*BlockExpression::parse("v == 0")->holds(lookup));
  CHECK(*BlockExpression::parse("v == 6")->holds(lookup));
  CHECK_FALSE(BlockExpression::parse("m[v[1, 0]]")->evaluate(lookup));
}
