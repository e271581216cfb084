// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/TunedList.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static const std::string kBegin = "import triton\nimport triton.language as tl\n\n";
static const std::string kKernel = "@triton.jit\ndef k(x_ptr, BLOCK: tl.constexpr):\n"
                                   "    tl.store(x_ptr + tl.arange(0, BLOCK), 1.0)\n";

static std::string file(const std::string &configs, const std::string &globals = "") {
  return kBegin + globals + "@triton.autotune(configs=" + configs + ", key=[])\n" + kKernel;
}

TEST_CASE("a configuration is added to a list that is written out", "[app]") {
  const std::string lines = "[\n    triton.Config({\"BLOCK\": 64}, num_warps=4),  # small\n"
                            "    triton.Config({\"BLOCK\": 128}, num_warps=8),\n]";
  const auto added = withConfiguration(file(lines), "k", {{{"BLOCK", "256"}}, {}});
  REQUIRE(added);
  CHECK(*added == file("[\n    triton.Config({\"BLOCK\": 64}, num_warps=4),  # small\n"
                       "    triton.Config({\"BLOCK\": 128}, num_warps=8), "
                       "triton.Config({\"BLOCK\": 256}, num_warps=4),\n]"));
  const auto stages = withConfiguration(file("[triton.Config({\"BLOCK\": 64})]"), "k",
                                        {{}, {{"num_stages", "2"}, {"num_warps", "8"}}});
  REQUIRE(stages);
  CHECK(*stages == file("[triton.Config({\"BLOCK\": 64}), triton.Config({\"BLOCK\": 64}, "
                        "num_stages=2, num_warps=8)]"));
  const auto global =
      withConfiguration(file("CONFIGS", "CONFIGS = [triton.Config({\"BLOCK\": 64})]\n\n"), "k",
                        {{{"BLOCK", "32"}}, {}});
  REQUIRE(global);
  CHECK(*global == file("CONFIGS", "CONFIGS = [triton.Config({\"BLOCK\": 64}), "
                                   "triton.Config({\"BLOCK\": 32})]\n\n"));
}

TEST_CASE("a list that has it, or that cannot be written to, stays", "[app]") {
  const compiler::Configuration chosen{{{"BLOCK", "64"}}, {{"num_warps", "4"}}};
  CHECK_FALSE(
      withConfiguration(file("[triton.Config({\"BLOCK\": 64}, num_warps=4)]"), "k", chosen));
  CHECK_FALSE(withConfiguration(file("[triton.Config({\"BLOCK\": b}) for b in (32, 64)]"), "k",
                                {{{"BLOCK", "128"}}, {}}));
  CHECK_FALSE(withConfiguration(kBegin + kKernel, "k", chosen));
  CHECK_FALSE(withConfiguration(file("[]"), "k", chosen));
  CHECK_FALSE(withConfiguration(file("[triton.Config({\"BLOCK\": 64})]"), "other", chosen));
}
