// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for kernels whose files say nothing about one.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

/// `strides`: arguments that are integers of which nothing is known.
static SuggestedLaunch suggest(const std::string &parameters, const std::string &body,
                               const std::vector<std::string> &strides = {},
                               const std::map<std::string, std::string> &signature = {}) {
  std::map<std::string, std::string> stated = signature;
  for (const std::string &name : strides)
    stated[name] = "i32";
  return tests::compileKernel(parameters, body, stated, StageId::Ttir).result.suggestion;
}

static int64_t sizeOf(const SuggestedLaunch &launch, const std::string &name) {
  for (const SuggestedSize &size : launch.sizes)
    if (size.name == name)
      return size.value;
  return -1;
}

TEST_CASE("a vector is as long as the argument that masks it, its programs cover it",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x_ptr, o_ptr, n, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(o_ptr + i, x, mask=i < n)
)");
  // A rest is left in the last block.
  CHECK(launch.sizes == std::vector<SuggestedSize>{{"n", 4000}});
  CHECK(launch.tensors.at("x_ptr") == SuggestedTensor{{"n"}, false, true, false, "", false});
  CHECK(launch.tensors.at("o_ptr") == SuggestedTensor{{"n"}, false, false, true, "", false});
  CHECK(launch.integers == std::map<std::string, std::string>{{"n", "n"}});
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)"});
}

/// Sums of rows, in blocks.
static constexpr const char *kRowSums = R"(    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0))
    tl.store(sum_ptr + row, total)
)";

TEST_CASE("rows: a program for each, a stride between them", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x_ptr, sum_ptr, row_stride, n, BLOCK: tl.constexpr = 128", kRowSums);
  CHECK(launch.tensors.at("x_ptr").shape == Shape{"n_rows", "n"});
  CHECK(launch.tensors.at("sum_ptr").shape == Shape{"n_rows"});
  CHECK(launch.integers == std::map<std::string, std::string>{{"n", "n"}, {"row_stride", "n"}});
  CHECK(launch.grid == Shape{"n_rows"});
  CHECK(sizeOf(launch, "n") % 128 != 0);
}

TEST_CASE("a size that a loop goes over in blocks is larger than one", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x_ptr, sum_ptr, row_stride, n, BLOCK: tl.constexpr = 1024", kRowSums);
  // Several turns, and a rest in the last one.
  CHECK(sizeOf(launch, "n") > 2 * 1024);
  CHECK(sizeOf(launch, "n") % 1024 != 0);
}

TEST_CASE("a product of matrices: blocks of both sides on one axis, strides outer first",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("a, b, c, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, "
              "BLOCK_M: tl.constexpr = 32, BLOCK_N: tl.constexpr = 64, BLOCK_K: tl.constexpr = 16",
              R"(    pid = tl.program_id(0)
    columns = tl.cdiv(N, BLOCK_N)
    m = (pid // columns) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = (pid % columns) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a + m[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b + k[:, None] * stride_bk + n[None, :] * stride_bn
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, tl.cdiv(K, BLOCK_K)):
        inside = k < K - start * BLOCK_K
        x = tl.load(a_ptrs, mask=(m[:, None] < M) & inside[None, :], other=0.0)
        y = tl.load(b_ptrs, mask=inside[:, None] & (n[None, :] < N), other=0.0)
        total = tl.dot(x, y, total)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c + m[:, None] * stride_cm + n[None, :] * stride_cn
    tl.store(c_ptrs, total, mask=(m[:, None] < M) & (n[None, :] < N))
)",
              {"stride_am", "stride_ak", "stride_bk", "stride_bn", "stride_cm", "stride_cn"});
  CHECK(launch.tensors.at("a").shape == Shape{"M", "K"});
  CHECK(launch.tensors.at("b").shape == Shape{"K", "N"});
  CHECK(launch.tensors.at("c").shape == Shape{"M", "N"});
  CHECK(launch.integers == std::map<std::string, std::string>{{"M", "M"},
                                                              {"N", "N"},
                                                              {"K", "K"},
                                                              {"stride_am", "K"},
                                                              {"stride_ak", "1"},
                                                              {"stride_bk", "N"},
                                                              {"stride_bn", "1"},
                                                              {"stride_cm", "N"},
                                                              {"stride_cn", "1"}});
  CHECK(launch.grid == Shape{"cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"});
  // Exchanged sizes are seen.
  CHECK(sizeOf(launch, "M") != sizeOf(launch, "N"));
  CHECK(sizeOf(launch, "N") != sizeOf(launch, "K"));
  CHECK(sizeOf(launch, "M") % 32 != 0);
}

