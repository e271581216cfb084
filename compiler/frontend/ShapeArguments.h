// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Emitter.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Fails where a call states the shape or the type of a block as NumPy and PyTorch allow: extents
/// that are spread over several arguments, `tl.zeros(M, N, dtype=tl.float32)`, a number in the place
/// of a list, `tl.zeros(BLOCK, tl.float32)`, or no type. `callee`, in backticks, has `parameters`,
/// of which `shape` must be the first for it to be looked at; all of them are required.
void checkShapeArguments(Emitter &emitter, const std::string &callee,
                         std::span<const std::string_view> parameters,
                         const std::vector<CallArgument> &arguments);

} // namespace tilescope::compiler::frontend
