// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of elements that several programs store: kernels with one mistake, and right ones that store some again.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>
#include <map>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {
/// Of tensors of fp32, `x_ptr` holds zeros, and all others are outputs.
struct StoreCase {
  std::string name;
  std::string body;
  std::map<std::string, std::vector<int64_t>> tensors;
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Empty: nothing is said.
  std::string told;
  std::string block = "64";
};
} // namespace

static std::vector<Diagnostic> notesOf(const StoreCase &test, CpuExecutor executor) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                 "def k(x_ptr, out, n, B: tl.constexpr):\n    pid = tl.program_id(0)\n" +
                 test.body;
  std::map<std::string, std::vector<float>> memory;
  for (const auto &[name, shape] : test.tensors) {
    size_t size = 1;
    for (const int64_t extent : shape)
      size *= static_cast<size_t>(extent);
    memory[name].resize(size);
    request.selection.signature[name] = "*fp32:16";
  }
  request.selection.signature["n"] = "i32";
  request.selection.constexprs = {{"B", test.block}};
  request.selection.target = "cuda:90";
  InterpretInput input;
  input.grid = test.grid;
  input.executor = executor;
  input.argument = [&](const KernelParameter &parameter) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (parameter.name == "n") {
      argument.bits = static_cast<uint64_t>(test.tensors.at("out").back());
      return argument;
    }
    std::vector<float> &tensor = memory.at(parameter.name);
    argument.data = reinterpret_cast<std::byte *>(tensor.data());
    argument.sizeBytes = tensor.size() * sizeof(float);
    argument.shape = test.tensors.at(parameter.name);
    argument.countUnwritten = parameter.name == "out";
    return argument;
  };
  Compiler compiler{CudaToolkit{}};
  const InterpretOutcome outcome = compiler.interpret(request, input);
  for (const Diagnostic &diagnostic : outcome.result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  CHECK(outcome.interpretation.completed);
  return outcome.repeated;
}

static void check(const StoreCase &test) {
  for (const CpuExecutor executor : {CpuExecutor::Interpreter, CpuExecutor::Native}) {
    INFO(test.name);
    const std::vector<Diagnostic> notes = notesOf(test, executor);
    CHECK(notes.size() == (test.told.empty() ? 0 : 1));
    for (const Diagnostic &note : notes) {
      CHECK(note.message == test.told);
      CHECK(note.kind == DiagnosticKind::RunLaunchUnfit);
      CHECK(note.severity == Severity::Note);
      CHECK(note.cause.subject == "out");
      CHECK_FALSE(note.range.empty());
    }
  }
}

/// Twice a vector, by blocks that begin at `begin`.
static StoreCase vector(const std::string &name, const std::string &begin, int32_t programs,
                        int64_t size, const std::string &told = "") {
  return {name,
          "    o = " + begin +
              " + tl.arange(0, B)\n"
              "    tl.store(out + o, tl.load(x_ptr + o, mask=o < n) * 2, mask=o < n)\n",
          {{"x_ptr", {size}}, {"out", {size}}},
          {programs, 1, 1},
          told};
}

TEST_CASE("blocks that overlap are told", "[compiler]") {
  check(vector("steps of 16 with blocks of 64", "pid * 16", 13, 200,
               "4 programs store `out[48]`, all with the same value, and two or more store 184 of "
               "the 200 elements that are stored: the grid or the addresses repeat work"));
  check(vector("steps of one element", "pid", 200, 200,
               "64 programs store `out[63]`, all with the same value, and two or more store 199 of "
               "the 200 elements that are stored: the grid or the addresses repeat work"));
  check(vector("all programs do the same", "0", 2, 64,
               "2 programs store `out[0]`, all with the same value, and two or more store each of "
               "the 64 elements that are stored: the grid or the addresses repeat work"));
}

/// Rows in tiles of 16, of which program after program takes one.
static StoreCase tiles(const std::string &step, const std::string &told) {
  return {"a loop over tiles",
          "    for t in range(pid, 8, " + step +
              "):\n"
              "        o = (t * 16 + tl.arange(0, 16))[:, None] * B + tl.arange(0, B)[None, :]\n"
              "        tl.store(out + o, tl.load(x_ptr + o) * 2)\n",
          {{"x_ptr", {128, 32}}, {"out", {128, 32}}},
          {4, 1, 1},
          told,
          "32"};
}

TEST_CASE("a loop over tiles that other programs take, too, is told", "[compiler]") {
  check(tiles("1", "4 programs store `out[48, 0]`, all with the same value, and two or more store "
                   "3584 of the 4096 elements that are stored: the grid or the addresses repeat "
                   "work"));
  check(tiles("tl.num_programs(0)", ""));
}

TEST_CASE("right kernels that store some elements again are not told", "[compiler]") {
  check(vector("side by side", "pid * B", 4, 200));
  check(vector("a last block that is moved back", "tl.minimum(pid * B, n - B)", 4, 200));
  check(vector("two blocks, one of which is moved back", "tl.minimum(pid * B, n - B)", 2, 66));
  check({"two blocks along each axis, moved back",
         "    r = tl.minimum(pid * B, n - B) + tl.arange(0, B)\n"
         "    c = tl.minimum(tl.program_id(1) * B, n - B) + tl.arange(0, B)\n"
         "    o = r[:, None] * n + c[None, :]\n"
         "    tl.store(out + o, tl.load(x_ptr + o) * 2)\n",
         {{"x_ptr", {66, 66}}, {"out", {66, 66}}},
         {2, 2, 1},
         ""});
  check({"a flag that each program sets",
         "    o = pid * B + tl.arange(0, B)\n"
         "    x = tl.load(x_ptr + o, mask=o < n)\n    tl.store(out, 1.0)\n",
         {{"x_ptr", {200}}, {"out", {1}}},
         {4, 1, 1},
         ""});
}
