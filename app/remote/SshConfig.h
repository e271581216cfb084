// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <vector>

namespace tilescope::app {

/// A machine that the configuration of ssh names. Empty: not said.
struct SshHost {
  std::string name;
  std::string hostName = {};
  std::string user = {};
  std::string port = {};
  bool operator==(const SshHost &) const = default;
};

/// The user's configuration of ssh, `~/.ssh/config`.
std::string sshConfigPath();

/// The machines that a configuration names, in its order, each once. Files that it includes belong to
/// it; patterns and `Match` name no machine. Without a file that can be read there are none.
std::vector<SshHost> sshHosts(const std::string &configPath);

} // namespace tilescope::app
