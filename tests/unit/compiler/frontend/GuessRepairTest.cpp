// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/frontend/FrontendTestSupport.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

static Emitted emitGuessed(const std::string &body, const Selection &given = {}) {
  Emitted emitted = emit("import triton\nimport triton.language as tl\n" + body, given);
  INFO(emitted.messages());
  return emitted;
}

/// The sentence about `name`.
static std::string assumptionAbout(const Emitted &emitted, const std::string &name) {
  std::string found;
  for (const std::string &sentence : emitted.assumptions)
    if (sentence.starts_with("`" + name + "` "))
      found += sentence;
  return found;
}

TEST_CASE("an error changes the element type of what it depends on", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i)
    flipped = ~value
    tl.store(y + i, flipped)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["x"] == "*i32:16");
  CHECK(assumptionAbout(emitted, "x").find("line 8") != std::string::npos);
}

TEST_CASE("an error in a called function changes the argument of the call", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def low(packed):
    nibble = packed
    inverse = ~nibble
    return inverse

@triton.jit
def kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, low(tl.load(x + i)))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["x"] == "*i32:16");
}

TEST_CASE("extents that must agree are made to agree", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, y, ROWS: tl.constexpr, K: tl.constexpr, HALF: tl.constexpr):
    i = tl.arange(0, ROWS)
    j = tl.arange(0, K)
    block = tl.load(x + i[:, None] * K + j[None, :])
    parts = tl.reshape(block, (ROWS, HALF, 2))
    total = tl.sum(parts, axis=2)
    k = tl.arange(0, HALF)
    tl.store(y + i[:, None] * HALF + k[None, :], total)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(std::stoi(emitted.constexprs["K"]) == 2 * std::stoi(emitted.constexprs["HALF"]));
}

TEST_CASE("static assertions choose constants", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, N: tl.constexpr):
    tl.static_assert(N == 128)
    tl.store(x + tl.arange(0, N), 0.0)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.constexprs["N"] == "128");
}

TEST_CASE("quotients of guessed extents are not empty ranges", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, ROWS: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, ROWS)
    j = tl.arange(0, N // 128)
    tl.store(x + i[:, None] + j[None, :], 0.0)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(std::stoi(emitted.constexprs["N"]) >= 128);
}

TEST_CASE("tuples are found by what is done with them", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, strides, B: tl.constexpr):
    i = tl.arange(0, B)
    outer, inner = strides
    tl.store(x + i * outer + inner, 0.0)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["strides"] == "(i32, i32)");
}

TEST_CASE("blocks that guesses made too large become smaller", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    where = i[:, None] * n + i[None, :]
    tl.store(x + where, 0.0)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(std::stoi(emitted.constexprs["BLOCK"]) <= 128);
  CHECK(assumptionAbout(emitted, "BLOCK").find("elements") != std::string::npos);
}

TEST_CASE("what is given is never changed", "[compiler]") {
  Selection given;
  given.signature["x"] = "*fp32:16";
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, ~tl.load(x + i))
)",
                                given);
  CHECK(emitted.text.empty());
  CHECK(emitted.signature["x"] == "*fp32:16");
  REQUIRE(emitted.diagnostics.size() == 1);
  CHECK(emitted.diagnostics[0].message.find("~") != std::string::npos);

  given = {};
  given.constexprs["BLOCK"] = "1024";
  Emitted large = emitGuessed(R"(
@triton.jit
def kernel(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i[:, None] * n + i[None, :], 0.0)
)",
                              given);
  CHECK(large.constexprs["BLOCK"] == "1024");
}

TEST_CASE("errors that no guess mends are those of the first guess", "[compiler]") {
  const std::string kernel = R"(
@triton.jit
def kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.load(x + i) + missing)
)";
  Emitted emitted = emitGuessed(kernel);
  REQUIRE(emitted.diagnostics.size() == 1);
  CHECK(emitted.diagnostics[0].kind == DiagnosticKind::UndefinedName);
  CHECK(emitted.signature["x"] == "*fp32:16");
}

