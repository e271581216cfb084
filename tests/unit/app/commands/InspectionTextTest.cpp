// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InspectionText.h"

#include "app/commands/LaunchDifference.h"
#include "compiler/artifacts/MergedAccesses.h"
#include "tests/support/BulkSample.h"
#include "tests/support/LoopSample.h"
#include "tests/support/SharedSample.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::compiler;
using nlohmann::json;

namespace {

AccessFacts access(MemoryAction action, int32_t vectorBytes, const AccessCounts &counts) {
  AccessFacts facts;
  facts.range = {{4, 8}, {4, 20}, 0};
  facts.operation = "tt.load";
  facts.action = action;
  facts.argument = "x_ptr";
  facts.elementBytes = 4;
  facts.vectorBytes = vectorBytes;
  facts.executions = 2;
  facts.counts = counts;
  return facts;
}

/// 256 floats, of which each lane reads one.
Inspection narrow() {
  Inspection inspection;
  inspection.file.result.ok = true;
  inspection.file.result.kernel = "k";
  inspection.file.result.target = "cuda:90";
  inspection.files = {{"k.py", ""}};
  inspection.resources = {32, 0, 0, 128};
  MemoryFacts &memory = inspection.memory.emplace();
  memory.grid = {2, 1, 1};
  memory.programs = 2;
  AccessCounts counts;
  counts.instructions = counts.requests = 8;
  counts.sectors = 32;
  counts.bytesAsked = counts.bytesUsed = counts.bytesFetched = 1024;
  memory.accesses.push_back(access(MemoryAction::GlobalLoad, 4, counts));
  memory.accesses.back().limit = WidthLimit{WidthReason::Divisibility, "stride", 0, 1};
  return inspection;
}

/// The same with 8 bytes a lane, and a conversion.
Inspection wide() {
  Inspection inspection = narrow();
  AccessFacts &load = inspection.memory->accesses.front();
  load.vectorBytes = 8;
  load.counts.instructions = load.counts.requests = 4;
  load.limit = WidthLimit{};
  inspection.memory->conversions.emplace_back();
  inspection.resources.registers = 40;
  return inspection;
}

} // namespace

TEST_CASE("two kernels differ in a line of facts", "[app]") {
  CHECK(differenceLine(narrow(), wide()) ==
        "load 4 → 8 bytes a lane, load requests 8 → 4, +1 conversion, registers 32 → 40");
  CHECK(differenceLine(wide(), narrow()) ==
        "load 8 → 4 bytes a lane, load requests 4 → 8, −1 conversion, registers 40 → 32");
  Inspection converting = wide();
  converting.memory->conversions.resize(2);
  converting.memory->conversions[0].isInLoop = converting.memory->conversions[1].isInLoop = true;
  CHECK(differenceLine(wide(), converting) == "−1 conversion, +2 conversions in a loop");
  CHECK(differenceLine(wide(), wide()) == "no difference in code and counts");
  // Bytes as views have them.
  Inspection large = wide();
  large.resources.sharedBytes = 98304;
  Inspection larger = large;
  larger.resources.sharedBytes = 147456;
  larger.resources.spillBytes = 64;
  large.resources.spillBytes = 0;
  CHECK(differenceLine(large, larger) == "spilled 0 B → 64 B, shared memory 96 KiB → 144 KiB");
  const std::string text = inspectionText(larger);
  CHECK(text.find(", 64 B spilled, 144 KiB of shared memory\n") != std::string::npos);
  CHECK(text.find(" 1 KiB   100%\n") != std::string::npos);
}

/// With the texts of its stages.
static Inspection coded(std::initializer_list<std::pair<StageId, const char *>> stages) {
  Inspection inspection = wide();
  for (const auto &[id, text] : stages) {
    Stage &stage = inspection.file.result.stages.emplace_back();
    stage.id = id;
    stage.ok = true;
    stage.text = text;
  }
  return inspection;
}

TEST_CASE("two launches differ in what they pass", "[app]") {
  profiler::LaunchPlan before, after;
  profiler::PlanTensor tensor;
  tensor.shape = {4, 93};
  before.args = {{"a_ptr", tensor}, {"stride", profiler::PlanScalar{"i32", int64_t{93}}}};
  after = before;
  CHECK(launchDifference(before, after) == "");
  tensor.shape = {4, 96};
  after.args = {{"a_ptr", tensor},
                {"stride", profiler::PlanScalar{"i32", int64_t{96}}},
                {"only_here", profiler::PlanScalar{"fp32", 0.5}}};
  after.grid = {2, 1, 1};
  CHECK(launchDifference(before, after) ==
        "grid 1 × 1 × 1 → 2 × 1 × 1, a_ptr fp32[4, 93] → fp32[4, 96], stride 93 → 96");
}

