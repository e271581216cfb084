// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/SampleLines.h"

#include <catch2/catch.hpp>
#include <map>

using namespace tilescope;
using namespace tilescope::app;
using profiler::Measurement;
using profiler::SampleData;

/// Two functions, so that offsets occur twice; the map's places are of the document (file 0) and of
/// another file.
static compiler::Stage sass() {
  compiler::Stage stage;
  stage.id = compiler::StageId::Sass;
  stage.ok = true;
  stage.text = "//---- .text.helper ----\n" // 0
               ".text.helper:\n"            // 1
               "/*0000*/       NOP ;\n"     // 2
               "/*0010*/       RET ;\n"     // 3
               "//---- .text.k ----\n"      // 4
               ".text.k:\n"                 // 5
               "/*0000*/       S2R R0, SR_TID.X ;\n"
               "/*0010*/       LDG.E R2, [R2.64] ;\n"
               ".L_x_0:\n"
               "/*0020*/       STG.E [R4.64], R2 ;\n" // 9
               "/*0030*/       EXIT ;\n";             // 10
  const auto place = [](uint32_t file, uint32_t line) {
    return SourceRange{{line, 0}, {line, 1}, file};
  };
  stage.sourceMap.lines = {{2, {place(0, 90)}},
                           {3, {place(0, 91)}},
                           {6, {place(0, 3)}},
                           {7, {place(1, 40), place(0, 5), place(0, 7)}},
                           {9, {place(1, 41)}}};
  return stage;
}

static SampleData samples() {
  SampleData data;
  data.reasons = {"long_scoreboard", "wait"};
  data.stalls = {
      {0x00, 1, 10, 1}, {0x10, 0, 60, 50}, {0x10, 1, 20, 0}, {0x20, 0, 8, 8}, {0x30, 1, 2, 0}};
  return data;
}

TEST_CASE("samples belong to the innermost place in the document", "[report]") {
  SampleData data = samples();
  mapSamples(data, sass(), "k");
  CHECK(data.lines ==
        std::vector<profiler::LineSamples>{{3, 10, 1, {{"wait", 10}}},
                                           {5, 80, 50, {{"long_scoreboard", 60}, {"wait", 20}}}});
  // The store's place is in another file alone, and the exit has none.
  CHECK(data.mappedShare == Approx(0.9));
}

TEST_CASE("offsets are those of the kernel's own function", "[report]") {
  SampleData data = samples();
  mapSamples(data, sass(), "helper");
  REQUIRE(data.lines.size() == 2);
  CHECK(data.lines[0].line == 90);
  CHECK(data.lines[1].line == 91);
  mapSamples(data, sass(), "nothing");
  CHECK(data.lines.empty());
  CHECK(data.mappedShare == 0);
}

/// A kernel with instructions that have no place of their own, and with routines of the assembler.
static compiler::Stage withRoutines() {
  compiler::Stage stage;
  stage.id = compiler::StageId::Sass;
  stage.ok = true;
  stage.text = ".text.k:\n"
               "/*0000*/       LDC R1, c[0x0][0x28] ;\n"                    // 1
               "/*0010*/       LDG.E R2, [R2.64] ;\n"                       // 2
               "/*0020*/       IADD3 R3, R3, 0x1, RZ ;\n"                   // 3
               "/*0030*/       CALL.REL.NOINC `($__internal_0_$__div) ;\n"  // 4
               "/*0040*/       CALL.REL.NOINC `($__internal_1_$__sqrt) ;\n" // 5
               "/*0050*/       CALL.REL.NOINC `($__internal_1_$__sqrt) ;\n" // 6
               "/*0060*/       EXIT ;\n"                                    // 7
               "$__internal_0_$__div:\n"
               "/*0070*/       MUFU.RCP R1, R2 ;\n"
               "/*0080*/       RET.REL.NODEC R4 `(k) ;\n"
               "$__internal_1_$__sqrt:\n"
               "/*0090*/       MUFU.RSQ R1, R2 ;\n";
  const auto place = [](uint32_t line) { return SourceRange{{line, 0}, {line, 1}, 0}; };
  stage.sourceMap.lines = {{2, {place(4)}}, {4, {place(5)}}, {5, {place(6)}}, {6, {place(7)}}};
  return stage;
}

