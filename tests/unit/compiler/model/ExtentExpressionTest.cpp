// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ExtentExpression.h"

#include "compiler/dialects/tm/ir/ExtentText.h"

#include <catch2/catch.hpp>

using namespace tilescope::model;
namespace ts = tilescope;

/// The text of what SymPy's text is read as; empty: it is not read.
static std::string read(const std::string &text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ts::tm::TMDialect>();
  const ts::tm::Extent extent = readExtentExpression(
      &context, text, [&](llvm::StringRef name) { return ts::tm::symbol(&context, name); });
  return extent ? ts::tm::extentText(extent) : "";
}

TEST_CASE("extents are read as SymPy writes them, in both of its forms", "[compiler]") {
  CHECK(read("s0") == "s0");
  CHECK(read("Symbol('s77', positive=True, integer=True)") == "s77");
  CHECK(read("7") == "7");
  CHECK(read("2*s0 + 1") == read("Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))"));
  CHECK(read("2*s0 + 1") == "s0 * 2 + 1");
  CHECK(read("(s0 - 1)//2 + 1") == "(s0 - 1) floordiv 2 + 1");
  CHECK(read("FloorDiv(s0, 2)") == "s0 floordiv 2");
  CHECK(read("Mod(s0, 4)") == read("s0 % 4"));
  CHECK(read("-(-3)") == "3");
}

TEST_CASE("text that is not an extent is not read", "[compiler]") {
  for (const char *text : {"", "s0 +", "s0 s1", "(s0", "s0)", "s0**2", "Max(s0, 2)", "Symbol(s0)",
                           "Symbol('", "s0 // 0", "99999999999999999999", "f(", "1.5"})
    CHECK(read(text).empty());
  CHECK(read(std::string(1000, '(') + "1" + std::string(1000, ')')).empty());
  CHECK(read(std::string(100'000, '-') + "1").empty());
}
