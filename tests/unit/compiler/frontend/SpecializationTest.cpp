// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static const char *kSource = R"(import triton
import triton.language as tl

SCALE = tl.constexpr(2.5)

@triton.jit
def helper(x):
    return x * SCALE

@triton.jit
def copy(src, dst, n, stride, eps, BLOCK: tl.constexpr, ACT: tl.constexpr = "none"):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(src + i * stride, mask=i < n)
    if ACT == "scale":
        x = helper(x) + eps
    tl.store(dst + i, x, mask=i < n)
)";

TEST_CASE("constants leave the parameter list", "[compiler]") {
  Selection selection;
  selection.signature = {
      {"src", "*fp16:16"}, {"dst", "*fp16"}, {"n", "i32:16"}, {"stride", "i32:1"}, {"eps", "fp32"}};
  selection.constexprs = {{"BLOCK", "2 ** 7"}, {"ACT", "'scale'"}};
  Emitted emitted = emit(kSource, selection);
  INFO(emitted.messages() << emitted.text);
  CHECK(inOrder(emitted.text, {"tt.func public @copy(", "!tt.ptr<f16> {tt.divisibility = 16 : i32}",
                               "!tt.ptr<f16>,", "i32 {tt.divisibility = 16 : i32}", "f32)",
                               "attributes {noinline = false}", "2.500000e+00"}));
  std::vector<KernelParameter> expected = {
      {"src", "*fp16"}, {"dst", "*fp16"}, {"n", "i32"}, {"eps", "fp32"}};
  CHECK(emitted.parameters == expected);
  CHECK(emitted.constexprs.at("BLOCK") == "128");
  CHECK(emitted.constexprs.at("stride") == "1");
  CHECK(emitted.signature.at("src") == "*fp16:16");
  CHECK(emitted.assumptions.empty());
}

TEST_CASE("types that are not given are inferred and listed", "[compiler]") {
  Emitted emitted = emit(kSource);
  INFO(emitted.messages());
  REQUIRE_FALSE(emitted.text.empty());
  CHECK(emitted.kernel == "copy");
  CHECK(emitted.kernels == std::vector<std::string>{"copy"});
  CHECK(emitted.signature.at("src") == "*fp32:16");
  CHECK(emitted.signature.at("stride") == "i32:16");
  CHECK(emitted.signature.at("eps") == "fp32");
  CHECK(emitted.assumptions.size() == 6);
}

TEST_CASE("decorators decide about specialization", "[compiler]") {
  std::string source = R"(import triton as t
import triton.language as tl
from functools import lru_cache

@lru_cache
@t.autotune(configs=[], key=["n"])
@t.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=["m"])
def k(p, n, m, num_warps: tl.constexpr):
    tl.store(p, n + m + num_warps)
)";
  Selection selection;
  selection.signature = {{"p", "*i32"}, {"n", "i32:1"}, {"m", "i32:16"}};
  selection.options = {{"num_warps", "8"}};
  Emitted emitted = emit(source, selection);
  INFO(emitted.messages() << emitted.text);
  CHECK(emitted.text.find("divisibility") == std::string::npos);
  CHECK(emitted.parameters.size() == 3);
  CHECK(emitted.constexprs.at("num_warps") == "8");
  REQUIRE(emitted.diagnostics.size() == 1);
  CHECK(emitted.diagnostics.front().kind == DiagnosticKind::DecoratorIgnored);
  CHECK(emitted.diagnostics.front().severity == Severity::Note);
}

TEST_CASE("prelude files are listed when they take part", "[compiler]") {
  Emitted emitted = emit(R"(import triton
import triton.language as tl

@triton.jit
def k(p):
    tl.store(p, tl.sum(tl.zeros([16], tl.float32)))
)");
  INFO(emitted.messages());
  REQUIRE(emitted.files.size() == 2);
  CHECK(emitted.files[0].path == "test.py");
  CHECK(emitted.files[1].path.find("standard.py") != std::string::npos);
  CHECK_FALSE(emitted.files[1].text.empty());
}

TEST_CASE("equal requests give equal text", "[compiler]") {
  CHECK(emit(kSource).text == emit(kSource).text);
}
