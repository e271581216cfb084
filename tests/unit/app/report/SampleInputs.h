// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/report/BuildReport.h"
#include "profiler/data/Metric.h"

#include <map>
#include <string>
#include <vector>

/// A compilation and a measurement made by hand, with everything a report can show. All figures are
/// invented.
namespace tilescope::app::test {

inline const std::string kSource = R"py(import triton
import triton.language as tl


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n  # "<" & '>'
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
)py";

inline const std::string kTtir = R"(module {
  tt.func public @vector_add(%x_ptr: !tt.ptr<f32>, %y_ptr: !tt.ptr<f32>, %out_ptr: !tt.ptr<f32>, %n: i32) {
    %c1024_i32 = arith.constant 1024 : i32
    %pid = tt.get_program_id x : i32
    %offsets = arith.muli %pid, %c1024_i32 : i32
    %offsets_0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %offsets_1 = tt.splat %offsets : i32 -> tensor<1024xi32>
    %offsets_2 = arith.addi %offsets_1, %offsets_0 : tensor<1024xi32>
    %mask = tt.splat %n : i32 -> tensor<1024xi32>
    %mask_3 = arith.cmpi slt, %offsets_2, %mask : tensor<1024xi32>
    %x = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %x_4 = tt.addptr %x, %offsets_2 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %x_5 = tt.load %x_4, %mask_3 : tensor<1024x!tt.ptr<f32>>
    %y_6 = tt.addptr %y, %offsets_2 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %y_7 = tt.load %y_6, %mask_3 : tensor<1024x!tt.ptr<f32>>
    %0 = arith.addf %x_5, %y_7 : tensor<1024xf32>
    tt.store %out, %0, %mask_3 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}
)";

inline const std::string kPtx = R"(.version 8.7
.target sm_90a
.visible .entry vector_add(
	.param .u64 .ptr .global .align 16 vector_add_param_0
)
{
	.reg .pred 	%p<5>;
	ld.param.b64 	%rd1, [vector_add_param_0];
	mov.u32 	%r1, %ctaid.x;
	shl.b32 	%r2, %r1, 10;
	setp.lt.s32 	%p1, %r3, %r4;
	@%p1 ld.global.v4.b32 { %r5, %r6, %r7, %r8 }, [ %rd2 + 0 ];
	@%p1 ld.global.v4.b32 { %r9, %r10, %r11, %r12 }, [ %rd3 + 0 ];
	add.rn.f32 	%r13, %r5, %r9;
	@%p1 st.global.v4.b32 [ %rd4 + 0 ], { %r13, %r14, %r15, %r16 };
	ret;
}
)";

inline compiler::Stage stage(compiler::StageId id, int64_t ns, std::string text,
                             const std::vector<std::pair<uint32_t, uint32_t>> &map) {
  compiler::Stage result;
  result.id = id;
  result.ok = true;
  result.durationNs = ns;
  result.text = std::move(text);
  for (auto [line, source] : map)
    result.sourceMap.lines.push_back({line, {{{source, 4}, {source, 20}, 0}}});
  return result;
}

/// sizePerThread 4, 32 lanes, `warps` warps on a vector.
inline compiler::LayoutFacts vectorLayout() {
  compiler::LayoutFacts facts;
  facts.value = "%x";
  facts.op = "tt.load";
  facts.shape = {1024};
  facts.elementType = "f32";
  facts.elementBits = 32;
  facts.encoding =
      "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
  facts.layout = {{"register", {{1}, {2}, {512}}},
                  {"lane", {{4}, {8}, {16}, {32}, {64}}},
                  {"warp", {{128}, {256}}},
                  {"block", {}}};
  return facts;
}

