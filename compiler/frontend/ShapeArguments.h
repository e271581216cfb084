// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Fails where a call spreads the extents of a shape over several arguments, as NumPy and PyTorch
/// allow in some functions: `tl.zeros(M, N, dtype=tl.float32)`. `callee`, in backticks, has
/// `parameters`, of which `shape` must be the first for it to be looked at; all of them are
/// required.
void checkShapeArguments(Emitter &emitter, const std::string &callee,
                         std::span<const std::string_view> parameters,
                         const std::vector<CallArgument> &arguments);

} // namespace tilescope::compiler::frontend
