// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/CallSites.h"

#include "compiler/inference/SignatureInference.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;
using Kind = PassedArgument::Kind;

static const std::string kHead = "import math\nimport torch\nimport triton\n"
                                 "import triton.language as tl\n";
static const std::string kKernel = R"(
SIZE = 256
@triton.jit
def kernel(a, b, c, n, scale, flag, B: tl.constexpr, MODE: tl.constexpr, KIND: tl.constexpr):
    pass
)";

/// What `host` passes to `kernel`.
static std::map<std::string, PassedArgument, std::less<>> passedBy(const std::string &host) {
  auto tree = ast::parseModule(kHead + kKernel + host);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  return argumentsPassedTo(index, *index.findFunction("kernel"));
}

TEST_CASE("a launch passes values that the file imports or works out", "[compiler]") {
  const auto passed = passedBy(R"(
from triton import next_power_of_2
WIDTH = next_power_of_2(SIZE // 2 - 1)
def run(x):
    kernel[(1,)](x, x, x, 1, 1.0, True, B=WIDTH, MODE=tl.float16, KIND=next_power_of_2(5))
)");
  CHECK(passed.at("B") == PassedArgument{Kind::Constant, "128"});
  CHECK(passed.at("MODE") == PassedArgument{Kind::Constant, "tl.float16"});
  CHECK(passed.at("KIND") == PassedArgument{Kind::Constant, "8"});
}

TEST_CASE("a launch tells what its arguments are", "[compiler]") {
  auto passed = passedBy(R"(
def run(x: torch.Tensor, eps: float):
    y = torch.empty_like(x, dtype=torch.float16)
    rows, cols = x.shape
    kernel[(rows,)](x, y, torch.zeros(4, dtype=torch.int32), x.stride(0), eps / 2, rows > 1, B=SIZE,
                    MODE="full", KIND=tl.bfloat16)
)");
  CHECK(passed["a"] == PassedArgument{Kind::Tensor, ""});
  CHECK(passed["b"] == PassedArgument{Kind::Tensor, "fp16"});
  CHECK(passed["c"] == PassedArgument{Kind::Tensor, "i32"});
  CHECK(passed["n"].kind == Kind::Integer);
  CHECK(passed["scale"].kind == Kind::Real);
  CHECK(passed["flag"].kind == Kind::Boolean);
  CHECK(passed["B"] == PassedArgument{Kind::Constant, "256"});
  CHECK(passed["MODE"] == PassedArgument{Kind::Constant, "'full'"});
  CHECK(passed["KIND"] == PassedArgument{Kind::Constant, "tl.bfloat16"});
}

TEST_CASE("values are followed through local names, and not further than the text tells",
          "[compiler]") {
  auto passed = passedBy(R"(
class Op:
    def forward(self, x, n=3, factor=1.0):
        block = 64
        block_k = block // 2
        grid = lambda meta: (1,)
        out = x.to(torch.bfloat16).contiguous()
        kernel[grid](x, out, None, n, 1 / math.sqrt(n), unknown(), block_k,
                     triton.next_power_of_2(n), **options)
)");
  CHECK_FALSE(passed.contains("a"));
  CHECK(passed["b"] == PassedArgument{Kind::Tensor, "bf16"});
  CHECK(passed["c"] == PassedArgument{Kind::Constant, "None"});
  CHECK(passed["n"].kind == Kind::Integer);
  CHECK(passed["scale"].kind == Kind::Real);
  CHECK_FALSE(passed.contains("flag"));
  CHECK(passed["B"] == PassedArgument{Kind::Constant, "32"});
  CHECK(passed["MODE"].kind == Kind::Integer);
}

TEST_CASE("calls of other functions and starred arguments tell nothing", "[compiler]") {
  CHECK(passedBy("def run(x: torch.Tensor):\n    other[(1,)](x, x)\n    kernel(x)\n").empty());
  auto passed = passedBy("def run(x: torch.Tensor, *rest):\n    kernel[(1,)](x, *rest, x)\n");
  CHECK(passed.size() == 1);
}

TEST_CASE("globals that refer to themselves end the search", "[compiler]") {
  CHECK_FALSE(passedBy("LOOP = LOOP + 1\ndef run():\n    kernel[(1,)](B=LOOP)\n").contains("B"));
}

TEST_CASE("guesses follow the file's own launch", "[compiler]") {
  auto tree = ast::parseModule(kHead + R"(
@triton.jit
def kernel(x, y, n, factor, BLOCK: tl.constexpr, FAST: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n)
    tl.store(y + i, value, mask=i < n)

def run(x):
    y = torch.empty(8, dtype=torch.int8)
    kernel[(1,)](x, y, 8, 2.0, BLOCK=128, FAST=False)
)");
  ast::ModuleIndex index = ast::indexModule(*tree);
  InferredSelection inferred = inferSelection(index, index.functions.back(), {});
  CHECK(inferred.selection.signature["x"] == "*fp32:16");
  CHECK(inferred.selection.signature["y"] == "*i8:16");
  CHECK(inferred.selection.signature["factor"] == "fp32");
  CHECK(inferred.selection.constexprs["BLOCK"] == "128");
  CHECK(inferred.selection.constexprs["FAST"] == "False");
  CHECK(sentence(inferred.assumptions[4]) ==
        "`BLOCK` = `128`: the file launches the kernel this way");
  CHECK(inferred.assumptions[4].source == Assumption::Source::Launch);
}