TEST_CASE("what is wrong after a repaired guess is still said", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    flipped = ~tl.load(x + i)
    tl.store(y + i, flipped + missing)
)");
  REQUIRE(emitted.diagnostics.size() == 1);
  CHECK(emitted.diagnostics[0].kind == DiagnosticKind::UndefinedName);
  CHECK(emitted.signature["x"] == "*i32:16");
}

TEST_CASE("what a body takes out of `**meta` are constants", "[compiler]") {
  const std::string body = R"(
@triton.jit
def kernel(X, Y, n, **meta):
    BLOCK = meta['BLOCK']
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + i, mask=i < n)
    if meta['ACTIVATION'] == 'relu':
        x = tl.maximum(x, 0.0)
    tl.store(Y + i, x, mask=i < n)
)";
  Emitted emitted = emitGuessed(body);
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.constexprs["BLOCK"] == "1024");
  CHECK(emitted.constexprs["ACTIVATION"] == "'relu'");
  CHECK(emitted.text.find("arith.max") != std::string::npos);

  Emitted launched = emitGuessed(body + R"(
def run(x, y, n):
    kernel[(n,)](x, y, n, BLOCK=256, ACTIVATION='none')
)");
  REQUIRE(launched.diagnostics.empty());
  CHECK(launched.constexprs["BLOCK"] == "256");
  CHECK(assumptionAbout(launched, "BLOCK") ==
        "`BLOCK` = `256`: the file launches the kernel this way");
  CHECK(launched.text.find("arith.max") == std::string::npos);
}

TEST_CASE("the whole of `**meta` can be passed on", "[compiler]") {
  const std::string body = R"(
@triton.jit
def row(X, META):
    return tl.load(X + tl.arange(0, META['BLOCK']))

@triton.jit
def kernel(X, Y, **META):
    tl.store(Y + tl.arange(0, META['BLOCK']), row(X, META))
)";
  CHECK(emitGuessed(body).diagnostics.empty());
  Emitted alone = emitGuessed(body, {.kernel = "row"});
  REQUIRE(alone.diagnostics.empty());
  CHECK(alone.constexprs["META"] == "{'BLOCK': 1024}");
}

TEST_CASE("what stands in for Triton where it is missing does not hide it", "[compiler]") {
  Emitted emitted = emit(R"(
try:
    import triton
    import triton.language as tl
    HAVE_TRITON = True
except ImportError:
    HAVE_TRITON = False
if not HAVE_TRITON:
    triton = MagicMock()
    tl = MagicMock()

@triton.jit
def kernel(x):
    tl.store(x, 1.0)
)");
  CHECK(emitted.kernels == std::vector<std::string>{"kernel"});
  CHECK(emitted.diagnostics.empty());
}

TEST_CASE("operators have names, and shifts make bits of what is loaded", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(packed, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, tl.load(packed + i).__lshift__(4).__rshift__(4))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(inOrder(emitted.text, {"arith.shli", "arith.shr"}));
}

TEST_CASE("the pointee of an address is a dtype", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(addresses, y, KIND: tl.constexpr):
    row = tl.load(addresses + tl.program_id(0)).to(tl.pointer_type(KIND))
    tl.store(y, tl.load(row))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.constexprs["KIND"] == "fp32");
}

TEST_CASE("a default of the language's own constants says what a flag is", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def ordered(x, descending: tl.constexpr = tl.core.CONSTEXPR_0):
    return -x if descending else x

@triton.jit
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, ordered(tl.load(x + i)))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK_FALSE(inOrder(emitted.text, {"arith.negf"}));
}

TEST_CASE("branches that disagree about a variable ask for what is put into it", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(out, flags, first, second):
    row = tl.program_id(0)
    if tl.load(flags + row) > 0.5:
        chosen = tl.load(first + row).to(tl.int32)
    else:
        chosen = tl.load(second + row)
    tl.store(out + row, chosen)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["second"] == "*i32:16");
  CHECK(emitted.signature["flags"] == "*fp32:16");
}

