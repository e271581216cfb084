// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/plan/PlanMemory.h"

namespace tilescope::model {

/// How a model runs, as JSON:
///
///   { "arena": {"bytes": 8192, "least_bytes": 8192},
///     "functions": { "add_kernel": "import triton\n…" },
///     "buffers": [ {"input": 0}, {"file": "", "offset": 64, "bytes": 128}, {"data": "0000803f", "repeat": 4},
///                  {"at": 256, "bytes": 128, "first": 0, "last": 3} ],
///     "steps": [ { "node", "function", "block": "# /// tilescope\n…",
///                  "tensors": [ {"argument", "dtype", "shape", "buffer", "is_result"} ] } ],
///     "outputs": [ {"name", "dtype", "shape", "buffer"} ], "inputs": likewise }
///
/// A buffer is a tensor's elements: an input, a place in a file (the model's own where it has no name; with
/// "order": [0, 2, 3, 1] its axis 1 is the file's axis 2, and so on, and "shape" are its extents in that order),
/// hexadecimal bytes so many times, or what step `first` writes and step `last` is the last one to read,
/// at a place in the arena; outputs live for one step more than there are. Extents of the same elements
/// share one.
std::string planText(mlir::func::FuncOp function, const Emission &emission,
                     const MemoryPlan &memory);

} // namespace tilescope::model
