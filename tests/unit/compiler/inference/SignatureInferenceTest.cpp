// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/SignatureInference.h"

#include "compiler/syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::inference;

static InferredSelection infer(const std::string &source, const Selection &given = {}) {
  auto tree = ast::parseModule("import triton\nimport triton.language as tl\n" + source);
  REQUIRE(tree->diagnostics.empty());
  ast::ModuleIndex index = ast::indexModule(*tree);
  REQUIRE_FALSE(index.functions.empty());
  return inferSelection(index, index.functions.back(), given);
}

using Map = std::map<std::string, std::string>;

TEST_CASE("an elementwise kernel needs no words", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def scale(x_ptr, y_ptr, n, factor, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, x * factor, mask=mask)
)");
  CHECK(result.selection.signature ==
        Map{{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"n", "i32:16"}, {"factor", "fp32"}});
  CHECK(result.selection.constexprs == Map{{"BLOCK", "1024"}});
  CHECK(result.selection.kernel == "scale");
  REQUIRE(result.assumptions.size() == 5);
  CHECK(sentence(result.assumptions[0]) == "`x_ptr` is `*fp32:16`: it is loaded from");
}

TEST_CASE("pointers are found by use, whatever they are called", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def helper(source, where):
    return tl.load(source + where)

@triton.jit
def kernel(A, B, Out, Idx, start, N: tl.constexpr):
    a = A + start
    cols = tl.arange(0, N)
    index = tl.load(Idx + cols)
    value = tl.load(a + index) + helper(B, cols)
    tl.store(Out + cols, value.to(tl.float16))
)");
  CHECK(result.selection.signature == Map{{"A", "*fp32:16"},
                                          {"B", "*fp32:16"},
                                          {"Out", "*fp16:16"},
                                          {"Idx", "*i64:16"},
                                          {"start", "i32:16"}});
}

TEST_CASE("a scalar is what the functions that it is handed to combine it with", "[compiler]") {
  const InferredSelection result = infer(R"(
@triton.jit
def scale(value, factor):
    return value * factor

@triton.jit
def both(value, factor):
    return scale(value, factor)

@triton.jit
def axpy(x_ptr, o_ptr, a, b, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(o_ptr + scale(i, 1), scale(x, a) + both(x, b), mask=i < n)
)");
  CHECK(result.selection.signature.at("a") == "fp32");
  CHECK(result.selection.signature.at("b") == "fp32");
}

TEST_CASE("a matrix product has half-precision operands and unit strides", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
           stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
           GROUP_M: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + rows[:, None] * stride_am + inner[None, :] * stride_ak
    b_tile = b_ptr + inner[:, None] * stride_bk + cols[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_tile)
        b = tl.load(b_tile)
        acc += tl.dot(a, b)
        a_tile += BLOCK_K * stride_ak
        b_tile += BLOCK_K * stride_bk
    c_tile = c_ptr + rows[:, None] * stride_cm + cols[None, :] * stride_cn
    tl.store(c_tile, acc, mask=(rows[:, None] < M) & (cols[None, :] < N))
)");
  const Map &types = result.selection.signature;
  CHECK(types.at("a_ptr") == "*fp16:16");
  CHECK(types.at("b_ptr") == "*fp16:16");
  CHECK(types.at("c_ptr") == "*fp32:16");
  CHECK(types.at("K") == "i32:16");
  CHECK(types.at("stride_am") == "i32:16");
  CHECK(types.at("stride_ak") == "i32:1");
  CHECK(types.at("stride_cn") == "i32:1");
  CHECK(result.selection.constexprs ==
        Map{{"BLOCK_M", "128"}, {"BLOCK_N", "64"}, {"BLOCK_K", "32"}, {"GROUP_M", "8"}});
}

