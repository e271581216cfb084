// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/InputFile.h"
#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// The launches that `--all-launches` means, as `launchNames` has them. The error: the file has no
/// launch block, or one that cannot be read and would be left out.
Result<std::vector<std::string>> allLaunches(const InputFile &input);

} // namespace tilescope::app
