// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/EditorServices.h"

#include <string_view>

namespace tilescope::views {

/// What a launch block knows at `cursor`: keys of its tables, element types, kinds of initial data.
/// Empty outside of a launch block.
compiler::ast::CompletionList completeLaunchKeys(std::string_view text, Position cursor);

} // namespace tilescope::views
