// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tm/ir/Extents.h"

#include "compiler/dialects/tm/ir/ExtentText.h"

#include <catch2/catch.hpp>

using namespace tilescope::tm;

namespace {
struct Fixture {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Extent of(int64_t value) { return number(&context, value); }
  Extent named(const char *name) { return symbol(&context, name); }
};
} // namespace

TEST_CASE_METHOD(Fixture, "a convolution halves an extent", "[compiler]") {
  // The example of Extents.h.
  const Extent halved = add(floorDivide(subtract(add(named("H"), of(2)), of(3)), of(2)), of(1));
  CHECK(extentText(halved) == "(H - 1) floordiv 2 + 1");
}

TEST_CASE_METHOD(Fixture, "quotients of quotients are one", "[compiler]") {
  const Extent once = add(floorDivide(subtract(named("H"), of(1)), of(2)), of(1));
  const Extent twice = add(floorDivide(subtract(once, of(1)), of(2)), of(1));
  CHECK(extentText(twice) == "(H - 1) floordiv 4 + 1");
  CHECK(extentText(floorDivide(subtract(twice, of(2)), of(3))) == "(H - 5) floordiv 12");
}

TEST_CASE_METHOD(Fixture, "sums are the same in any order", "[compiler]") {
  CHECK(add(named("N"), named("M")) == add(named("M"), named("N")));
  CHECK(subtract(add(named("N"), of(3)), named("N")) == of(3));
}

TEST_CASE_METHOD(Fixture, "a quotient takes factors out of a product", "[compiler]") {
  const Extent total = product(&context, {named("N"), of(6), named("T")});
  CHECK(quotient(total, multiply(named("N"), of(2))) == multiply(named("T"), of(3)));
  CHECK(quotient(total, named("Q")) == Extent());
  CHECK(quotient(of(12), of(4)) == of(3));
  CHECK(quotient(total, of(0)) == Extent());
}

TEST_CASE_METHOD(Fixture, "what is out of range spreads", "[compiler]") {
  const Extent most = of(kMostExtent);
  CHECK(add(most, of(1)) == Extent());
  CHECK(multiply(most, most) == Extent());
  CHECK(add(multiply(most, most), of(1)) == Extent());
  CHECK(floorDivide(named("N"), of(0)) == Extent());
  CHECK(remainder(of(3), of(0)) == Extent());
}

TEST_CASE_METHOD(Fixture, "extents of 1 are repeated", "[compiler]") {
  CHECK(repeated(named("N"), of(1)) == named("N"));
  CHECK(repeated(named("N"), of(4)) == of(4));
  CHECK(repeated(of(3), of(4)) == Extent());
  CHECK(repeated(named("N"), named("M")) == repeated(named("N"), named("M")));
  CHECK(extentText(repeated(named("N"), named("M"))) == "\"max(N, M)\"");
}

TEST_CASE_METHOD(Fixture, "an expression stays short", "[compiler]") {
  Extent grown = named("N");
  for (int i = 0; i < 2000; ++i)
    grown = add(floorDivide(multiply(grown, of(3)), of(2)), named("M"));
  CHECK(extentText(grown).size() < 2000);
}

TEST_CASE_METHOD(Fixture, "no tensor is larger than any memory", "[compiler]") {
  const mlir::Type f32 = mlir::Float32Type::get(&context);
  CHECK(tensorOf({of(kMostExtent - 1), of(1 << 17)}, f32));
  CHECK_FALSE(tensorOf({of(kMostExtent)}, f32));
  CHECK_FALSE(tensorOf({of(kMostExtent), of(kMostExtent)}, f32));
  CHECK_FALSE(tensorOf({of(-1)}, f32));
  CHECK_FALSE(tensorOf({of(kMostExtent), of(kMostExtent), of(0)}, f32));
}
