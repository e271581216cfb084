// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/AxisOrders.h"

namespace tilescope::model {

llvm::SmallVector<int64_t> permuted(llvm::ArrayRef<int64_t> numbers,
                                    llvm::ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t> result;
  for (const int64_t axis : order)
    result.push_back(numbers[size_t(axis)]);
  return result;
}

llvm::SmallVector<int64_t> toLast(int64_t rank) {
  llvm::SmallVector<int64_t> order{0};
  for (int64_t axis = 2; axis < rank; ++axis)
    order.push_back(axis);
  order.push_back(1);
  return order;
}

llvm::SmallVector<int64_t> fromLast(int64_t rank) {
  llvm::SmallVector<int64_t> order{0, rank - 1};
  for (int64_t axis = 1; axis < rank - 1; ++axis)
    order.push_back(axis);
  return order;
}

} // namespace tilescope::model
