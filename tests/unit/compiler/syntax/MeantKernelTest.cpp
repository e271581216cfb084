// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MeantKernel.h"

#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::ast;

namespace {

/// Names of functions that are meant as kernels, although they return a value.
std::vector<std::string> meantIn(const std::string &functions) {
  const auto tree = parseModule("import triton\nimport triton.language as tl\n" + functions);
  const ModuleIndex index = indexModule(*tree);
  std::vector<std::string> names;
  for (const JitFunction *function : returningKernels(index))
    names.push_back(function->name);
  return names;
}

using Names = std::vector<std::string>;

constexpr const char *kStores = R"(
@triton.jit
def stores(x_ptr):
    tl.store(x_ptr, 1.0)
)";

/// A program of a grid that returns what it computes.
constexpr const char *kProgram = R"(
@triton.jit
def program(x_ptr):
    return tl.load(x_ptr + tl.program_id(0)) + 1
)";

/// What libraries consist of.
constexpr const char *kHelpers = R"(
@triton.jit
def relu(x):
    return tl.maximum(x, 0)

@triton.jit
def tile(ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    return tl.load(ptr + i, mask=i < n)

@triton.jit
def swizzled(num: tl.constexpr):
    return tl.program_id(0) % num
)";

} // namespace

TEST_CASE("A function that works as a program is meant as a kernel, also beside kernels",
          "[compiler]") {
  CHECK(meantIn(kProgram) == Names{"program"});
  CHECK(meantIn(std::string(kStores) + kProgram) == Names{"program"});
  CHECK(meantIn(std::string(kHelpers) + kProgram) == Names{"program"});
}

TEST_CASE("Helpers of a library are not meant as kernels", "[compiler]") {
  CHECK(meantIn(kHelpers).empty());
  CHECK(meantIn(std::string(kStores) + kHelpers).empty());
}

TEST_CASE("The only function that nothing uses is meant as a kernel", "[compiler]") {
  CHECK(meantIn("@triton.jit\ndef half(x):\n    return x / 2\n") == Names{"half"});
  CHECK(meantIn("@triton.jit\ndef half(x):\n    return x / 2\n"
                "@triton.jit\ndef f(x):\n    return half(x) + 1\n") == Names{"f"});
}

TEST_CASE("What the host does with a function decides", "[compiler]") {
  // A launch is sure, whatever the function does.
  const std::string helpers = std::string(kStores) + kHelpers;
  CHECK(meantIn(helpers + "def run(x):\n    return relu[(4,)](x)\n") == Names{"relu"});
  // One that others call, in whatever way they are jitted, is not launched.
  const std::string program = std::string(kStores) + kProgram;
  CHECK(meantIn(program + "def k(x, y):\n    y = program(x)\n").empty());
  CHECK(meantIn(program + "@triton.jit\ndef k(x, y):\n    tl.store(y, program(x))\n").empty());
}
