// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which results of a kernel a race leaves to chance.
#include "tests/unit/app/commands/RunProgram.h"

#include <nlohmann/json.hpp>

using namespace tilescope;
using tests::Folder;
using tests::program;

/// Programs race for s_ptr. What z_ptr holds depends on it by a condition, w_ptr by a loop's value, v_ptr
/// through z_ptr, y_ptr does not.
static constexpr const char *kReached = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [64], init = "ones" }
# s_ptr = { dtype = "fp32", shape = [16], init = "zeros", expected = "s_ptr + 4" }
# y_ptr = { dtype = "fp32", shape = [64], expected = "2 * x_ptr" }
# z_ptr = { dtype = "fp32", shape = [4], expected = "7" }
# w_ptr = { dtype = "fp32", shape = [4], expected = "3 * (arange(4) + 1)" }
# v_ptr = { dtype = "fp32", shape = [4], expected = "7" }
# ///


@triton.jit
def k(x_ptr, s_ptr, y_ptr, z_ptr, w_ptr, v_ptr):
    p = tl.program_id(0)
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + p * 16 + i)
    tl.store(y_ptr + p * 16 + i, 2 * x)
    tl.store(s_ptr + i, tl.load(s_ptr + i) + x)
    if tl.load(s_ptr) > 0:
        tl.store(z_ptr + p, 7.0)
    total = 0.0
    for k in range(3):
        total += tl.load(s_ptr + k)
    tl.store(w_ptr + p, total)
    tl.store(v_ptr + p, tl.load(z_ptr + p))
)py";

TEST_CASE("a race leaves to chance what depends on it, and nothing else", "[app]") {
  const Folder folder;
  folder.write("k.py", kReached);
  const ChildOutput run =
      program({"run", "--on", "cpu", (folder.path / "k.py").string(), "--json"});
  // What may be another value on another run does not pass.
  CHECK(run.status == 1);
  const nlohmann::json document = nlohmann::json::parse(run.standardOutput);
  std::map<std::string, std::string> doubts;
  for (const auto &output : document["outputs"])
    if (output.contains("doubt"))
      doubts[output["name"]] = output["doubt"];
  CHECK(doubts == std::map<std::string, std::string>{{"s_ptr", "races"},
                                                     {"y_ptr", "none"},
                                                     {"z_ptr", "races"},
                                                     {"w_ptr", "races"},
                                                     {"v_ptr", "races"}});
}
