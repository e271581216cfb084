// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/present/PresentScript.h"
#include "compiler/support/Result.h"

namespace tilescope::app {

/// What a script may name: the views, each with the names of its sliders.
using PresentViews = std::map<std::string, std::vector<std::string>>;

/// Reads a script and looks into the files that it names, which lie in its folder or below. What is
/// wrong is an error that names the file and the line: a key, a view or a slider that does not
/// exist, a kernel or words that the file does not have, a number without sense.
///
/// Bounds: 256 KiB of script (`refuseToml`), 500 steps, 16 views a step, an hour a view.
Result<PresentScript> readPresentScript(const std::string &path, const PresentViews &views);

/// Whether a file is a script, by its name: `present.toml`, or one that ends with `.present.toml`.
bool isPresentScript(const std::string &path);

} // namespace tilescope::app
