// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where an access ends because the launch says so:
//
//     tl.load(x_ptr + rows[:, None] * ld + cols[None, :], mask=(rows[:, None] < M) & (cols[None, :] < N))
//
//     dimension 0 ends at M, dimension 1 at N
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace tilescope::compiler {

struct AccessLimit {
  /// Of the block that is accessed; nothing: of any.
  std::optional<size_t> dim;
  int64_t value = 0;
};

struct AccessLimits {
  /// The numbers that its mask, and the loops and conditions around it, compare with.
  std::vector<AccessLimit> limits;
  /// Where it goes, or whether, depends on what is in memory.
  bool isByData = false;
};

/// Of an access in TTIR. `sizes`: constants of the kernel are limits where they are among these.
AccessLimits accessLimits(mlir::Operation *access, const InterpreterLaunch &launch,
                          const std::set<int64_t> &sizes);

/// All that these are computed from, themselves included, through loops and branches.
llvm::SetVector<mlir::Value> allSources(llvm::ArrayRef<mlir::Value> values);

} // namespace tilescope::compiler
