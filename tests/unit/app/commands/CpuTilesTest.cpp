// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CpuTiles.h"

#include "app/commands/EditedKernels.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static const char *const kDefinition = "import triton\n\n\n@triton.jit\ndef product(a_ptr):\n"
                                       "    pass\n";

/// A plan of one product with a tile of 32 × 64, as the emitter writes its launch.
static ModelPlan planOf(int64_t rows, int64_t columns, int64_t depth, int64_t batch = 1) {
  const auto number = [](int64_t value) { return std::to_string(value) + "\n"; };
  ModelPlan plan;
  plan.functions["product"] = kDefinition;
  plan.steps.push_back({"node",
                        "product",
                        "# /// tilescope\n# kernel = \"product\"\n"
                        "# grid = [\"cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)\", " +
                            std::to_string(batch) + "]\n# [args]\n# M = " + number(rows) +
                            "# N = " + number(columns) + "# K = " + number(depth) +
                            "# [constexprs]\n# BLOCK_M = 32\n# BLOCK_N = 64\n# BLOCK_K = 32\n"
                            "# ///\n",
                        {}});
  return plan;
}

static void check(const ProductExtents &product, unsigned numThreads,
                  std::optional<CpuTile> expected, const CpuTile &planned = {32, 64, 32}) {
  INFO(product.batch << " of " << product.rows << " × " << product.columns << ", " << product.depth
                     << " deep, " << numThreads << " threads");
  CHECK(cpuTile(product, planned, numThreads) == expected);
}

TEST_CASE("large products take large tiles on the processor, small ones the plan's", "[app]") {
  check({1, 197, 3072, 768}, 2, CpuTile{128, 128, 64});
  check({1, 384, 529, 384}, 2, CpuTile{128, 64, 64});
  // 192 rows fill three tiles of 64, and would leave half of the second one of 128 empty.
  check({1, 192, 2112, 192}, 2, CpuTile{64, 64, 64});
  check({1, 96, 8464, 96}, 2, CpuTile{32, 64, 32});
  // Else most threads had nothing to do.
  check({1, 128, 1024, 1024}, 64, CpuTile{32, 64, 32});
  check({12, 48, 33856, 64}, 2, std::nullopt);
  check({1, 1000, 1, 2048}, 2, std::nullopt);
  check({0, 1024, 1024, 1024}, 2, std::nullopt);
}

TEST_CASE("a tile divides what the plan's divides: kernels have no masks there", "[app]") {
  // 480 is 15 times 32, and no multiple of 64.
  check({1, 197, 3072, 480}, 2, CpuTile{32, 64, 32});
  check({1, 197, 3072, 496}, 2, std::nullopt, {16, 16, 16});
  check({1, 197, 3072, 500}, 2, CpuTile{128, 128, 64});
  check({1, 197, 3072, 768}, 2, std::nullopt, {0, 0, 0});
}

TEST_CASE("a step's tile is found in its launch block", "[app]") {
  const ModelPlan plan = planOf(4096, 4096, 4096);
  const auto found = cpuConstexprs(plan, plan.steps.front());
  CHECK(found == std::map<std::string, std::string>{
                     {"BLOCK_M", "128"}, {"BLOCK_N", "128"}, {"BLOCK_K", "64"}});
  const ModelPlan small = planOf(8, 4096, 4096);
  CHECK(cpuConstexprs(small, small.steps.front()).empty());
}

TEST_CASE("a kernel edited by hand keeps the tile of its launch block", "[app]") {
  ModelPlan same = planOf(4096, 4096, 4096), edited = same;
  const std::string text = std::string(kDefinition) + "\n\n# an end\n";
  REQUIRE(useKernels(text, "model.py", same));
  CHECK(cpuConstexprs(same, same.steps.front()).size() == 3);
  std::string other = text;
  other.replace(other.find("pass"), 4, "return");
  REQUIRE(useKernels(other, "model.py", edited));
  CHECK(cpuConstexprs(edited, edited.steps.front()).empty());
}