TEST_CASE("heads of a batch: as many dimensions as strides and steps", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("q, stride_z, stride_h, stride_m, n, D: tl.constexpr = 16, BLOCK: tl.constexpr = 32",
              R"(    m = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    base = q + tl.program_id(1) * stride_h + tl.program_id(2) * stride_z
    at = base + m[:, None] * stride_m + tl.arange(0, D)[None, :]
    tl.store(at, tl.load(at, mask=m[:, None] < n) * 2, mask=m[:, None] < n)
)",
              {"stride_z", "stride_h", "stride_m"});
  const Shape &shape = launch.tensors.at("q").shape;
  REQUIRE(shape.size() == 4);
  CHECK(shape[0] == "Z");
  CHECK(shape[1] == "H");
  CHECK(shape[2] == "n");
  CHECK(shape[3] == "D");
  CHECK(launch.integers.at("stride_z") == shape[1] + " * n * D");
  CHECK(launch.integers.at("stride_h") == "n * D");
  CHECK(launch.integers.at("stride_m") == "D");
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)", shape[1], shape[0]});
  CHECK(sizeOf(launch, shape[0]) < 5);
}

TEST_CASE("a block pointer says its strides itself", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, rows, columns, stride, B: tl.constexpr = 32",
              R"(    block = tl.make_block_ptr(x, (rows, columns), (stride, 1),
                             (tl.program_id(0) * B, tl.program_id(1) * B), (B, B), (1, 0))
    value = tl.load(block, boundary_check=(0, 1))
    tl.store(block, value + 1, boundary_check=(0, 1))
)");
  CHECK(launch.tensors.at("x").shape == Shape{"rows", "columns"});
  CHECK(launch.integers.at("stride") == "columns");
  CHECK(launch.grid == Shape{"cdiv(rows, B)", "cdiv(columns, B)"});
}

TEST_CASE("a size that masks is not a stride", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, n, BLOCK: tl.constexpr = 64",
                                         R"(    i = tl.arange(0, BLOCK)
    at = x + tl.program_id(0) * n + i
    tl.store(at, tl.load(at, mask=i < n) + 1, mask=i < n)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "n"});
  CHECK(launch.integers == std::map<std::string, std::string>{{"n", "n"}});
  // One block takes a row.
  CHECK(sizeOf(launch, "n") < 64);
  CHECK(launch.grid == Shape{"n_rows"});
}

TEST_CASE("names tell rows from blocks where a constexpr is as long as a row",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, y, n_rows, n_cols: tl.constexpr = 1024",
                                         R"(    row = tl.program_id(0)
    cols = tl.arange(0, n_cols)
    v = tl.load(x + row * n_cols + cols)
    tl.store(y + row * n_cols + cols, v)
)");
  CHECK(launch.grid == Shape{"n_rows"});
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "n_cols"});
  CHECK(launch.tensors.at("y").shape == Shape{"n_rows", "n_cols"});
}

