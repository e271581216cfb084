// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the command line says of kernels whose programs wait for each other.
#include "tests/unit/app/commands/RunProgram.h"

#include <nlohmann/json.hpp>

using namespace tilescope;
using tests::Folder;
using tests::program;

/// A barrier over the grid, in line 21, of programs that take half of a multiprocessor each.
static constexpr const char *kBarrier = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = ["n"]
# [sizes]
# n = 265
# [args]
# count_ptr = { dtype = "i32", shape = [1], init = "zeros" }
# x_ptr = { dtype = "i32", shape = ["n"], init = "zeros", expected = "1" }
# [options]
# num_warps = 32
# ///


@triton.jit
def k(count_ptr, x_ptr):
    tl.atomic_add(count_ptr, 1)
    while tl.atomic_add(count_ptr, 0) < tl.num_programs(0):
        pass
    tl.store(x_ptr + tl.program_id(0), 1)
)py";

TEST_CASE("a match of a kernel that can hang on a GPU is in doubt", "[app]") {
  const Folder folder;
  folder.write("k.py", kBarrier);
  const std::string path = (folder.path / "k.py").string();
  const auto run = [&](const char *size) {
    return nlohmann::json::parse(
        program({"run", "--on", "cpu", path, "--json", "--set", size}).standardOutput);
  };
  const nlohmann::json document = run("n=265");
  CHECK(document["ok"] == true);
  CHECK(document["races"] == false);
  CHECK(document["outputs"][1]["doubt"] == "hang");
  CHECK(document["notes"] ==
        nlohmann::json{"`x_ptr` matches here, but on a GPU the kernel can hang"});
  REQUIRE(document["diagnostics"].size() == 1);
  const nlohmann::json &warning = document["diagnostics"][0];
  CHECK(warning["line"] == 21);
  CHECK(warning["severity"] == "warning");
  CHECK(warning["message"].get<std::string>().starts_with(
      "programs wait here for others that have not begun, until 265 run at once, but an H100 or "
      "H200 (`cuda:90`) holds at most 264 of them (2 on each of 132 multiprocessors, limited by "
      "warps"));
  const std::string html = (folder.path / "r.html").string();
  CHECK(program({"report", "--on", "cpu", path, "-o", html}).status == 0);
  CHECK(profiler::readTextFile(html)->find("⚠ can hang") != std::string::npos);
  // As many as it holds end there, too.
  const nlohmann::json fitting = run("n=264");
  CHECK(fitting["diagnostics"].empty());
  CHECK(fitting["outputs"][1]["doubt"] == "none");
}

TEST_CASE("inspecting a kernel whose programs wait notes where, and tells the rest", "[app]") {
  const Folder folder;
  folder.write("k.py", kBarrier);
  const ChildOutput child = program({"inspect", (folder.path / "k.py").string(), "--json"});
  CHECK(child.status == 0);
  const nlohmann::json document = nlohmann::json::parse(child.standardOutput);
  CHECK(document["ok"] == true);
  REQUIRE(document["diagnostics"].size() == 1);
  const nlohmann::json &note = document["diagnostics"][0];
  CHECK(note["severity"] == "note");
  CHECK(note["line"] == 21);
  CHECK(note["message"].get<std::string>().find("how often accesses are executed is not counted") !=
        std::string::npos);
  CHECK_FALSE(document["accesses"].empty());
}
