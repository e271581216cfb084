// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"

#include <stop_token>

namespace tilescope::model {

/// Reads the model file and says what is in it; all faults are among its diagnostics. Nothing of the
/// result is of use where the token stopped it.
compiler::ModelResult checkModel(const compiler::ModelRequest &request, std::stop_token stop = {});

} // namespace tilescope::model