TEST_CASE("what a program makes of its row is one element", "[compiler][launch]") {
  static constexpr const char *kRowMean = R"(    i = tl.program_id(0)
    v = tl.load(x + i * cols + tl.arange(0, cols))
    tl.store(out + i, tl.sum(v, axis=0) / cols)
)";
  const SuggestedLaunch named = suggest("x, out, rows, cols: tl.constexpr = 1024", kRowMean);
  CHECK(named.tensors.at("x").shape == Shape{"rows", "cols"});
  CHECK(named.tensors.at("out").shape == Shape{"rows"});
  CHECK(named.grid == Shape{"rows"});

  // Names that say nothing of rows.
  const SuggestedLaunch plain = suggest("a, res, C: tl.constexpr = 256", R"(    r = tl.program_id(0)
    v = tl.load(a + r * C + tl.arange(0, C))
    tl.store(res + r, tl.max(v, axis=0))
)");
  CHECK(plain.tensors.at("a").shape == Shape{"n_rows", "C"});
  CHECK(plain.tensors.at("res").shape == Shape{"n_rows"});
  CHECK(plain.grid == Shape{"n_rows"});

  // A mean beside the row itself.
  const SuggestedLaunch both =
      suggest("x, mean, out, n_rows, n_cols: tl.constexpr = 64", R"(    r = tl.program_id(0)
    c = tl.arange(0, n_cols)
    v = tl.load(x + r * n_cols + c)
    tl.store(mean + r, tl.sum(v) / n_cols)
    tl.store(out + r * n_cols + c, v)
)");
  CHECK(both.tensors.at("mean").shape == Shape{"n_rows"});
  CHECK(both.tensors.at("out").shape == Shape{"n_rows", "n_cols"});
}

TEST_CASE("of blocks of a vector each program has one result", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, sums, n, BLOCK: tl.constexpr = 128",
                                         R"(    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(sums + pid, tl.sum(tl.load(x + i, mask=i < n, other=0.0)))
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.tensors.at("sums").shape == Shape{"cdiv(n, BLOCK)"});
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)"});
}

TEST_CASE("what nothing masks is a multiple of its block", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, o, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i))
)");
  CHECK(launch.tensors.at("x").shape == Shape{"size"});
  CHECK(sizeOf(launch, "size") % 128 == 0);
  CHECK(launch.grid == Shape{"cdiv(size, BLOCK)"});
}

TEST_CASE("an address that is added up in steps ends where its sum does", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, n, BLOCK: tl.constexpr = 128",
                                         R"(    start = tl.program_id(0) * BLOCK
    x += start
    i = tl.arange(0, BLOCK)
    tl.store(x + i, 1.0, mask=start + i < n)
)");
  CHECK(launch.tensors.at("x").shape == Shape{"n"});
  CHECK(launch.grid == Shape{"cdiv(n, BLOCK)"});
}

TEST_CASE("what is looked up by loaded indices has as many rows as these say; that is a guess",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("idx, table, o, stride, n, BLOCK: tl.constexpr = 64",
                                         R"(    row = tl.load(idx + tl.program_id(0))
    i = tl.arange(0, BLOCK)
    x = tl.load(table + row * stride + i, mask=i < n)
    tl.store(o + tl.program_id(0) * n + i, x, mask=i < n)
)");
  CHECK(launch.tensors.at("table").shape == Shape{"n_entries", "n"});
  CHECK(launch.tensors.at("table").isGuess);
  CHECK(launch.tensors.at("idx").indicesBelow == "n_entries");
  CHECK(launch.tensors.at("o").shape == Shape{"n_rows", "n"});
  CHECK_FALSE(launch.tensors.at("o").isGuess);
}

TEST_CASE("a list that a loop walks is a tensor of indices, however long the walk is",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("next_ptr, o_ptr, n_lists, LENGTH: tl.constexpr = 16",
                                         R"(    list = tl.program_id(0)
    at = tl.load(next_ptr + list, mask=list < n_lists, other=0)
    for _ in range(LENGTH):
        at = tl.load(next_ptr + at)
    tl.store(o_ptr + list, at, mask=list < n_lists)
)");
  CHECK(launch.tensors.at("next_ptr").isRead);
  CHECK(launch.tensors.at("o_ptr") == SuggestedTensor{{"n_lists"}, false, false, true, "", false});
}

