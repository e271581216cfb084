// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilescope::app {

/// What there is to say of a model, for the user.
std::string modelText(const std::string &path, const compiler::ModelResult &result);

/// The kernels that a model becomes, what was rewritten, and each edge with its reason.
std::string fusionText(const compiler::ModelResult &result);

/// The same for scripts.
nlohmann::json modelJson(const std::string &path, const compiler::ModelResult &result);

/// `file: severity: node `x` (`Conv`): message`, a line for each.
std::string modelDiagnosticsText(const std::string &path, const compiler::ModelResult &result);

} // namespace tilescope::app
