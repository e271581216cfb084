// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What arrays of a suggested launch hold: fractions, indices that are all different, integers.
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

using Shape = std::vector<std::string>;

static CompileResult compile(const std::string &parameters, const std::string &body) {
  return tests::compileKernel(parameters, body, {}, StageId::Ttir).result;
}

static int64_t valueOf(const SuggestedLaunch &launch, const std::string &name) {
  const auto size = std::ranges::find(launch.sizes, name, &SuggestedSize::name);
  return size == launch.sizes.end() ? 0 : size->value;
}

TEST_CASE("bins of fractions are as many as these are multiplied by", "[compiler][launch]") {
  const CompileResult result = compile("x_ptr, h_ptr, n, bins, BLOCK: tl.constexpr = 1024",
                                       R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    b = (x * bins).to(tl.int32)
    tl.atomic_add(h_ptr + b, 1, mask=i < n)
)");
  CHECK(result.signature.at("x_ptr").starts_with("*fp32"));
  CHECK(result.signature.at("bins").starts_with("i32"));
  const SuggestedLaunch &launch = result.suggestion;
  CHECK(launch.tensors.at("h_ptr").shape == Shape{"bins"});
  CHECK(launch.tensors.at("h_ptr").isGuess);
  // In [0, 1).
  CHECK(launch.tensors.at("x_ptr").isPositive);
  CHECK(valueOf(launch, "bins") >= 3);
  CHECK(valueOf(launch, "bins") <= 16);
}

TEST_CASE("what is multiplied and stored is not a fraction", "[compiler][launch]") {
  const CompileResult result = compile("x_ptr, q_ptr, n, scale, BLOCK: tl.constexpr = 1024",
                                       R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(q_ptr + i, (x * scale).to(tl.int32), mask=i < n)
)");
  CHECK_FALSE(result.suggestion.tensors.at("x_ptr").isPositive);
}

TEST_CASE("values that are scattered go to places of their own", "[compiler][launch]") {
  const std::string load = R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    j = tl.load(i_ptr + i, mask=m)
)";
  const std::string parameters = "x_ptr, i_ptr, y_ptr, n, BLOCK: tl.constexpr = 1024";
  const SuggestedLaunch scattered =
      compile(parameters, load + "    tl.store(y_ptr + j, tl.load(x_ptr + i, mask=m), mask=m)\n")
          .suggestion;
  CHECK(scattered.tensors.at("y_ptr").shape == Shape{"n"});
  CHECK(scattered.tensors.at("i_ptr").indicesBelow.empty());
  CHECK(scattered.tensors.at("i_ptr").isAscending);
  // Gathered values, and those that are added up, may be the same.
  const SuggestedLaunch gathered =
      compile(parameters, load + "    tl.store(y_ptr + i, tl.load(x_ptr + j, mask=m), mask=m)\n")
          .suggestion;
  CHECK(gathered.tensors.at("i_ptr").indicesBelow == "n_entries");
  const SuggestedLaunch added =
      compile(parameters, load +
                              "    v = tl.load(y_ptr + j, mask=m)\n"
                              "    tl.store(y_ptr + j, v + tl.load(x_ptr + i, mask=m), mask=m)\n")
          .suggestion;
  CHECK(added.tensors.at("i_ptr").indicesBelow == "n_entries");
}

TEST_CASE("rows as long as there are programs along an axis", "[compiler][launch]") {
  const SuggestedLaunch launch =
      compile("x, s, n_cols, GROUP: tl.constexpr = 64", R"(    r = tl.program_id(0)
    g = tl.program_id(1)
    c = g * GROUP + tl.arange(0, GROUP)
    v = tl.load(x + r * n_cols + c, mask=c < n_cols, other=0.0)
    tl.store(s + r * tl.num_programs(1) + g, tl.max(tl.abs(v)))
)")
          .suggestion;
  CHECK(launch.grid == Shape{"n_rows", "cdiv(n_cols, GROUP)"});
  CHECK(launch.tensors.at("s").shape == Shape{"n_rows", "cdiv(n_cols, GROUP)"});
}

TEST_CASE("windows lie in what they are read from", "[compiler][launch]") {
  const CompileResult result =
      compile("x, y, length, out_len, STRIDE: tl.constexpr, KERNEL: tl.constexpr, "
              "BLOCK: tl.constexpr = 1024",
              R"(    row = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    for k in tl.static_range(KERNEL):
        i = o * STRIDE + k
        v = tl.load(x + row * length + i, mask=(o < out_len) & (i < length), other=-float("inf"))
        best = tl.maximum(best, v)
    tl.store(y + row * out_len + o, best, mask=o < out_len)
)");
  CHECK(result.constexprs.at("STRIDE") == "2");
  CHECK(result.suggestion.grid == Shape{"n_rows", "cdiv(out_len, BLOCK)"});
  CHECK(valueOf(result.suggestion, "length") == 2 * valueOf(result.suggestion, "out_len"));
  CHECK(valueOf(result.suggestion, "out_len") > 1024);
}

