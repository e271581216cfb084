// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/MessageCodec.h"

#include <catch2/catch.hpp>

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
  request.selection = {
      "k",          "l",       {{"x", "*fp32:16"}}, {{"B", "64"}}, {{"num_warps", "4"}},
      {{"n", "7"}}, "cuda:80", {"a", "b"}};
  request.stopAfter = StageId::Ptx;
  request.recordPassIr = true;
  request.collectFacts = false;
  return request;
}

TEST_CASE("requests survive the trip to the worker", "[compiler]") {
  CompileMessage compile{7, sampleRequest(), {}, {TestHook::Action::Hang, "ptx"}};
  compile.wanted.stages = 5;
  compile.wanted.passIr = true;
  CHECK(roundTripRequest(compile) == compile);
  CHECK(roundTripRequest(CancelMessage{9}) == CancelMessage{9});
  const InterpretMessage interpret{3, sampleRequest(), "{}", "/out", "/in", 2, {}};
  CHECK(roundTripRequest(interpret) == interpret);
  CHECK(roundTripRequest(PingMessage{5}) == PingMessage{5});
  CHECK(roundTripRequest(ShutdownMessage{}) == ShutdownMessage{});
}

TEST_CASE("replies survive the trip to the client", "[compiler]") {
  StageReadyReply ready;
  ready.job = 2;
  ready.revision = 3;
  ready.stage = {StageId::Ptx, true, true, 12345, "ret;", {{{4, {{{1, 2}, {1, 9}, 1}}}}}};
  Diagnostic diagnostic{DiagnosticKind::PassFailed,
                        Severity::Warning,
                        {{1, 2}, {3, 4}, 0},
                        "found",
                        {{{{5, 6}, {5, 7}, 1}, "called here"}},
                        {"hint"},
                        {{{{0, 0}, {0, 1}, 0}, "x", "replace"}}};
  ready.diagnostics = {diagnostic};
  ready.passes = {{StageId::Ttgir, "coalesce", 99, true, false, "module {}", {{{0, {}}}}}};
  ready.files = {{"a.py", "text"}};
  ready.kernels = {"k"};
  ready.values = {{{{1, 0}, {1, 1}, 0}, "tensor<fp32>[64]", true}};
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

  CompileDoneReply done;
  done.job = 4;
  done.cancelled = true;
  done.result.metadata = {"k", "cuda:90", 8, 2, 1, 1024, 0, {{"x", "*fp32"}}};
  done.result.suggestion = {512, {{"x", {"size", "size"}}}, {{"s", "size"}}, {"cdiv(size, B)"}};
  done.result.resources = {32, 1024, 0, 256};
  done.result.totalNs = 77;
  const CompileDoneReply doneBack = roundTripReply(done);
  CHECK(doneBack.cancelled);
  CHECK(doneBack.result.metadata == done.result.metadata);
  CHECK(doneBack.result.suggestion == done.result.suggestion);
  CHECK(doneBack.result.resources == done.result.resources);
  CHECK(doneBack.result.totalNs == 77);

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
  const RunDoneReply run{1, true, false, {}, {}, {{"x", "fp32", {4}, "x.npy"}}, "pid", 8, 9};
  CHECK(roundTripReply(run) == run);
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
