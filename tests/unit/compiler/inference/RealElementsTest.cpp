// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an array holds, where numbers with a fraction stand in for its elements.
#include "compiler/inference/SignatureInference.h"
#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

static std::map<std::string, std::string> signatureOf(const std::string &kernel) {
  auto tree =
      ast::parseModule("import triton\nimport triton.language as tl\n@triton.jit\n" + kernel);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  return inferSelection(index, index.functions.back(), {}).selection.signature;
}

TEST_CASE("where the largest number is does not make it an index", "[compiler]") {
  const auto signature = signatureOf(R"(
def topk(x_ptr, val_ptr, idx_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=0)
    for k in tl.static_range(K):
        v, i = tl.max(x, axis=0, return_indices=True)
        tl.store(val_ptr + row * K + k, v)
        tl.store(idx_ptr + row * K + k, i)
        x = tl.where(c == i, -1, x)
)");
  CHECK(signature.at("x_ptr") == "*fp32:16");
  CHECK(signature.at("idx_ptr") == "*i64:16");
}

TEST_CASE("infinity stands in for floats, whatever they are compared with", "[compiler]") {
  const std::string kernel = R"(
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + c, mask=c < n, other=FILLER)
    tl.store(y_ptr + c, tl.where(x == c, 1, 0), mask=c < n)
)";
  for (const auto &[filler, type] :
       {std::pair("0", "*i64:16"), {"float('-inf')", "*fp32:16"}, {"-float('inf')", "*fp32:16"}}) {
    std::string text = kernel;
    text.replace(text.find("FILLER"), 6, filler);
    INFO(filler);
    CHECK(signatureOf(text).at("x_ptr") == type);
  }
  // What is cast first may be anything.
  CHECK(signatureOf(R"(
def k(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + c, mask=c < n, other=0)
    x = ((x >> 4) & 15).to(tl.float32)
    tl.store(y_ptr + c, tl.where(c < n, x, float("-inf")))
)")
            .at("x_ptr") == "*i32:16");
}

TEST_CASE("a table of rows holds data, and one of blocks indices", "[compiler]") {
  const std::string kernel = R"(
def embed(ids_ptr, TABLE, out_ptr, dim, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    row = tl.load(ids_ptr + pid)
    c = tl.arange(0, BLOCK)
    x = tl.load(TABLE + row.to(tl.int64) * dim + c, mask=c < dim)
    tl.store(out_ptr + pid * dim + c, x, mask=c < dim)
)";
  for (const auto &[name, type] :
       {std::pair("table_ptr", "*fp32:16"), {"block_table_ptr", "*i64:16"}}) {
    std::string text = kernel;
    for (size_t at = 0; (at = text.find("TABLE", at)) != std::string::npos;)
      text.replace(at, 5, name);
    CHECK(signatureOf(text).at(name) == type);
  }
  // A number with a fraction in place of the elements that a mask leaves out says more than a name.
  CHECK(signatureOf(R"(
def k(targets_ptr, y_ptr, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    t = tl.load(targets_ptr + c, mask=c < n, other=0.0)
    tl.store(y_ptr + c, t, mask=c < n)
)")
            .at("targets_ptr") == "*fp32:16");
}

TEST_CASE("what is clipped to a parameter says its type, and indices do not", "[compiler]") {
  const auto signature = signatureOf(R"(
def clip(x, y, n, lo, hi, first, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    i = start + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < min(n - start, first), other=0.0)
    v = max(v, lo)
    v = min(v, hi)
    tl.store(y + i, v, mask=i < n)
)");
  CHECK(signature.at("lo") == "fp32");
  CHECK(signature.at("hi") == "fp32");
  CHECK(signature.at("first").starts_with("i32"));
}

TEST_CASE("what is stored was cast before, or where it is stored", "[compiler]") {
  const auto signature = signatureOf(R"(
def quantize(x_ptr, q_ptr, h_ptr, f_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    y = tl.load(x_ptr + i)
    tl.store(f_ptr + i, y)
    y = tl.where(y >= 0, y + 0.5, y - 0.5).to(tl.int8)
    tl.store(q_ptr + i, y)
    total = y.to(tl.float16)
    total += 1
    tl.store(h_ptr + i, total)
)");
  CHECK(signature.at("q_ptr") == "*i8:16");
  CHECK(signature.at("f_ptr") == "*fp32:16");
  // It was added to since.
  CHECK(signature.at("h_ptr") == "*fp32:16");
}

TEST_CASE("what counts elements is stored in integers, and what is divided is none", "[compiler]") {
  const auto signature = signatureOf(R"(
def k(x_ptr, at_ptr, hist_ptr, n, low, width, BINS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + c, mask=c < n)
    tl.store(at_ptr + tl.program_id(0), tl.argmax(x, axis=0))
    b = ((x - low) / width * BINS).to(tl.int32)
    tl.atomic_add(hist_ptr + b, 1, mask=c < n)
)");
  CHECK(signature.at("x_ptr") == "*fp32:16");
  CHECK(signature.at("at_ptr") == "*i32:16");
  CHECK(signature.at("hist_ptr") == "*i32:16");
}
