// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of elements of inputs that no program reads: kernels as they are written, right and with one mistake.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>
#include <map>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {
/// Tensors of fp32, and of i32 where their names say so; they hold zeros.
struct UnreadCase {
  std::string name;
  std::string parameters;
  std::string body;
  std::map<std::string, std::vector<int64_t>> tensors;
  std::map<std::string, int32_t> numbers;
  std::map<std::string, std::string> constexprs;
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Messages; none: nothing is said.
  std::vector<std::string> told;
  std::set<int64_t> sizes = {};
};
} // namespace

static bool isOfIntegers(const std::string &name) {
  return name.starts_with("idx") || name.starts_with("len");
}

static InterpretOutcome run(const UnreadCase &test, CpuExecutor executor) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(" +
                 test.parameters + "):\n" + test.body;
  std::map<std::string, std::vector<int32_t>> memory;
  for (const auto &[name, shape] : test.tensors) {
    size_t size = 1;
    for (const int64_t extent : shape)
      size *= static_cast<size_t>(extent);
    memory[name].resize(size);
    request.selection.signature[name] = isOfIntegers(name) ? "*i32:16" : "*fp32:16";
  }
  for (const auto &[name, value] : test.numbers)
    request.selection.signature[name] = "i32";
  request.selection.constexprs = test.constexprs;
  request.selection.target = "cuda:90";
  InterpretInput input;
  input.grid = test.grid;
  input.sizes = test.sizes;
  input.executor = executor;
  input.argument = [&](const KernelParameter &parameter) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto number = test.numbers.find(parameter.name); number != test.numbers.end()) {
      argument.bits = static_cast<uint64_t>(number->second);
      return argument;
    }
    std::vector<int32_t> &tensor = memory.at(parameter.name);
    argument.data = reinterpret_cast<std::byte *>(tensor.data());
    argument.sizeBytes = tensor.size() * sizeof(int32_t);
    argument.shape = test.tensors.at(parameter.name);
    argument.countUnwritten = parameter.name == "out";
    return argument;
  };
  Compiler compiler{CudaToolkit{}};
  InterpretOutcome outcome = compiler.interpret(request, input);
  for (const Diagnostic &diagnostic : outcome.result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  CHECK(outcome.interpretation.completed);
  return outcome;
}

static void check(const std::vector<UnreadCase> &cases) {
  for (const UnreadCase &test : cases)
    for (const CpuExecutor executor : {CpuExecutor::Interpreter, CpuExecutor::Native}) {
      INFO(test.name);
      std::vector<std::string> told;
      for (const Diagnostic &note : run(test, executor).unread) {
        told.push_back(note.message);
        CHECK(note.kind == DiagnosticKind::RunLaunchUnfit);
        CHECK(note.severity == Severity::Note);
        CHECK_FALSE(note.range.empty());
      }
      CHECK(told == test.told);
    }
}

static const std::string kProgram = "    pid = tl.program_id(0)\n";

/// y = A @ x for each matrix of a batch.
static UnreadCase matvec(const std::string &name, const std::string &block, bool loops) {
  const std::string once = "    a = tl.load(a_ptr + pid * n + j, mask=j < n, other=0.0)\n"
                           "    x = tl.load(x_ptr + j, mask=j < n, other=0.0)\n"
                           "    tl.store(out + pid, tl.sum(a * x))\n";
  const std::string all = "    sum = 0.0\n    for at in range(0, n, BN):\n"
                          "        m = at + j < n\n"
                          "        a = tl.load(a_ptr + pid * n + at + j, mask=m, other=0.0)\n"
                          "        x = tl.load(x_ptr + at + j, mask=m, other=0.0)\n"
                          "        sum += tl.sum(a * x)\n"
                          "    tl.store(out + pid, sum)\n";
  return {name,
          "a_ptr, x_ptr, out, n, BN: tl.constexpr",
          kProgram + "    j = tl.arange(0, BN)\n" + (loops ? all : once),
          {{"a_ptr", {32, 80}}, {"x_ptr", {80}}, {"out", {32}}},
          {{"n", 80}},
          {{"BN", block}},
          {32, 1, 1},
          {}};
}