TEST_CASE("a window that a constexpr says is small", "[compiler][launch]") {
  const CompileResult result = compile("x, y, n, KS: tl.constexpr, BLOCK: tl.constexpr = 128",
                                       R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    for k in range(KS):
        s += tl.load(x + i * KS + k, mask=i < n)
    tl.store(y + i, s, mask=i < n)
)");
  CHECK(result.constexprs.at("KS") == "3");
}

TEST_CASE("integers and conditions are stored to arrays of such", "[compiler][launch]") {
  const auto typeOf = [](const std::string &body) {
    return compile("x, y, n, a, BLOCK: tl.constexpr = 128",
                   "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                   "    v = tl.load(x + i, mask=i < n)\n" +
                       body)
        .signature.at("y")
        .substr(0, 4);
  };
  CHECK(typeOf(R"(    best = tl.full((BLOCK,), float("inf"), tl.float32)
    which = tl.zeros((BLOCK,), tl.int32)
    for k in range(5):
        which = tl.where(v < best, k, which)
        best = tl.minimum(best, v)
    tl.store(y + i, which, mask=i < n)
)") == "*i32");
  CHECK(typeOf("    tl.store(y + i, v > 0, mask=i < n)\n") == "*i1:");
  // A real number may be added to an index, and the last argument may be the value.
  CHECK(typeOf("    tl.store(y + i, i * a, mask=i < n)\n") == "*fp3");
  CHECK(typeOf("    tl.store(y + i, tl.where(i < 7, v, 0), mask=i < n)\n") == "*fp3");
}

TEST_CASE("groups that divide channels are a few, and there is a program for each",
          "[compiler][launch]") {
  const SuggestedLaunch launch =
      compile("x, w, y, C, G, BLOCK: tl.constexpr = 256", R"(    b = tl.program_id(0)
    g = tl.program_id(1)
    part = C // G
    i = tl.arange(0, BLOCK)
    m = i < part
    v = tl.load(x + b * C + g * part + i, mask=m, other=0.0)
    tl.store(y + b * C + g * part + i, v * tl.load(w + g * part + i, mask=m), mask=m)
)")
          .suggestion;
  CHECK(launch.grid == Shape{"n_rows", "G"});
  CHECK(launch.tensors.at("x").shape == Shape{"n_rows", "C"});
  CHECK(launch.tensors.at("w").shape == Shape{"C"});
  CHECK(valueOf(launch, "G") <= 9);
  CHECK(valueOf(launch, "C") % valueOf(launch, "G") == 0);
}

TEST_CASE("parts of a length are a few, and none of them is empty", "[compiler][launch]") {
  const SuggestedLaunch launch =
      compile("x, y, n, parts, D: tl.constexpr = 64, BLOCK: tl.constexpr = 32",
              R"(    b = tl.program_id(0)
    p = tl.program_id(1)
    each = tl.cdiv(n, parts)
    d = tl.arange(0, D)
    s = tl.zeros((D,), tl.float32)
    end = tl.minimum(p * each + each, n)
    for i in range(p * each, end):
        s += tl.load(x + (b * n + i) * D + d)
    tl.store(y + (b * parts + p) * D + d, s)
)")
          .suggestion;
  CHECK(valueOf(launch, "parts") <= 9);
  CHECK(valueOf(launch, "n") % valueOf(launch, "parts") == 0);
}

TEST_CASE("programs that count several times a number of heads", "[compiler][launch]") {
  const SuggestedLaunch launch =
      compile("x, s, y, heads, n, BLOCK: tl.constexpr = 64", R"(    bh = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    f = tl.load(s + bh % heads)
    v = tl.load(x + bh * n + i, mask=i < n)
    tl.store(y + bh * n + i, v * f, mask=i < n)
)")
          .suggestion;
  CHECK(launch.grid == Shape{"2 * heads", "cdiv(n, BLOCK)"});
  CHECK(launch.tensors.at("x").shape == Shape{"2 * heads", "n"});
  CHECK(launch.tensors.at("s").shape == Shape{"heads"});
  CHECK(valueOf(launch, "heads") <= 9);
}
