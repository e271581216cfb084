// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions that kernels call, compiled alone.
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace tilescope::compiler;

static Emitted emitFunction(const std::string &name, const std::string &body,
                            Selection selection = {}) {
  selection.kernel = name;
  // A file without a kernel would need one.
  const std::string kernel = "\n@triton.jit\ndef unrelated():\n    pass\n";
  return emit("import triton\nimport triton.language as tl\n" + body + kernel, selection);
}

static bool isAssumed(const Emitted &emitted, const std::string &sentence) {
  return std::ranges::find(emitted.assumptions, sentence) != emitted.assumptions.end();
}

TEST_CASE("a function alone is compiled for what its caller passes", "[compiler]") {
  Emitted emitted = emitFunction("scaled", R"(
@triton.jit
def scaled(values, mask, p, factor, kind, N: tl.constexpr):
    tl.store(p + tl.arange(0, N), values, mask)
    return (values * factor).to(kind)

@triton.jit
def kernel(x, y, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    low = tl.load(x + i, i < n).to(tl.float16)
    tl.store(y + i, scaled(low, i < n, y, 2.0, tl.float32, BLOCK), i < n)
)",
                                 {.constexprs = {}, .target = "cuda:90"});
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["values"] == "fp16[1024]");
  CHECK(emitted.signature["mask"] == "i1[1024]");
  CHECK(emitted.signature["p"] == "*fp32:16");
  CHECK(emitted.constexprs["factor"] == "2.0");
  CHECK(emitted.constexprs["N"] == "1024");
  CHECK(isAssumed(emitted, "`values` is `fp16[1024]`: `kernel` passes such a block for the values "
                           "that are guessed for it; it is made from memory here"));
  CHECK(isAssumed(emitted, "`N` = `1024`: `kernel` passes it"));
  CHECK(isAssumed(emitted, "`result.0` is `*fp32:16`: what the function returns is stored there"));
  // Its argument is loaded, its own store and the one of what it returns are kept.
  CHECK(inOrder(emitted.text, {"tt.load", "tt.store", "tt.store"}));
}

TEST_CASE("what reaches a function through others counts", "[compiler]") {
  Emitted emitted = emitFunction("larger", R"(
@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)

@triton.jit
def row(block):
    return tl.reduce(block, 1, larger)

@triton.jit
def kernel(x, y, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)
    block = tl.load(x + i[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(y + i, row(block))
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["a"] == "fp32");
  CHECK(emitted.signature["b"] == "fp32");
}

TEST_CASE("functions, tuples and blocks of pointers are passed on", "[compiler]") {
  Emitted emitted = emitFunction("apply", R"(
@triton.jit
def square(x):
    return x * x

@triton.jit
def apply(pointers, strides, fn: tl.constexpr, limit: tl.constexpr):
    values = tl.load(pointers + strides[0] * strides[1])
    return fn(tl.minimum(values, limit))

@triton.jit
def kernel(x, y, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, apply(x + i, (stride, 2), square, float("inf")))
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["pointers"] == "*fp32[1024]");
  CHECK(emitted.signature["strides"].starts_with("(i32"));
  CHECK(emitted.signature["fn"] == "constexpr");
  CHECK(isAssumed(emitted, "`fn` = `square`: `kernel` passes it"));
}

TEST_CASE("block pointers can be arguments", "[compiler]") {
  Emitted emitted = emitFunction("inner", R"(
@triton.jit
def inner(acc, K_block_ptr, n, N: tl.constexpr):
    for _ in range(0, n, N):
        acc += tl.load(K_block_ptr)
        K_block_ptr = tl.advance(K_block_ptr, (N, 0))
    return acc, K_block_ptr

@triton.jit
def kernel(K, Out, n, D: tl.constexpr, N: tl.constexpr):
    block = tl.make_block_ptr(K, (n, D), (D, 1), (0, 0), (N, D), (1, 0))
    acc = tl.zeros([N, D], dtype=tl.float32)
    acc, block = inner(acc, block, n, N)
    i = tl.arange(0, N)[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(Out + i, acc)
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["K_block_ptr"] == "blockptr<fp32[64,128]>");
  CHECK(emitted.signature["acc"] == "fp32[64,128]");
  const auto named = [&](const char *name) {
    return std::ranges::count(emitted.parameters, name, &KernelParameter::name);
  };
  CHECK(named("K_block_ptr.shape.1") == 1);
  CHECK(named("K_block_ptr.strides.0") == 1);
  CHECK(named("K_block_ptr.offsets.0") == 1);
  // The block, the base of the pointer, and how far it was moved.
  CHECK(named("result.3") == 1);
}

TEST_CASE("a caller may pass run-time values for constexprs", "[compiler]") {
  Emitted emitted = emitFunction("masked", R"(
@triton.jit
def masked(x, rows: tl.constexpr, limit):
    return tl.where(rows[:, None] < limit, x, 0.0)

@triton.jit
def kernel(x, limit, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)
    p = x + i[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(p, masked(tl.load(p), i, limit))
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["rows"] == "i32[128]");
}

TEST_CASE("what the request says of a function counts more than its callers", "[compiler]") {
  Emitted emitted = emitFunction("twice", R"(
@triton.jit
def twice(x):
    return x + x

@triton.jit
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, twice(tl.load(x + i)))
)",
                                 {.signature = {{"x", "i32[16]"}}});
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["x"] == "i32[16]");
}

