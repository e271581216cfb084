// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunnerConversation.h"

#include "app/remote/FarRunner.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/data/ErrorJson.h"
#include "profiler/data/Text.h"
#include "profiler/runner/Frames.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope::app {

using nlohmann::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Between two looks at the stop token.
static constexpr milliseconds kPollInterval{50};
/// How long ssh may take to connect and log in, in addition to the runner's own silence.
static constexpr std::chrono::seconds kConnectPatience{20};
/// For a runner to end after its answer.
static constexpr std::chrono::seconds kEndPatience{2};
/// Of what it wrote beside the answer, to explain its end.
static constexpr size_t kKeptLines = 6;
/// Of a line, or a message, that comes from the far end.
static constexpr size_t kLongestTold = 2000;
/// Of what login scripts at the far end print.
static constexpr size_t kLongestGreeting = size_t(1) << 20;

namespace {

class Conversation {
public:
  Conversation(const RunnerCommand &command, milliseconds patience, const RunnerHooks &hooks)
      : m_command(command), m_patience(patience), m_hooks(hooks) {}
  ~Conversation() { end(Clock::now()); }
  Conversation(const Conversation &) = delete;
  Conversation &operator=(const Conversation &) = delete;

  Status start(const json &request);
  RunnerReply wait();

private:
  void exchange(milliseconds limit);
  void sendRequest();
  void receive();
  void handle(const std::string &text);
  void takeMessage(const json &message);
  void takeNotification(const json &params);
  Result<json> without(const Error &error) const;
  bool takeErrors();
  void tellLine(std::string_view line);
  bool hasEnded() const;
  void end(Clock::time_point deadline);
  Error silenceError() const;
  Error deathError();
  /// The runner as messages name it.
  std::string runner() const {
    return m_command.host.empty() ? "the runner `" + m_command.program + "`"
                                  : "the runner on `" + m_command.host + "`";
  }

  const RunnerCommand &m_command;
  milliseconds m_patience;
  const RunnerHooks &m_hooks;
  SpawnedChild m_child;
  std::string m_request;
  size_t m_sent = 0;
  profiler::FrameReader m_reader{profiler::kLargestAnswer};
  /// What came before the mark, as long as it is looked for.
  std::string m_before;
  bool m_isReached = false;
  std::optional<Result<json>> m_answer;
  /// What there was of a profile when it was told last.
  std::optional<json> m_partial;
  std::string m_line;
  std::vector<std::string> m_lastLines;
  Clock::time_point m_lastSign;
  int m_status = 0;
};

} // namespace

/// What the far end says, as a message has it: of bounded length, and nothing that a terminal
/// obeys.
static std::string toldText(std::string_view text) {
  const bool isWhole = text.size() <= kLongestTold;
  return profiler::printable(text.substr(0, kLongestTold)) + (isWhole ? "" : "…");
}

Status Conversation::start(const json &request) {
  m_request = profiler::encodeFrame(request.dump(-1, ' ', false, json::error_handler_t::replace));
  const Result<SpawnedChild> child =
      spawnPiped({m_command.program, m_command.arguments},
                 m_command.host.empty() ? "it is installed beside `tilescope`" : "");
  if (!child)
    return child.error();
  m_child = *child;
  m_lastSign = Clock::now();
  return {};
}

void Conversation::sendRequest() {
  const ssize_t written =
      write(m_child.input, m_request.data() + m_sent, m_request.size() - m_sent);
  if (written > 0) {
    m_sent += static_cast<size_t>(written);
    m_lastSign = Clock::now();
  } else if (errno != EAGAIN && errno != EINTR) {
    closeDescriptor(m_child.input);
  }
}

void Conversation::handle(const std::string &text) {
  const Result<json> parsed = profiler::parseJson(text, {.maxBytes = profiler::kLargestAnswer});
  if (!parsed || !parsed->is_object())
    return;
  try {
    takeMessage(*parsed);
  } catch (const json::exception &) {
    tellLine("its answer has fields of unexpected types");
    closeDescriptor(m_child.output);
  }
}

