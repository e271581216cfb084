// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/Service.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/ErrorJson.h"
#include "profiler/runner/Frames.h"
#include "profiler/runner/Job.h"
#include "profiler/runner/ProfileParts.h"

#include <array>
#include <chrono>
#include <csignal>
#include <deque>
#include <unistd.h>

namespace tilescope::profiler {

using nlohmann::json;

namespace {
/// One thread: it reads, starts children and waits for them.
class Service {
public:
  Service(int input, int output, const ChildCommand &command)
      : m_input(input), m_output(output), m_command(command) {}
  int run();

private:
  void send(const json &message);
  void sendError(const json &id, const Error &error);
  void readInput();
  void tellLife();
  void accept(const std::string &text);
  void cancel(const json &id);
  void perform(const json &request);

  int m_input;
  int m_output;
  const ChildCommand &m_command;
  FrameReader m_reader{kLargestRequest};
  std::deque<json> m_queue;
  /// Of the running request; null between requests.
  json m_running;
  std::chrono::steady_clock::time_point m_lastSign = std::chrono::steady_clock::now();
  bool m_cancelRunning = false;
  bool m_ended = false;
};
} // namespace

void Service::send(const json &message) {
  std::string bytes = encodeFrame(message.dump(-1, ' ', false, json::error_handler_t::replace));
  for (size_t sent = 0; sent < bytes.size();) {
    ssize_t written = write(m_output, bytes.data() + sent, bytes.size() - sent);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      m_ended = true;
      return;
    }
    sent += size_t(written);
  }
}

void Service::sendError(const json &id, const Error &error) {
  send({{"id", id}, {"error", errorToJson(error)}});
}

/// A request that comes over a slow link takes long to arrive: whoever sends it hears that it does.
void Service::tellLife() {
  const auto now = std::chrono::steady_clock::now();
  if (now - m_lastSign < std::chrono::seconds(1))
    return;
  m_lastSign = now;
  send({{"method", "progress"}, {"params", {{"progress", "alive"}}}});
}

void Service::readInput() {
  std::array<char, 65536> bytes;
  ssize_t count = read(m_input, bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR)
    return;
  if (count <= 0) {
    m_ended = true;
    return;
  }
  m_reader.feed({bytes.data(), size_t(count)});
  for (;;) {
    auto message = m_reader.next();
    if (!message) {
      sendError(nullptr, message.error());
      m_ended = true;
      return;
    }
    if (!*message)
      return m_reader.isInside() ? tellLife() : void();
    accept(**message);
  }
}

void Service::accept(const std::string &text) {
  constexpr size_t kMostWaiting = 1000;
  Result<json> parsed = parseJson(text, {.maxBytes = kLargestRequest});
  json request = parsed ? std::move(*parsed) : json();
  const json id = request.is_object() ? request.value("id", json()) : json();
  if (!request.is_object() || !request.contains("method") || !request["method"].is_string()) {
    sendError(id, {ErrorCode::Usage,
                   "a message must be a JSON object with `method`" +
                       (parsed ? "" : ": " + parsed.error().message),
                   ""});
    return;
  }
  if (request["method"] == "cancel") {
    const json params = request.value("params", json::object());
    cancel(params.is_object() ? params.value("id", json()) : json());
    return;
  }
  if (m_queue.size() == kMostWaiting) {
    sendError(id, {ErrorCode::Usage, "too many requests are waiting for an answer", ""});
    return;
  }
  m_queue.push_back(std::move(request));
}

void Service::cancel(const json &id) {
  if (!m_running.is_null() && m_running == id) {
    m_cancelRunning = true;
    return;
  }
  for (auto it = m_queue.begin(); it != m_queue.end(); ++it) {
    if (it->value("id", json()) != id)
      continue;
    sendError(id, {ErrorCode::Cancelled, "cancelled", ""});
    m_queue.erase(it);
    return;
  }
}

void Service::perform(const json &request) {
  json id = request.value("id", json());
  if (request["method"] == "shutdown") {
    send({{"id", id}, {"result", nullptr}});
    m_ended = true;
    return;
  }
  ChildLimits limits;
  const json params = request.value("params", json::object());
  if (params.is_object() && params.contains("time_limit_s") && params["time_limit_s"].is_number())
    limits.launch = std::chrono::milliseconds(
        int64_t(std::clamp(params["time_limit_s"].get<double>(), 0.001, 1e6) * 1000));
  ChildHooks hooks;
  hooks.onProgress = [&](const json &progress) {
    json told = progress;
    told["id"] = id;
    send({{"method", "progress"}, {"params", told}});
  };
  hooks.onPartial = [&](const json &partial) {
    json result = partial;
    // Outputs come once, at the end.
    for (json &output : result["outputs"])
      output.erase("npy_base64");
    send({{"method", "partial"}, {"params", {{"id", id}, {"result", std::move(result)}}}});
  };
  hooks.onWaiting = [&] {
    send({{"method", "progress"}, {"params", {{"id", id}, {"progress", "alive"}}}});
  };
  hooks.watchedFile = m_input;
  hooks.onWatched = [&] {
    readInput();
    return !m_cancelRunning && !m_ended;
  };
  m_running = id;
  m_cancelRunning = false;
  Result<json> result = runWithParts(m_command, request, limits, hooks);
  m_running = nullptr;
  if (result)
    send({{"id", id}, {"result", *result}});
  else
    sendError(id, result.error());
}

int Service::run() {
  while (!m_ended || !m_queue.empty()) {
    if (m_queue.empty()) {
      readInput();
      continue;
    }
    json request = std::move(m_queue.front());
    m_queue.pop_front();
    perform(request);
    if (m_ended)
      break;
  }
  return 0;
}

int serve(int inputFile, int outputFile, const ChildCommand &command) {
  // A client that is gone is noticed where its answer is written.
  std::signal(SIGPIPE, SIG_IGN);
  return Service(inputFile, outputFile, command).run();
}

} // namespace tilescope::profiler
