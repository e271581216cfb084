// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/torch_export/ExportedProgram.h"
#include "compiler/support/Result.h"

#include <string_view>

namespace tilescope::model {

/// The error says where the text is not what PyTorch writes.
Result<ExportedProgram> programOf(std::string_view json);

/// Weights by name, of `model_weights_config.json` or `model_constants_config.json`. The error names
/// the weight.
Result<std::map<std::string, StoredWeight>> weightsOf(std::string_view json);

} // namespace tilescope::model
