// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/HttpSession.h"

namespace tilescope::profiler {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

/// Of a request line with its headers.
static constexpr uint32_t kMostHeadBytes = 16 * 1024;
/// What a client still sends after an error is read and forgotten for so long, so that it sees the reply.
static constexpr std::chrono::seconds kDrainTime{2};

HttpSession::HttpSession(asio::ip::tcp::socket socket, std::shared_ptr<HttpShared> shared)
    : m_stream(std::move(socket)), m_shared(std::move(shared)) {
  ++m_shared->numSessions;
}

HttpSession::~HttpSession() { --m_shared->numSessions; }

void HttpSession::start(bool isRefused) {
  if (!isRefused)
    return readHead();
  ServedReply reply = refusal(503, "there are too many connections");
  reply.headers["Retry-After"] = "1";
  send(std::move(reply), false);
}

void HttpSession::readHead() {
  m_parser.emplace();
  m_parser->header_limit(kMostHeadBytes);
  m_parser->body_limit(m_shared->limits.bodyBytes);
  m_isHead = false;
  m_stream.expires_after(m_shared->limits.head);
  http::async_read_header(
      m_stream, m_buffer, *m_parser,
      [self = shared_from_this()](Code error, size_t) { self->takeHead(error); });
}

/// A name in front of its port.
static std::string_view hostOf(std::string_view text) {
  if (text.starts_with('['))
    return text.substr(1, text.find(']') - 1);
  return text.substr(0, text.find(':'));
}

/// A page in a browser may have a name of its own that leads here.
bool HttpSession::isMeantForUs() const {
  const auto host = m_parser->get()[http::field::host];
  const std::string name(hostOf({host.data(), host.size()}));
  if (!m_shared->isLocal || name.empty() || name == "localhost")
    return true;
  Code error;
  const auto address = asio::ip::make_address(name, error);
  return !error && address.is_loopback();
}

void HttpSession::takeHead(Code error) {
  if (error)
    return fail(error);
  m_isHead = m_parser->get().method() == http::verb::head;
  if (!isMeantForUs())
    return send(refusal(421, "this server answers only for this machine: `localhost` or 127.0.0.1"),
                false);
  m_stream.expires_after(m_shared->limits.rest);
  const auto expected = m_parser->get()[http::field::expect];
  if (!beast::iequals(expected, "100-continue"))
    return readBody();
  m_goOn = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(m_stream, asio::buffer(m_goOn),
                    [self = shared_from_this()](Code fault, size_t) {
                      if (!fault)
                        self->readBody();
                    });
}

void HttpSession::readBody() {
  http::async_read(m_stream, m_buffer, *m_parser,
                   [self = shared_from_this()](Code error, size_t) { self->takeBody(error); });
}

static std::string textOf(beast::string_view text) { return {text.data(), text.size()}; }

void HttpSession::takeBody(Code error) {
  if (error)
    return fail(error);
  auto message = m_parser->release();
  ServedRequest request{textOf(message.method_string()), textOf(message.target()),
                        textOf(message["Inference-Header-Content-Length"]),
                        textOf(message[http::field::content_encoding]), std::move(message.body())};
  const bool keepsAlive = message.keep_alive();
  // The model has limits of its own.
  m_stream.expires_never();
  m_shared->handler(std::move(request), [self = shared_from_this(), keepsAlive](ServedReply reply) {
    asio::post(self->m_stream.get_executor(),
               [self, keepsAlive, reply = std::move(reply)]() mutable {
                 self->send(std::move(reply), keepsAlive);
               });
  });
}

void HttpSession::fail(Code error) {
  if (error == http::error::body_limit)
    return send(
        refusal(413, "a request may have " + std::to_string(m_shared->limits.bodyBytes) + " bytes"),
        false);
  if (error == http::error::header_limit)
    return send(
        refusal(431, "the head of a request may have " + std::to_string(kMostHeadBytes) + " bytes"),
        false);
  // The end of a connection, and one whose other side is silent or gone.
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error.category() != make_error_code(http::error::bad_method).category())
    return;
  send(refusal(400, "this is not HTTP: " + error.message()), false);
}

void HttpSession::send(ServedReply reply, bool keepsAlive) {
  auto response = std::make_shared<http::response<http::string_body>>();
  response->version(11);
  response->result(static_cast<unsigned>(reply.status));
  response->set(http::field::content_type, "application/json");
  for (const auto &[name, value] : reply.headers)
    response->set(name, value);
  response->keep_alive(keepsAlive);
  response->body() = std::move(reply.body);
  response->prepare_payload();
  // The length stays that of the reply to a GET.
  if (m_isHead)
    response->body().clear();
  m_stream.expires_after(m_shared->limits.rest);
  http::async_write(m_stream, *response,
                    [self = shared_from_this(), response, keepsAlive](Code error, size_t) {
                      self->sent(error, keepsAlive);
                    });
}

void HttpSession::sent(Code error, bool keepsAlive) {
  if (error)
    return;
  if (keepsAlive)
    return readHead();
  Code ignored;
  m_stream.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  m_stream.expires_after(kDrainTime);
  drain();
}

void HttpSession::drain() {
  m_buffer.clear();
  m_stream.async_read_some(m_buffer.prepare(65536),
                           [self = shared_from_this()](Code error, size_t) {
                             if (!error)
                               self->drain();
                           });
}

} // namespace tilescope::profiler