TEST_CASE("several variables of one branch are mended one after another", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(out, a, b, limit):
    row = tl.program_id(0)
    low = tl.load(a + row)
    high = tl.load(b + row)
    if row > limit:
        low = 0
        high = 0
    tl.store(out + row, low + high)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["a"] == "*i32:16");
  CHECK(emitted.signature["b"] == "*i32:16");
}

TEST_CASE("an assertion about a type chooses what it asks for", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def count(bits):
    tl.static_assert(bits.dtype == tl.uint32, "packed")
    return tl.sum(bits & 1, 0)

@triton.jit
def kernel(x, out, B: tl.constexpr):
    tl.store(out, count(tl.load(x + tl.arange(0, B))))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["x"] == "*u32:16");
}

TEST_CASE("a type that nothing but comparisons allow is one of those", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def largest(kind: tl.constexpr):
    if kind == tl.float8e4nv:
        return 448.0
    elif kind == tl.float8e5:
        return 57344.0
    else:
        tl.static_assert(False, "unknown kind")

@triton.jit
def kernel(out, KIND: tl.constexpr):
    tl.store(out, largest(KIND))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.constexprs["KIND"] == "fp8e4nv");
}

TEST_CASE("a function without a module's name is one of the language's", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, y, ACT: tl.constexpr, JOIN: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i)
    tl.store(y + i, JOIN(ACT(value), value))
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.constexprs["ACT"] == "<function sigmoid>");
  CHECK(emitted.constexprs["JOIN"] == "<function maximum>");
}

TEST_CASE("values and pointers to values change their type together", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(out, factors, x, filler, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i)
    value = tl.where(value > 0, value, filler)
    product = value * tl.load(factors + i)
    tl.store(out + i, ~product)
)");
  REQUIRE(emitted.diagnostics.empty());
  for (const char *name : {"factors", "x"})
    CHECK(emitted.signature[name].starts_with("*i"));
  CHECK(emitted.signature["filler"].starts_with("i"));
}

TEST_CASE("blocks get the shape that is asked of them", "[compiler]") {
  Emitted reshaped = emitGuessed(R"(
@triton.jit
def tiles(x):
    return tl.reshape(x, (4, 8, 16))

@triton.jit
def unrelated():
    pass
)",
                                 {.kernel = "tiles"});
  REQUIRE(reshaped.diagnostics.empty());
  CHECK(reshaped.signature["x"] == "fp32[512]");
  Emitted asserted = emitGuessed(R"(
@triton.jit
def packed(x):
    tl.static_assert(x.shape[1] % 128 == 0, "full rows only")
    return x * 2

@triton.jit
def unrelated():
    pass
)",
                                 {.kernel = "packed"});
  REQUIRE(asserted.diagnostics.empty());
  CHECK(asserted.signature["x"] == "fp32[64,128]");
}

TEST_CASE("a default that cannot be worked out is guessed", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
import torch
from somewhere import best_type
limits = torch.finfo(best_type())

@triton.jit
def kernel(x, y, B: tl.constexpr, LOW: tl.constexpr = limits.min, HIGH: tl.constexpr = limits.max):
    i = tl.arange(0, B)
    tl.store(y + i, tl.maximum(tl.load(x + i), LOW) * HIGH)
)");
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.constexprs["LOW"] == "1.0");
  CHECK(emitted.constexprs["HIGH"] == "1.0");
}

TEST_CASE("the wider factor of a product becomes as narrow as the other", "[compiler]") {
  Emitted emitted = emitGuessed(R"(
@triton.jit
def kernel(x, y, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tile = i[:, None] * B + i[None, :]
    left = tl.load(x + tile).to(tl.float16)
    right = tl.load(y + tile)
    if B > 8:
        right = right + 0.5
    tl.store(out + tile, tl.dot(left, tl.trans(right)))
)",
                                {.signature = {{"x", "*fp16:16"}}});
  REQUIRE(emitted.diagnostics.empty());
  CHECK(emitted.signature["y"] == "*fp16:16");
}
