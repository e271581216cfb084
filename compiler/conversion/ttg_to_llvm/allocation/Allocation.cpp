// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/Allocation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace tilescope::compiler {

MemoryPlan planMemory(llvm::ArrayRef<MemoryRequest> requests) {
  MemoryPlan plan;
  plan.offsets.assign(requests.size(), 0);
  llvm::SmallVector<size_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t x, size_t y) {
    return std::pair(-requests[x].size, x) < std::pair(-requests[y].size, y);
  });
  llvm::SmallVector<size_t> placed;
  for (size_t index : order) {
    const MemoryRequest &request = requests[index];
    // Candidates: the start of memory, and the ends of what is in the way.
    llvm::SmallVector<size_t> alive;
    for (size_t other : placed)
      if (requests[other].meets(request))
        alive.push_back(other);
    llvm::sort(alive, [&](size_t x, size_t y) { return plan.offsets[x] < plan.offsets[y]; });
    int64_t offset = 0;
    for (size_t other : alive) {
      if (offset + request.size <= plan.offsets[other])
        break;
      int64_t end = plan.offsets[other] + requests[other].size;
      offset = std::max(offset, int64_t(llvm::alignTo(end, request.alignment)));
    }
    plan.offsets[index] = offset;
    plan.total = std::max(plan.total, offset + request.size);
    placed.push_back(index);
  }
  return plan;
}

} // namespace tilescope::compiler
