// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code with checked bounds finds what the interpreter finds, in its words, and leaves the same in
// memory.
#include "compiler/artifacts/CpuTarget.h"
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <ostream>

using namespace tilescope;
using namespace tilescope::compiler;

namespace tilescope::compiler {
static std::ostream &operator<<(std::ostream &out, const InterpreterFinding &finding) {
  return out << finding.range.begin.line + 1 << ':' << finding.range.begin.column + 1 << '-'
             << finding.range.end.column + 1 << ": " << finding.message << " ("
             << finding.numAccesses << " accesses, " << finding.numPrograms << " programs)";
}
} // namespace tilescope::compiler

namespace {

/// `x_ptr` and `y_ptr` of fp32, `i_ptr` of i32 with the numbers from 0 on, and how many elements each has.
struct Launch {
  std::array<int32_t, 3> grid{4, 1, 1};
  size_t n = 100;
  /// Assertions are checked.
  bool isDebug = false;
};

/// Memory with a border that nothing may touch.
class Fenced {
public:
  explicit Fenced(size_t bytes) : m_bytes(bytes), m_memory(bytes + 2 * kBorder, kUntouched) {}

  std::byte *data() { return m_memory.data() + kBorder; }
  std::vector<std::byte> contents() const {
    const auto begin = m_memory.begin() + kBorder;
    return {begin, begin + static_cast<ptrdiff_t>(m_bytes)};
  }
  bool isBorderUntouched() const {
    const auto isUntouched = [](std::byte each) { return each == kUntouched; };
    return std::all_of(m_memory.begin(), m_memory.begin() + kBorder, isUntouched) &&
           std::all_of(m_memory.end() - kBorder, m_memory.end(), isUntouched);
  }

private:
  static constexpr ptrdiff_t kBorder = 4096;
  static constexpr std::byte kUntouched{0x7b};
  size_t m_bytes;
  std::vector<std::byte> m_memory;
};

struct Found {
  bool completed = false;
  /// Those about accesses outside, and about assertions.
  std::vector<InterpreterFinding> findings;
  std::vector<std::vector<std::byte>> memory;
  /// The diagnostics about them.
  std::vector<std::string> messages;
  /// Those about undefined values and races.
  std::vector<std::string> doubts;
};

/// What both ways find.
bool isCompared(InterpreterFindingKind kind) {
  using enum InterpreterFindingKind;
  return kind == OutOfBoundsLoad || kind == OutOfBoundsStore || kind == OutOfBoundsAtomic ||
         kind == InvalidPointer || kind == AssertFailed;
}

} // namespace

