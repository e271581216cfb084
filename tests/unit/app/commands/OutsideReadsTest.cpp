// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Results of kernels that read outside of an array.
#include "tests/unit/app/commands/RunProgram.h"

#include <nlohmann/json.hpp>

using namespace tilescope;
using tests::Folder;
using tests::program;

/// The sum takes in what lies past the end: 0 here.
static constexpr const char *kPastTheEnd = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [100], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "sum(x_ptr)" }
# z_ptr = { dtype = "fp32", shape = [100], init = "zeros", expected = "x_ptr" }
# ///


@triton.jit
def k(x_ptr, y_ptr, z_ptr):
    i = tl.arange(0, 128)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr, tl.sum(x, axis=0))
    tl.atomic_add(z_ptr + i, x, mask=i < 100)
)py";

TEST_CASE("results that take in what lies past the end of an array are expected by chance alone",
          "[app]") {
  const Folder folder;
  folder.write("k.py", kPastTheEnd);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK(document["outputs"][1]["mismatches"] == 0);
  CHECK(document["outputs"][1]["doubt"] == "outside");
  // What is read there does not come as far as here, and is added once although the run is repeated.
  CHECK(document["outputs"][2]["mismatches"] == 0);
  CHECK(document["outputs"][2]["doubt"] == "none");
  const ChildOutput words = program({"run", "--on", "cpu", (folder.path / "k.py").string()});
  CHECK(words.standardOutput.find(
            "; matches by chance, since what is read outside of an array takes part (") !=
        std::string::npos);
  const std::string html = (folder.path / "r.html").string();
  program({"report", "--on", "cpu", (folder.path / "k.py").string(), "-o", html});
  const Result<std::string> text = profiler::readTextFile(html);
  REQUIRE(text);
  CHECK(text->find("as expected; `y_ptr` matches by chance, since what is read outside of an array "
                   "takes part") != std::string::npos);
  CHECK(text->find("as expected nevertheless") == std::string::npos);
}

TEST_CASE(
    "a window that reaches beyond both ends of a guessed array is the mask's fault, with one fix",
    "[app]") {
  const Folder folder;
  folder.write("k.py", R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [3]
# [sizes]
# n = 150
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn", guessed = true }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# ///


@triton.jit
def k(x_ptr, y_ptr, n):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    acc = tl.zeros([64], dtype=tl.float32)
    for k in tl.static_range(3):
        acc += tl.load(x_ptr + i + k - 1, mask=i < n)
    tl.store(y_ptr + i, acc, mask=i < n)
)py");
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  int numOutside = 0;
  for (const nlohmann::json &each : document["diagnostics"]) {
    if (each["kind"] != "run-access-outside")
      continue;
    ++numOutside;
    // No shape makes an index of -1 one of an element.
    CHECK(each["severity"] == "error");
    REQUIRE(each["fixes"].size() == 1);
    CHECK(each["fixes"][0]["replacement"] ==
          "(i < n) & (i + k - 1 >= 0) & (i + k - 1 < n), other=0.0");
  }
  CHECK(numOutside == 2);
}

TEST_CASE("a mask of the places in a block is replaced by one of the whole index", "[app]") {
  const Folder folder;
  folder.write("k.py", R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["cdiv(n, B)"]
# [sizes]
# n = 150
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"] }
# n = "n"
# [constexprs]
# B = 64
# ///


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    pid = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + pid * B + i, mask=i < n)
    tl.store(y_ptr + pid * B + i, x, mask=i < n)
)py");
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  REQUIRE(document["diagnostics"].size() == 2);
  for (const nlohmann::json &each : document["diagnostics"]) {
    REQUIRE(each["fixes"].size() == 1);
    CHECK(each["fixes"][0]["replacement"] == "pid * B + i < n");
  }
}
