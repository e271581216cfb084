// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AskPlace.h"

#include "app/commands/RunnerClient.h"
#include "app/launch/Programs.h"
#include "app/remote/FarRunner.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

namespace tilescope::app {

using nlohmann::json;
using std::chrono::milliseconds;

static constexpr int kReconnects = 3;

static RunnerCommand commandOf(SshCommand command, const std::string &host) {
  return {std::move(command.program), std::move(command.arguments), host, std::string(kFarMark)};
}

static void tell(const RunnerHooks &hooks, const std::string &line) {
  if (hooks.console)
    hooks.console(line);
}

/// Waits before a new connection; false when the work was stopped.
static bool pause(milliseconds duration, const std::stop_token &stop) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (!stop.stop_requested() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(milliseconds(20));
  return !stop.stop_requested();
}

namespace {
/// A request to a machine behind ssh.
class FarRequest {
public:
  FarRequest(std::string host, const json &request, milliseconds patience, const RunnerHooks &hooks)
      : m_host(std::move(host)), m_request(request), m_patience(patience), m_hooks(hooks) {}

  Result<json> ask();

private:
  Status provide();

  const std::string m_host;
  const json &m_request;
  const milliseconds m_patience;
  const RunnerHooks &m_hooks;
  RunnerCommand m_command;
};
} // namespace

/// Copies the runner, or finds that the one on the PATH there serves.
Status FarRequest::provide() {
  tell(m_hooks, "copying the runner to `" + m_host + "`");
  int told = -1;
  CopyHooks copying;
  copying.stop = m_hooks.stop;
  copying.progress = [&](uint64_t sent, uint64_t total) {
    const int percent = static_cast<int>(100 * sent / std::max<uint64_t>(total, 1));
    if (m_hooks.stepped && percent != told)
      m_hooks.stepped("copy", percent, 100);
    told = percent;
  };
  const Result<FarRunner> copied = copyRunner(m_host, runnerProgram(), copying);
  if (!copied)
    return copied.error();
  if (*copied == FarRunner::Installed) {
    tell(m_hooks,
         "`" + m_host + "` is another kind of machine: its own `tilescope-runner` is used");
    m_command = commandOf(serveInstalledCommand(m_host), m_host);
  }
  return {};
}

Result<json> FarRequest::ask() {
  const Result<std::string> hash = runnerHash(runnerProgram());
  if (!hash)
    return hash.error();
  m_command = commandOf(serveCommand(m_host, *hash), m_host);
  std::optional<json> kept;
  bool isProvided = false;
  for (int numCuts = 0;;) {
    RunnerReply reply = talkToRunner(m_command, m_request, m_patience, m_hooks);
    if (reply.end == RunnerEnd::Missing && !isProvided) {
      isProvided = true;
      if (Status status = provide(); !status)
        return status.error();
      continue;
    }
    const bool isCut = reply.end == RunnerEnd::Cut;
    if (isCut && reply.answer)
      kept = *reply.answer;
    // After a cut the machine may be out of reach for a while.
    const bool isAgain = isCut || (numCuts > 0 && !reply.answer &&
                                   reply.answer.error().code == ErrorCode::Environment);
    if (isAgain && numCuts < kReconnects) {
      ++numCuts;
      tell(m_hooks, (reply.answer ? "the connection to `" + m_host + "` was cut"
                                  : reply.answer.error().message) +
                        "; connecting again (" + std::to_string(numCuts) + " of " +
                        std::to_string(kReconnects) + ")");
      if (m_hooks.progress)
        m_hooks.progress("connect");
      if (!pause(milliseconds(500) * (1 << numCuts), m_hooks.stop))
        return Error{ErrorCode::Cancelled, "the run was stopped", ""};
      continue;
    }
    if (!reply.answer && kept && reply.answer.error().code == ErrorCode::Environment)
      return std::move(*kept);
    if (!reply.answer && isCut)
      return Error{ErrorCode::Environment,
                   reply.answer.error().message + ", " + std::to_string(kReconnects + 1) + " times",
                   "the machine or the network ends it: a keep-alive or a limit of time may"};
    return std::move(reply.answer);
  }
}

Result<json> askPlace(const RunPlace &place, const json &request, milliseconds patience,
                      const RunnerHooks &hooks) {
  if (place.kind == RunPlace::Kind::Ssh)
    return FarRequest(place.host, request, patience, hooks).ask();
  return askRunner({runnerProgram(), {"serve"}, ""}, request, patience, hooks);
}

Result<profiler::Capabilities> capabilitiesOf(const RunPlace &place, const RunnerHooks &hooks,
                                              std::optional<double> timeLimit) {
  const Result<json> answer =
      askPlace(place, {{"id", 1}, {"method", "capabilities"}}, devicesPatience(timeLimit), hooks);
  if (!answer)
    return answer.error();
  try {
    return profiler::capabilitiesFromJson(*answer);
  } catch (const std::exception &failure) {
    return Error{ErrorCode::Environment,
                 "the runner's answer does not say what its machine can do: " +
                     std::string(failure.what()),
                 "the runner may be a different version"};
  }
}

} // namespace tilescope::app
