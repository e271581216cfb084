// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/HttpServer.h"

#include "profiler/serve/HttpSession.h"

#include <boost/asio/signal_set.hpp>
#include <charconv>

namespace tilescope::profiler {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::beast::error_code;

Result<HttpAddress> parseHttpAddress(const std::string &text) {
  const Error refused{ErrorCode::Usage, "`" + text + "` is not an address with a port",
                      "for example 127.0.0.1:8000 or [::1]:8000"};
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    return refused;
  HttpAddress address{text.substr(0, colon), 0};
  const char *end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (fault != std::errc() || rest != end)
    return refused;
  if (address.host.starts_with('[') && address.host.ends_with(']'))
    address.host = address.host.substr(1, address.host.size() - 2);
  if (address.host == "localhost")
    address.host = "127.0.0.1";
  error_code error;
  (void)asio::ip::make_address(address.host, error);
  if (error)
    return refused;
  return address;
}

struct HttpServer::State {
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::signal_set signals{context};
  asio::steady_timer pause{context};
  std::shared_ptr<HttpShared> shared = std::make_shared<HttpShared>();

  void accept();
};

void HttpServer::State::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted)
      return;
    if (error) {
      // Without a free descriptor the next one would fail at once, too.
      pause.expires_after(std::chrono::milliseconds(100));
      pause.async_wait([this](error_code) { accept(); });
      return;
    }
    const bool isRefused = shared->numSessions >= shared->limits.connections;
    // Beyond twice as many they are not even told.
    if (shared->numSessions < 2 * shared->limits.connections)
      std::make_shared<HttpSession>(std::move(socket), shared)->start(isRefused);
    accept();
  });
}

HttpServer::HttpServer(std::unique_ptr<State> state) : m_state(std::move(state)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpAddress &address,
                                                       const HttpLimits &limits, Handler handler) {
  auto state = std::make_unique<State>();
  error_code error;
  const tcp::endpoint endpoint(asio::ip::make_address(address.host, error), address.port);
  if (!error)
    state->acceptor.open(endpoint.protocol(), error);
  if (!error)
    state->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error)
    state->acceptor.bind(endpoint, error);
  if (!error)
    state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Error{ErrorCode::Environment,
                 "cannot listen at " + address.host + ", port " + std::to_string(address.port) +
                     ": " + error.message(),
                 "port 0 takes one that is free"};
  state->shared->limits = limits;
  state->shared->handler = std::move(handler);
  state->shared->isLocal = endpoint.address().is_loopback();
  state->signals.add(SIGINT);
  state->signals.add(SIGTERM);
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

uint16_t HttpServer::port() const { return m_state->acceptor.local_endpoint().port(); }

void HttpServer::run() {
  m_state->accept();
  m_state->signals.async_wait([this](error_code, int) { m_state->context.stop(); });
  m_state->context.run();
}

} // namespace tilescope::profiler