void Conversation::takeMessage(const json &message) {
  const auto params = message.find("params");
  if (message.contains("result")) {
    m_answer = Result<json>(message.at("result"));
  } else if (message.contains("error") && message.at("error").is_object()) {
    Error error = profiler::errorFromJson(message.at("error"));
    m_answer = Result<json>(Error{error.code, toldText(error.message), toldText(error.hint)});
  } else if (params != message.end() && params->is_object()) {
    takeNotification(*params);
  }
}

void Conversation::takeNotification(const json &params) {
  if (params.contains("result")) {
    m_partial = params.at("result");
    return;
  }
  const std::string state = params.value("progress", "");
  if (!state.empty() && state != "alive" && m_hooks.progress)
    m_hooks.progress(state);
  if (params.contains("part") && params.contains("steps") && m_hooks.stepped)
    m_hooks.stepped(params.value("part", ""), params.value("step", 0), params.value("steps", 0));
}

/// What there is of a profile whose runner has gone; else the error.
Result<json> Conversation::without(const Error &error) const {
  if (!m_partial)
    return error;
  json answer = *m_partial;
  answer["interrupted"] = error.message;
  return answer;
}

void Conversation::receive() {
  std::array<char, 1 << 16> bytes;
  const ssize_t count = read(m_child.output, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (count <= 0)
    return closeDescriptor(m_child.output);
  m_lastSign = Clock::now();
  std::string_view fresh(bytes.data(), static_cast<size_t>(count));
  std::string held;
  if (!m_isReached) {
    m_before += fresh;
    const size_t at = m_before.find(m_command.mark);
    if (at == std::string::npos)
      return m_before.size() > kLongestGreeting ? closeDescriptor(m_child.output) : void();
    m_isReached = true;
    held = m_before.substr(at + m_command.mark.size());
    m_before.clear();
    fresh = held;
  }
  m_reader.feed(fresh);
  for (;;) {
    Result<std::optional<std::string>> message = m_reader.next();
    if (!message) {
      tellLine("its answers are not those of a runner: " + message.error().message);
      return closeDescriptor(m_child.output);
    }
    if (!*message)
      return;
    handle(**message);
  }
}

void Conversation::tellLine(std::string_view line) {
  // ssh ends its own lines so.
  if (!m_command.host.empty() && !m_isReached && line.ends_with('\r'))
    line.remove_suffix(1);
  if (line.empty())
    return;
  std::string told = toldText(line);
  if (m_hooks.console)
    m_hooks.console(told);
  m_lastLines.push_back(std::move(told));
  if (m_lastLines.size() > kKeptLines)
    m_lastLines.erase(m_lastLines.begin());
}

/// False when there is nothing to be read now.
bool Conversation::takeErrors() {
  std::array<char, 1 << 14> bytes;
  const ssize_t count = read(m_child.errors, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return false;
  if (count <= 0)
    closeDescriptor(m_child.errors);
  else
    m_line.append(bytes.data(), static_cast<size_t>(count));
  for (size_t end = m_line.find('\n'); end != std::string::npos; end = m_line.find('\n')) {
    tellLine(std::string_view(m_line).substr(0, end));
    m_line.erase(0, end + 1);
  }
  if (count <= 0 || m_line.size() > kLongestTold) {
    tellLine(m_line);
    m_line.clear();
  }
  return count > 0;
}

/// Moves what can be moved between both sides, for at most `limit`.
void Conversation::exchange(milliseconds limit) {
  std::array<pollfd, 3> files{pollfd{m_child.output, POLLIN, 0}, pollfd{m_child.errors, POLLIN, 0},
                              pollfd{m_sent < m_request.size() ? m_child.input : -1, POLLOUT, 0}};
  if (poll(files.data(), files.size(), static_cast<int>(limit.count())) <= 0)
    return;
  if (files[1].revents != 0)
    takeErrors();
  if (files[0].revents != 0)
    receive();
  if (files[2].revents != 0)
    sendRequest();
}

RunnerReply Conversation::wait() {
  while (!m_answer && m_child.output >= 0) {
    if (m_hooks.stop.stop_requested())
      return {Error{ErrorCode::Cancelled, "the run was stopped", ""}};
    milliseconds patience = m_patience;
    if (!m_command.host.empty() && !m_isReached)
      patience += kConnectPatience;
    if (Clock::now() - m_lastSign > patience)
      return {without(silenceError())};
    exchange(kPollInterval);
  }
  end(Clock::now() + kEndPatience);
  if (m_answer)
    return {std::move(*m_answer)};
  const int status = WIFEXITED(m_status) ? WEXITSTATUS(m_status) : 0;
  const bool isFar = !m_command.mark.empty() && m_isReached;
  return {without(deathError()), isFar && status == kNoFarRunner ? RunnerEnd::Missing
                                 : isFar && status == 255        ? RunnerEnd::Cut
                                                                 : RunnerEnd::Done};
}

bool Conversation::hasEnded() const {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(m_child.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

/// Closes the request's end, which ends the runner, and takes what it still writes; kills it when
/// it does not end until the deadline.
void Conversation::end(Clock::time_point deadline) {
  if (m_child.pid <= 0)
    return;
  closeDescriptor(m_child.input);
  while (!hasEnded() && Clock::now() < deadline)
    exchange(kPollInterval);
  if (!hasEnded())
    kill(m_child.pid, SIGKILL);
  m_status = waitForChild(m_child.pid);
  m_child.pid = -1;
  // What is still in the pipe; another process that keeps it open is not waited for.
  while (m_child.errors >= 0 && takeErrors()) {
  }
  closeDescriptor(m_child.output);
  closeDescriptor(m_child.errors);
}

Error Conversation::silenceError() const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_patience).count();
  return {ErrorCode::Environment,
          runner() + " has said nothing for " + std::to_string(seconds) + " s; the wait was ended",
          "it may have stopped, or its machine may be unreachable"};
}

Error Conversation::deathError() {
  std::string said;
  for (const std::string &line : m_lastLines)
    said += (said.empty() ? "" : "; ") + line;
  const bool hasExited = WIFEXITED(m_status);
  const int status = hasExited ? WEXITSTATUS(m_status) : 0;
  if (!m_command.host.empty() && status == 255 && m_isReached)
    return {ErrorCode::Environment,
            "the connection to `" + m_command.host + "` was cut" +
                (said.empty() ? "" : ": " + said),
            ""};
  if (!m_command.host.empty() && status == 255)
    return unreachable(m_command.host, said);
  if (!m_command.host.empty() && status == 127)
    return {ErrorCode::Environment,
            "`" + m_command.host + "` has no runner" + (said.empty() ? "" : ": " + said),
            "`tilescope-runner` must be on its PATH"};
  const std::string how = hasExited
                              ? "ended with status " + std::to_string(status)
                              : "was ended by signal " + std::string(strsignal(WTERMSIG(m_status)));
  return {ErrorCode::Environment,
          runner() + " " + how + " without an answer" + (said.empty() ? "" : ": " + said), ""};
}

RunnerReply talkToRunner(const RunnerCommand &command, const json &request, milliseconds patience,
                         const RunnerHooks &hooks) {
  Conversation conversation(command, patience, hooks);
  if (Status status = conversation.start(request); !status)
    return {status.error()};
  return conversation.wait();
}

Result<json> askRunner(const RunnerCommand &command, const json &request, milliseconds patience,
                       const RunnerHooks &hooks) {
  return talkToRunner(command, request, patience, hooks).answer;
}

} // namespace tilescope::app