static CompileRequest requestFor(const std::string &body, const std::string &target, bool isDebug) {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                 "def k(x_ptr, y_ptr, i_ptr, n):\n"
                 "    pid = tl.program_id(0)\n    o = pid * 32 + tl.arange(0, 32)\n" +
                 body;
  request.selection.signature = {
      {"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"i_ptr", "*i32:16"}, {"n", "i32"}};
  request.selection.target = target;
  if (isDebug)
    request.selection.options = {{"debug", "True"}};
  return request;
}

static Found run(Compiler &compiler, const std::string &body, const std::string &target,
                 const Launch &launch) {
  std::vector<Fenced> tensors(3, Fenced(launch.n * 4));
  for (size_t i = 0; i < launch.n; ++i) {
    const auto whole = static_cast<float>(i), half = whole / 2;
    const auto number = static_cast<int32_t>(i);
    std::memcpy(tensors[0].data() + i * 4, &whole, 4);
    std::memcpy(tensors[1].data() + i * 4, &half, 4);
    std::memcpy(tensors[2].data() + i * 4, &number, 4);
  }
  InterpretInput input;
  input.grid = launch.grid;
  input.numThreads = target == kNativeTarget ? 2 : 1;
  input.checksBounds = true;
  input.argument = [&](const KernelParameter &parameter) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    argument.bits = launch.n;
    if (parameter.name == "n")
      return argument;
    Fenced &tensor = tensors[parameter.name == "x_ptr" ? 0 : parameter.name == "y_ptr" ? 1 : 2];
    argument.data = tensor.data();
    argument.sizeBytes = launch.n * 4;
    return argument;
  };
  const InterpretOutcome outcome =
      compiler.interpret(requestFor(body, target, launch.isDebug), input);
  Found found;
  CHECK(outcome.interpretation.isNative == (target == kNativeTarget));
  found.completed = outcome.interpretation.completed;
  for (const InterpreterFinding &finding : outcome.interpretation.findings)
    if (isCompared(finding.kind))
      found.findings.push_back(finding);
  for (const Diagnostic &diagnostic : outcome.result.diagnostics) {
    if (diagnostic.kind == DiagnosticKind::RunAccessOutside ||
        diagnostic.kind == DiagnosticKind::RunAssertFailed)
      found.messages.push_back(diagnostic.message);
    if (diagnostic.kind == DiagnosticKind::RunUndefined ||
        diagnostic.kind == DiagnosticKind::RunWriteRace)
      found.doubts.push_back(diagnostic.message);
    if (diagnostic.kind == DiagnosticKind::RunUnsupported)
      FAIL(diagnostic.message);
  }
  for (const Fenced &tensor : tensors) {
    CHECK(tensor.isBorderUntouched());
    found.memory.push_back(tensor.contents());
  }
  return found;
}

/// Runs the kernel in both ways; returns what native code has found.
static std::vector<std::string> runBoth(const std::string &body, const Launch &launch = {}) {
  INFO(body);
  Compiler compiler{CudaToolkit{}};
  const Found expected = run(compiler, body, "cuda:90", launch);
  const Found found = run(compiler, body, std::string(kNativeTarget), launch);
  CHECK(found.completed == expected.completed);
  CHECK(found.findings == expected.findings);
  CHECK(found.messages == expected.messages);
  CHECK(found.memory == expected.memory);
  std::vector<std::string> messages;
  for (const InterpreterFinding &finding : found.findings)
    messages.push_back(finding.message);
  return messages;
}

using Messages = std::vector<std::string>;

TEST_CASE("native code finds accesses past the last element and before the first",
          "[compiler][native]") {
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o <= n), mask=o < n)\n") ==
        Messages{"program 3 reads `x_ptr[100]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + o, o * 1.0, mask=o <= n)\n") ==
        Messages{"program 3 writes `y_ptr[100]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o - 1, mask=o < n), mask=o < n)\n") ==
        Messages{"program 0 reads `x_ptr[-1]`, before its first element"});
  CHECK(runBoth("    tl.store(y_ptr + o - 1, o * 1.0, mask=o < n)\n") ==
        Messages{"program 0 writes `y_ptr[-1]`, before its first element"});
  // Without any mask, and with the value that masked-off elements have.
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o))\n").size() == 2);
  CHECK(runBoth("    x = tl.load(x_ptr + o, mask=o < n + 3, other=7.0)\n"
                "    tl.store(y_ptr + 99 - o, x, mask=o < n)\n")
            .size() == 1);
}

TEST_CASE("native code does not accuse elements that are masked off", "[compiler][native]") {
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n), mask=o < n)\n").empty());
  // Nowhere near anything.
  CHECK(runBoth("    far = tl.where(o < n, o, 1000000000)\n"
                "    tl.store(y_ptr + far, tl.load(x_ptr + far, mask=o < n), mask=o < n)\n")
            .empty());
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o + 5000000, mask=o < 0, other=2.0), "
                "mask=o < n)\n")
            .empty());
  CHECK(runBoth("    x = tl.load(x_ptr + 1000000 * pid, mask=pid == 0, other=1.0)\n"
                "    tl.store(y_ptr + pid, x)\n")
            .empty());
  CHECK(runBoth("    tl.atomic_add(y_ptr + o + 1000, 1.0, mask=o < 0)\n").empty());
}

TEST_CASE("native code checks elements that are not neighbors", "[compiler][native]") {
  CHECK(
      runBoth("    i = tl.load(i_ptr + o, mask=o < n)\n"
              "    tl.store(y_ptr + o, tl.load(x_ptr + (i * 37) % 130, mask=o < n), mask=o < n)\n")
          .size() == 1);
  CHECK(runBoth("    tl.store(y_ptr + o * 3, tl.load(x_ptr + 99 - 2 * o))\n").size() == 2);
  // A matrix of 10 rows and 10 columns, seen as one of 16.
  CHECK(runBoth("    r = tl.arange(0, 16)[:, None]\n    c = tl.arange(0, 16)[None, :]\n"
                "    x = tl.load(x_ptr + r * 10 + c, mask=(r < 10) & (c < 11))\n"
                "    tl.store(y_ptr + c * 10 + r, x, mask=(r < 10) & (c < 11))\n",
                {{1, 1, 1}, 100})
            .size() == 2);
  // A column that each row of a block repeats.
  CHECK(runBoth("    r = tl.load(x_ptr + 90 + tl.arange(0, 16))\n"
                "    c = tl.arange(0, 4)\n"
                "    tl.store(y_ptr + tl.arange(0, 16)[:, None] * 4 + c[None, :], "
                "r[:, None] + c[None, :])\n",
                {{1, 1, 1}, 100})
            .size() == 1);
}

