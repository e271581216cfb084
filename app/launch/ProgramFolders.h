// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::app {

/// A folder that comes with the program and has this file in it: `inTree` from the root of the
/// sources for a build tree, `name` in the share folder of an installation. Empty: there is none.
std::string folderBeside(const std::string &name, const std::string &inTree,
                         const std::string &file);

/// Of the lessons that come with the program; empty: there are none.
inline std::string shippedLessons() {
  return folderBeside("lessons", "resources/lessons", "curriculum.toml");
}

} // namespace tilescope::app