TEST_CASE("annotations, defaults and what was given come first", "[compiler]") {
  Selection given;
  given.signature["x_ptr"] = "*bf16";
  given.constexprs["BLOCK"] = "256";
  InferredSelection result = infer(R"(
@triton.jit
def kernel(x_ptr, y: tl.const, n: tl.int64, count: "i32", eps=1e-5, flag=True, bias=None,
           BLOCK: tl.constexpr = 64, OTHER: tl.constexpr = 2):
    tl.store(x_ptr + n, tl.load(y + count) + eps)
)",
                                   given);
  CHECK(result.selection.signature == Map{{"x_ptr", "*bf16"},
                                          {"y", "*kfp32:16"},
                                          {"n", "i64"},
                                          {"count", "i32"},
                                          {"eps", "fp32"},
                                          {"flag", "u1"},
                                          {"bias", "constexpr"}});
  CHECK(result.selection.constexprs == Map{{"BLOCK", "256"}});
}

TEST_CASE("the first autotune configuration provides constants and options", "[compiler]") {
  InferredSelection result = infer(R"(
SIZES = [128, 256]
CONFIGS = [triton.Config({'BLOCK': size}, num_warps=8, num_stages=2) for size in SIZES]

@triton.autotune(configs=CONFIGS, key=['n'])
@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)
)");
  CHECK(result.selection.constexprs == Map{{"BLOCK", "128"}});
  CHECK(result.selection.options == Map{{"num_warps", "8"}, {"num_stages", "2"}});
}

TEST_CASE("constexprs are guessed from what they are used for", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(x_ptr, ACT: tl.constexpr, TYPE: tl.constexpr, IS_CAUSAL: tl.constexpr, SKIP: tl.constexpr,
           FN: tl.constexpr, BIAS: tl.constexpr, num_warps: tl.constexpr, EPS: tl.constexpr,
           N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N)).to(TYPE)
    if ACT == "relu":
        x = tl.maximum(x, 0.0)
    if not SKIP and IS_CAUSAL:
        x = FN(x)
    if BIAS is not None:
        x = x / EPS
    tl.store(x_ptr + tl.arange(0, N), x)
)");
  CHECK(result.selection.constexprs == Map{{"ACT", "'relu'"},
                                           {"TYPE", "tl.float32"},
                                           {"IS_CAUSAL", "True"},
                                           {"SKIP", "True"},
                                           {"BIAS", "None"},
                                           {"num_warps", "4"},
                                           {"EPS", "0.01"},
                                           {"N", "1024"}});
}

TEST_CASE("globals in a circle do not hang", "[compiler]") {
  InferredSelection result = infer(R"(
A = B
B = A
@triton.autotune(configs=A, key=[])
@triton.jit
def kernel(x_ptr, n=A):
    p = x_ptr
    p = p + n
    tl.store(p, 0.0)
)");
  CHECK(result.selection.signature.at("x_ptr") == "*fp32:16");
}

TEST_CASE("what an address is computed from is an integer", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def gather(index_ptr, lens_ptr, x_ptr, out_ptr, pitch, heads, scale, BLOCK: tl.constexpr):
    rows = tl.load(index_ptr + tl.arange(0, BLOCK))
    length = tl.load(lens_ptr)
    for i in range(0, length, BLOCK):
        x = tl.load(x_ptr + rows * pitch + i)
        tl.store(out_ptr + rows // heads, x * scale)
)");
  const Map &types = result.selection.signature;
  CHECK(types.at("pitch") == "i32:16");
  CHECK(types.at("heads") == "i32:16");
  CHECK(types.at("scale") == "fp32");
  CHECK(types.at("index_ptr") == "*i64:16");
  CHECK(types.at("lens_ptr") == "*i64:16");
}

TEST_CASE("operators tell what memory holds", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(packed, keep, left, right, raw, mx, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    nibbles = (tl.load(packed + i) >> 4) & 15
    wanted = tl.load(keep + i) & (i < 3)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.int32)
    acc += tl.dot(tl.load(left + i), tl.load(right + i))
    s = tl.dot_scaled(tl.load(raw), tl.load(mx), "e4m3", tl.load(raw), None, "e4m3")
    tl.store(out + i, nibbles, mask=wanted)
)");
  const Map &types = result.selection.signature;
  CHECK(types.at("packed") == "*i32:16");
  CHECK(types.at("keep") == "*i1:16");
  CHECK(types.at("left") == "*i8:16");
  CHECK(types.at("right") == "*i8:16");
  CHECK(types.at("raw") == "*u8:16");
  CHECK(types.at("mx") == "*u8:16");
}

