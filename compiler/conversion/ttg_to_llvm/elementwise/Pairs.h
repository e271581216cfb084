// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

namespace tilescope::compiler {

/// Applies a conversion of two elements at once to all, in pairs; an odd last one is paired with
/// itself.
inline Values
inPairs(const Values &elements,
        llvm::function_ref<std::pair<mlir::Value, mlir::Value>(mlir::Value, mlir::Value)> convert) {
  Values results;
  for (size_t i = 0; i < elements.size(); i += 2) {
    const bool isAlone = i + 1 == elements.size();
    auto [low, high] = convert(elements[i], elements[isAlone ? i : i + 1]);
    results.push_back(low);
    if (!isAlone)
      results.push_back(high);
  }
  return results;
}

} // namespace tilescope::compiler
