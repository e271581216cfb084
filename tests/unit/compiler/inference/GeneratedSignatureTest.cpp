// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GeneratedSignature.h"

#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

using Map = std::map<std::string, std::string>;

static Selection read(const std::string &meta, Selection given = {}) {
  auto tree =
      ast::parseModule("import triton\nimport triton.language as tl\n"
                       "@heuristics.pointwise(size_hints=[64], triton_meta=" +
                       meta +
                       ")\n@triton.jit\n"
                       "def k(in_ptr0, out_ptr0, xnumel, ks0, XBLOCK: tl.constexpr): pass\n");
  REQUIRE(tree->diagnostics.empty());
  const ast::FunctionDef &function = *ast::indexModule(*tree).functions.front().def;
  CHECK(hasGeneratedSignature(*function.decoratorList[0]) ==
        (meta.find("signature") != std::string::npos));
  CHECK_FALSE(hasGeneratedSignature(*function.decoratorList[1]));
  readGeneratedSignature(*tree, function, given);
  return given;
}

TEST_CASE("the signature of a generated kernel is read by name", "[compiler]") {
  Selection read =
      ::read("{'signature': {'in_ptr0': '*bf16', 'out_ptr0': '*fp32', 'xnumel': 'i32', "
             "'ks0': 'i64', 'XBLOCK': 'constexpr'}, 'constants': {}}");
  CHECK(read.signature ==
        Map{{"in_ptr0", "*bf16"}, {"out_ptr0", "*fp32"}, {"xnumel", "i32"}, {"ks0", "i64"}});
  CHECK(read.constexprs.empty());
}

TEST_CASE("older generated kernels number their parameters", "[compiler]") {
  Selection read = ::read("{'signature': {0: '*fp16', 1: '*fp16', 2: 'i32', 3: 'i32'}, "
                          "'constants': {3: 1, (4,): 64, 9: 3}}");
  CHECK(read.signature == Map{{"in_ptr0", "*fp16"}, {"out_ptr0", "*fp16"}, {"xnumel", "i32"}});
  CHECK(read.constexprs == Map{{"ks0", "1"}, {"XBLOCK", "64"}});
}

TEST_CASE("what is given outweighs what a generated kernel says", "[compiler]") {
  Selection given;
  given.signature = {{"in_ptr0", "*fp64"}};
  given.constexprs = {{"xnumel", "7"}};
  Selection read = ::read("{'signature': {'in_ptr0': '*bf16', 'xnumel': 'i32'}}", given);
  CHECK(read.signature == Map{{"in_ptr0", "*fp64"}});
  CHECK(read.constexprs == Map{{"xnumel", "7"}});
}

TEST_CASE("other decorators say nothing about the signature", "[compiler]") {
  Selection read = ::read("{'device': 0}");
  CHECK(read.signature.empty());
}