TEST_CASE("remainders are of integers, unless a float says otherwise", "[compiler]") {
  const InferredSelection result = infer(R"(
@triton.jit
def kernel(keys, sizes, angles, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bucket = tl.load(keys + i) % tl.load(sizes)
    turn = tl.load(angles + i) % 6.25
    tl.store(out + bucket, turn)
)");
  const Map &types = result.selection.signature;
  CHECK(types.at("keys") == "*i64:16");
  CHECK(types.at("sizes") == "*i64:16");
  CHECK(types.at("angles") == "*fp32:16");
}

TEST_CASE("descriptors have the extents that their offsets step by", "[compiler]") {
  Selection given;
  given.constexprs = {{"BLOCK_M", "128"}, {"BLOCK_K", "32"}};
  InferredSelection result = infer(R"(
@triton.jit
def kernel(a_desc, c_desc, K, BLOCK_M: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M
    acc = tl.zeros((BLOCK_M, BLOCK_M), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = a_desc.load([row, k])
        acc = tl.dot(a, a.T, acc)
    c_desc.store([row, row], acc.to(tl.float16))
)",
                                   given);
  const Map &types = result.selection.signature;
  CHECK(types.at("a_desc") == "tensordesc<fp16[128,32]>");
  CHECK(types.at("c_desc") == "tensordesc<fp16[128,128]>");
}

TEST_CASE("configurations are found in comprehensions and functions", "[compiler]") {
  const char *kernel = R"(
def k(x, BLOCK: tl.constexpr, SPLIT: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), SPLIT)
)";
  InferredSelection listed = infer(std::string(R"(
SIZES = [256, 512]
@triton.autotune(
    [triton.Config({"BLOCK": size, "SPLIT": s}, num_warps=w, pre_hook=unknown(size))
     for size in SIZES for s in (3, 5) for w in [2, 4]],
    key=["x"])
@triton.jit)") + kernel);
  CHECK(listed.selection.constexprs == Map{{"BLOCK", "256"}, {"SPLIT", "3"}});
  CHECK(listed.selection.options == Map{{"num_warps", "2"}});
  InferredSelection made = infer(std::string(R"(
def configs():
    result = []
    for size in [32, 64]:
        result.append(triton.Config(kwargs={"BLOCK": size * 2, "SPLIT": 7}, num_stages=2))
    return result
@some.library_tuner(configs=configs(), key=["x"])
@triton.jit)") + kernel);
  CHECK(made.selection.constexprs == Map{{"BLOCK", "64"}, {"SPLIT", "7"}});
  CHECK(made.selection.options == Map{{"num_stages", "2"}});
}

TEST_CASE("constants follow from comparisons, exponents and keywords", "[compiler]") {
  const char *source = R"(
@triton.jit
def k(x, MODE: tl.constexpr, BITS: tl.constexpr, ROUNDS: tl.constexpr, POLICY: tl.constexpr,
      USE_Y: tl.constexpr, y=None):
    for i in tl.static_range(ROUNDS):
        if MODE == 2:
            tl.store(x + i, 1 << BITS, eviction_policy=POLICY)
    if USE_Y:
        tl.store(y, 0)
)";
  InferredSelection result = infer(source);
  CHECK(result.selection.constexprs ==
        Map{{"MODE", "2"}, {"BITS", "4"}, {"ROUNDS", "4"}, {"POLICY", "''"}, {"USE_Y", "True"}});
  CHECK(result.selection.signature.at("y") == "*fp32:16");
  auto tree =
      ast::parseModule("import triton\nimport triton.language as tl\n" + std::string(source));
  ast::ModuleIndex index = ast::indexModule(*tree);
  InferredSelection absent =
      inferSelection(index, index.functions.back(), {}, {.isComplete = false});
  CHECK(absent.selection.constexprs.at("USE_Y") == "False");
  CHECK(absent.selection.signature.at("y") == "constexpr");
}

TEST_CASE("parameters of device functions are blocks where the body needs them", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def row_sum(m, v, where, flag):
    tl.store(where, tl.sum(v), mask=flag)
    return tl.sum(m, axis=1) + tl.dot(m, m)
)");
  CHECK(result.selection.signature ==
        Map{{"m", "fp16[64,64]"}, {"v", "fp32[64]"}, {"where", "*fp32:16"}, {"flag", "u1"}});
}

