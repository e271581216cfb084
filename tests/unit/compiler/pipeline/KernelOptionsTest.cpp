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
  refused("num_warps", "-1", "a power of two");
  refused("num_warps", "99999999999999999999", "a power of two");
  refused("num_stages", "1000000", "at most 256");
  refused("num_stages", "-1", "a whole number");
  refused("num_stages", "two", "a whole number");
  refused("enable_fp_fusion", "maybe", "`True` or `False`");
  refused("num_ctas", "2", "cuda:90");
  refused("num_ctas", "32", "at most 16");
}

TEST_CASE("no stages ask for no pipeline", "[compiler]") {
  const Result<KernelOptions> options = parseKernelOptions({{"num_stages", "0"}}, {90});
  REQUIRE(options);
  CHECK(options->numStages == 0);
}

TEST_CASE("assembler options name no file", "[compiler]") {
  const auto accepted = [](const char *value) {
    return static_cast<bool>(parseKernelOptions({{"ptx_options", value}}, {90}));
  };
  CHECK(accepted("--opt-level 2 -v --def-load-cache=ca -override-directive-values"));
  CHECK(accepted("\"-O1\""));
  CHECK_FALSE(accepted("-o out"));
  CHECK_FALSE(accepted("-oout"));
  CHECK_FALSE(accepted("--output-file=out"));
  CHECK_FALSE(accepted("--options-file more"));
  CHECK_FALSE(accepted("-optf more"));
  CHECK_FALSE(accepted("-v --entry /etc/passwd"));
  CHECK_FALSE(accepted("other.ptx"));
  CHECK_FALSE(accepted("-O 1 other.ptx"));
}

TEST_CASE("a kernel is traced where an option asks for it", "[compiler]") {
  CHECK_FALSE(parseKernelOptions({}, {90})->trace);
  const Result<KernelOptions> all = parseKernelOptions({{"trace", "all"}}, {90});
  REQUIRE(all);
  REQUIRE(all->trace);
  CHECK(*all->trace == TraceOptions());
  const Result<KernelOptions> some = parseKernelOptions({{"trace", "\"wait,product\""},
                                                         {"trace_programs", "\"0,131,4096\""},
                                                         {"trace_warps", "3"},
                                                         {"trace_records", "64"}},
                                                        {90});
  REQUIRE(some);
  CHECK(some->trace->kinds == std::vector<std::string>{"wait", "product"});
  CHECK(some->trace->programs == std::vector<int64_t>{0, 131, 4096});
  CHECK(some->trace->warps == std::vector<int32_t>{3});
  CHECK(some->trace->records == 64);
  const auto refused = [](std::map<std::string, std::string> options, const char *rule) {
    const Result<KernelOptions> parsed = parseKernelOptions(options, {90});
    REQUIRE_FALSE(parsed);
    INFO(parsed.error().message);
    CHECK(parsed.error().message.find(rule) != std::string::npos);
  };
  refused({{"trace", "loads"}}, "some of `load`");
  refused({{"trace", "all"}, {"trace_programs", "-1"}}, "different numbers from 0");
  refused({{"trace", "all"}, {"trace_programs", "1,1"}}, "different numbers from 0");
  refused({{"trace", "all"}, {"trace_programs", "\"\""}}, "a list of numbers");
  refused({{"trace", "all"}, {"trace_warps", "512"}}, "from 0 to 511");
  refused({{"trace", "all"}, {"trace_records", "100"}}, "a power of two");
  refused({{"trace_programs", "1"}}, "with the option `trace`");
}
