// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/MessageCodec.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <span>
#include <sys/resource.h>

using namespace tilescope;
using namespace tilescope::compiler;

/// The payload of the only frame in `bytes`, fed byte by byte.
static std::string payloadOf(const std::string &bytes) {
  FrameReader reader;
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    reader.append(bytes.substr(i, 1));
    REQUIRE_FALSE(reader.next());
  }
  reader.append(bytes.substr(bytes.size() - 1));
  std::optional<std::string> payload = reader.next();
  REQUIRE(payload);
  REQUIRE_FALSE(reader.next());
  return *payload;
}

template <typename Message> static Message roundTripRequest(const Message &message) {
  Result<WorkerRequest> decoded = decodeRequest(payloadOf(encodeFrame(WorkerRequest(message))));
  REQUIRE(decoded);
  return std::get<Message>(*decoded);
}

template <typename Message> static Message roundTripReply(const Message &message) {
  Result<WorkerReply> decoded = decodeReply(payloadOf(encodeFrame(WorkerReply(message))));
  REQUIRE(decoded);
  return std::get<Message>(*decoded);
}

static CompileRequest sampleRequest() {
  CompileRequest request;
  request.revision = 41;
  request.path = "softmax.py";
  request.text = std::string("kernel \0 text", 13);
  request.entry = StageId::Ttir;
  request.selection = {"k",
                       "l",
                       {{"x", "*fp32:16"}},
                       {{"B", "64"}},
                       {{"num_warps", "4"}},
                       {{"n", "7"}},
                       "cuda:80",
                       {"a", "b"},
                       {{"/k/other.py", "text"}}};
  request.facts.target = "cuda:90";
  request.stopAfter = StageId::Ptx;
  request.recordPassIr = true;
  request.collectFacts = false;
  return request;
}

TEST_CASE("requests survive the trip to the worker", "[compiler]") {
  CompileMessage compile{7, sampleRequest(), {}, {TestHook::Action::Hang, "ptx"}};
  compile.wanted.stages = 5, compile.wanted.passIr = true;
  CHECK(roundTripRequest(compile) == compile);
  CHECK(roundTripRequest(CancelMessage{9}) == CancelMessage{9});
  const InterpretMessage interpret{
      3,    sampleRequest(),     "{}", "/out", "/in", {{"x", 7}}, 2, true,
      true, CpuExecutor::Native, true, true,   false, 9,          5, {}};
  CHECK(roundTripRequest(interpret) == interpret);
  InspectMessage inspect;
  inspect.job = inspect.threads = 4;
  inspect.request = sampleRequest();
  inspect.launchPlan = inspect.inputFolder = "/in";
  inspect.program = {1, 2, 3};
  inspect.record = {5, 6};
  inspect.sharedMemory = inspect.loops = inspect.wantsHints = inspect.wantsEstimate = true;
  inspect.timeLimitMs = 700;
  inspect.mostDataBytes = 8000;
  inspect.touches = {3, 40, 5};
  CHECK(roundTripRequest(inspect) == inspect);
  StepMessage step;
  step.job = 6;
  step.launch = {sampleRequest(), "{}", "/in", StageId::Ttgir};
  step.command.action = StepAction::RunToWrite;
  step.command.byOperation = true;
  step.command.program = {1, 2, 3};
  step.command.order = StepOrder::Others;
  step.command.line = {StageId::Ttir, 4, "any(x)"};
  step.command.element = {"out", 9};
  step.command.stopAtFindings = false;
  step.command.breakpoints = {{std::nullopt, 7, ""}, {StageId::Ttgir, 8, "i > 3"}};
  step.command.sight = {1, true, {"max(x)"}, "x", 12};
  CHECK(roundTripRequest(step) == step);
  CHECK(roundTripRequest(PingMessage{5}) == PingMessage{5});
  CHECK(roundTripRequest(ShutdownMessage{}) == ShutdownMessage{});
}

static ConversionFacts conversion(const SourceRange &range) {
  ConversionFacts facts;
  facts.range = range;
  facts.moves = ConversionMoves::Lanes;
  facts.bytes = 64;
  facts.shape = {4, 4};
  facts.elementType = "f32";
  facts.from = "a";
  facts.to = "b";
  facts.isInLoop = true;
  facts.executions = 6;
  facts.shuffles = 7;
  facts.wavefronts = 8;
  facts.minimumWavefronts = 9;
  facts.elementBits = 32;
  facts.fromLayout = {{"lane", {{1, 0}, {0, 1}}}};
  facts.toLayout = {{"register", {{2, 0}}}};
  facts.parts = 3;
  facts.sharedAccesses = {{MemoryAction::SharedStore, 16, 8, 4}};
  facts.source = {"tt.load", range, 0};
  facts.destination = {"tt.dot", range, 1};
  facts.pass = "tilescope-coalesce";
  return facts;
}