TEST_CASE("programs that are used as indices count what they index", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("q, cos, o, seq_len, n_heads, HALF: tl.constexpr = 64",
                                         R"(    pos = tl.program_id(0)
    head = tl.program_id(1)
    i = tl.arange(0, HALF)
    base = (pos * n_heads + head) * (2 * HALF)
    c = tl.load(cos + pos * HALF + i)
    tl.store(o + base + i, tl.load(q + base + i) * c)
    tl.store(o + base + HALF + i, tl.load(q + base + HALF + i) * c)
)",
                                         {"seq_len", "n_heads"});
  CHECK(launch.grid == Shape{"seq_len", "n_heads"});
  CHECK(launch.tensors.at("q").shape == Shape{"seq_len", "n_heads", "2 * HALF"});
  CHECK(launch.tensors.at("cos").shape == Shape{"seq_len", "HALF"});
  CHECK(launch.integers ==
        std::map<std::string, std::string>{{"n_heads", "n_heads"}, {"seq_len", "seq_len"}});
  CHECK(launch.sizes.size() == 2);
}

TEST_CASE("rows of several lengths are not blocks", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("q, cos, o, seq_len, n_heads, HALF: tl.constexpr = 64",
                                         R"(    pos = tl.program_id(0)
    head = tl.program_id(1)
    i = tl.arange(0, HALF)
    base = pos * (2 * HALF)
    c = tl.load(cos + pos * HALF + i)
    tl.store(o + base + i, tl.load(q + base + i) * c + head)
    tl.store(o + base + HALF + i, tl.load(q + base + HALF + i) * c)
)",
                                         {"seq_len", "n_heads"});
  CHECK(launch.grid == Shape{"seq_len", "n_heads"});
  CHECK(launch.tensors.at("q").shape == Shape{"seq_len", "2 * HALF"});
}

/// A product whose third axis divides K among programs; `loop` and `step` state how.
static std::string splitProduct(const std::string &loop, const std::string &left,
                                const std::string &advance) {
  return R"(    pk = tl.program_id(2)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = pk * BK + tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + n[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for i in )" +
         loop + ":\n        left = " + left + R"(
        x = tl.load(pa, mask=(m[:, None] < M) & (k[None, :] < left), other=0.0)
        y = tl.load(pb, mask=(k[:, None] < left) & (n[None, :] < N), other=0.0)
        total = tl.dot(x, y, total)
        pa += )" +
         advance + "\n        pb += " + advance + R"( * N
    at = c + m[:, None] * N + n[None, :]
    tl.atomic_add(at, total, mask=(m[:, None] < M) & (n[None, :] < N))
)";
}

static constexpr const char *kProductParameters =
    "a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr";

TEST_CASE("programs that take turns in a loop are as many as it passes over",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest(kProductParameters,
              splitProduct("range(0, tl.cdiv(K, BK * SPLIT))", "K - i * BK * SPLIT", "BK * SPLIT"));
  CHECK(launch.grid == Shape{"cdiv(M, BM)", "cdiv(N, BN)", "SPLIT"});
  CHECK(launch.tensors.at("a").shape == Shape{"M", "K"});
  CHECK(launch.tensors.at("b").shape == Shape{"K", "N"});

  // The counter may begin at the program's own share.
  const SuggestedLaunch rows = suggest("x, n, PARTS: tl.constexpr = 8, BLOCK: tl.constexpr = 128",
                                       R"(    total = 0.0
    for at in range(tl.program_id(0) * BLOCK, n, BLOCK * PARTS):
        i = at + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + i, mask=i < n, other=0.0))
    tl.atomic_add(x, total)
)");
  CHECK(rows.grid == Shape{"PARTS"});

  const SuggestedLaunch persistent =
      suggest("x, n, NUM: tl.constexpr = 16, BLOCK: tl.constexpr = 64",
              R"(    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), NUM):
        i = block * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + i, 1.0, mask=i < n)
)");
  CHECK(persistent.grid == Shape{"NUM"});
}

