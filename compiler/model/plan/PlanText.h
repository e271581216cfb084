// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/EmitModule.h"

namespace tilescope::model {

/// How a model runs, as JSON:
///
///   { "functions": { "add_kernel": "import triton\n…" },
///     "buffers": [ {"input": 0}, {"file": "", "offset": 64, "bytes": 128}, {"data": "0000803f", "repeat": 4}, {} ],
///     "steps": [ { "node", "function", "block": "# /// tilescope\n…",
///                  "tensors": [ {"argument", "dtype", "shape", "buffer", "is_result"} ] } ],
///     "outputs": [ {"name", "dtype", "shape", "buffer"} ], "inputs": likewise }
///
/// A buffer is a tensor's elements: an input, a place in a file (the model's own where it has no name),
/// hexadecimal bytes so many times, or what a step before writes. Extents of the same elements share one.
std::string planText(mlir::func::FuncOp function, const Emission &emission);

} // namespace tilescope::model