TEST_CASE("a caller that fails later still tells what it passes", "[compiler]") {
  Emitted emitted = emitFunction("total", R"(
from elsewhere import missing

@triton.jit
def total(x):
    return tl.sum(x, axis=0)

@triton.jit
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x, missing(total(tl.load(x + i))))
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["x"] == "fp32[1024]");
}

TEST_CASE("a caller is made to call", "[compiler]") {
  Emitted emitted = emitFunction("negated", R"(
@triton.jit
def negated(x):
    return -x

@triton.jit
def kernel(x, MODE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i)
    if MODE == 1:
        value = value * 2.0
    elif MODE == 3:
        value = negated(value)
    tl.store(x + i, value)
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["x"] == "fp32[1024]");
}

TEST_CASE("callers in other files of the project tell what they pass", "[compiler]") {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("tilescope-callers-" + std::to_string(getpid()));
  fs::create_directories(folder / "kernels");
  const std::string helper = R"(
@triton.jit
def folded(scales, ROWS: tl.constexpr):
    return tl.reshape(scales, [ROWS // 32, 32, 4])
)";
  const std::string header = "import triton\nimport triton.language as tl\n";
  std::ofstream(folder / "helpers.py") << header << helper;
  std::ofstream(folder / "kernels" / "scale.py") << header << R"(
from ..helpers import folded as fold

@triton.jit
def kernel(x, y):
    i = tl.arange(0, 256)[:, None] * 4 + tl.arange(0, 4)[None, :]
    j = tl.arange(0, 8)[:, None, None] * 128 + tl.arange(0, 32)[None, :, None] * 4
    tl.store(y + j + tl.arange(0, 4)[None, None, :], fold(tl.load(x + i), 256))
)";
  Emitted emitted = emit(header + helper, {.kernel = "folded"}, (folder / "helpers.py").string());
  fs::remove_all(folder);
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["scales"] == "fp32[256,4]");
  CHECK(emitted.constexprs["ROWS"] == "256");
}

TEST_CASE("values of a module may come from a function of the project", "[compiler]") {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("tilescope-picked-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "dtypes.py") << R"(
import torch
import triton.language as tl

def pick(dtype):
    table = {}
    table[torch.int32] = tl.int32
    table[torch.float16] = tl.bfloat16
    table[torch.float16] = tl.float16
    return table[dtype]

def named(dtype):
    return getattr(tl, str(dtype).split(".")[-1])
)";
  Emitted emitted = emit(R"(
import torch
import triton
import triton.language as tl
from dtypes import named, pick

A = pick(torch.int32)
B = pick(torch.float16)
C = named(torch.bfloat16)

@triton.jit
def kernel(x):
    tl.static_assert(A == tl.int32)
    tl.static_assert(B == tl.float16)
    tl.static_assert(C == tl.bfloat16)
    i = tl.arange(0, 16)
    tl.store(x + i, i.to(A).to(B).to(C))
)",
                         {}, (folder / "kernel.py").string());
  fs::remove_all(folder);
  INFO(emitted.messages());
  CHECK(emitted.diagnostics.empty());
}

TEST_CASE("bounds of a range may come from a compile-time function of another module",
          "[compiler]") {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("tilescope-bounds-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "sizes.py") << R"(
import triton
import triton.language as tl

WIDTH = tl.constexpr(64)

@triton.constexpr_function
def padded(n, cap=128):
    return min(1 << (n - 1).bit_length(), cap)

@triton.jit
def twice(n: tl.constexpr):
    return n * 2
)";
  Emitted emitted =
      emit(R"(
import triton
import triton.language as tl
import sizes
from sizes import padded, twice

@triton.jit
def kernel(x, BLOCK: tl.constexpr):
    i = tl.arange(0, padded(BLOCK)) + tl.arange(0, sizes.padded(300))
    W: tl.constexpr = sizes.padded(BLOCK, cap=256)
    j = tl.arange(0, twice(sizes.WIDTH)) + tl.arange(0, W)
    tl.store(x + i, j)
)",
           {.kernel = "kernel", .constexprs = {{"BLOCK", "100"}}}, (folder / "kernel.py").string());
  fs::remove_all(folder);
  INFO(emitted.messages());
  CHECK(emitted.diagnostics.empty());
}

