// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <filesystem>
#include <string>

namespace tilescope::app {

/// The value of a variable of the environment; empty: it has none.
std::string environmentVariable(const char *name);

/// The path of a folder of that name for what a worker leaves for later: in the user's cache (`XDG_CACHE_HOME`, `HOME`),
/// else beside the temporary files, where its name tells users apart. Empty: there is no place.
std::filesystem::path userCachePath(const std::string &name);

} // namespace tilescope::app
