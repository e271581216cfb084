// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/EditorServices.h"

#include <string>
#include <string_view>

namespace tilescope::views {

/// Whether a line below the cursor's still belongs to its launch block.
bool continuesLaunchBlock(std::string_view text, Position cursor);

/// What a launch block knows at `cursor`: keys of its tables, element types, kinds of initial data,
/// in `expected` functions and the block's names. Empty outside of a launch block.
compiler::ast::CompletionList completeLaunchKeys(std::string_view text, Position cursor);

/// What the key of a launch block at a place means; empty where there is none.
std::string explainLaunchKey(std::string_view text, Position at);

} // namespace tilescope::views
