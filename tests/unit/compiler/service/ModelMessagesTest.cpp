// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/service/MessageCodec.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

/// The message in a frame, without the frame.
static std::string payloadOf(const std::string &frame) {
  FrameReader reader;
  reader.append(frame);
  return reader.next().value();
}

TEST_CASE("a model's request survives the trip to the worker", "[compiler]") {
  const ModelMessage message{7,
                             {"/m.onnx",
                              {{"N", 4}},
                              ModelText::Kernels,
                              ModelForm::Fused,
                              {{"first:second", FusionWish::Apart}}},
                             {}};
  const auto back = decodeRequest(payloadOf(encodeFrame(WorkerRequest(message))));
  REQUIRE(back);
  CHECK(std::get<ModelMessage>(*back) == message);
}

TEST_CASE("what is known of a model survives the trip to the client", "[compiler]") {
  ModelDoneReply reply;
  reply.job = 5;
  reply.cancelled = true;
  reply.diagnostics = {Diagnostic()};
  reply.diagnostics[0].message = "gone";
  reply.result = {
      .ok = true,
      .format = "ONNX",
      .producer = "test 1",
      .formatVersion = 8,
      .operatorSets = {{"", 17}},
      .numNodes = 2,
      .nodes = {{"first", "Add", {"x", "w"}, {{"a", "float", {"2", "3"}}}}},
      .operators = {{"Conv", "com.example", 3, true}},
      .inputs = {{"x", "float", {"N", "3"}}},
      .outputs = {{"y", "int64", {"N + 1"}}},
      .symbols = {"N"},
      .numWeights = 4,
      .weightBytes = 5,
      .externalBytes = 6,
      .numOperations = 7,
      .rewrites = {{"identity", "second", "gone"}},
      .kernels =
          {{"add_kernel", {"first"}, 8, "first + second", ModelKernelForm::Elements, 12, {0, 3}}},
      .edges = {{"first", "second", true, "one kernel", 9, FusionWish::Fused}},
      .slots = {{1, {"second", "fp32", {"2", "3"}}, 256, 24, 2}},
      .arenaBytes = 512,
      .leastArenaBytes = 256,
      .numUnfusedKernels = 10,
      .unfusedBytes = 11,
      .text = "module",
      .diagnostics = {{Severity::Warning, "first", "Conv", "odd"}}};
  const auto back = decodeReply(payloadOf(encodeFrame(WorkerReply(reply))));
  REQUIRE(back);
  CHECK(std::get<ModelDoneReply>(*back) == reply);
}