/// Sums of rows, of which a program takes one.
static UnreadCase rows(const std::string &name, int32_t programs, const std::string &pointer,
                       const std::string &mask, const std::vector<int64_t> &shape) {
  return {name,
          "x_ptr, out, stride, n, B: tl.constexpr",
          kProgram + "    j = tl.arange(0, B)\n    x = tl.load(" + pointer + ", mask=" + mask +
              ", other=0.0)\n    tl.store(out + pid, tl.sum(x))\n",
          {{"x_ptr", shape}, {"out", {32}}},
          {{"stride", static_cast<int32_t>(shape[1])}, {"n", 48}},
          {{"B", "64"}},
          {programs, 1, 1},
          {}};
}

static const std::string kRow = "x_ptr + pid * stride + j";

static UnreadCase flat(const std::string &name, const std::string &offsets, const std::string &mask,
                       int32_t programs, std::vector<std::string> told) {
  return {name,
          "x_ptr, out, n, B: tl.constexpr",
          kProgram + "    i = " + offsets + "\n    m = " + mask +
              "\n    x = tl.load(x_ptr + i, mask=m, other=0.0)\n    tl.store(out + i, x, mask=m)\n",
          {{"x_ptr", {200}}, {"out", {400}}},
          {{"n", 200}},
          {{"B", "64"}},
          {programs, 1, 1},
          std::move(told)};
}

TEST_CASE("elements that no program reads are told", "[compiler]") {
  UnreadCase few = matvec("a block smaller than the data", "64", false);
  few.told = {"no program reads `a_ptr[:, 64:80]`, the last 16 of its 80 columns: 512 of 2560 "
              "elements",
              "no program reads `x_ptr[64:80]`, the last 16 of its 80 elements"};
  UnreadCase short_ = matvec("a loop that ends too early", "16", true);
  short_.body.replace(short_.body.find("range(0, n, BN)"), 15, "range(0, n - BN, BN)");
  short_.told = few.told;
  UnreadCase grid = rows("a grid too small", 16, kRow, "j < n", {32, 48});
  grid.told = {"no program reads `x_ptr[16:32, :]`, the last 16 of its 32 rows: 768 of 1536 "
               "elements"};
  UnreadCase first =
      rows("the number of the program is forgotten", 32, "x_ptr + j", "j < n", {32, 48});
  first.told = {"no program reads `x_ptr[1:32, :]`, the last 31 of its 32 rows: 1488 of 1536 "
                "elements"};
  check({few, short_, grid, first,
         flat("blocks that overlap", "pid + tl.arange(0, B)", "i < n", 4,
              {"no program reads `x_ptr[67:200]`, the last 133 of its 200 elements"}),
         flat("a mask that compares with the block", "pid * B + tl.arange(0, B)", "i < B", 4,
              {"no program reads `x_ptr[64:200]`, the last 136 of its 200 elements"}),
         flat("a division that rounds down", "pid * B + tl.arange(0, B)", "i < n", 3,
              {"no program reads `x_ptr[192:200]`, the last 8 of its 200 elements"})});
}

TEST_CASE("a reason is said where there is one", "[compiler]") {
  const InterpretOutcome block = run(matvec("", "64", false), CpuExecutor::Native);
  REQUIRE(block.unread.size() == 2);
  CHECK(block.unread[0].notes.front() ==
        "`BN` is 64: a block ends there, and no program goes on behind it");
  CHECK(block.unread[0].range.begin.line == 7);
  const InterpretOutcome grid = run(rows("", 16, kRow, "j < n", {32, 48}), CpuExecutor::Native);
  REQUIRE(grid.unread.size() == 1);
  CHECK(grid.unread[0].notes.front() == "the 16 programs along axis 0 of the grid end there");
  // As many programs as a loop has rounds: the loop is what ends.
  const UnreadCase taps{"taps",
                        "w_ptr, out",
                        kProgram +
                            "    sum = 0.0\n    for j in range(2):\n"
                            "        sum += tl.load(w_ptr + j)\n    tl.store(out + pid, sum)\n",
                        {{"w_ptr", {3}}, {"out", {2}}},
                        {},
                        {},
                        {2, 1, 1},
                        {}};
  const InterpretOutcome loop = run(taps, CpuExecutor::Native);
  REQUIRE(loop.unread.size() == 1);
  CHECK(loop.unread[0].notes.front() == "the loop in line 8 ends at 2");
}