static SharedFacts sharedMemory(const SourceRange &range, const AccessFacts &access) {
  SharedFacts facts;
  facts.total = 4096;
  facts.limit = 8192;
  facts.steps = {{range, 12, true}};
  facts.buffers = {{SharedUse::Buffer,
                    "ttg.local_alloc",
                    "a",
                    "words",
                    range,
                    7,
                    16,
                    128,
                    1,
                    5,
                    2,
                    3,
                    {8, 4},
                    "f16",
                    "#s"}};
  SharedAccess &shared = facts.accesses.emplace_back();
  shared.buffer = 1;
  shared.step = 2;
  shared.stageLine = 3;
  shared.isWrite = true;
  shared.facts = access;
  shared.lanes.lanes = {1, 2};
  shared.uncounted = "why";
  facts.rings = {{1, range, 8, {{4, 1, true, 2}}}};
  return facts;
}

static LoopFacts loop(const SourceRange &range) {
  LoopFacts facts;
  facts.range = range;
  facts.stageLine = 3;
  facts.pipeline = {range, 3, 2, 1, 4, 5, 6};
  facts.obstacle = PipelineObstacle::Loads;
  facts.waiting = {{range, range, LoopObstacle::Narrow}};
  facts.numIterations = 7;
  facts.numFollowed = 8;
  facts.partitions = {{"default", 4, range}};
  facts.buffers = {{"a", range, 9, 3, {64, 32}, "f16", true, true}};
  facts.operations = {{LoopAction::BulkCopy, "ttng.copy", "a", range, 10, 1, 2, true, 3}};
  facts.events = {{0, 4, 11, 10, 0, 2, 5, 6, true}};
  facts.links = {{0, 1, LoopLinkKind::Signals}};
  return facts;
}

static StepDoneReply stopped(const SourceRange &range) {
  StepDoneReply reply;
  reply.job = 3;
  reply.ok = true;
  reply.files = {{"/k.py", ""}};
  StepState &state = reply.state;
  state.program = {1, 2, 3};
  state.grid = {4, 5, 6};
  state.ownTime = 7;
  state.time = 8;
  state.isAtEnd = state.isFault = state.isInterrupted = true;
  state.reason = "here";
  state.frames = {{"k", range}};
  state.stage = StageId::Ttgir;
  state.stageLine = 9;
  state.operation = "tt.load";
  state.values = {{"x", true, "%x", "fp32[4]", "[1, …]", true, true, 10}};
  state.watches = {{"max(x)", "1", true}};
  state.block = {"x", "fp32[4]", 11, "fp32", {4}, std::string("\0\1", 2), "d", "x_ptr", 12};
  state.findings = {"found"};
  state.prints = {"printed"};
  state.underWay = {{1, 0, 0}};
  state.breakpointLines = {13, -1};
  return reply;
}

