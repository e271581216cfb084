// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
//     >>> import triton          what an interactive session or a notebook writes in front of code,
//     In [2]: x = 1              and the commands that only these know,
//     !pip install triton        come along when their text is pasted
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// The one error of a text whose first error is in a line with a prompt: its fix takes all prompts
/// away and makes comments of commands. `diagnostics`: those of the text. Nothing where no prompt is at
/// fault.
std::optional<Diagnostic> pastedPrompts(std::string_view source,
                                        const std::vector<uint32_t> &lineOffsets,
                                        const std::vector<Diagnostic> &diagnostics);

} // namespace tilescope::compiler::ast
