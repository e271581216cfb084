// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string_view>

namespace tilescope::compiler::inference {

/// Whether one name is a block's side along rows and the other one along columns: `BM` and `BN`, `BLOCK_ROWS` and
/// `BLOCK_COLS`, `YBLOCK` and `XBLOCK`. A kernel that combines the two as if they were one axis lacks an axis, which
/// square blocks would hide.
bool areRowsAndColumns(std::string_view one, std::string_view other);

/// Whether a kernel makes rows of ranges as long as one of them, `i[:, None]`, and columns of such as long as the other,
/// and of neither both.
bool areAxes(const ast::JitFunction &kernel, std::string_view one, std::string_view other);

} // namespace tilescope::compiler::inference