/// The accumulator of a matrix unit on 32 x 32.
inline compiler::LayoutFacts matrixLayout() {
  compiler::LayoutFacts facts;
  facts.value = "%acc";
  facts.op = "tt.dot";
  facts.shape = {32, 32};
  facts.elementType = "f32";
  facts.elementBits = 32;
  facts.encoding = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
                   "instrShape = [16, 8]}>";
  facts.layout = {{"register", {{0, 1}, {8, 0}, {0, 16}}},
                  {"lane", {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
                  {"warp", {{0, 8}, {16, 0}}},
                  {"block", {}}};
  return facts;
}

/// 16 x 32 halves in shared memory, eight at a time swizzled by the row.
inline compiler::LayoutFacts sharedLayout() {
  compiler::LayoutFacts facts;
  facts.value = "%smem";
  facts.op = "ttg.local_alloc";
  facts.shape = {16, 32};
  facts.elementType = "f16";
  facts.elementBits = 16;
  facts.shared = true;
  facts.encoding = "#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>";
  facts.layout = {
      {"offset", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {1, 0}, {2, 8}, {4, 16}, {8, 0}}},
      {"block", {}}};
  return facts;
}

/// Counters by our ids, samples of three lines, and the state of the device.
inline void addSampleProfile(profiler::Measurement &measurement) {
  const std::map<std::string_view, double> values = {{"duration", 50500},
                                                     {"sm_throughput", 21.5},
                                                     {"memory_throughput", 86.2},
                                                     {"l1_throughput", 22},
                                                     {"l2_throughput", 41},
                                                     {"dram_throughput", 86.2},
                                                     {"dram_read", 134217728},
                                                     {"dram_write", 59000000},
                                                     {"l2_sectors_sm", 6291456},
                                                     {"l2_hits_sm", 2097152},
                                                     {"l2_to_l1", 134217728},
                                                     {"l1_to_l2", 67108864},
                                                     {"global_load_requests", 262144},
                                                     {"global_load_sectors", 4194304},
                                                     {"global_load_hits", 0},
                                                     {"global_store_requests", 131072},
                                                     {"global_store_sectors", 2097152},
                                                     {"shared_load_wavefronts", 0},
                                                     {"shared_store_wavefronts", 0},
                                                     {"achieved_occupancy", 81.4},
                                                     {"issue_active", 14.2},
                                                     {"stall_long_scoreboard", 42.1},
                                                     {"stall_wait", 2.2},
                                                     {"stall_selected", 1},
                                                     {"fp32_add", 16777216},
                                                     {"fp32_mul", 0},
                                                     {"fp32_fma", 0},
                                                     {"fp32_peak", 16896},
                                                     {"sm_clock", 1.71e9},
                                                     {"dram_peak", 1870},
                                                     {"dram_clock", 2.6e9},
                                                     {"l2_peak", 6144},
                                                     {"l2_clock", 1.6e9}};
  profiler::CounterData counters{"GH100", true, 24, true, {}};
  for (const profiler::Metric *metric : profiler::metricsOf("GH100", true))
    if (const auto found = values.find(metric->id); found != values.end())
      counters.values.emplace(metric->name, found->second);
  measurement.counters = std::move(counters);
  profiler::SampleData samples;
  samples.periodCycles = 16384;
  samples.launches = 111;
  samples.total = 100000;
  samples.dropped = 12;
  samples.reasons = {"long_scoreboard", "wait"};
  samples.stalls = {{0x10, 1, 9000, 100}, {0x20, 0, 70000, 60000}, {0x30, 1, 20000, 0}};
  samples.lines = {{7, 9000, 100, {{"wait", 9000}}},
                   {9, 70000, 60000, {{"long_scoreboard", 70000}}},
                   {11, 20000, 0, {{"wait", 20000}}}};
  samples.mappedShare = 0.99;
  measurement.samples = std::move(samples);
  profiler::DeviceConditions conditions;
  conditions.readings = 4;
  conditions.smClockMhz = profiler::ValueRange{1965, 1980};
  conditions.powerW = profiler::ValueRange{310, 340};
  measurement.conditions = conditions;
  measurement.refusals = {{profiler::ProfileRung::Samples, profiler::RefusalKind::Busy,
                           "another tool holds sampling", "end the other profiler"}};
}

inline profiler::Measurement sampleMeasurement() {
  profiler::Measurement measurement;
  measurement.device.name = "Sample device";
  measurement.device.computeMajor = 9;
  measurement.device.numSms = 132;
  measurement.device.smClockKHz = 1980000;
  measurement.device.memoryClockKHz = 3201000;
  measurement.device.memoryBusBits = 6144;
  measurement.kernel = "vector_add";
  measurement.grid = {16384, 1, 1};
  measurement.launches = 160;
  profiler::TimeStats time{50.5, 49.9, 53, 150, 0.002, {}};
  for (int i = 0; i < 150; ++i)
    time.samples.push_back(50 + (i * 7919 % 100) * (i * 104729 % 100) / 8000.0);
  measurement.timeUs = time;
  measurement.bytes = 201326592;
  measurement.flops = 16777216;
  measurement.gbPerS = 3986.7;
  measurement.tflopPerS = 0.332;
  measurement.peakGbPerS = 4916.7;
  measurement.copyGbPerS = 4105;
  measurement.peakFp32TflopPerS = 66.9;
  measurement.peakFraction = 0.81;
  measurement.registers = 24;
  measurement.occupancy = profiler::Occupancy{16, 64, 64, 1, "warps", {16, 32, 21, 32}};
  profiler::OutputComparison good, bad;
  good.maxAbsError = 1.2e-7;
  bad.mismatches = 3;
  bad.firstMismatch = {17};
  bad.firstActual = 1;
  bad.firstExpected = 2;
  measurement.outputs = {{"x_ptr", "fp32", {16777216}, false, "", std::nullopt},
                         {"out_ptr", "fp32", {16777216}, true, "", good},
                         {"bad_ptr", "fp32", {100}, true, "", bad}};
  measurement.notes = {"the device's clocks were not fixed"};
  addSampleProfile(measurement);
  return measurement;
}

inline ReportInputs sampleInputs() {
  using compiler::StageId;
  ReportInputs inputs;
  inputs.path = "vector_add.py";
  inputs.source = kSource;
  compiler::CompileResult &result = inputs.result;
  result.ok = true;
  result.kernel = "vector_add";
  result.target = "cuda:90";
  result.signature = {
      {"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"out_ptr", "*fp32:16"}, {"n", "i32:16"}};
  result.constexprs = {{"BLOCK", "1024"}};
  result.options = {{"num_warps", "4"}};
  result.files = {{"vector_add.py", kSource}, {"prelude/standard.py", "pass"}};
  result.stages = {
      stage(StageId::Ast, 90'000, "FunctionDef", {}),
      stage(StageId::Ttir, 410'000, kTtir,
            {{3, 6},
             {4, 7},
             {5, 7},
             {6, 7},
             {7, 7},
             {8, 8},
             {9, 8},
             {10, 9},
             {11, 9},
             {12, 9},
             {13, 10},
             {14, 10},
             {15, 11},
             {16, 11}}),
      stage(StageId::Ptx, 2'900'000, kPtx,
            {{8, 6}, {9, 7}, {10, 8}, {11, 9}, {12, 10}, {13, 11}, {14, 11}}),
      stage(StageId::Cubin, 11'000'000,
            std::string("\x7f"
                        "ELF\0</script>",
                        13),
            {}),
  };
  // Through an inlined call: the innermost place is in the prelude.
  result.stages[1].sourceMap.lines[4].sources.insert(
      result.stages[1].sourceMap.lines[4].sources.begin(), {{0, 0}, {0, 4}, 1});
  result.passes = {{StageId::Ttir, "canonicalize", 20'000, true, false, "", {}},
                   {StageId::Ttir, "cse", 9'000, false, false, "", {}}};
  result.layouts = {vectorLayout(), matrixLayout(), sharedLayout()};
  compiler::Diagnostic diagnostic;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.range = {{8, 4}, {8, 20}, 0};
  diagnostic.message = "a warning with `<b>markup</b>` & more";
  diagnostic.notes = {"a note"};
  result.diagnostics = {diagnostic};
  result.metadata.name = "vector_add";
  result.resources = {24, 0, 0, 128};
  result.totalNs = 14'400'000;
  profiler::LaunchPlan plan;
  plan.kernel = "vector_add";
  plan.grid = {16384, 1, 1};
  profiler::TensorInit randn;
  randn.kind = profiler::TensorInit::Kind::Randn;
  plan.args = {{"x_ptr", profiler::PlanTensor{profiler::Dtype::Fp32, {16777216}, randn}},
               {"out_ptr", profiler::PlanTensor{profiler::Dtype::Fp32, {16777216}, {}}},
               {"n", profiler::PlanScalar{"i32", int64_t(16777216)}}};
  inputs.plan = plan;
  inputs.cpuRun = profiler::ReportCpuRun{
      true,
      false,
      35.5,
      16384,
      "",
      {{"x_ptr", "fp32", {16777216}, {16777216, 0, 0, 0, -5.4, 5.5, 1e-4}},
       {"out_ptr", "fp32", {16777216}, {16777000, 6, 0, 210, -7.5, 7.2, 2e-4}}}};
  inputs.measurement = sampleMeasurement();
  return inputs;
}

inline profiler::ReportData sampleReport() {
  ReportInputs second = sampleInputs();
  second.measurement.reset();
  second.measurementMissing = "no GPU: cannot open `libcuda.so.1`";
  second.result.ok = false;
  second.result.diagnostics[0].severity = compiler::Severity::Error;
  profiler::ReportData data;
  data.title = "Vector addition <on> a sample device";
  data.generator = "Tilescope";
  data.created = "2026-01-31 12:00 UTC";
  data.environment = {{"system", "Linux"}, {"device", "Sample device"}};
  data.kernels = {buildReportKernel(sampleInputs()), buildReportKernel(second)};
  return data;
}

} // namespace tilescope::app::test
