// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RemovedLoops.h"

#include "compiler/pipeline/IrText.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

std::vector<SourceRange> whileLoops(ModuleOp module, FileTable &files) {
  std::vector<SourceRange> loops;
  module.walk([&](scf::WhileOp loop) {
    const std::vector<SourceRange> places = sourceRanges(loop.getLoc(), files);
    // Of a function that is called several times, one is enough.
    if (!places.empty() && places.front().file == 0 &&
        std::ranges::find(loops, places.front()) == loops.end())
      loops.push_back(places.front());
  });
  return loops;
}

std::vector<SourceRange> removedLoops(const std::vector<SourceRange> &before, ModuleOp module,
                                      FileTable &files) {
  std::vector<SourceRange> removed = before;
  module.walk([&](Operation *op) {
    if (op->getNumRegions() == 0 || removed.empty())
      return;
    for (const SourceRange &place : sourceRanges(op->getLoc(), files))
      std::erase(removed, place);
  });
  return removed;
}

} // namespace tilescope::compiler