static InspectDoneReply inspection(const SourceRange &range) {
  const AccessCounts counts{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const AccessFacts access{range,
                           "tt.load",
                           MemoryAction::AsyncCopy,
                           "x",
                           4,
                           16,
                           WidthLimit{WidthReason::Mask, "n", 1, 8, "", {}, true},
                           true,
                           5,
                           counts};
  InspectDoneReply reply;
  reply.job = 1;
  reply.ok = reply.isOutOfTime = true;
  reply.facts = {{2, 3, 4},
                 {{1, 2, 3}},
                 24,
                 true,
                 {access},
                 {{range, "tt.gather", "why"}},
                 {conversion(range)},
                 {{range, 3, 2, 1, 4, 5, 6}}};
  reply.record = {{1, 2, 3},
                  {{{{2, 4, 3, 8, 16, 32, true}, {1}, {2, 4}, {8}, {{64, 8}}},
                    {64, 32},
                    7,
                    {{3, 1000, {4, 128}, {}, {}}, {4, 0, {}, {8, 16}, {0xf0}}}}},
                  {{{true, 2, {64, 128}, {64, 64}, 128},
                    3,
                    2,
                    {{1, false, 4096, {100, 90}, {192, 2}, {64, -8}}}}},
                  {{"x", 4096, {64, 64}, 4}}};
  reply.shared = sharedMemory(range, access);
  reply.loops = {loop(range)};
  reply.touches = {{2, 3, 4},
                   {3, 40, 5},
                   true,
                   true,
                   {{range, "tt.load", true, false, true, 2}},
                   {{"x", 4096, {64, 64}, 4}},
                   {{7, 0, 2, 3, 4096, 128, {{16, 256}, {8, 2}}}},
                   {{7, 0, 2, 3, 4096, 128, {{32, 256}, {8, 2}}}}};
  reply.hints = {{HintKind::MaskedOff,
                  2,
                  range,
                  "what",
                  {"one", "two"},
                  "gain",
                  "advice",
                  {{{range, "x", "replace"}, "equal outputs"}}}};
  reply.estimate.facts = {"cuda:90",
                          EstimateConfidence::Ptx,
                          1,
                          2,
                          3,
                          4,
                          {5, 6, 7, 8, 9, 10, 11},
                          12,
                          13,
                          14,
                          15,
                          16,
                          17,
                          18,
                          18.5,
                          {{range, 0.5}},
                          {"one"}};
  reply.estimate.reason = "why";
  reply.estimate.device = "H100 SXM";
  reply.estimate.us = 19;
  reply.estimate.bottleneck = Bottleneck::Latency;
  reply.estimate.parts = {{Bottleneck::Dram, "DRAM", 20}};
  return reply;
}

static Diagnostic sampleDiagnostic() {
  return {
      DiagnosticKind::PassFailed,
      Severity::Warning,
      {{1, 2}, {3, 4}, 0},
      "found",
      {{{{5, 6}, {5, 7}, 1}, "called here"}},
      {"hint"},
      {{{{0, 0}, {0, 1}, 0}, "x", "replace"}},
      {Need::UnitStride, "n", {"i8"}, {{6}, {8}}, {6, 8}, {6, 3}, true, false, true, {"y"}, true}};
}

TEST_CASE("a finished stage survives the trip to the client", "[compiler]") {
  StageReadyReply ready;
  ready.job = 2;
  ready.revision = 3;
  ready.stage = {StageId::Ptx, true, true, 12345, "ret;", {{{4, {{{1, 2}, {1, 9}, 1}}}}}};
  ready.diagnostics = {sampleDiagnostic()};
  ready.passes = {{StageId::Ttgir, "coalesce", 99, true, false, "module {}", {{{0, {}}}}}};
  ready.files = {{"a.py", "text"}};
  ready.kernels = {"k"};
  ready.values = {{{{1, 0}, {1, 1}, 0}, "fp32[64]", true}};
  ready.layouts = {{"%1",
                    "tt.load",
                    "tensor<64xf32>",
                    "#ttg.blocked<{}>",
                    {64},
                    "f32",
                    32,
                    {{"lane", {{1}, {2}}}},
                    false,
                    8,
                    {}}};
  const StageReadyReply back = roundTripReply(ready);
  CHECK(back.stage.text == "ret;");
  CHECK(back.stage.cached);
  CHECK(back.stage.durationNs == 12345);
  CHECK(back.stage.sourceMap == ready.stage.sourceMap);
  CHECK(back.diagnostics == ready.diagnostics);
  REQUIRE(back.passes.size() == 1);
  CHECK(back.passes[0].name == "coalesce");
  CHECK(back.passes[0].ir == "module {}");
  CHECK(back.passes[0].irMap == ready.passes[0].irMap);
  CHECK(back.files == ready.files);
  CHECK(back.values == ready.values);
  CHECK(back.layouts == ready.layouts);
}

TEST_CASE("the end of a compile survives the trip to the client", "[compiler]") {
  CompileDoneReply done;
  done.job = 4;
  done.cancelled = true;
  done.result.metadata = {"k", "cuda:90", 8, 2, 1, 1024, 0, {{"x", "*fp32"}}};
  done.result.suggestion = {
      {{"n", 512}}, {{"x", {{"n", "n"}, true, true, false, "m"}}}, {{"s", "n"}}, {"cdiv(n, B)"}};
  done.result.resources = {32, 1024, 48, 256, 28};
  done.result.assumptions = {
      {"x", "*fp32", false, Assumption::Source::Error, "otherwise line 2 fails with \"x\""}};
  done.result.totalNs = 77;
  const CompileDoneReply doneBack = roundTripReply(done);
  CHECK(doneBack.cancelled);
  CHECK(doneBack.result.metadata == done.result.metadata);
  CHECK(doneBack.result.suggestion == done.result.suggestion);
  CHECK(doneBack.result.resources == done.result.resources);
  CHECK(doneBack.result.assumptions == done.result.assumptions);
  CHECK(doneBack.result.totalNs == 77);
}

TEST_CASE("other replies survive the trip to the client", "[compiler]") {
  const HelloReply hello{kWorkerProtocolVersion, "22.1.0", {{"ptxas", "/p", "13.0", ""}}};
  CHECK(roundTripReply(hello) == hello);
  const CrashedReply crash{1,
                           2,
                           CrashedReply::Reason::OutOfMemory,
                           StageId::Ptx,
                           "isel",
                           "SIGABRT",
                           "Cannot select",
                           "/tmp/r"};
  CHECK(roundTripReply(crash) == crash);
  const LaunchFacts launch{sampleRequest().selection, 1, "{}", false};
  const LaunchResolvedReply resolved{7, 8, launch, {sampleDiagnostic()}};
  CHECK(roundTripReply(resolved) == resolved);
  const SourceRange range{{1, 2}, {3, 4}, 1};
  RunDoneReply run{1,
                   true,
                   false,
                   {},
                   {},
                   {{"x", "fp32", {4}, "x.npy", true, 3, 1}},
                   {{{1, 2, 3}, range, "pid"}},
                   {{{"x", 7}, {4, 5, 6}, range}},
                   {{{7, 8, 9}, range}},
                   {range},
                   {{range, "0.0", "sum zeros"}},
                   {{"x", {0x1p-8, 0x1p-126, false}, {0x1p-11, 0x1p-14, true}, {}, {}}}};
  run.programs = run.sampledPrograms = 8;
  run.durationNs = run.sampleDurationNs = run.compileDurationNs = run.repeatNs.emplace_back(9);
  run.isNative = true;
  run.countsUnwritten = false;
  run.whyInterpreted = "the kernel prints";
  CHECK(roundTripReply(run) == run);
  CHECK(roundTripReply(inspection(range)) == inspection(range));
  CHECK(roundTripReply(stopped(range)) == stopped(range));
}

TEST_CASE("several frames in one piece come out one by one", "[compiler]") {
  FrameReader reader;
  reader.append(encodeFrame(WorkerRequest(PingMessage{1})) +
                encodeFrame(WorkerRequest(PingMessage{2})));
  for (uint64_t token : {1, 2}) {
    std::optional<std::string> payload = reader.next();
    REQUIRE(payload);
    Result<WorkerRequest> request = decodeRequest(*payload);
    REQUIRE(request);
    CHECK(std::get<PingMessage>(*request).token == token);
  }
  CHECK_FALSE(reader.next());
}

TEST_CASE("damaged bytes are an error, not a crash", "[compiler]") {
  const std::string payload =
      payloadOf(encodeFrame(WorkerRequest(CompileMessage{1, sampleRequest(), {}, {}})));
  for (size_t size = 0; size < payload.size(); ++size)
    CHECK_FALSE(decodeRequest(std::string_view(payload).substr(0, size)));
  FrameReader reader;
  reader.append("\xff\xff\xff\xff rest");
  CHECK_FALSE(reader.next());
  CHECK(reader.broken());
}

/// The most memory that this process has had at once.
static size_t peakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) << 10;
}

