// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/InputFile.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// The launches that `--all-launches` means, as `launchNames` has them. The error: the file has no
/// launch block, or one that cannot be read and would be left out.
Result<std::vector<std::string>> allLaunches(const InputFile &input);

/// The launches that a command leaves out when the selection names none, as `launchNames` has them:
/// those behind the first one, of the selection's kernel if it names one.
std::vector<std::string> launchesLeftOut(const InputFile &input,
                                         const compiler::Selection &selection);

} // namespace tilescope::app
