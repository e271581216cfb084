// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/remote/FarRunner.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope::app {

using Clock = std::chrono::steady_clock;

/// Without a sign of life; ssh itself notices a dead network before.
static constexpr std::chrono::seconds kPatience{60};
static constexpr size_t kKeptBytes = 4000;
/// Statuses of the script below; 95 is a copy that did not arrive whole.
static constexpr int kCannotWrite = 94, kCannotStart = 96;

/// What the far end does, in one connection: it says what it is, and, when it is told to, takes the
/// runner from its input, tries it and puts it in its place.
static std::string copyScript(const std::string &hash, size_t size) {
  const std::string bytes = std::to_string(size);
  std::string script =
      "umask 077; r=\"${XDG_CACHE_HOME:-$HOME/.cache}/tilescope/runners\"; d=\"$r/" + hash +
      "\"; echo " + std::string(kFarMark.substr(0, kFarMark.size() - 1)) + "; ";
  script += "echo \"machine $(uname -m)\"; echo \"system $(uname -s)\"; "
            "if command -v tilescope-runner >/dev/null 2>&1; then echo installed; fi; echo ready; "
            "read -r go || exit 0; test \"$go\" = copy || exit 0; ";
  script += "t=\"$d/copy.$$\"; trap \"rm -f \\\"$t\\\"\" EXIT; mkdir -p \"$d\" || exit 94; "
            // What a machine that went down has left.
            "find \"$r\" -name \"copy.*\" -mmin +60 -exec rm -f {} + 2>/dev/null; "
            "cat >\"$t\" || exit 94; test \"$(wc -c <\"$t\")\" -eq " +
            bytes + " || exit 95; chmod 700 \"$t\" || exit 94; ";
  script +=
      "\"$t\" --help >/dev/null </dev/null || exit 96; mv \"$t\" \"$d/tilescope-runner\" || exit "
      "94; touch \"$d\"; cd \"$r\" || exit 0; ls -t | tail -n +4 | while read -r o; do rm -rf "
      "\"./$o\"; done; exit 0";
  return script;
}

/// The machine that a program is for, as `uname -m` says it; empty: any, as of a script.
static std::string machineOf(std::string_view program) {
  if (!program.starts_with("\x7f"
                           "ELF") ||
      program.size() < 20)
    return {};
  switch (static_cast<unsigned char>(program[18])) {
  case 0x3e:
    return "x86_64";
  case 0xb7:
    return "aarch64";
  default:
    return {};
  }
}

static std::string megabytes(uint64_t bytes) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.1f", double(bytes) / 1e6);
  return text.data();
}

namespace {

class RunnerCopy {
public:
  RunnerCopy(std::string host, std::string bytes, const CopyHooks &hooks)
      : m_host(std::move(host)), m_bytes(std::move(bytes)), m_hooks(hooks) {}
  ~RunnerCopy() { end(); }
  RunnerCopy(const RunnerCopy &) = delete;
  RunnerCopy &operator=(const RunnerCopy &) = delete;

  Result<FarRunner> run(const std::string &hash);

private:
  Status start(const SshCommand &command);
  /// Moves what can be moved; false when the far end is done.
  bool exchange();
  void send();
  void receive(int &file, std::string &text);
  void decide();
  bool has(std::string_view line) const {
    return m_said.find("\n" + std::string(line) + "\n") != std::string::npos;
  }
  std::string fact(std::string_view name) const;
  void end();
  Result<FarRunner> outcome(int status);
  std::string complaints() const;

  std::string m_host;
  std::string m_bytes;
  const CopyHooks &m_hooks;
  SpawnedChild m_child;
  std::string m_said;
  std::string m_complaints;
  std::string m_toSend;
  size_t m_sent = 0;
  bool m_isDecided = false;
  bool m_copies = false;
  Clock::time_point m_lastSign = Clock::now();
};

} // namespace

Status RunnerCopy::start(const SshCommand &command) {
  const Result<SpawnedChild> child =
      spawnPiped(command, "OpenSSH's client is needed to reach another machine");
  if (!child)
    return child.error();
  m_child = *child;
  return {};
}