TEST_CASE("what has methods of arrays is a pointer in a function that returns", "[compiler]") {
  CHECK(infer("@triton.jit\ndef f(x):\n    return x.mean(axis=1)\n").selection.signature ==
        Map{{"x", "*fp32:16"}});
}

TEST_CASE("what a launched kernel takes for an array is a pointer", "[compiler]") {
  InferredSelection result = infer(R"(
import numpy as np

@triton.jit
def k(x, y, z, w, n, out):
    a = x.T
    b = np.mean(y)
    tl.store(out, tl.sum(z, axis=0) / n + w.mean())
)");
  CHECK(infer(R"(
@triton.jit
def k(a, b, c, n):
    c = a + b
    tl.store(c, a + b)
)")
            .selection.signature ==
        Map{{"a", "*fp32:16"}, {"b", "*fp32:16"}, {"c", "*fp32:16"}, {"n", "i32"}});
  CHECK(result.selection.signature == Map{{"x", "*fp32:16"},
                                          {"y", "*fp32:16"},
                                          {"z", "*fp32:16"},
                                          {"w", "*fp32:16"},
                                          {"n", "fp32"},
                                          {"out", "*fp32:16"}});
}

TEST_CASE("a function that one jitted by hand calls gets blocks", "[compiler]") {
  constexpr const char *kSource = R"(
@triton.jit
def rotate(x_ptr, cos, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i[:, None] * N + i[None, :]).to(cos.dtype)
    tl.store(x_ptr + i[:, None] * N + i[None, :], x * cos[None, :])

def kernel(x_ptr, cos_ptr, N: tl.constexpr):
    rotate(x_ptr + tl.program_id(0) * N * N, tl.load(cos_ptr + tl.arange(0, N)), N)

kernel = triton.jit(kernel)
)";
  CHECK(infer(kSource).selection.signature.at("cos") == "fp32[64]");
}

TEST_CASE("sums that start as integers are of numbers named so, or of blocks of them",
          "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def k(counts, bits, values, scores, out, STAGE: tl.constexpr, TAPS: tl.constexpr):
    total = 0
    sum = 0
    many = tl.zeros([TAPS], dtype=tl.int32)
    many += tl.load(bits + tl.arange(0, TAPS))
    best = 0.0
    for i in tl.static_range(TAPS):
        total += tl.load(counts + i)
        sum += tl.load(values + i)
        best += tl.load(scores + i)
    tl.store(out + tl.arange(0, TAPS), total * best * STAGE)
)");
  CHECK(result.selection.signature == Map{{"counts", "*i64:16"},
                                          {"bits", "*i32:16"},
                                          {"values", "*fp32:16"},
                                          {"scores", "*fp32:16"},
                                          {"out", "*fp32:16"}});
  CHECK(result.selection.constexprs == Map{{"STAGE", "3"}, {"TAPS", "16"}});
}

TEST_CASE("branches and device functions tell about all that reaches them", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def product(q, kt):
    return tl.dot(q, kt)

@triton.jit
def k(a, b, out, q_ptr, pitch, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = out
    row += pitch
    tl.store(row, 0.0)
    if tl.program_id(0) == 0:
        source = a
    else:
        source = b
    count = 0
    count = count + tl.load(source + i)
    q = tl.load(q_ptr + i[:, None] * BLOCK + i[None, :])
    tl.store(out + i, count + tl.sum(product(q, q), 1))
)");
  const Map &types = result.selection.signature;
  CHECK(types.at("a") == "*fp32:16");
  CHECK(types.at("b").starts_with("*"));
  CHECK(types.at("q_ptr") == "*fp16:16");
  CHECK(types.at("pitch") == "i32:16");
}

