// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KernelOptions.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

TEST_CASE("options are read in Triton's notation", "[compiler]") {
  const Result<KernelOptions> options = parseKernelOptions({{"num_warps", "8"},
                                                            {"num_stages", "2"},
                                                            {"maxnreg", "64"},
                                                            {"enable_fp_fusion", "False"},
                                                            {"ptx_options", "\"-O1 --warn\""}},
                                                           {80});
  REQUIRE(options);
  CHECK(options->numWarps == 8);
  CHECK(options->numStages == 2);
  CHECK(options->numCtas == 1);
  CHECK(options->maxRegisters == 64);
  CHECK_FALSE(options->fpFusion);
  CHECK(options->assemblerOptions == std::vector<std::string>{"-O1", "--warn"});
  CHECK(options->target.capability == 80);
}

TEST_CASE("values that cannot be are refused with the rule", "[compiler]") {
  const auto refused = [](const char *name, const char *value, const char *rule) {
    const Result<KernelOptions> options = parseKernelOptions({{name, value}}, {80});
    REQUIRE_FALSE(options);
    INFO(options.error().message);
    CHECK(options.error().message.find(rule) != std::string::npos);
  };
  refused("num_warps", "3", "a power of two");
  refused("num_warps", "64", "at most 32");
  refused("num_stages", "0", "a positive integer");
  refused("num_stages", "two", "a positive integer");
  refused("enable_fp_fusion", "maybe", "`True` or `False`");
  refused("num_ctas", "2", "cuda:90");
}
