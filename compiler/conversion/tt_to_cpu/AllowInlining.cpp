// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::cpu {

#define GEN_PASS_DEF_ALLOWINLINING
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

namespace {
class AllowInlining : public impl::AllowInliningBase<AllowInlining> {
public:
  void runOnOperation() override {
    getOperation().walk([](tt::FuncOp function) { function->removeAttr("noinline"); });
  }
};
} // namespace

} // namespace tilescope::cpu