/// The first note of what is left out of `a_ptr`.
static std::string reasonFor(const UnreadCase &test) {
  const InterpretOutcome outcome = run(test, CpuExecutor::Native);
  REQUIRE_FALSE(outcome.unread.empty());
  CHECK(outcome.unread[0].cause.subject == "a_ptr");
  return outcome.unread[0].notes.front();
}

/// Rows of A by tiles, and its columns in parts, of which programs along axis 1 take every fourth.
static UnreadCase splitK(const std::string &turns, const std::string &step, int32_t tiles) {
  return {"split K",
          "a_ptr, out, m, n, BM: tl.constexpr, BK: tl.constexpr",
          "    r = tl.program_id(0) % 3 * BM + tl.arange(0, BM)\n"
          "    c = tl.program_id(1) * BK + tl.arange(0, BK)\n"
          "    p = a_ptr + r[:, None] * n + c[None, :]\n"
          "    sum = tl.zeros((BM, BK), tl.float32)\n"
          "    for i in range(0, " +
              turns +
              "):\n"
              "        left = n - i * (BK * 4)\n"
              "        sum += tl.load(p, mask=(r[:, None] < m) & (c[None, :] < left), other=0.0)\n"
              "        p += " +
              step + "\n    tl.atomic_add(out + r, tl.sum(sum, axis=1), mask=r < m)\n",
          {{"a_ptr", {70, 200}}, {"out", {70}}},
          {{"m", 70}, {"n", 200}},
          {{"BM", "32"}, {"BK", "16"}},
          {tiles, 4, 1},
          {}};
}

TEST_CASE("equal numbers are no reason where nothing of theirs is in the address", "[compiler]") {
  // 6 programs along axis 0, times 32 rows, are as many as the columns that are read.
  CHECK(reasonFor(splitK("n // (BK * 4)", "BK * 4", 6)) == "the loop in line 10 ends at 192");
  CHECK(reasonFor(splitK("n // (BK * 4)", "BK * 4", 12)) == "the loop in line 10 ends at 192");
  // 6 times 16 columns: neither the grid nor a loop alone ends there.
  CHECK(reasonFor(splitK("(n + BK * 4 - 1) // (BK * 4)", "BK", 6))
            .starts_with("a kernel may be meant so"));
}

TEST_CASE("what lies in front of all that is read, no loop that ends too early leaves out",
          "[compiler]") {
  const UnreadCase late = flat("begins too late", "pid * B + tl.arange(0, B) + 1", "i < n", 4,
                               {"no program reads `x_ptr[0:1]`, the first 1 of its 200 elements"});
  check({late});
  const InterpretOutcome outcome = run(late, CpuExecutor::Native);
  REQUIRE(outcome.unread.size() == 1);
  CHECK(outcome.unread[0].notes ==
        std::vector<std::string>{
            "a kernel may be meant so; else a loop or a range begins too late, or the "
            "address of the load lies too far behind"});
}

TEST_CASE("a block of rows is no reason for columns", "[compiler]") {
  const UnreadCase test{"BM rows",
                        "a_ptr, out, m, n, BM: tl.constexpr, BK: tl.constexpr",
                        "    r = tl.program_id(0) * BM + tl.arange(0, BM)\n"
                        "    sum = tl.zeros((BM, BK), tl.float32)\n"
                        "    for k in range(0, n - BK, BK):\n"
                        "        c = k + tl.arange(0, BK)\n"
                        "        mask = (r[:, None] < m) & (c[None, :] < n)\n"
                        "        sum += tl.load(a_ptr + r[:, None] * n + c[None, :], mask=mask)\n"
                        "    tl.store(out + r, tl.sum(sum, axis=1), mask=r < m)\n",
                        {{"a_ptr", {100, 96}}, {"out", {100}}},
                        {{"m", 100}, {"n", 96}},
                        {{"BM", "64"}, {"BK", "32"}},
                        {2, 1, 1},
                        {}};
  CHECK(reasonFor(test) == "the loop in line 8 ends at 64");
}

