// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/remote/FarRunner.h"
#include "app/remote/SshConfig.h"
#include "compiler/support/NearestName.h"
#include "profiler/data/Checksum.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tilescope::app {

/// Where `ssh` is on the PATH; its bare name when it is not there.
static std::string findSsh() {
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const std::string program = std::string(folder) + "/ssh";
    if (!folder.empty() && access(program.c_str(), X_OK) == 0)
      return program;
  }
  return "ssh";
}

SshCommand sshCommand(const std::string &host, const std::string &script) {
  return {findSsh(),
          {"-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=5", "-o",
           "ServerAliveCountMax=6", "--", host, "exec sh -c '" + script + "'"}};
}

static std::string markText() {
  return "echo " + std::string(kFarMark.substr(0, kFarMark.size() - 1)) + "; ";
}

SshCommand serveCommand(const std::string &host, const std::string &hash) {
  // The folder's time says that it is in use.
  return sshCommand(host, "d=\"${XDG_CACHE_HOME:-$HOME/.cache}/tilescope/runners/" + hash + "\"; " +
                              markText() +
                              "if test -x \"$d/tilescope-runner\"; then touch \"$d\"; exec "
                              "\"$d/tilescope-runner\" serve; fi; exit " +
                              std::to_string(kNoFarRunner));
}

SshCommand serveInstalledCommand(const std::string &host) {
  return sshCommand(host, markText() + "exec tilescope-runner serve");
}

Result<std::string> runnerHash(const std::string &path) {
  const Result<std::string> bytes = profiler::readFile(path);
  if (!bytes)
    return Error{ErrorCode::Environment, "the runner cannot be read: " + bytes.error().message,
                 "it is installed beside `tilescope`"};
  std::array<char, 20> text = {};
  std::snprintf(text.data(), text.size(), "%016llx",
                static_cast<unsigned long long>(profiler::fnv1a(*bytes)));
  return std::string(text.data());
}

/// A machine of ssh's configuration whose name is near.
static std::string nearHost(const std::string &host) {
  const std::vector<SshHost> hosts = sshHosts(sshConfigPath());
  std::vector<std::string_view> names;
  for (const SshHost &each : hosts)
    names.push_back(each.name);
  const std::string name = host.substr(host.find('@') + 1);
  if (std::ranges::find(names, name) != names.end())
    return {};
  return std::string(closestName(name, names));
}

Error unreachable(const std::string &host, const std::string &said) {
  Error error{ErrorCode::Environment,
              "ssh failed to reach `" + host + "`" + (said.empty() ? "" : ": " + said),
              "`ssh " + host + " true` must work without a password"};
  const auto says = [&](std::string_view words) { return said.find(words) != std::string::npos; };
  if (says("Could not resolve hostname")) {
    const std::string nearest = nearHost(host);
    error.hint = nearest.empty() ? "`tilescope hosts` lists the machines of ~/.ssh/config"
                                 : "did you mean `" + nearest + "`?";
  } else if (says("Host key verification failed")) {
    error.hint = "`ssh " + host + "` shows the machine's key, once, to be accepted";
  } else if (says("Permission denied")) {
    error.hint = "the machine accepts none of your keys: `ssh " + host +
                 " true` must work without a password (`ssh-copy-id`, `ssh-add`)";
  }
  return error;
}

Result<SpawnedChild> spawnPiped(const SshCommand &command, const std::string &hint) {
  // A child that dies must not take this process with it.
  std::signal(SIGPIPE, SIG_IGN);
  const Result<SpawnedChild> child =
      startProgram(command.program, command.arguments,
                   {.pipeInput = true, .pipeErrors = true, .diesWithThread = true}, hint);
  if (!child)
    return child.error();
  for (const int file : {child->input, child->output, child->errors})
    fcntl(file, F_SETFL, O_NONBLOCK);
  return *child;
}

} // namespace tilescope::app
