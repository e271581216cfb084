// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A select on the condition of a neighboring branch becomes one more result of the branch:
//
//   %s = select %c, %a, %b                      %s = if %c { …; yield %a } else { yield %b }
//   if %c { … }
//
// so that a block is not copied element by element where the branch decides anyway.
#include "compiler/transforms/ttg/ExtendIf.h"
#include "compiler/transforms/ttg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_COMBINESELECTANDIF
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

struct CombineSelectAndIf : impl::CombineSelectAndIfBase<CombineSelectAndIf> {
  void runOnOperation() override {
    SmallVector<arith::SelectOp> selects;
    getOperation().walk([&](arith::SelectOp select) {
      if (select.getCondition().getType().isInteger(1) && isa<RankedTensorType>(select.getType()))
        selects.push_back(select);
    });
    bool merged = false;
    for (arith::SelectOp select : selects) {
      DominanceInfo dominance(select->getParentOp());
      if (scf::IfOp branch = matchingBranch(select, dominance)) {
        merge(select, branch);
        merged = true;
      }
    }
    if (!merged)
      markAllAnalysesPreserved();
  }

  /// A branch on the same condition before which the select's operands exist and after which it is
  /// used.
  static scf::IfOp matchingBranch(arith::SelectOp select, DominanceInfo &dominance) {
    for (Operation *user : select.getCondition().getUsers()) {
      auto branch = dyn_cast<scf::IfOp>(user);
      if (!branch || branch->getBlock() != select->getBlock())
        continue;
      auto existsBefore = [&](Value value) { return dominance.properlyDominates(value, branch); };
      auto comesAfter = [&](Operation *other) {
        Operation *here = select->getBlock()->findAncestorOpInBlock(*other);
        return here && branch->isBeforeInBlock(here);
      };
      if (existsBefore(select.getTrueValue()) && existsBefore(select.getFalseValue()) &&
          llvm::all_of(select->getUsers(), comesAfter))
        return branch;
    }
    return {};
  }

  static void merge(arith::SelectOp select, scf::IfOp branch) {
    scf::IfOp extended = withOneMoreResult(branch, select.getType());
    for (auto [region, value] : {std::pair(&extended.getThenRegion(), select.getTrueValue()),
                                 std::pair(&extended.getElseRegion(), select.getFalseValue())}) {
      if (region->empty())
        region->emplaceBlock();
      Block &block = region->front();
      OpBuilder inside = OpBuilder::atBlockEnd(&block);
      if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
        scf::YieldOp::create(inside, branch.getLoc());
      block.getTerminator()->insertOperands(block.getTerminator()->getNumOperands(),
                                            ValueRange{value});
    }
    branch.replaceAllUsesWith(extended.getResults().drop_back());
    select.replaceAllUsesWith(extended.getResults().back());
    branch.erase();
    select.erase();
  }
};

} // namespace
} // namespace tilescope::ttg