TEST_CASE("programs of another axis are no reason for groups of rows", "[compiler]") {
  // A scale for each 32 rows: the counter of the loop is divided.
  const UnreadCase test{"groups",
                        "a_ptr, out, n, K, B: tl.constexpr",
                        "    c = tl.program_id(1) * B + tl.arange(0, B)\n"
                        "    sum = tl.zeros((B,), tl.float32)\n"
                        "    for k in range(0, K - 32, 32):\n"
                        "        sum += tl.load(a_ptr + k // 32 * n + c, mask=c < n, other=0.0)\n"
                        "    tl.store(out + c, sum, mask=c < n)\n",
                        {{"a_ptr", {4, 70}}, {"out", {70}}},
                        {{"n", 70}, {"K", 128}},
                        {{"B", "32"}},
                        {1, 3, 1},
                        {}};
  CHECK(reasonFor(test).starts_with("a kernel may be meant so"));
}

TEST_CASE("programs that lie behind a block end there for another reason", "[compiler]") {
  UnreadCase masked = flat("", "pid * B + tl.arange(0, B)", "i < B", 4, {});
  const InterpretOutcome outcome = run(masked, CpuExecutor::Native);
  REQUIRE(outcome.unread.size() == 1);
  CHECK(outcome.unread[0].notes.front().starts_with("a kernel may be meant so"));
}

TEST_CASE("a bound of one axis is none of another", "[compiler]") {
  // As many rows as the block has columns.
  const UnreadCase test{
      "a matrix",
      "x_ptr, out, m, n, B: tl.constexpr",
      kProgram + "    r = pid * 16 + tl.arange(0, 16)\n    c = tl.arange(0, B)\n"
                 "    mask = (r[:, None] < m) & (c[None, :] < n)\n"
                 "    x = tl.load(x_ptr + r[:, None] * n + c[None, :], mask=mask, other=0.0)\n"
                 "    tl.store(out + r, tl.sum(x, axis=1), mask=r < m)\n",
      {{"x_ptr", {64, 80}}, {"out", {64}}},
      {{"m", 64}, {"n", 80}},
      {{"B", "64"}},
      {4, 1, 1},
      {"no program reads `x_ptr[:, 64:80]`, the last 16 of its 80 columns: 1024 of 5120 elements"}};
  check({test});
}

