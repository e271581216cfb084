// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/Int.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace tilescope::compiler::constant;

TEST_CASE("integers leave 64 bits and come back", "[compiler]") {
  Int max(std::numeric_limits<int64_t>::max()), min(std::numeric_limits<int64_t>::min());
  CHECK((max + Int(1)).toString() == "9223372036854775808");
  CHECK((max + Int(1) - Int(1)).toInt64() == std::numeric_limits<int64_t>::max());
  CHECK(Int::floorDiv(min, Int(-1)).toString() == "9223372036854775808");
  CHECK((-min).toUint64() == uint64_t(1) << 63);
  CHECK_FALSE((max * max).toInt64());
  CHECK(Int::fromUint64(~uint64_t(0)).toString(16) == "ffffffffffffffff");
  CHECK((max * max).bitLength() == 126);
}

TEST_CASE("floor division and remainder agree for every sign", "[compiler]") {
  Int big = *Int::fromLiteral("100000000000000000000000000");
  for (Int a : {Int(7), Int(-7), big, -big})
    for (Int b : {Int(3), Int(-3), big - Int(1), Int(1) - big}) {
      Int quotient = Int::floorDiv(a, b), remainder = Int::mod(a, b);
      INFO(a.toString() << " / " << b.toString());
      CHECK(quotient * b + remainder == a);
      CHECK((remainder.isZero() || remainder.isNegative() == b.isNegative()));
    }
}

TEST_CASE("literals of every base are read, and nothing else", "[compiler]") {
  CHECK(Int::fromLiteral("0xFFFFFFFFFFFFFFFFFF")->toString() == "4722366482869645213695");
  CHECK(Int::fromLiteral("0b101") == Int(5));
  CHECK(Int::parse(" -1_000 ") == Int(-1000));
  CHECK(Int::parse("0x10", 0) == Int(16));
  CHECK(Int::parse("ff", 16) == Int(255));
  for (const char *text : {"", " ", "_1", "1_", "1__0", "1a", "--1", "0x", "+"})
    CHECK_FALSE(Int::parse(text));
}

TEST_CASE("true division rounds once", "[compiler]") {
  CHECK(Int::trueDiv(Int(1), Int(3)) == 1.0 / 3.0);
  CHECK(Int::trueDiv(Int(9007199254740993), Int(1)) == 9007199254740992.0);
  Int huge = *Int::pow(Int(10), Int(400));
  CHECK_FALSE(huge.toDouble());
  CHECK(Int::trueDiv(huge, huge) == 1.0);
  CHECK(Int::trueDiv(Int(1), huge) == 0.0);
  CHECK(Int::trueDiv(Int(5), *Int::pow(Int(2), Int(1074))) == 5 * 4.9406564584124654e-324);
}
