// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/serve/InferenceStatistics.h"

#include <functional>
#include <map>

namespace tilescope::profiler {

struct ServedRequest {
  std::string method;
  /// With what follows `?`, as it was sent.
  std::string target;
  /// Of `Inference-Header-Content-Length` and `Content-Encoding`; empty: not there.
  std::string jsonLength, encoding;
  std::string body;
};

struct ServedReply {
  int status = 200;
  std::string body;
  /// Header lines beside those of every reply.
  std::map<std::string, std::string> headers = {};
};

/// The error as every reply has it.
ServedReply refusal(int status, const std::string &message);

/// What a request asks for: a reply that is known at once, or an inference.
struct RoutedRequest {
  std::optional<ServedReply> reply;
  std::optional<InferenceRequest> inference;
};

struct ServedState {
  /// Why the model does not answer now; empty: it does.
  std::string notReady;
  InferenceStatistics statistics = {};
};

RoutedRequest route(const ServedRequest &request, const ServedModel &model,
                    const ServedState &state);

ServedReply replyOf(const ServedModel &model, const InferenceRequest &request,
                    const std::vector<std::string> &outputs);

} // namespace tilescope::profiler