TEST_CASE("equal counts of other code are not called no difference", "[app]") {
  using enum StageId;
  const Inspection sum = coded({{Ttir, "arith.addf"}, {Ptx, "add"}, {Cubin, "A"}});
  CHECK(differenceLine(sum, coded({{Ttir, "arith.subf"}, {Ptx, "sub"}, {Cubin, "B"}})) ==
        "the counts do not differ; the code does (first stage that differs: TTIR)");
  CHECK(differenceLine(sum, coded({{Ttir, "arith.addf"}, {Ptx, "sub"}, {Cubin, "B"}})) ==
        "the counts do not differ; the code does (first stage that differs: PTX)");
  // Machine code of another file names it.
  CHECK(differenceLine(sum, coded({{Ttir, "arith.addf"}, {Ptx, "add"}, {Cubin, "B"}})) ==
        "no difference in code and counts");
  CHECK(differenceLine(sum, coded({{Cubin, "B"}})) ==
        "the counts do not differ; the code does (first stage that differs: cubin)");
  CHECK(differenceLine(sum, coded({{Cubin, "A"}})) == "no difference in code and counts");
  CHECK(differenceLine(coded({{Ptx, ".file 1 \"a.py\"\n  add x; \n .loc 1 2 3 // a.py\n"
                                    "ret;\n\t.section .debug_str { 97 }\n"}}),
                       coded({{Ptx, "  add x; \nret;\n.section .debug_str { 98 }\n"}})) ==
        "no difference in code and counts");
}

TEST_CASE("a difference counts the instructions of PTX where there is no machine code", "[app]") {
  using enum StageId;
  const Inspection two = coded({{Ptx, ".visible .entry k()\n{\n add.s32 %r1, %r2, %r3;\n"
                                      " ret;\n}\n"}});
  const Inspection three = coded({{Ptx, ".visible .entry k()\n{\n add.s32 %r1, %r2, %r3;\n"
                                        " add.s32 %r1, %r1, %r3;\n ret;\n}\n"}});
  CHECK(differenceLine(three, two) == "PTX instructions 3 → 2");
  CHECK(differenceLine(two, coded({{Ptx, "add"}})).find("instructions") == std::string::npos);
}

TEST_CASE("copies before a loop and within it are one line", "[app]") {
  Inspection inspection = narrow();
  std::vector<AccessFacts> accesses(3, inspection.memory->accesses.front());
  accesses[1].isInLoop = true;
  accesses[2].vectorBytes = 16;
  const std::vector<AccessFacts> merged = mergeAccesses(accesses);
  REQUIRE(merged.size() == 2);
  CHECK(merged.front().counts.sectors == 64);
  CHECK(merged.front().executions == 4);
  CHECK(merged.front().isInLoop);
}

TEST_CASE("the text of a count says why an access is narrow", "[app]") {
  const std::string text = inspectionText(narrow());
  CHECK(text.find("`k` for cuda:90, grid 2 x 1 x 1, all 2 programs") != std::string::npos);
  CHECK(text.find("not wider: `stride` is not known to be a multiple of more than 1 element") !=
        std::string::npos);
  CHECK(inspectionText(wide()).find("not wider") == std::string::npos);
}

TEST_CASE("the document of a count has what is known, and nothing else", "[app]") {
  const json document = inspectionJson(narrow());
  CHECK(document["ok"] == true);
  CHECK(document["resources"]["registers"] == 32);
  CHECK_FALSE(document.contains("occupancy"));
  CHECK(document["hints"] == json::array());
  CHECK_FALSE(document.contains("program"));
  const json &load = document["accesses"][0];
  CHECK(load["line"] == 5);
  CHECK(load["file"] == "k.py");
  CHECK(load["kind"] == "global load");
  CHECK(load["vector_bytes"] == 4);
  CHECK(load["why_not_wider"]["reason"] == "divisibility");
  CHECK(load["why_not_wider"]["argument"] == "stride");
  CHECK(load["sectors"] == 32);
  CHECK_FALSE(load.contains("wavefronts"));
  CHECK(document["totals"]["global_load"]["requests"] == 8);
  CHECK_FALSE(inspectionJson(wide())["accesses"][0].contains("why_not_wider"));
}