TEST_CASE("a loop that begins at the program's own block divides nothing", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, o, n, ROWS: tl.constexpr = 32, COLUMNS: tl.constexpr = 64",
              R"(    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for at in range(tl.program_id(0) * ROWS, n, COLUMNS):
        i = at + tl.arange(0, COLUMNS)
        total += tl.sum(tl.load(x + i, mask=i < n, other=0.0))
    tl.store(o + row, total, mask=row < n)
)");
  CHECK(launch.grid == Shape{"cdiv(n, ROWS)"});
}

/// Both halves of rows that lie `LENGTH` apart.
static constexpr const char *kHalves = R"(    i = tl.arange(0, 128)
    row = tl.program_id(0)
    angle = tl.load(c + row * HALF + i, mask=i < HALF)
    base = (row * H + tl.program_id(1)) * LENGTH
    first = tl.load(x + base + i, mask=i < HALF)
    second = tl.load(x + base + HALF + i, mask=i < HALF)
    tl.store(o + base + i, second * angle, mask=i < HALF)
    tl.store(o + base + HALF + i, first, mask=i < HALF)
)";

TEST_CASE("rows hold what is read of them, or their length is a guess", "[compiler][launch]") {
  const SuggestedLaunch fits =
      suggest("x, c, o, S, H, LENGTH: tl.constexpr, HALF: tl.constexpr", kHalves, {"H"});
  CHECK(fits.tensors.at("x").shape == Shape{"S", "H", "LENGTH"});
  CHECK_FALSE(fits.tensors.at("x").isGuess);
  CHECK_FALSE(fits.tensors.at("o").isGuess);

  const SuggestedLaunch overlap =
      suggest("x, c, o, S, H, LENGTH: tl.constexpr = 64, HALF: tl.constexpr = 64", kHalves, {"H"});
  CHECK(overlap.tensors.at("x").isGuess);
  CHECK(overlap.tensors.at("o").isGuess);
}

TEST_CASE("integers that are shifted or masked have all values of their type",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("packed, plain, o, n, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(packed + i, mask=i < n, other=0)
    high = (p >> 4).to(tl.float32) + (p.to(tl.int32) & 15).to(tl.float32)
    tl.store(o + i, high + tl.load(plain + i, mask=i < n, other=0), mask=i < n)
)",
                                         {}, {{"packed", "*u8:16"}, {"plain", "*i32:16"}});
  CHECK(launch.tensors.at("packed").indicesBelow == "256");
  CHECK(launch.tensors.at("plain").indicesBelow.empty());
}

TEST_CASE("rows of a constant length that a mask ends are as many as it says",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x_ptr, o_ptr, T, D: tl.constexpr = 64, BM: tl.constexpr = 32",
              R"(    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    i = rows[:, None] * D + tl.arange(0, D)[None, :]
    x = tl.load(x_ptr + i, mask=rows[:, None] < T)
    tl.store(o_ptr + i, x, mask=rows[:, None] < T)
)");
  CHECK(launch.tensors.at("x_ptr").shape == Shape{"T", "D"});
  CHECK(launch.tensors.at("o_ptr").shape == Shape{"T", "D"});
  CHECK(launch.grid == Shape{"cdiv(T, BM)"});
}

TEST_CASE("what lies between rows is their length where nothing else says it",
          "[compiler][launch]") {
  const SuggestedLaunch launch = suggest(
      "a, b, c, M, N, K, BM: tl.constexpr = 64, BN: tl.constexpr = 64, BK: tl.constexpr = 32",
      R"(    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (rk + k)[None, :])
        y = tl.load(b + (rk + k)[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)
)");
  CHECK(launch.tensors.at("a").shape == Shape{"M", "K"});
  CHECK(launch.tensors.at("b").shape == Shape{"K", "N"});
  CHECK(launch.tensors.at("c").shape == Shape{"M", "N"});
  CHECK(launch.integers.at("N") == "N");
  CHECK(launch.grid == Shape{"cdiv(M, BM)", "cdiv(N, BN)"});
}