TEST_CASE("values that depend on each other in many ways are followed once", "[compiler]") {
  // Twice as many ways from each line to the first: 2^60 in all.
  std::string source = "@triton.jit\ndef k(p, q, n):\n    a = tl.load(p + n)\n    o = n\n";
  for (int i = 0; i < 60; ++i)
    source += "    a = a * 2 + a\n    o = o + o\n";
  source += "    tl.store(q + o, tl.dot(a, a) > 0)\n";
  CHECK(infer(source).selection.signature.at("p") == "*fp16:16");
}

TEST_CASE("items that are taken out of a parameter make it a tuple", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(sources, strides, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row, col = strides
    value = tl.load(sources[0] + i * row) + tl.load(sources[1] + i * col)
    tl.store(out + i, value)
)");
  CHECK(result.selection.signature["sources"] == "(*fp32:16, *fp32:16)");
  CHECK(result.selection.signature["strides"] == "(i32, i32)");
}

TEST_CASE("what is indexed like an array is a pointer", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(x, y, out, z_ptr, sizes, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    out[i] = x[i, 0] + y[i] + z_ptr[0]
    for axis in tl.static_range(2):
        n = sizes[axis]
)");
  CHECK(result.selection.signature["x"] == "*fp32:16");
  CHECK(result.selection.signature["y"] == "*fp32:16");
  CHECK(result.selection.signature["out"] == "*fp32:16");
  CHECK(result.selection.signature["z_ptr"] == "*fp32:16");
  CHECK(result.selection.signature["sizes"].starts_with("(i32"));
}

TEST_CASE("a descriptor that is stepped through one by one has blocks of one", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(source, out, BLOCK_K: tl.constexpr):
    batch = tl.program_id(0)
    for k in range(4):
        block = source.load([batch, k * BLOCK_K])
        out.store([batch, k * BLOCK_K], block)
)");
  CHECK(result.selection.signature["source"] == "tensordesc<fp32[1,1024]>");
}

TEST_CASE("what divides an extent is small", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(out, BLOCK_M: tl.constexpr, SLICES: tl.constexpr):
    PART: tl.constexpr = BLOCK_M // SLICES
    tl.store(out + tl.arange(0, PART), 0.0)
)");
  // It is an extent itself here: of a range.
  CHECK(std::stoi(result.selection.constexprs["SLICES"]) <
        std::stoi(result.selection.constexprs["BLOCK_M"]));
}

TEST_CASE("descriptors are found by functions of the language too", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(source, out, x, pitch, size, BLOCK_M: tl.constexpr, BLOCK_K: tl.constexpr):
    block = tl.load_tensor_descriptor(source, [tl.program_id(0) * BLOCK_M, 4 * BLOCK_K])
    tl.store_tensor_descriptor(out, (0, 0), block.to(tl.bfloat16))
    more = tl.make_tensor_descriptor(x, [size, size], [size, pitch], [BLOCK_M, BLOCK_K])
)");
  CHECK(result.selection.signature["source"] == "tensordesc<fp32[128,32]>");
  CHECK(result.selection.signature["out"] == "tensordesc<bf16[64,64]>");
  CHECK(result.selection.signature["pitch"] == "i32:1");
  CHECK(result.selection.signature["size"] == "i32:16");
}

TEST_CASE("hints for loops have usual values", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def kernel(out, UNROLL: tl.constexpr, DEPTH: tl.constexpr):
    for i in tl.range(0, 4, loop_unroll_factor=UNROLL, num_stages=DEPTH):
        tl.store(out + i, 0.0)
)");
  CHECK(result.selection.constexprs == Map{{"UNROLL", "1"}, {"DEPTH", "2"}});
}

TEST_CASE("a type compared with a constexpr type is a type", "[compiler]") {
  InferredSelection result = infer(R"(
@triton.jit
def limit(kind):
    return 1.0 if kind == tl.constexpr(tl.float8e5) else 2.0
)");
  CHECK(result.selection.constexprs["kind"] == "tl.float32");
}