TEST_CASE("the pipeline of each loop is said without a launch", "[app]") {
  Inspection inspection = narrow();
  inspection.memory.reset();
  compiler::LoopFacts other;
  other.range = {{20, 4}, {20, 9}, 0};
  other.obstacle = compiler::PipelineObstacle::NoProduct;
  inspection.loops = {{tests::sampleLoop(), other}};
  const json list = inspectionJson(inspection).at("pipelines");
  REQUIRE(list.size() == 2);
  const json &loop = list.at(0);
  CHECK(loop.at("line") == 9);
  CHECK(loop.at("pipelined") == true);
  CHECK(loop.at("stages") == 2);
  CHECK(loop.at("copies") == 1);
  CHECK(loop.at("followed_iterations") == 2);
  CHECK_FALSE(loop.contains("iterations"));
  CHECK(loop.at("buffers").at(0).at("slots") == 2);
  CHECK(loop.at("operations").at(0).at("does") == "async_copy");
  CHECK(loop.at("operations").at(0).at("iterations_ahead") == 1);
  CHECK(loop.at("operations").at(1).at("may_stay_under_way") == 0);
  CHECK(loop.at("events").at(0).at("iteration") == "before");
  CHECK(loop.at("events").at(2).at("for_iteration") == 1);
  CHECK(loop.at("events").at(2).at("slot") == 1);
  CHECK(loop.at("events").at(2).at("ended_by") == 4);
  CHECK(loop.at("events").at(5).at("off") == true);
  CHECK(loop.at("links").at(0) == json{{"from", 0}, {"to", 1}, {"kind", "ends"}});
  CHECK(list.at(1).at("pipelined") == false);
  CHECK(list.at(1).at("why_not") == "no-product");
  inspection.loops->front().waiting.push_back({{{9, 4}, {9, 9}, 0}, {}, {}});
  const std::string text = inspectionText(inspection);
  CHECK(
      text.find("     9  2 stages, 1 copies an iteration, waits for all but 0 groups; the product "
                "waits for the load of line 10: ") != std::string::npos);
  CHECK(text.find("    21  not pipelined: no-product") != std::string::npos);
}

TEST_CASE("what is in shared memory is said without a launch", "[app]") {
  Inspection inspection = narrow();
  inspection.memory.reset();
  inspection.shared = tests::sampleSharedFacts();
  const json object = inspectionJson(inspection).at("shared_memory");
  CHECK(object.at("bytes") == 8192);
  CHECK(object.at("limit") == 65536);
  REQUIRE(object.at("buffers").size() == 2);
  const json &ring = object.at("buffers").at(0);
  CHECK(ring.at("use") == "buffer");
  CHECK(ring.at("line") == 10);
  CHECK(ring.at("slots") == 2);
  CHECK(ring.at("life") == json{1, 3});
  CHECK(ring.at("same_bytes_as") == json{1});
  CHECK(object.at("buffers").at(1).at("use") == "scratch");
  CHECK(object.at("accesses").at(0).at("not_counted") == "a copy");
  CHECK(object.at("accesses").at(1).at("wavefronts") == 32);
  CHECK(object.at("rings").at(0).at("turns").at(1) ==
        json{{"iteration", 0}, {"slot", 0}, {"writes", false}, {"block", 0}});
  const std::string text = inspectionText(inspection);
  CHECK(text.find("shared memory by its places, 8 KiB of 64 KiB") != std::string::npos);
  CHECK(
      text.find("x<1>: a buffer of fp32[2, 32, 32], 2 slots, has its bytes in turns with 1 more") !=
      std::string::npos);
}

TEST_CASE("the boxes of a bulk copy are with what is not counted", "[app]") {
  Inspection inspection = narrow();
  inspection.memory->uncounted = {
      {{{6, 4}, {6, 9}, 0}, "ttng.async_tma_copy_global_to_local", "a unit of its own"},
      {{{7, 4}, {7, 9}, 0}, "ttng.async_tma_gather", "not known"}};
  // Without a record there is what there was.
  CHECK_FALSE(inspectionJson(inspection).at("uncounted").at(0).contains("bulk"));
  inspection.record = tests::sampleBulkRecord();
  const json list = inspectionJson(inspection).at("uncounted");
  REQUIRE(list.size() == 2);
  CHECK_FALSE(list.at(1).contains("bulk"));
  const json &bulk = list.at(0).at("bulk");
  CHECK(bulk.at("kind") == "bulk load");
  CHECK(bulk.at("argument") == "a_<ptr>");
  CHECK(bulk.at("block") == json{4, 16});
  CHECK(bulk.at("box") == json{4, 16});
  CHECK(bulk.at("boxes") == 1);
  CHECK(bulk.at("swizzle_bytes") == 32);
  CHECK(bulk.at("program") == json{1, 0, 0});
  CHECK(bulk.at("executions") == 2);
  // The first that moves something.
  const json &first = bulk.at("first");
  CHECK(first.at("iteration") == 1);
  CHECK(first.at("on") == true);
  CHECK(first.at("tensor") == json{5, 24});
  CHECK(first.at("stride_bytes") == json{48, 2});
  CHECK(first.at("offsets") == json{2, 16});
  CHECK(first.at("bytes") == 128);
  CHECK(first.at("bytes_inside") == 48);
  CHECK(first.at("sectors") == 3);
  CHECK(first.at("lines") == 3);
  const std::string text = inspectionText(inspection);
  CHECK(text.find("    bulk load of a_<ptr>, program 1, 0, 0 at first: 1 box of 4 × 16 · 48 B of "
                  "128 B inside") != std::string::npos);
}
