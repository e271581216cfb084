// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/JobProcess.h"

#include "compiler/support/Spawn.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/data/ErrorJson.h"
#include "profiler/runner/Frames.h"
#include "profiler/runner/Job.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope::profiler {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// Between two signs of life.
static constexpr int kWaitingMs = 1000;

ChildCommand ownChild() {
  std::array<char, 4096> path = {};
  ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  return {{std::string(path.data(), size_t(std::max<ssize_t>(length, 0))), "child"}};
}

namespace {
/// The parent's side of one running job.
class Job {
public:
  Job(const ChildLimits &limits, const ChildHooks &hooks) : m_limits(limits), m_hooks(hooks) {}
  ~Job() { close(); }
  Job(const Job &) = delete;
  Job &operator=(const Job &) = delete;

  Status start(const ChildCommand &command, const json &request);
  Result<json> wait();

private:
  void close();
  void sendRequest();
  bool receive();
  void take(const std::string &text);
  void handle(const json &message);
  void startClock(const std::string &state);
  int millisecondsLeft() const;
  Error deathError(int status) const;
  Error timeError() const;
  std::string kernelName() const { return m_kernel.empty() ? "" : "kernel `" + m_kernel + "`: "; }

  const ChildLimits &m_limits;
  const ChildHooks &m_hooks;
  pid_t m_pid = 0;
  int m_toChild = -1;
  int m_fromChild = -1;
  std::string m_request;
  size_t m_sent = 0;
  FrameReader m_reader{kLargestAnswer};
  std::optional<Result<json>> m_answer;
  std::string m_state = "prepare";
  std::string m_kernel;
  std::chrono::milliseconds m_limit{};
  Clock::time_point m_deadline;
};
} // namespace

/// Kills the child if it still runs, and leaves nothing behind.
void Job::close() {
  closeDescriptor(m_toChild);
  closeDescriptor(m_fromChild);
  if (m_pid > 0) {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
    m_pid = 0;
  }
}

static Error systemError(const std::string &what, int number) {
  return {ErrorCode::Environment, what + ": " + std::strerror(number), ""};
}

Status Job::start(const ChildCommand &command, const json &request) {
  m_request = request.dump(-1, ' ', false, json::error_handler_t::replace);
  const std::string &program = command.arguments[0];
  const Result<SpawnedChild> child =
      startProgram(program, {command.arguments.begin() + 1, command.arguments.end()},
                   {.pipeInput = true, .diesWithThread = true});
  if (!child)
    return child.error();
  m_pid = child->pid;
  m_toChild = child->input;
  m_fromChild = child->output;
  // The request may be larger than a pipe holds.
  fcntl(m_toChild, F_SETFL, O_NONBLOCK);
  startClock("prepare");
  return {};
}

void Job::startClock(const std::string &state) {
  m_state = state;
  m_limit = state == "launch"    ? m_limits.launch
            : state == "outputs" ? m_limits.outputs
            : state == "measure" ? m_limits.launch + m_limits.measure
                                 : m_limits.prepare;
  m_deadline = Clock::now() + m_limit;
}

int Job::millisecondsLeft() const {
  auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(m_deadline - Clock::now()).count();
  return int(std::max<long long>(left, 0));
}

void Job::sendRequest() {
  ssize_t written = write(m_toChild, m_request.data() + m_sent, m_request.size() - m_sent);
  if (written > 0)
    m_sent += size_t(written);
  bool failed = written < 0 && errno != EAGAIN && errno != EINTR;
  if (failed || m_sent == m_request.size())
    closeDescriptor(m_toChild);
}

void Job::take(const std::string &text) {
  const Result<json> parsed = parseJson(text, {.maxBytes = kLargestAnswer});
  if (!parsed || !parsed->is_object())
    return;
  try {
    handle(*parsed);
  } catch (const json::exception &failure) {
    m_answer = Error{ErrorCode::Internal,
                     kernelName() + "the process that ran it sent " + failure.what(), ""};
  }
}