/// The payload with the eight bytes at `at` replaced by a length.
static std::string withLength(std::string payload, size_t at, uint64_t length) {
  memcpy(payload.data() + at, &length, sizeof(length));
  return payload;
}

/// Every place at which the payload holds `size` as a length.
static std::vector<size_t> lengthsIn(const std::string &payload, uint64_t size) {
  const std::string bytes(reinterpret_cast<const char *>(&size), sizeof(size));
  std::vector<size_t> places;
  for (size_t at = payload.find(bytes); at != std::string::npos; at = payload.find(bytes, at + 1))
    places.push_back(at);
  return places;
}

TEST_CASE("a length that the message does not fill takes no memory", "[compiler]") {
  // 17 labels, notes, passes and files; nothing else in the message is 17.
  StageReadyReply ready;
  ready.job = 1;
  Diagnostic diagnostic;
  diagnostic.labels.resize(17);
  diagnostic.notes.resize(17);
  ready.diagnostics = {diagnostic};
  ready.passes.resize(17);
  ready.files.resize(17);
  ready.layouts = {{"", "", "", "", std::vector<int64_t>(17, 2), "", 0, {}, false, 0, {}}};
  const std::string payload = payloadOf(encodeFrame(WorkerReply(ready)));
  REQUIRE(decodeReply(payload));
  const std::vector<size_t> places = lengthsIn(payload, 17);
  CHECK(places.size() >= 5);
  for (size_t at : places)
    for (uint64_t length : {uint64_t{18}, uint64_t{1} << 20, uint64_t{1} << 40, ~uint64_t{0}}) {
      const size_t before = peakBytes();
      CHECK_FALSE(decodeReply(withLength(payload, at, length)));
      CHECK(peakBytes() - before < size_t{64} << 20);
    }
}