TEST_CASE("a module may wrap a function under the name that it had", "[compiler]") {
  Emitted emitted = emit(R"(
import triton
import triton.language as tl
from packaging import version
from triton.language import core

get_int_dtype = core.get_int_dtype
if version.parse(triton.__version__) >= version.parse("3.5.0"):
    get_int_dtype = triton.constexpr_function(get_int_dtype)

def padded(n):
    return 1 << (n - 1).bit_length()
padded = triton.constexpr_function(padded)

@triton.jit
def kernel(x, BLOCK: tl.constexpr):
    i = tl.arange(0, padded(BLOCK))
    value = tl.load(x + i).to(get_int_dtype(bitwidth=32, signed=True), bitcast=True)
    tl.store(x + i, (value ^ 1).to(tl.float32, bitcast=True))
)",
                         {.kernel = "kernel", .constexprs = {{"BLOCK", "100"}}});
  INFO(emitted.messages());
  CHECK(emitted.diagnostics.empty());
  CHECK(emitted.text.find("tensor<128xi32>") != std::string::npos);
}

TEST_CASE("a module may look a function up where a version of Triton has it", "[compiler]") {
  Emitted emitted = emit(R"(
import importlib.util
import triton
import triton.language as tl

def find(name):
    for place in ("triton.language.nowhere", "triton.language.extra.libdevice"):
        if spec := importlib.util.find_spec(place):
            module = importlib.util.module_from_spec(spec)
            assert spec.loader is not None
            spec.loader.exec_module(module)
            return getattr(module, name)
    raise ImportError(f"Could not find a library to import {name}")

rsqrt = find("rsqrt")

@triton.jit
def kernel(x):
    i = tl.arange(0, 128)
    tl.store(x + i, rsqrt(tl.load(x + i)))
)",
                         {.kernel = "kernel", .signature = {{"x", "*fp32"}}});
  INFO(emitted.messages());
  CHECK(emitted.diagnostics.empty());
  CHECK(emitted.text.find("__nv_rsqrtf") != std::string::npos);
}

TEST_CASE("without callers the body tells which parameters are blocks", "[compiler]") {
  Emitted emitted = emitFunction("bias", R"(
@triton.jit
def bias(rows, offset, limit, mask, kind):
    position = offset - limit
    inside = position >= 0
    valid = mask[:, None] & inside[None, :]
    value = tl.load(rows[:, None] + position[None, :], mask=valid, other=0.0)
    if kind == tl.float16:
        value = tl.minimum(value, 65504.0)
    return value.to(kind)
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["offset"] == "i32[64]");
  CHECK(emitted.signature["mask"] == "i1[64]");
  CHECK(emitted.constexprs["kind"] == "fp32");
}

TEST_CASE("what imported functions do with their parameters is known", "[compiler]") {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("tilescope-imported-" + std::to_string(getpid()));
  fs::create_directories(folder / "ops");
  const std::string header = "import triton\nimport triton.language as tl\n";
  std::ofstream(folder / "ops" / "__init__.py") << "from .rows import pick\n";
  std::ofstream(folder / "ops" / "rows.py") << header << R"(
from .cells import fetch

@triton.jit
def pick(table, where, B: tl.constexpr):
    return fetch(table, where + tl.arange(0, B))
)";
  std::ofstream(folder / "ops" / "cells.py") << header << R"(
@triton.jit
def fetch(base, index):
    return tl.load(base + index)
)";
  const std::string source = header + R"(
from ops import pick

@triton.jit
def kernel(Source, Begin, Out, B: tl.constexpr):
    value = pick(Source, Begin, B)
    tl.store(Out + tl.arange(0, B), value)
)";
  Emitted emitted = emit(source, {}, (folder / "kernel.py").string());
  fs::remove_all(folder);
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["Source"] == "*fp32:16");
  CHECK(emitted.signature["Begin"] == "i32:16");
}

TEST_CASE("an extent that a caller may know is a constexpr", "[compiler]") {
  Emitted emitted = emitFunction("total", R"(
@triton.jit
def total(base, size, width):
    sums = tl.full((width,), 0.0, tl.float32)
    return sums + tl.load(base + size)
)");
  INFO(emitted.messages());
  REQUIRE(emitted.diagnostics.empty());
  CHECK(std::stoi(emitted.constexprs["width"]) > 0);
}
