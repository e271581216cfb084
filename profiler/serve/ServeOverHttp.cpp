// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/ServeOverHttp.h"

#include "profiler/serve/HttpServer.h"
#include "profiler/serve/ModelQueue.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace tilescope::profiler {

/// Of a request: numbers as text take up to 16 times as much as in memory.
static size_t mostBodyBytes(const ServedModel &model) {
  size_t most = 0;
  for (const ServedSet &set : model.sets) {
    size_t bytes = 0;
    for (const ServedTensor &input : set.inputs)
      bytes += input.bytes();
    most = std::max(most, bytes);
  }
  return (size_t(1) << 20) + 16 * most;
}

static ServedReply outcomeReply(const ServedModel &model, const InferenceRequest &request,
                                const ModelQueue::Outputs &outputs) {
  if (outputs)
    return replyOf(model, request, *outputs);
  const Error &error = outputs.error();
  const int status = error.code == ErrorCode::Cancelled     ? 504
                     : error.code == ErrorCode::Environment ? 503
                                                            : 500;
  return refusal(status, error.message);
}

static void handle(const ServedModel &model, ModelQueue &queue, const ServedRequest &request,
                   const HttpServer::Reply &reply) {
  RoutedRequest routed = route(request, model, queue.state());
  if (routed.reply)
    return reply(std::move(*routed.reply));
  // The answer needs to know the set.
  Inference inference{routed.inference->inference.set,
                      std::move(routed.inference->inference.inputs)};
  const bool isTaken = queue.push(
      std::move(inference),
      [&model, reply, request = std::move(*routed.inference)](const ModelQueue::Outputs &outputs) {
        reply(outcomeReply(model, request, outputs));
      });
  if (isTaken)
    return;
  ServedReply refused = refusal(503, "too many inferences are waiting");
  refused.headers["Retry-After"] = "1";
  reply(std::move(refused));
}

Status serveOverHttp(const ServeOptions &options) {
  const Result<HttpAddress> address = parseHttpAddress(options.address);
  if (!address)
    return address.error();
  const ServedModel &model = options.model;
  // A child that dies early must not take this process along.
  std::signal(SIGPIPE, SIG_IGN);
  HttpLimits limits;
  limits.bodyBytes = mostBodyBytes(model);
  // Outlived by the server, whose connections wait for it.
  std::unique_ptr<ModelQueue> queue;
  const auto server = HttpServer::listen(
      *address, limits, [&](const ServedRequest &request, const HttpServer::Reply &reply) {
        handle(model, *queue, request, reply);
      });
  if (!server)
    return server.error();
  QueueLimits queueLimits;
  queueLimits.inference = std::chrono::milliseconds(int64_t(options.timeLimitS * 1000));
  queue = std::make_unique<ModelQueue>(options.command, model, queueLimits);
  const bool isV6 = address->host.find(':') != std::string::npos;
  std::printf("`%s` is served at http://%s:%d/v2/models/%s\n", model.name.c_str(),
              (isV6 ? "[" + address->host + "]" : address->host).c_str(), (*server)->port(),
              model.name.c_str());
  std::fflush(stdout);
  (*server)->run();
  queue.reset();
  return {};
}

} // namespace tilescope::profiler
