// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Orders of axes: which axis comes first, which one next.
//
//   numbers [N, C, H, W], order [0, 2, 3, 1]     [N, H, W, C]
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tilescope::model {

/// The numbers of axes in another order.
llvm::SmallVector<int64_t> permuted(llvm::ArrayRef<int64_t> numbers, llvm::ArrayRef<int64_t> order);
/// Of images with so many axes, [N, C, …], to channels last.
llvm::SmallVector<int64_t> toLast(int64_t rank);
/// And back.
llvm::SmallVector<int64_t> fromLast(int64_t rank);

} // namespace tilescope::model