TEST_CASE("code without a place of its own belongs to its neighbor, a routine to who calls it",
          "[report]") {
  SampleData data;
  data.reasons = {"wait"};
  for (uint32_t offset = 0; offset <= 0x90; offset += 0x10)
    data.stalls.push_back({offset, 0, 10, 0});
  mapSamples(data, withRoutines(), "k");
  std::map<uint32_t, uint64_t> lines;
  for (const profiler::LineSamples &line : data.lines)
    lines[line.line] = line.samples;
  // The prologue goes to the load behind it, the addition, too; two of the division's routine.
  CHECK(lines == std::map<uint32_t, uint64_t>{{4, 30}, {5, 30}, {6, 10}, {7, 20}});
  // Only the root, which two lines call, belongs to none.
  CHECK(data.mappedShare == Approx(0.9));
}

TEST_CASE("each line of SASS has its share of the samples", "[report]") {
  const std::vector<double> shares = sampleShares(samples(), sass(), "k");
  REQUIRE(shares.size() == 11);
  CHECK(shares[2] == 0);
  CHECK(shares[6] == Approx(0.1));
  CHECK(shares[7] == Approx(0.8));
  CHECK(shares[10] == Approx(0.02));
  CHECK(sampleShares(SampleData(), sass(), "k").empty());
}

TEST_CASE("counts of instructions are summed by line of the document", "[report]") {
  profiler::ExecutionData data;
  data.instructions = {{0x00, {4, 128, 128, {}, {}, {}, {}}},
                       {0x10, {4, 128, 64, 32, 16, {}, {}}},
                       {0x30, {4, 128, 128, {}, {}, {}, {}}}};
  mapExecutions(data, sass(), "k");
  // The exit has no place.
  CHECK(data.lines == std::vector<profiler::LineExecutions>{{3, {4, 128, 128, {}, {}, {}, {}}},
                                                            {5, {4, 128, 64, 32, 16, {}, {}}}});
  mapExecutions(data, sass(), "nothing");
  CHECK(data.lines.empty());
}

static profiler::KernelPackage packageFor(const std::string &target) {
  profiler::KernelPackage package;
  package.target = target;
  package.cubin = "cubin";
  return package;
}

static Measurement measured() {
  Measurement measurement;
  measurement.kernel = "k";
  measurement.device.computeMajor = 9;
  measurement.samples = samples();
  return measurement;
}

TEST_CASE("samples that cannot be mapped stay, and a note says why", "[report]") {
  const compiler::Stage stage = sass();
  Measurement mapped = measured();
  mapSamples(mapped, &stage, packageFor("cuda:90"));
  CHECK(mapped.samples->lines.size() == 2);
  CHECK(mapped.notes.empty());
  Measurement noText = measured();
  mapSamples(noText, nullptr, packageFor("cuda:90"));
  CHECK(noText.samples->lines.empty());
  CHECK_FALSE(noText.samples->mappedShare);
  REQUIRE(noText.notes.size() == 1);
  CHECK(noText.notes[0].find("nvdisasm") != std::string::npos);
  Measurement foreign = measured();
  mapSamples(foreign, &stage, packageFor("cuda:80"));
  CHECK(foreign.samples->lines.empty());
  REQUIRE(foreign.notes.size() == 1);
  CHECK(foreign.notes[0].find("its driver compiled") != std::string::npos);
  Measurement noCode = measured();
  profiler::KernelPackage ptxAlone = packageFor("cuda:90");
  ptxAlone.cubin.clear();
  mapSamples(noCode, &stage, ptxAlone);
  CHECK(noCode.samples->lines.empty());
  REQUIRE(noCode.notes.size() == 1);
  CHECK(noCode.notes[0].find("ptxas") != std::string::npos);
  Measurement none = measured();
  none.samples.reset();
  mapSamples(none, nullptr, packageFor("cuda:90"));
  CHECK(none.notes.empty());
}
