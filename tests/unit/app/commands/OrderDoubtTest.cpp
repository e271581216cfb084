// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the command line says of results that depend on the order in which elements are combined.
#include "tests/unit/app/commands/RunProgram.h"

#include <nlohmann/json.hpp>

using namespace tilescope;
using tests::Folder;
using tests::program;

TEST_CASE("where elements are combined in an order of the CPU's own, nothing races", "[app]") {
  const Folder folder;
  folder.write("k.py", R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [64], init = "ones" }
# y_ptr = { dtype = "fp32", shape = [1], expected = "1" }
# ///


@triton.jit
def mean(a, b):
    return (a + b) / 2


@triton.jit
def k(x_ptr, y_ptr):
    i = tl.arange(0, 64)
    tl.store(y_ptr, tl.reduce(tl.load(x_ptr + i), 0, mean))
)py");
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK_FALSE(document["ok"]);
  CHECK_FALSE(document["races"]);
  CHECK(document["outputs"][1]["doubt"] == "order");
  CHECK(document["notes"] ==
        nlohmann::json{"`y_ptr` matches in the order of the CPU, but a GPU may combine the "
                       "elements in another"});
}

TEST_CASE("a result that native code's order changes is not shown to be right", "[app]") {
  const Folder folder;
  folder.write("k.py", R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["R"]
# [sizes]
# R = 30
# [args]
# x = { dtype = "fp16", shape = ["R", "512"], init = "randint", low = 0, high = 60 }
# at = { dtype = "i32", shape = ["R"], expected = "argmax(x, axis=1)" }
# top = { dtype = "fp16", shape = ["R"], expected = "max(x, axis=1)" }
# ///


@triton.jit
def larger(va, ia, vb, ib):
    keeps = va >= vb
    return tl.where(keeps, va, vb), tl.where(keeps, ia, ib)


@triton.jit
def k(x, at, top):
    row = tl.program_id(0)
    i = tl.arange(0, 512)
    best, place = tl.reduce((tl.load(x + row * 512 + i), i), 0, larger)
    tl.store(at + row, place)
    tl.store(top + row, best)
)py");
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  CHECK_FALSE(document["ok"]);
  CHECK(document["outputs"][1]["doubt"] == "order");
  CHECK(document["outputs"][2]["doubt"] == "none");
  REQUIRE(document["notes"].size() == 2);
  CHECK(document["notes"][0].get<std::string>().starts_with(
      "native code combines elements in another order, and leaves "));
  CHECK(document["notes"][1] == "`at` matches in the order of the CPU, but a GPU may combine the "
                                "elements in another");
}
