// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/GuessOrigins.h"

#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using inference::Origin;

/// The range of `text`, which stands once in `source`.
static SourceRange rangeOf(const std::string &source, const std::string &text) {
  const size_t at = source.find(text);
  REQUIRE(at != std::string::npos);
  REQUIRE(source.find(text, at + 1) == std::string::npos);
  const auto line = static_cast<uint32_t>(std::count(source.begin(), source.begin() + at, '\n'));
  const auto column = static_cast<uint32_t>(at - (source.rfind('\n', at) + 1));
  return {{line, column}, {line, column + static_cast<uint32_t>(text.size())}};
}

/// The parameters of the last function that the places depend on, nearest first.
static std::vector<std::string> originsOf(const std::string &body,
                                          const std::vector<std::string> &texts) {
  const std::string source = "import triton\nimport triton.language as tl\n" + body;
  auto tree = ast::parseModule(source);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  std::vector<SourceRange> places;
  for (const std::string &text : texts)
    places.push_back(rangeOf(source, text));
  std::vector<std::string> names;
  for (const Origin &origin : inference::originsOf(index, index.functions.back(), places))
    names.push_back(origin.parameter);
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("what a value is loaded from comes before what says where", "[compiler]") {
  const std::string kernel = R"(
@triton.jit
def kernel(n, BLOCK: tl.constexpr, x_ptr, other, unused):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    y = x // 2
)";
  CHECK(originsOf(kernel, {"x // 2"}) == Names{"x_ptr", "n", "BLOCK"});
}

TEST_CASE("a place in a function leads to the arguments of its call", "[compiler]") {
  const std::string kernel = R"(
@triton.jit
def shifted(value, count):
    local = value
    return local >> 1

@triton.jit
def kernel(a, b, c):
    x = tl.load(a)
    tl.store(c, shifted(x, b))
)";
  CHECK(originsOf(kernel, {"local >> 1", "shifted(x, b)"}) == Names{"a"});
}

TEST_CASE("branches around a place are origins too, later than what it uses", "[compiler]") {
  const std::string kernel = R"(
@triton.jit
def kernel(x, FLAG: tl.constexpr, N: tl.constexpr):
    if FLAG:
        y = tl.arange(0, N)
)";
  CHECK(originsOf(kernel, {"tl.arange(0, N)"}) == Names{"N", "FLAG"});
}

TEST_CASE("pointers that move keep their origin", "[compiler]") {
  const std::string kernel = R"(
@triton.jit
def kernel(stride, p, n):
    q = p + 4
    for i in range(n):
        z = ~tl.load(q)
        q += stride
)";
  CHECK(originsOf(kernel, {"~tl.load(q)"}) == Names{"p", "stride"});
}

TEST_CASE("a place outside of every function has no origins", "[compiler]") {
  CHECK(originsOf("X = 1 + 2\n@triton.jit\ndef kernel(a):\n    pass\n", {"1 + 2"}).empty());
}
