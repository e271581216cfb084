// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/FileTable.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tilescope::compiler {

/// Takes the `trace.scope` operations out of a lowered module and returns what they say as a comment
/// of the kernel's PTX, so that it goes wherever the code goes:
///
///     // tilescope.trace {"version": 1, "scopes": [...], "programs": [0], "warps": [0, 1], ...}
///
/// with lines and columns from 1; `profiler/data/TraceJson.h` describes the fields. Empty for a
/// kernel that is not traced.
std::string takeTraceScopes(mlir::ModuleOp module, FileTable &files);

} // namespace tilescope::compiler
