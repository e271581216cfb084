// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Chooses one layout for everything that is computed from a load or a dot, so that few conversions
// remain:
//
//   1. spread the layouts of loads and dots forward,
//   2. make constants, ranges and splats directly in the layout that is wanted,
//   3. compute what is cheap (addresses, masks) once more in the wanted layout,
//   4. drop what died,
//   5. convert what is widened before it is.
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/transforms/ttg/ConversionCleanup.h"
#include "compiler/transforms/ttg/DeadCode.h"
#include "compiler/transforms/ttg/LayoutPropagation.h"
#include "compiler/transforms/ttg/LayoutRematerialization.h"
#include "compiler/transforms/ttg/Passes.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_REMOVELAYOUTCONVERSIONS
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {
struct RemoveLayoutConversions : impl::RemoveLayoutConversionsBase<RemoveLayoutConversions> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      if (function.isExternal())
        continue;
      propagateLayouts(function);
      simplifyConversions(function);
      rematerializeLayouts(function);
      eraseDeadCode(function);
      simplifyConversions(function);
      widenBehindConversions(function);
    }
  }
};
} // namespace
} // namespace tilescope::ttg
