// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TraceChoice.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static profiler::KernelPackage packageOf(std::array<int64_t, 3> grid) {
  profiler::KernelPackage package;
  package.plan.grid = grid;
  return package;
}

TEST_CASE("what nobody chose of a trace is chosen from the grid", "[app]") {
  compiler::Selection selection;
  selection.options["num_warps"] = "8";
  const auto usual = tracedSelection(selection, {}, packageOf({100, 4, 2}));
  CHECK(usual.options == std::map<std::string, std::string>{{"num_warps", "8"},
                                                            {"trace", "\"all\""},
                                                            {"trace_programs", "\"0,400,799\""}});
  const auto programs = [&](std::array<int64_t, 3> grid) {
    return tracedSelection(selection, {}, packageOf(grid)).options.at("trace_programs");
  };
  CHECK(programs({1, 1, 1}) == "\"0\"");
  CHECK(programs({2, 1, 1}) == "\"0,1\"");
  CHECK(programs({0, 1, 1}) == "\"0\"");
  const auto chosen =
      tracedSelection(selection, {"wait,product", "5", "0,4"}, packageOf({9, 1, 1}));
  CHECK(chosen.options.at("trace") == "\"wait,product\"");
  CHECK(chosen.options.at("trace_programs") == "\"5\"");
  CHECK(chosen.options.at("trace_warps") == "\"0,4\"");
}

TEST_CASE("clock reads take no registers that another block needs", "[app]") {
  profiler::KernelPackage package = packageOf({9, 1, 1});
  const auto limit = [&](int64_t registers, int32_t numWarps) {
    package.registers = registers;
    package.numWarps = numWarps;
    return tracedSelection({}, {}, package).options.at("maxnreg");
  };
  // Two blocks of 256 threads with 110 registers, as long as none takes more than 128.
  CHECK(limit(110, 8) == "128");
  CHECK(limit(155, 8) == "255");
  CHECK(limit(56, 4) == "56");
  CHECK(limit(25, 4) == "32");
  compiler::Selection asked;
  asked.options["maxnreg"] = "64";
  CHECK(tracedSelection(asked, {}, package).options.at("maxnreg") == "64");
  package.registers.reset();
  CHECK_FALSE(tracedSelection({}, {}, package).options.contains("maxnreg"));
}

TEST_CASE("PTX says what its clock reads are of", "[app]") {
  const auto none = traceTableOf(".version 8.0\n.visible .entry k() { ret; }\n");
  REQUIRE(none);
  CHECK_FALSE(*none);
  const auto table = traceTableOf(
      ".version 8.0\n// tilescope.trace {\"version\":1,\"scopes\":[{\"id\":1,\"kind\":\"load\","
      "\"operation\":\"tt.load\",\"file\":\"k.py\",\"line\":7,\"column\":9}],\"programs\":[0,5],"
      "\"warps\":[0],\"records\":64}\n");
  REQUIRE(table);
  REQUIRE(*table);
  CHECK((*table)->programs == std::vector<int64_t>{0, 5});
  CHECK((*table)->records == 64);
  REQUIRE((*table)->scopes.size() == 1);
  CHECK((*table)->scopes[0].line == 6u);
  const auto broken = traceTableOf("// tilescope.trace {\"version\":1}\n");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.starts_with("not a trace's scopes: "));
}