TEST_CASE("of kernels that read what they should, nothing is said", "[compiler]") {
  UnreadCase strided =
      rows("every second column", 32, "x_ptr + pid * stride + 2 * j", "j < n", {32, 96});
  UnreadCase padded = rows("rows with padding", 32, kRow, "j < n", {32, 56});
  UnreadCase named = padded;
  named.name = "rows with padding, of a length that the launch names";
  named.parameters = "x_ptr, out, stride, n: tl.constexpr, B: tl.constexpr";
  named.numbers.erase("n");
  named.constexprs["n"] = "48";
  named.sizes = {48, 32};
  check({matvec("a block that holds the data", "128", false),
         matvec("a loop over blocks", "16", true),
         rows("a row for each program", 32, kRow, "j < n", {32, 48}),
         strided,
         padded,
         named,
         flat("blocks side by side", "pid * B + tl.arange(0, B)", "i < n", 4, {}),
         {"a gather",
          "x_ptr, idx_ptr, out, n, B: tl.constexpr",
          "    i = tl.arange(0, B)\n    at = tl.load(idx_ptr + i)\n"
          "    tl.store(out + i, tl.load(x_ptr + at))\n",
          {{"x_ptr", {200}}, {"idx_ptr", {64}}, {"out", {64}}},
          {{"n", 200}},
          {{"B", "64"}},
          {1, 1, 1},
          {}},
         {"a length that is read",
          "x_ptr, len_ptr, out, n, B: tl.constexpr",
          kProgram + "    j = tl.arange(0, B)\n    size = tl.load(len_ptr + pid)\n"
                     "    x = tl.load(x_ptr + pid * n + j, mask=j < size, other=0.0)\n"
                     "    tl.store(out + pid, tl.sum(x))\n",
          {{"x_ptr", {8, 48}}, {"len_ptr", {8}}, {"out", {8}}},
          {{"n", 48}},
          {{"B", "64"}},
          {8, 1, 1},
          {}},
         {"a loop as long as is read",
          "x_ptr, len_ptr, out, n",
          kProgram + "    sum = 0.0\n    for j in range(tl.load(len_ptr + pid)):\n"
                     "        sum += tl.load(x_ptr + pid * n + j)\n    tl.store(out + pid, sum)\n",
          {{"x_ptr", {8, 48}}, {"len_ptr", {8}}, {"out", {8}}},
          {{"n", 48}},
          {},
          {8, 1, 1},
          {}},
         {"the lower half",
          "x_ptr, out, n, B: tl.constexpr",
          kProgram + "    j = tl.arange(0, B)\n"
                     "    x = tl.load(x_ptr + pid * n + j, mask=j <= pid, other=0.0)\n"
                     "    tl.store(out + pid, tl.sum(x))\n",
          {{"x_ptr", {32, 32}}, {"out", {32}}},
          {{"n", 32}},
          {{"B", "32"}},
          {32, 1, 1},
          {}},
         {"a diagonal",
          "x_ptr, out, n, B: tl.constexpr",
          "    j = tl.arange(0, B)\n    tl.store(out + j, tl.load(x_ptr + j * n + j))\n",
          {{"x_ptr", {32, 32}}, {"out", {32}}},
          {{"n", 32}},
          {{"B", "32"}},
          {1, 1, 1},
          {}},
         {"through a descriptor",
          "x_ptr, out, n, B: tl.constexpr",
          kProgram + "    x = tl.make_tensor_descriptor(x_ptr, [32, n], [n, 1], [8, B])\n"
                     "    y = tl.make_tensor_descriptor(out, [32, n], [n, 1], [8, B])\n"
                     "    y.store([pid * 8, 0], x.load([pid * 8, 0]))\n",
          {{"x_ptr", {32, 48}}, {"out", {32, 48}}},
          {{"n", 48}},
          {{"B", "64"}},
          {4, 1, 1},
          {}}});
}

TEST_CASE("what is read through a descriptor, or written in place, counts", "[compiler]") {
  check({{"a descriptor of too few rows",
          "x_ptr, out, n, B: tl.constexpr",
          kProgram + "    x = tl.make_tensor_descriptor(x_ptr, [32, n], [n, 1], [8, B])\n"
                     "    y = tl.make_tensor_descriptor(out, [32, n], [n, 1], [8, B])\n"
                     "    y.store([pid * 8, 0], x.load([pid * 8, 0]))\n",
          {{"x_ptr", {32, 48}}, {"out", {32, 48}}},
          {{"n", 48}},
          {{"B", "64"}},
          {3, 1, 1},
          {"no program reads `x_ptr[24:32, :]`, the last 8 of its 32 rows: 384 of 1536 elements"}},
         {"in place, with a grid too small",
          "x_ptr, n, B: tl.constexpr",
          kProgram + "    i = pid * B + tl.arange(0, B)\n    m = i < n\n"
                     "    tl.store(x_ptr + i, tl.load(x_ptr + i, mask=m) * 2, mask=m)\n",
          {{"x_ptr", {200}}},
          {{"n", 200}},
          {{"B", "64"}},
          {2, 1, 1},
          {"no program reads or writes `x_ptr[128:200]`, the last 72 of its 200 elements"}}});
}
