// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <string>

/// The folders in which dying workers leave what brought them down. They hold the user's source, so
/// no one else may read them, and their number is bounded.
namespace tilescope::app {

inline constexpr size_t kKeptReproducers = 20;

/// The folder that reproducers go to: `TILESCOPE_CRASH_DIR`, else `tilescope/crashes` in the user's
/// cache (`XDG_CACHE_HOME`, `HOME`), else one of the user's own among the temporary files. It is
/// made when it is missing. Empty: there is no place that belongs to the user.
std::string openCrashFolder();

/// Removes the oldest reproducers in `folder`, so that `numKept` are left. Touches nothing else
/// that lies there.
void pruneReproducers(const std::string &folder, size_t numKept = kKeptReproducers);

/// The document's name as the reproducer's file carries it: of `path`, the last part, with what is
/// not a plain letter, digit, `.`, `-` or `_` replaced.
std::string reproducerFileName(const std::string &path);

} // namespace tilescope::app