TEST_CASE("native code checks single elements and atomic operations", "[compiler][native]") {
  CHECK(runBoth("    tl.store(y_ptr + pid, tl.load(x_ptr + pid * 40))\n") ==
        Messages{"program 3 reads `x_ptr[120]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + pid - 2, 1.0)\n").size() == 1);
  CHECK(runBoth("    tl.atomic_add(y_ptr + o, 1.0, mask=o <= n)\n") ==
        Messages{"program 3 updates `y_ptr[100]`, past its last element 99"});
  CHECK(runBoth("    tl.atomic_max(i_ptr + pid * 50, 3)\n").size() == 1);
  CHECK(runBoth("    tl.atomic_cas(i_ptr + o * 4, o * 0, o)\n", {{1, 1, 1}, 100}).size() == 1);
  // One element for the whole block.
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + 100 + tl.zeros([32], tl.int32)), "
                "mask=o < n)\n")
            .size() == 1);
  CHECK(runBoth("    tl.store(y_ptr + 103 + tl.zeros([32], tl.int32), 1.0)\n").size() == 1);
}

TEST_CASE("native code joins what the rounds of a loop access", "[compiler][native]") {
  CHECK(runBoth("    for i in range(0, 4):\n"
                "        tl.store(y_ptr + o + i * 7, tl.load(x_ptr + o + i * 32))\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  CHECK(runBoth("    sum = tl.zeros([32], tl.float32)\n    p = x_ptr + o\n"
                "    for i in range(0, 5):\n        sum += tl.load(p)\n        p += 32\n"
                "    tl.store(y_ptr + o, sum, mask=o < n)\n")
            .size() == 1);
  CHECK(runBoth("    for i in tl.static_range(4):\n"
                "        tl.store(y_ptr + o, tl.load(x_ptr + o + i * 32), mask=o < n)\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  // A function of the interpreter's tables, where the loop is still being made.
  CHECK(runBoth("    i = 0\n    while i < 5:\n"
                "        tl.store(y_ptr + o, (o * 1.5 + i) % 7.0, mask=o < n)\n        i += 1\n")
            .empty());
  CHECK(runBoth("    i = 0\n    while i < 5:\n        tl.store(y_ptr + i * 30, 2.0)\n"
                "        i += 1\n")
            .size() == 1);
}

TEST_CASE("native code accuses each load once, wherever its elements are used",
          "[compiler][native]") {
  // By a sum and by a store.
  CHECK(runBoth("    x = tl.load(x_ptr + o)\n"
                "    tl.store(y_ptr + o, x / tl.sum(x, 0), mask=o < n)\n")
            .size() == 1);
  // By a branch that some programs do not take.
  CHECK(runBoth("    x = tl.load(x_ptr + o + 60)\n"
                "    if pid > 2:\n        tl.store(y_ptr + o, x, mask=o < n)\n")
            .size() == 1);
  // In each round of a loop.
  CHECK(runBoth("    x = tl.load(x_ptr + o)\n    for i in range(0, 3):\n"
                "        tl.store(y_ptr + o, x + i, mask=o < n)\n")
            .size() == 1);
  // Behind a store that changes it.
  CHECK(runBoth("    x = tl.load(y_ptr + o + 80)\n    tl.store(y_ptr + o + 80, 3.0, mask=o < 20)\n"
                "    tl.store(x_ptr + o, x)\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  CHECK(runBoth("    r = tl.arange(0, 16)\n"
                "    a = tl.load(x_ptr + r[:, None] * 16 + r[None, :])\n"
                "    b = tl.load(y_ptr + r[:, None] + r[None, :])\n"
                "    tl.store(y_ptr + r[:, None] * 4 + r[None, :] % 4, tl.dot(a, b), "
                "mask=r[None, :] < 4)\n",
                {{1, 1, 1}, 100})
            .size() == 1);
  CHECK(runBoth("    tl.store(y_ptr + o, tl.cumsum(tl.load(x_ptr + o), 0), mask=o < n)\n").size() ==
        1);
}

TEST_CASE("native code tells arguments apart whose pointers take one way", "[compiler][native]") {
  // Either of two arguments.
  CHECK(runBoth("    p = x_ptr\n    if pid % 2 == 1:\n        p = y_ptr\n"
                "    tl.store(p + o + 3, 1.0)\n")
            .size() == 1);
  // Numbers that are addresses.
  CHECK(runBoth("    a = x_ptr.to(tl.int64) + o.to(tl.int64) * 4\n"
                "    p = a.to(tl.pointer_type(tl.float32))\n"
                "    tl.store(y_ptr + o, tl.load(p, mask=o <= n), mask=o < n)\n")
            .size() == 1);
  CHECK(runBoth("    p = (o.to(tl.int64) * 0 + 64).to(tl.pointer_type(tl.float32))\n"
                "    tl.store(p, 1.0)\n") ==
        Messages{"program 0 writes through a pointer that belongs to no argument"});
  // Far from all arguments, and in elements of another type.
  CHECK(runBoth("    tl.store(x_ptr + o.to(tl.int64) + 1099511627776, 1.0)\n").size() == 1);
  CHECK(runBoth("    p = x_ptr.to(tl.pointer_type(tl.int8), bitcast=True)\n"
                "    tl.store(p + o * 4, o.to(tl.int8))\n")
            .size() == 1);
}

TEST_CASE("an assertion ends programs of native code as it ends those of the interpreter",
          "[compiler][native]") {
  CHECK(runBoth("    tl.device_assert(o < n, 'inside')\n"
                "    tl.store(y_ptr + o, o * 1.0)\n",
                {.isDebug = true}) ==
        Messages{"the assertion does not hold: inside (first at element 4)"});
  // What follows is not executed, and what was loaded before it is accused.
  CHECK(runBoth("    x = tl.load(x_ptr + o + 3)\n    tl.device_assert(pid < 3, 'few')\n"
                "    tl.store(y_ptr + o, x)\n",
                {.isDebug = true})
            .size() == 2);
  CHECK(runBoth("    tl.device_assert(tl.zeros([32], tl.int32) + pid < 1, 'one')\n"
                "    tl.store(y_ptr + o + 90, 1.0)\n",
                {.isDebug = true})
            .size() == 2);
}

/// Messages of warnings that the interpreter alone can give.
static std::vector<std::string> doubtsOf(const std::string &body, const Launch &launch = {}) {
  Compiler compiler{CudaToolkit{}};
  const Found expected = run(compiler, body, "cuda:90", launch);
  const Found found = run(compiler, body, std::string(kNativeTarget), launch);
  CHECK(found.doubts == expected.doubts);
  return found.doubts;
}

TEST_CASE("the interpreter looks at the first and the last program of checked native code",
          "[compiler][native]") {
  // What the mask of the last program leaves undefined is stored.
  CHECK(doubtsOf("    tl.store(y_ptr + o % 100, tl.load(x_ptr + o, mask=o < n), mask=o >= 96)\n")
            .size() == 1);
  // Several elements of one store have one address.
  CHECK(doubtsOf("    tl.store(y_ptr + o // 2, o * 1.0)\n", {{1, 1, 1}, 100}).size() == 1);
  CHECK(doubtsOf("    tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n), mask=o < n)\n").empty());
  // Its arguments are copies: what it adds is not added twice.
  CHECK(runBoth("    tl.atomic_add(y_ptr + o, 1.0, mask=o < n)\n").empty());
}

TEST_CASE("native code names programs of grids with several dimensions, and empty arguments",
          "[compiler][native]") {
  const std::vector<std::string> found =
      runBoth("    tl.store(y_ptr + tl.program_id(1) * 60 + tl.program_id(2) * 39, 1.0)\n",
              {{1, 2, 3}, 100});
  CHECK(found == Messages{"program (0, 1, 2) writes `y_ptr[138]`, past its last element 99"});
  CHECK(runBoth("    tl.store(y_ptr + o, tl.load(x_ptr + o))\n", {{1, 1, 1}, 3}).size() == 2);
}
