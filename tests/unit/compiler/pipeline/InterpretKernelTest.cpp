// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a run finds between the warps of one program, with the layouts that the compiler chooses.
#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

/// A run of one program with 1024 elements and four warps. `i`: their numbers.
static InterpretOutcome runOutcome(const std::string &body, const std::string &numWarps = "4") {
  CompileRequest request;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                 "def k(x_ptr, y_ptr, z_ptr):\n    i = tl.arange(0, 1024)\n" +
                 body;
  request.selection.signature = {
      {"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"z_ptr", "*fp32:16"}};
  request.selection.options = {{"num_warps", numWarps}};
  request.selection.target = "cuda:90";
  std::vector<std::vector<float>> tensors(3, std::vector<float>(1024, 1));
  InterpretInput input;
  input.numThreads = 1;
  input.argument = [&](const KernelParameter &parameter) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    std::vector<float> &tensor = tensors[static_cast<size_t>(parameter.name[0] - 'x')];
    argument.data = reinterpret_cast<std::byte *>(tensor.data());
    argument.sizeBytes = tensor.size() * sizeof(float);
    return argument;
  };
  Compiler compiler{CudaToolkit{}};
  InterpretOutcome outcome = compiler.interpret(request, input);
  CHECK(outcome.interpretation.completed);
  return outcome;
}

/// The messages of a run.
static std::vector<std::string> run(const std::string &body, const std::string &numWarps = "4") {
  const InterpretOutcome outcome = runOutcome(body, numWarps);
  std::vector<std::string> messages;
  for (const Diagnostic &diagnostic : outcome.result.diagnostics)
    messages.push_back(std::to_string(diagnostic.range.begin.line + 1) + ": " + diagnostic.message);
  return messages;
}

static const std::string kStore = "    x = tl.load(x_ptr + i)\n    tl.store(y_ptr + i, x + 1.0)\n";

TEST_CASE("a load of what another warp stores without a barrier is a race", "[compiler]") {
  const std::vector<std::string> found =
      run(kStore + "    z = tl.load(y_ptr + (i ^ 256))\n    tl.store(z_ptr + i, z)\n");
  REQUIRE(found.size() == 1);
  CHECK(found.front() ==
        "9: `y_ptr[256]` is read by warp 0 of program 0 and stored by its warp 2 in line "
        "8: which comes first is chance; separate the two by `tl.debug_barrier()`");
  // In the next iteration of a loop.
  CHECK(run("    for step in range(4):\n"
            "        z = tl.load(y_ptr + (i ^ 256))\n        tl.debug_barrier()\n"
            "        tl.store(y_ptr + i, z + 1.0)\n")
            .size() == 1);
  // What the first warp has stored, element by element.
  const std::vector<std::string> scalars =
      run("    for j in range(1024):\n        tl.store(y_ptr + j, j * 1.0)\n"
          "    tl.store(z_ptr + i, tl.load(y_ptr + i))\n");
  REQUIRE(scalars.size() == 1);
  CHECK(scalars.front() ==
        "9: `y_ptr[128]` is read by warp 1 of program 0 and stored by its warp 0 in line "
        "8: which comes first is chance; separate the two by `tl.debug_barrier()`");
  // A scalar that all warps work on.
  CHECK(run("    tl.store(y_ptr, 2.0)\n    tl.store(z_ptr + i, i + tl.load(y_ptr))\n").size() == 1);
  CHECK(run("    tl.store(y_ptr, 2.0)\n    tl.store(z_ptr, tl.load(y_ptr) + 1.0)\n").empty());
}

TEST_CASE("a store of what another warp has loaded without a barrier is a race", "[compiler]") {
  const std::string load = "    x = tl.load(y_ptr + 1023 - i)\n";
  const std::vector<std::string> found = run(load + "    tl.store(y_ptr + i, x + 1.0 * i)\n");
  REQUIRE(found.size() == 1);
  CHECK(found.front() ==
        "8: `y_ptr[1]` is stored by warp 0 of program 0 and read by its warp 3 in line 7: "
        "which comes first is chance; separate the two by `tl.debug_barrier()`");
  CHECK(run(load + "    tl.debug_barrier()\n    tl.store(y_ptr + i, x + 1.0 * i)\n").empty());
  CHECK(run(load + "    tl.store(y_ptr + i, x + 1.0 * i)\n", "1").empty());
  // Nothing changes.
  CHECK(run(load + "    tl.store(y_ptr + i, x)\n").empty());
  // What a warp loads and stores itself.
  CHECK(run("    x = tl.load(y_ptr + i)\n    tl.store(y_ptr + (i + 0), x + 1.0)\n").empty());
  // In a loop, warps wait for each other before the next iteration loads.
  const auto rotated = [](const std::string &barrier) {
    return "    for step in range(4):\n" + barrier +
           "        x = tl.load(y_ptr + (i + step * 32) % 1024)\n"
           "        tl.store(y_ptr + ((i + step * 32) % 1024 ^ 1), x + 1.0 * i)\n";
  };
  CHECK_FALSE(run(rotated("")).empty());
  CHECK(run(rotated("        tl.debug_barrier()\n")).empty());
}

TEST_CASE("two stores by different warps without a barrier are a race", "[compiler]") {
  const std::string store = "    tl.store(y_ptr + i, i * 1.0)\n";
  const std::vector<std::string> found = run(store + "    tl.store(y_ptr + 1023 - i, i * 1.0)\n");
  REQUIRE(found.size() == 1);
  CHECK(found.front() ==
        "8: `y_ptr[1023]` is stored by warp 0 of program 0 and with another value by its "
        "warp 3 in line 7: which comes first is chance; separate the two by `tl.debug_barrier()`");
  CHECK(run(store + "    tl.debug_barrier()\n    tl.store(y_ptr + 1023 - i, i * 1.0)\n").empty());
  CHECK(run(store + "    tl.store(y_ptr + 1023 - i, 1023.0 - i)\n").empty());
  // One behind the other, of one warp.
  CHECK(run("    tl.store(y_ptr + (i ^ 2), i * 1.0)\n    tl.store(y_ptr + (i ^ 1), i * 1.0)\n")
            .empty());
  // A program executes only one of them.
  CHECK(run("    if tl.program_id(0) > 5:\n        tl.store(y_ptr + i, i * 1.0)\n    else:\n"
            "        tl.store(y_ptr + 1023 - i, i * 1.0)\n")
            .empty());
}

TEST_CASE("what a warp has stored itself, or behind a barrier, is no race", "[compiler]") {
  const std::string use = "    tl.store(z_ptr + i, z)\n";
  // The same elements, those of a neighbor lane, and of the neighbor that some lanes have.
  CHECK(run(kStore + "    z = tl.load(y_ptr + i)\n" + use).empty());
  CHECK(run(kStore + "    z = tl.load(y_ptr + i + 0, mask=i < 1000, other=0.0)\n" + use).empty());
  CHECK(run(kStore + "    z = tl.load(y_ptr + (i ^ 4))\n" + use).empty());
  CHECK(run(kStore + "    z = tl.load(y_ptr + (i ^ 256))\n" + use, "1").empty());
  CHECK(run(kStore + "    tl.debug_barrier()\n    z = tl.load(y_ptr + (i ^ 256))\n" + use).empty());
  // Warps wait for each other in a reduction.
  CHECK(run(kStore + "    s = tl.sum(x, axis=0)\n    z = tl.load(y_ptr + (i ^ 256)) + s\n" + use)
            .empty());
  // Other elements of the tensor.
  CHECK(run("    j = tl.arange(0, 512)\n    tl.store(y_ptr + j, 1.0)\n"
            "    z = tl.load(y_ptr + 512 + j)\n    tl.store(z_ptr + j, z)\n")
            .empty());
  // Loaded before it is stored, by the same warp.
  CHECK(run("    z = tl.load(y_ptr + (i ^ 1))\n    tl.store(y_ptr + i, z)\n").empty());
}

TEST_CASE("an `other` that a reduction counts has the one that it does not count as its fix",
          "[compiler]") {
  const auto fixes = [](const std::string &other, const std::string &reduction) {
    const InterpretOutcome outcome =
        runOutcome("    x = tl.load(x_ptr + i, mask=i < 1000, other=" + other +
                   ")\n    tl.store(y_ptr, " + reduction + ")\n");
    std::vector<std::string> found;
    for (const DiagnosticFix &fix : outcome.countedFillers)
      found.push_back(fix.replacement);
    return found;
  };
  CHECK(fixes("0.0", "tl.max(x)") == std::vector<std::string>{"float(\"-inf\")"});
  CHECK(fixes("0.0", "tl.min(x)") == std::vector<std::string>{"float(\"inf\")"});
  CHECK(fixes("1.0", "tl.sum(x)") == std::vector<std::string>{"0.0"});
  CHECK(fixes("0.0", "tl.sum(x)").empty());
  CHECK(fixes("float(\"-inf\")", "tl.max(x)").empty());
}
