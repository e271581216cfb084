// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "compiler/support/Spawn.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// The runner of this version on a machine behind ssh. It lies in the user's cache there, in a folder
/// that is named by its contents:
///
///     ~/.cache/tilescope/runners/1f0c9a3e5b7d2468/tilescope-runner
///
/// A request starts it from there; where it is not, it is copied once. The three used last are kept.
namespace tilescope::app {

/// A program and its arguments.
struct SshCommand {
  std::string program;
  std::vector<std::string> arguments;
};

/// Starts a program whose three streams are pipes that nothing waits for, and which ends with the
/// calling thread. `hint` is that of the error that there is no such program.
Result<SpawnedChild> spawnPiped(const SshCommand &command, const std::string &hint);

/// The line that the far end writes before all that is meant for this side: whatever a login script
/// prints comes before it, and its reader then knows that the connection is open.
inline constexpr std::string_view kFarMark = "tilescope-far-end\n";
/// The status of a far end that has no runner of this version.
inline constexpr int kNoFarRunner = 93;

/// Runs a script of one line, without single quotes, in `sh` at the far end, whatever the user's shell
/// is there. ssh fails in place of asking for a password, and soon where the network is dead.
SshCommand sshCommand(const std::string &host, const std::string &script);

/// Where a runner of some contents answers requests (`tilescope-runner serve`).
SshCommand serveCommand(const std::string &host, const std::string &hash);
/// The same with a runner that was installed there, on the PATH.
SshCommand serveInstalledCommand(const std::string &host);

/// A digest of a runner's contents.
Result<std::string> runnerHash(const std::string &path);

struct CopyHooks {
  /// Bytes that went through, and how many there are.
  std::function<void(uint64_t sent, uint64_t total)> progress;
  std::stop_token stop;
};

enum class FarRunner {
  /// This side's runner is in its place there.
  Copied,
  /// It cannot run there, and the one on the PATH can.
  Installed,
};

/// Copies the runner at `path` to a machine. Errors name the machine and what it lacks.
Result<FarRunner> copyRunner(const std::string &host, const std::string &path,
                             const CopyHooks &hooks);

/// Why ssh did not reach a machine, from what it said.
Error unreachable(const std::string &host, const std::string &said);

} // namespace tilescope::app
