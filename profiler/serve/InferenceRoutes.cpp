// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/InferenceRoutes.h"

#include <charconv>

namespace tilescope::profiler {

using nlohmann::json;

static ServedReply documentReply(int status, const json &document) {
  return {status, document.dump(-1, ' ', false, json::error_handler_t::replace)};
}

ServedReply refusal(int status, const std::string &message) {
  return documentReply(status, {{"error", message}});
}

/// The parts of a path between its slashes, with `%20` read; nothing where it is not a path.
static std::optional<std::vector<std::string>> pathParts(std::string_view target) {
  target = target.substr(0, target.find('?'));
  if (!target.starts_with('/'))
    return std::nullopt;
  std::vector<std::string> parts;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] == '/') {
      parts.emplace_back();
      continue;
    }
    if (target[i] != '%') {
      parts.back() += target[i];
      continue;
    }
    unsigned code = 0;
    const char *digits = target.data() + i + 1;
    if (target.size() - i < 3 || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2)
      return std::nullopt;
    parts.back() += static_cast<char>(code);
    i += 2;
  }
  if (parts.size() > 1 && parts.back().empty())
    parts.pop_back();
  return parts;
}

static ServedReply serverMetadata() {
  return documentReply(
      200, {{"name", "tilescope-runner"},
            {"version", TILESCOPE_VERSION},
            {"extensions", {"binary_tensor_data", "model_configuration", "statistics"}}});
}

/// The protocol has a status of the kind 4xx where something is not ready.
static ServedReply readiness(const ServedModel &model, const std::string &notReady) {
  if (notReady.empty())
    return documentReply(200, {{"name", model.name}, {"ready", true}});
  return documentReply(400, {{"name", model.name}, {"ready", false}, {"error", notReady}});
}

static RoutedRequest inferenceOf(const ServedRequest &request, const ServedModel &model,
                                 const std::string &notReady) {
  if (!request.encoding.empty() && request.encoding != "identity")
    return {refusal(415, "the request is compressed, which is not supported"), {}};
  std::optional<uint64_t> jsonBytes;
  if (const std::string &text = request.jsonLength; !text.empty()) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      return {refusal(400, "`Inference-Header-Content-Length` is not a number"), {}};
    jsonBytes = value;
  }
  // A request that cannot be right is told so also while the model is not ready.
  Result<InferenceRequest> parsed = parseInferenceRequest(request.body, jsonBytes, model);
  if (!parsed)
    return {refusal(400, parsed.error().message), {}};
  if (!notReady.empty())
    return {refusal(503, "the model is not ready: " + notReady), {}};
  return {std::nullopt, std::move(*parsed)};
}

RoutedRequest route(const ServedRequest &request, const ServedModel &model,
                    const ServedState &state) {
  const auto parts = pathParts(request.target);
  if (!parts || parts->empty() || parts->front() != "v2")
    return {refusal(404, "there is nothing at this address: the protocol begins at /v2"), {}};
  std::vector<std::string> rest(parts->begin() + 1, parts->end());
  // What is of all models is of the only one.
  if (rest == std::vector<std::string>{"models", "stats"} && model.name != "stats")
    rest.insert(rest.begin() + 1, model.name);
  const bool isOfModel = rest.size() >= 2 && rest[0] == "models";
  if (isOfModel && rest[1] != model.name)
    return {refusal(404, "the model here is `" + model.name + "`"), {}};
  if (isOfModel) {
    const bool hasVersion = rest.size() >= 4 && rest[2] == "versions";
    if (hasVersion && rest[3] != kServedVersion)
      return {refusal(404, "`" + model.name + "` has only the version " + kServedVersion), {}};
    rest.erase(rest.begin() + 1, rest.begin() + (hasVersion ? 4 : 2));
  }
  std::string what;
  for (const std::string &part : rest)
    what += "/" + part;
  const bool isInference = isOfModel && what == "/models/infer";
  const std::string method = isInference ? "POST" : "GET";
  const bool isRead = request.method == "GET" || request.method == "HEAD";
  std::optional<ServedReply> reply;
  if (what.empty())
    reply = serverMetadata();
  else if (what == "/health/live")
    reply = documentReply(200, {{"live", true}});
  else if (what == "/health/ready" || (isOfModel && what == "/models/ready"))
    reply = readiness(model, state.notReady);
  else if (isOfModel && what == "/models")
    reply = documentReply(200, modelMetadata(model));
  else if (isOfModel && what == "/models/config")
    reply = documentReply(200, configurationJson(model));
  else if (isOfModel && what == "/models/stats")
    reply = documentReply(200, statisticsJson(model, state.statistics));
  else if (!isInference)
    return {refusal(404, "there is nothing at this address"), {}};
  if (isInference ? request.method != "POST" : !isRead) {
    ServedReply refused = refusal(405, "only " + method + " is answered here");
    refused.headers["Allow"] = method;
    return {std::move(refused), {}};
  }
  return isInference ? inferenceOf(request, model, state.notReady)
                     : RoutedRequest{std::move(reply), {}};
}

ServedReply replyOf(const ServedModel &model, const InferenceRequest &request,
                    const std::vector<std::string> &outputs) {
  InferenceAnswer answer = inferenceAnswer(model, request, outputs);
  ServedReply reply{200, std::move(answer.body)};
  if (answer.jsonBytes) {
    reply.headers["Inference-Header-Content-Length"] = std::to_string(*answer.jsonBytes);
    reply.headers["Content-Type"] = "application/octet-stream";
  }
  return reply;
}

} // namespace tilescope::profiler
