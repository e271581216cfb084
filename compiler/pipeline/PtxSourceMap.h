// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/SourceIndex.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// Where each line of PTX came from, read from its `.file` and `.loc` directives:
///
///     .loc  2 70 14            // u.py:70:14 @[ t.py:7:31 ]      LLVM names the inlined calls here
///     .loc  2 70 14, function_name $L1, inlined_at 1 7 31        or the directive does
///     mul.lo.s32 %r3, %r2, %r2;
///
/// A directive holds for the instructions after it, up to the next directive or the function's end.
/// New files are added to the table.
SourceMap ptxSourceMap(std::string_view ptx, FileTable &files, const SourceIndex &index);

/// For SASS: each line takes the ranges of the PTX line it was made from (-1: none).
SourceMap sassSourceMap(const std::vector<int32_t> &ptxLines, const SourceMap &ptx);

/// Maps every non-empty line to itself in file 0: for a document that is a stage.
SourceMap identityMap(std::string_view text, FileTable &files);

} // namespace tilescope::compiler
