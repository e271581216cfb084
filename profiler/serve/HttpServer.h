// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/serve/InferenceRoutes.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace tilescope::profiler {

struct HttpAddress {
  /// A number, as `127.0.0.1` or `::1`.
  std::string host;
  /// 0: one that is free.
  uint16_t port = 0;
};

/// Of `127.0.0.1:8000`, `[::1]:8000` and `localhost:8000`.
Result<HttpAddress> parseHttpAddress(const std::string &text);

struct HttpLimits {
  /// Of a request; larger ones are refused before they are read.
  size_t bodyBytes = size_t(1) << 20;
  /// At the same time; more are refused.
  size_t connections = 64;
  /// For the head of the next request of a connection, and for the rest of a request and its reply.
  std::chrono::seconds head{30}, rest{60};
};

/// Answers HTTP/1.1 on one thread, the one that calls `run`. On an address of this machine alone it answers only requests that
/// are meant for this machine: a page in a browser cannot reach it under another name.
class HttpServer {
public:
  using Reply = std::function<void(ServedReply)>;
  /// Called on the server's thread. `reply` is called once, then or later, on any thread, and may outlive the connection.
  using Handler = std::function<void(ServedRequest, Reply reply)>;

  /// An environment error: the address cannot be had.
  static Result<std::unique_ptr<HttpServer>> listen(const HttpAddress &address,
                                                    const HttpLimits &limits, Handler handler);
  ~HttpServer();

  uint16_t port() const;
  /// Until SIGINT or SIGTERM.
  void run();

private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

} // namespace tilescope::profiler