TEST_CASE("a value that an enumeration does not have is damage", "[compiler]") {
  const auto damaged = [](auto message, uint8_t good) {
    const std::string payload = payloadOf(encodeFrame(message));
    size_t numPlaces = 0;
    for (size_t at = payload.find(static_cast<char>(good)); at != std::string::npos;
         at = payload.find(static_cast<char>(good), at + 1), ++numPlaces) {
      std::string other = payload;
      other[at] = static_cast<char>(0xee);
      const auto decoded = [&] {
        if constexpr (std::is_same_v<decltype(message), WorkerRequest>)
          return static_cast<bool>(decodeRequest(other));
        else
          return static_cast<bool>(decodeReply(other));
      };
      CHECK_FALSE(decoded());
    }
    CHECK(numPlaces == 1);
  };
  damaged(WorkerReply(StageStartedReply{100, 200, kStageKinds.back().id}), kNumStages - 1);
  damaged(WorkerReply(CrashedReply{100, 200, CrashedReply::Reason::Killed, {}, "", "", "", ""}), 3);
  CompileMessage compile;
  compile.job = 100;
  compile.wanted.stages = 0;
  compile.hook.action = TestHook::Action::Hang;
  compile.request.stopAfter = StageId::Ast;
  damaged(WorkerRequest(compile), 2);
  compile.hook = {};
  compile.request.entry = StageId::Ptx;
  damaged(WorkerRequest(compile), static_cast<uint8_t>(StageId::Ptx));
  StageReadyReply ready;
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Warning;
  ready.diagnostics = {sampleDiagnostic()};
  ready.diagnostics[0].kind = static_cast<DiagnosticKind>(kNumDiagnosticKinds);
  CHECK_FALSE(decodeReply(payloadOf(encodeFrame(WorkerReply(ready)))));
  ready.diagnostics[0].kind = static_cast<DiagnosticKind>(kNumDiagnosticKinds - 1);
  ready.diagnostics[0].cause.need = static_cast<Need>(static_cast<int>(Need::UnitStride) + 1);
  CHECK_FALSE(decodeReply(payloadOf(encodeFrame(WorkerReply(ready)))));
  ready.diagnostics[0].cause.need = Need::UnitStride;
  CHECK(decodeReply(payloadOf(encodeFrame(WorkerReply(ready)))));
  ready.diagnostics[0].severity = static_cast<Severity>(-1);
  CHECK_FALSE(decodeReply(payloadOf(encodeFrame(WorkerReply(ready)))));
}

TEST_CASE("programs with other tables have another protocol version", "[compiler]") {
  const auto version = [](uint32_t format, std::initializer_list<std::string_view> names) {
    return protocolVersion(format, std::span(names.begin(), names.size()));
  };
  const uint32_t known = version(8, {"ast", "ttir", "ptx"});
  CHECK(version(8, {"ast", "ttir", "ptx"}) == known);
  CHECK(version(9, {"ast", "ttir", "ptx"}) != known);
  CHECK(version(8, {"ast", "ttir", "ptx", "sass"}) != known);
  CHECK(version(8, {"ast", "ptx", "ttir"}) != known);
  CHECK(version(8, {"ast", "ttirptx", ""}) != known);
  CHECK(kWorkerProtocolVersion != version(8, {}));
}

TEST_CASE("what follows a message, and a message of no kind, are damage", "[compiler]") {
  const std::string payload = payloadOf(encodeFrame(WorkerRequest(PingMessage{5})));
  CHECK_FALSE(decodeRequest(payload + "x"));
  for (char kind : {'\x07', '\x7f', '\xff'}) {
    std::string other = payload;
    other[0] = kind;
    CHECK_FALSE(decodeRequest(other));
  }
  CHECK_FALSE(decodeRequest(""));
  std::string cancelled = payloadOf(encodeFrame(WorkerReply(CompileDoneReply{})));
  // Behind the kind and the job: a truth value.
  cancelled[4 + 8] = 2;
  CHECK_FALSE(decodeReply(cancelled));
}
