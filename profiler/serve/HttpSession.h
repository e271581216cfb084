// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/serve/HttpServer.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>

namespace tilescope::profiler {

/// What all connections share; it outlives them.
struct HttpShared {
  HttpLimits limits;
  HttpServer::Handler handler;
  /// Only this machine can reach the server.
  bool isLocal = true;
  size_t numSessions = 0;
};

/// One connection: requests and replies one after another. It lives as long as something is expected of it.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
public:
  HttpSession(boost::asio::ip::tcp::socket socket, std::shared_ptr<HttpShared> shared);
  ~HttpSession();
  HttpSession(const HttpSession &) = delete;
  HttpSession &operator=(const HttpSession &) = delete;

  /// Reads the first request; `isRefused`: there are too many connections.
  void start(bool isRefused);

private:
  using Code = boost::beast::error_code;
  void readHead();
  void readBody();
  void takeHead(Code error);
  void takeBody(Code error);
  void fail(Code error);
  void send(ServedReply reply, bool keepsAlive);
  void sent(Code error, bool keepsAlive);
  void drain();
  bool isMeantForUs() const;

  boost::beast::tcp_stream m_stream;
  std::shared_ptr<HttpShared> m_shared;
  boost::beast::flat_buffer m_buffer;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> m_parser;
  std::string m_goOn;
  bool m_isHead = false;
};

} // namespace tilescope::profiler
