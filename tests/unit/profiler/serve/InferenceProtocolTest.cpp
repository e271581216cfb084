// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/InferenceProtocol.h"

#include "profiler/serve/HttpServer.h"
#include "profiler/serve/InferenceRoutes.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace tilescope;
using namespace tilescope::profiler;
using nlohmann::json;

static ServedModel modelOf(Dtype dtype, int64_t elements) {
  return {"m", {{{{"x", dtype, {elements}}}, {{"y", dtype, {elements}}}}}};
}

/// The bytes of the only input whose elements are a text of JSON; empty: they are refused.
static std::string bytesOf(Dtype dtype, int64_t elements, const std::string &data) {
  const std::string body = R"({"inputs": [{"name": "x", "shape": [)" + std::to_string(elements) +
                           R"(], "datatype": ")" + std::string(datatypeName(dtype)) +
                           R"(", "data": )" + data + "}]}";
  const auto request = parseInferenceRequest(body, std::nullopt, modelOf(dtype, elements));
  return request ? request->inference.inputs.at(0) : "";
}

TEST_CASE("elements of each type are read, and those out of its range refused", "[serve]") {
  using namespace std::string_literals;
  CHECK(bytesOf(Dtype::Int8, 3, "[-128, 127, 0]") == "\x80\x7f\0"s);
  CHECK(bytesOf(Dtype::Int8, 1, "[128]").empty());
  CHECK(bytesOf(Dtype::Uint8, 2, "[[255], [0]]") == "\xff\0"s);
  CHECK(bytesOf(Dtype::Uint8, 1, "[-1]").empty());
  CHECK(bytesOf(Dtype::Uint16, 1, "[65536]").empty());
  CHECK(bytesOf(Dtype::Uint64, 1, "[18446744073709551615]") == std::string(8, '\xff'));
  CHECK(bytesOf(Dtype::Uint64, 1, "[-1]").empty());
  CHECK(bytesOf(Dtype::Int64, 1, "[18446744073709551615]").empty());
  CHECK(bytesOf(Dtype::Int1, 3, "[true, false, 1]") == "\1\0\1"s);
  CHECK(bytesOf(Dtype::Int1, 1, "[2]").empty());
  CHECK(bytesOf(Dtype::Fp16, 1, "[1.5]") == "\x00\x3e"s);
  CHECK(bytesOf(Dtype::Fp16, 1, "[65536]").empty());
  CHECK(bytesOf(Dtype::Fp32, 1, "[true]").empty());
  CHECK(bytesOf(Dtype::Fp32, 1, "{}").empty());
}

TEST_CASE("numbers that are not finite are null in JSON, and themselves as bytes", "[serve]") {
  const ServedModel model = modelOf(Dtype::Fp32, 2);
  const float values[] = {INFINITY, 0.5F};
  std::string bytes(sizeof(values), '\0');
  std::memcpy(bytes.data(), values, sizeof(values));
  const InferenceAnswer text = inferenceAnswer(model, {"", {}, {{0, false}}}, {bytes});
  CHECK_FALSE(text.jsonBytes);
  CHECK(json::parse(text.body).at("outputs").at(0).at("data") == json::array({nullptr, 0.5}));
  const InferenceAnswer binary = inferenceAnswer(model, {"7", {}, {{0, true}}}, {bytes});
  REQUIRE(binary.jsonBytes);
  CHECK(binary.body.substr(*binary.jsonBytes) == bytes);
  CHECK(json::parse(binary.body.substr(0, *binary.jsonBytes)).at("id") == "7");
}

TEST_CASE("a request is judged before the model's readiness", "[serve]") {
  const ServedModel model = modelOf(Dtype::Fp32, 1);
  const auto statusOf = [&](const std::string &body) {
    const RoutedRequest routed =
        route({"POST", "/v2/models/m/infer", "", "", body}, model, {"no device"});
    return routed.reply ? routed.reply->status : 0;
  };
  CHECK(statusOf("{}") == 400);
  CHECK(statusOf(R"({"inputs": [{"name": "x", "shape": [1], "datatype": "FP32", "data": [1]}]})") ==
        503);
}

TEST_CASE("addresses have a host and a port", "[serve]") {
  const auto text = [](const char *address) {
    const auto parsed = parseHttpAddress(address);
    return parsed ? parsed->host + " " + std::to_string(parsed->port) : parsed.error().message;
  };
  CHECK(text("127.0.0.1:8000") == "127.0.0.1 8000");
  CHECK(text("localhost:1") == "127.0.0.1 1");
  CHECK(text("[::1]:0") == "::1 0");
  for (const char *wrong : {"", ":", "8000", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x",
                            "127.0.0.1:65536", "127.0.0.1:-1", "host.example:80"})
    CHECK(text(wrong) == "`" + std::string(wrong) + "` is not an address with a port");
}

TEST_CASE("a request's shapes choose the set that it is for", "[serve]") {
  const auto setOf = [](int64_t rows) {
    return ServedSet{{{"x", Dtype::Int8, {rows, 2}}, {"k", Dtype::Int8, {1}}},
                     {{"y", Dtype::Int8, {rows}}}};
  };
  const ServedModel model{"m", {setOf(1), setOf(3)}};
  const auto parse = [&](const std::string &shape, const std::string &data) {
    return parseInferenceRequest(
        R"({"inputs": [{"name": "k", "shape": [1], "datatype": "INT8", "data": [1]}, )"
        R"({"name": "x", "shape": )" +
            shape + R"(, "datatype": "INT8", "data": )" + data + "}]}",
        std::nullopt, model);
  };
  const auto request = parse("[3, 2]", "[1, 2, 3, 4, 5, 6]");
  REQUIRE(request);
  CHECK(request->inference.set == 1);
  CHECK(request->inference.inputs.at(0).size() == 6);
  const InferenceAnswer answer = inferenceAnswer(model, *request, {std::string(3, '\7')});
  CHECK(json::parse(answer.body).at("outputs").at(0).at("shape") == json::array({3}));
  const auto refused = parse("[2, 2]", "[1, 2, 3, 4]");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "the request is for `k` [1] and `x` [2,2], and the model is served for `x` [1,2] and `k` "
        "[1]; `x` [3,2] and `k` [1]");
  // What differs is open, as clients know it.
  const json metadata = modelMetadata(model);
  CHECK(metadata.at("inputs").at(0).at("shape") == json::array({-1, 2}));
  CHECK(metadata.at("inputs").at(1).at("shape") == json::array({1}));
  CHECK(metadata.at("outputs").at(0).at("shape") == json::array({-1}));
}
