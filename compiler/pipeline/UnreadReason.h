// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Why the loads of an argument end where they do along an axis of its tensor. Only what moves their addresses along that
// axis counts; numbers that happen to be the same are no reason.
#pragma once

#include "compiler/pipeline/UnreadElements.h"
#include "compiler/pipeline/UnreadRegion.h"

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Operation.h"

namespace tilescope::compiler {

/// "the loop in line 43 ends at 192", "`BN` is 64: a block ends there", "the 16 programs along axis 0 of the grid end there";
/// empty: it is not known. `range` reaches to the end of its axis.
std::string unreadReason(const UnreadRange &range, const std::vector<int64_t> &shape,
                         llvm::ArrayRef<mlir::Operation *> loads, const UnreadInput &input,
                         FileTable &files);

} // namespace tilescope::compiler