void RunnerCopy::receive(int &file, std::string &text) {
  std::array<char, 4096> bytes;
  const ssize_t count = read(file, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (count <= 0)
    return closeDescriptor(file);
  m_lastSign = Clock::now();
  // A login script may say anything.
  if (text.size() < kKeptBytes || &text == &m_said)
    text.append(bytes.data(), static_cast<size_t>(count));
  if (text.size() > 64 * kKeptBytes)
    closeDescriptor(file);
}

void RunnerCopy::send() {
  const ssize_t written = write(m_child.input, m_toSend.data() + m_sent, m_toSend.size() - m_sent);
  if (written < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (written <= 0)
    return closeDescriptor(m_child.input);
  m_sent += static_cast<size_t>(written);
  m_lastSign = Clock::now();
  if (m_hooks.progress && m_copies)
    m_hooks.progress(std::min(m_sent, m_bytes.size()), m_bytes.size());
  if (m_sent == m_toSend.size())
    closeDescriptor(m_child.input);
}

/// What follows the mark, a line `name value`.
std::string RunnerCopy::fact(std::string_view name) const {
  const std::string begin = "\n" + std::string(name) + " ";
  const size_t at = m_said.find(begin);
  if (at == std::string::npos)
    return {};
  const size_t from = at + begin.size();
  return m_said.substr(from, m_said.find('\n', from) - from);
}

/// Whether the runner can run there is known before anything is copied.
void RunnerCopy::decide() {
  if (m_isDecided || !has("ready"))
    return;
  m_isDecided = true;
  const std::string machine = machineOf(m_bytes), there = fact("machine");
  m_copies = (machine.empty() || there == machine) && fact("system") == "Linux";
  m_toSend = m_copies ? "copy\n" + m_bytes : "no\n";
}

bool RunnerCopy::exchange() {
  if (m_child.output < 0 && m_child.errors < 0)
    return false;
  std::array<pollfd, 3> files{pollfd{m_child.output, POLLIN, 0}, pollfd{m_child.errors, POLLIN, 0},
                              pollfd{m_sent < m_toSend.size() ? m_child.input : -1, POLLOUT, 0}};
  if (poll(files.data(), files.size(), 50) <= 0)
    return true;
  if (files[1].revents != 0)
    receive(m_child.errors, m_complaints);
  if (files[0].revents != 0)
    receive(m_child.output, m_said);
  decide();
  if (files[2].revents != 0)
    send();
  return true;
}

void RunnerCopy::end() {
  if (m_child.pid <= 0)
    return;
  kill(m_child.pid, SIGKILL);
  waitForChild(m_child.pid);
  m_child.pid = -1;
  closeDescriptor(m_child.input);
  closeDescriptor(m_child.output);
  closeDescriptor(m_child.errors);
}

/// What the far end, or ssh, complained of: one line.
std::string RunnerCopy::complaints() const {
  std::string text = m_complaints.substr(0, kKeptBytes);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.pop_back();
  std::string line;
  for (const char letter : text)
    line += letter == '\n' ? "; " : letter == '\r' ? "" : std::string(1, letter);
  return profiler::printable(line);
}

Result<FarRunner> RunnerCopy::outcome(int status) {
  const std::string said = complaints(), why = said.empty() ? "" : ": " + said;
  const bool isReached = m_said.find(kFarMark) != std::string::npos;
  const std::string size = megabytes(m_bytes.size());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && m_copies)
    return FarRunner::Copied;
  if (m_isDecided && !m_copies && has("installed"))
    return FarRunner::Installed;
  const std::string ours =
      machineOf(m_bytes).empty() ? "Linux" : machineOf(m_bytes) + " with Linux";
  if (m_isDecided && !m_copies)
    return Error{ErrorCode::Environment,
                 "`" + m_host + "` is " + profiler::printable(fact("machine")) + " with " +
                     profiler::printable(fact("system")) + ", and the runner here is for " + ours,
                 "put a `tilescope-runner` that was built for it on its PATH"};
  switch (WIFEXITED(status) ? WEXITSTATUS(status) : 0) {
  case kCannotWrite:
    return Error{ErrorCode::Environment, "the runner could not be copied to `" + m_host + "`" + why,
                 "it takes " + size + " MB in ~/.cache/tilescope there"};
  case kCannotStart:
    return Error{
        ErrorCode::Environment, "the runner does not start on `" + m_host + "`" + why,
        "it needs glibc 2.36 or later; or put a `tilescope-runner` that was built for that "
        "machine on its PATH"};
  default:
    break;
  }
  if (!isReached)
    return unreachable(m_host, said);
  return Error{ErrorCode::Environment,
               "the connection to `" + m_host + "` was cut while the runner was copied, after " +
                   megabytes(std::min(m_sent, m_bytes.size())) + " of " + size + " MB" + why,
               "the next request copies it again"};
}

Result<FarRunner> RunnerCopy::run(const std::string &hash) {
  if (Status status = start(sshCommand(m_host, copyScript(hash, m_bytes.size()))); !status)
    return status.error();
  m_lastSign = Clock::now();
  while (exchange()) {
    if (m_hooks.stop.stop_requested())
      return Error{ErrorCode::Cancelled, "the run was stopped", ""};
    if (Clock::now() - m_lastSign > kPatience)
      return Error{ErrorCode::Environment,
                   "`" + m_host + "` has said nothing for a minute while the runner was copied",
                   "its machine may be unreachable"};
  }
  const int status = waitForChild(m_child.pid);
  m_child.pid = -1;
  closeDescriptor(m_child.input);
  return outcome(status);
}

Result<FarRunner> copyRunner(const std::string &host, const std::string &path,
                             const CopyHooks &hooks) {
  const Result<std::string> hash = runnerHash(path);
  if (!hash)
    return hash.error();
  Result<std::string> bytes = profiler::readFile(path);
  if (!bytes)
    return bytes.error();
  return RunnerCopy(host, std::move(*bytes), hooks).run(*hash);
}

} // namespace tilescope::app
