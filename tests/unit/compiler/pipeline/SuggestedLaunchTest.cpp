// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launches that are suggested for kernels whose files say nothing about one.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

/// `strides`: arguments that are integers of which nothing is known.
static SuggestedLaunch suggest(const std::string &parameters, const std::string &body,
                               const std::vector<std::string> &strides = {}) {
  CompileRequest request;
  for (const std::string &name : strides)
    request.selection.signature[name] = "i32";
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(" + parameters +
                 "):\n" + body;
  request.stopAfter = StageId::Ttir;
  Compiler compiler{CudaToolkit{}};
  const CompileResult result = compiler.compile(request).result;
  for (const Diagnostic &diagnostic : result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(result.ok);
  return result.suggestion;
}

TEST_CASE("a vector is as long as the size, its programs cover it", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x_ptr, o_ptr, n, BLOCK: tl.constexpr = 128",
                                         R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(o_ptr + i, x, mask=i < n)
)");
  CHECK(launch.size == 4096);
  CHECK(launch.shapes.at("x_ptr") == Shape{"size"});
  CHECK(launch.shapes.at("o_ptr") == Shape{"size"});
  CHECK(launch.strides.empty());
  CHECK(launch.grid == Shape{"cdiv(size, BLOCK)"});
}

TEST_CASE("rows: a program for each, a stride between them", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x_ptr, sum_ptr, row_stride, n, BLOCK: tl.constexpr = 128",
                                         R"(    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0))
    tl.store(sum_ptr + row, total)
)");
  CHECK(launch.size == 512);
  CHECK(launch.shapes.at("x_ptr") == Shape{"size", "size"});
  CHECK(launch.shapes.at("sum_ptr") == Shape{"size"});
  CHECK(launch.strides == std::map<std::string, std::string>{{"row_stride", "size"}});
  CHECK(launch.grid == Shape{"size"});
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
  CHECK(launch.size == 512);
  for (const char *name : {"a", "b", "c"})
    CHECK(launch.shapes.at(name) == Shape{"size", "size"});
  CHECK(launch.strides == std::map<std::string, std::string>{{"stride_am", "size"},
                                                             {"stride_ak", "1"},
                                                             {"stride_bk", "size"},
                                                             {"stride_bn", "1"},
                                                             {"stride_cm", "size"},
                                                             {"stride_cn", "1"}});
  CHECK(launch.grid == Shape{"cdiv(size, BLOCK_M) * cdiv(size, BLOCK_N)"});
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
  CHECK(launch.size == 32);
  CHECK(launch.shapes.at("q") == Shape{"size", "size", "size", "size"});
  CHECK(launch.strides == std::map<std::string, std::string>{{"stride_z", "size * size * size"},
                                                             {"stride_h", "size * size"},
                                                             {"stride_m", "size"}});
  CHECK(launch.grid == Shape{"cdiv(size, BLOCK)", "size", "size"});
}

TEST_CASE("a block pointer says its strides itself", "[compiler][launch]") {
  const SuggestedLaunch launch =
      suggest("x, rows, columns, stride, B: tl.constexpr = 32",
              R"(    block = tl.make_block_ptr(x, (rows, columns), (stride, 1),
                             (tl.program_id(0) * B, tl.program_id(1) * B), (B, B), (1, 0))
    value = tl.load(block, boundary_check=(0, 1))
    tl.store(block, value + 1, boundary_check=(0, 1))
)");
  CHECK(launch.shapes.at("x") == Shape{"size", "size"});
  CHECK(launch.strides == std::map<std::string, std::string>{{"stride", "size"}});
  CHECK(launch.grid == Shape{"cdiv(size, B)", "cdiv(size, B)"});
}

TEST_CASE("a size that masks is no stride", "[compiler][launch]") {
  const SuggestedLaunch launch = suggest("x, n, BLOCK: tl.constexpr = 64",
                                         R"(    i = tl.arange(0, BLOCK)
    at = x + tl.program_id(0) * n + i
    tl.store(at, tl.load(at, mask=i < n) + 1, mask=i < n)
)");
  CHECK(launch.shapes.at("x") == Shape{"size", "size"});
  CHECK(launch.strides.empty());
}