void Job::handle(const json &message) {
  if (message.contains("progress")) {
    m_kernel = message.value("kernel", "");
    startClock(message.value("progress", ""));
    if (m_hooks.onProgress)
      m_hooks.onProgress(message);
  } else if (message.contains("result")) {
    m_answer = Result<json>(message.at("result"));
  } else if (message.contains("error")) {
    m_answer = Result<json>(errorFromJson(message.at("error")));
  }
}

/// False when the child will send nothing more.
bool Job::receive() {
  std::array<char, 65536> bytes;
  ssize_t count = read(m_fromChild, bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR)
    return true;
  if (count <= 0)
    return false;
  m_reader.feed({bytes.data(), size_t(count)});
  for (;;) {
    auto message = m_reader.next();
    if (!message) {
      m_answer = Error{ErrorCode::Internal,
                       kernelName() + "the answer of the process that ran it cannot be read: " +
                           message.error().message,
                       ""};
      return false;
    }
    if (!*message)
      return true;
    take(**message);
  }
}

Error Job::timeError() const {
  std::string seconds = std::to_string(double(m_limit.count()) / 1000);
  seconds.erase(seconds.find_last_not_of('0') + 1);
  if (seconds.ends_with('.'))
    seconds.pop_back();
  const auto stopped = [&](const std::string &what, const char *hint) {
    return Error{ErrorCode::InvalidInput, kernelName() + what, hint};
  };
  if (m_state == "launch")
    return stopped("did not finish within " + seconds + " s and was stopped",
                   "a loop may never end; if it does, allow a longer time limit");
  if (m_state == "measure")
    return stopped("finished once, but the launches that measure it took more than " + seconds +
                       " s",
                   "allow a longer time limit, or run it without measurements");
  if (m_state == "outputs")
    return stopped("finished, but fetching, comparing and storing its outputs took more than " +
                       seconds + " s",
                   "make the sizes smaller");
  return stopped("the preparation of the launch took more than " + seconds + " s", "");
}

Error Job::deathError(int status) const {
  std::string how = WIFSIGNALED(status)
                        ? "was ended by signal " + std::string(strsignal(WTERMSIG(status)))
                        : "ended with status " + std::to_string(WEXITSTATUS(status));
  return {ErrorCode::InvalidInput,
          kernelName() + "the process that ran it " + how + " during `" + m_state + "`",
          WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
              ? "the system may have run out of memory: make the sizes smaller"
              : ""};
}

Result<json> Job::wait() {
  for (;;) {
    pollfd files[3] = {
        {m_fromChild, POLLIN, 0}, {m_toChild, POLLOUT, 0}, {m_hooks.watchedFile, POLLIN, 0}};
    int ready = poll(files, 3, std::min(millisecondsLeft(), kWaitingMs));
    if (ready < 0 && errno != EINTR)
      return systemError("cannot wait for the child process", errno);
    if (ready == 0 && m_hooks.onWaiting)
      m_hooks.onWaiting();
    if (ready == 0 && Clock::now() >= m_deadline)
      return timeError();
    if (ready <= 0)
      continue;
    if (files[1].revents)
      sendRequest();
    if (files[2].revents && !m_hooks.onWatched())
      return Error{ErrorCode::Cancelled, kernelName() + "cancelled", ""};
    if (files[0].revents && !receive())
      break;
    if (m_answer)
      return std::move(*m_answer);
  }
  if (m_answer)
    return std::move(*m_answer);
  // Its output has ended; killing settles a child that closed it and lives on.
  int status = 0;
  pid_t pid = m_pid;
  m_pid = 0;
  siginfo_t info = {};
  if (waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) {
    usleep(100'000);
    kill(pid, SIGKILL);
  }
  waitpid(pid, &status, 0);
  return deathError(status);
}

Result<json> runInChild(const ChildCommand &command, const json &request, const ChildLimits &limits,
                        const ChildHooks &hooks) {
  // A child that dies early must not take the parent along.
  std::signal(SIGPIPE, SIG_IGN);
  Job job(limits, hooks);
  if (Status status = job.start(command, request); !status)
    return status.error();
  return job.wait();
}

} // namespace tilescope::profiler
