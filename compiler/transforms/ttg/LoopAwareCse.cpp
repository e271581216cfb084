// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Merges loop arguments that carry equal values, then equal operations:
//
//   for … iter_args(%a = %x, %b = %x) {          for … iter_args(%a = %x) {
//     yield add(%a, %c), add(%b, %c)               yield add(%a, %c)
//
// Arguments that start equal are taken to be equal until what they yield says otherwise.
#include "compiler/transforms/ttg/DeadCode.h"
#include "compiler/transforms/ttg/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_LOOPAWARECSE
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

/// Which arguments of a loop are equal in every iteration.
class EqualArguments {
public:
  explicit EqualArguments(scf::ForOp loop) : m_loop(loop) {}

  /// For every argument the first one that equals it.
  SmallVector<unsigned> find() {
    unsigned count = m_loop.getInitArgs().size();
    m_leader.assign(count, 0);
    for (unsigned i = 0; i < count; ++i) {
      m_leader[i] = i;
      for (unsigned j = 0; j < i; ++j)
        if (m_loop.getInitArgs()[i] == m_loop.getInitArgs()[j]) {
          m_leader[i] = j;
          break;
        }
    }
    // A refuted guess may refute others that relied on it.
    for (bool changed = true; changed;) {
      changed = false;
      m_equal.clear();
      for (unsigned i = 0; i < count; ++i)
        if (m_leader[i] != i && !areEqual(yielded(i), yielded(m_leader[i]), 0)) {
          m_leader[i] = i;
          changed = true;
        }
    }
    return m_leader;
  }

private:
  Value yielded(unsigned index) { return m_loop.getBody()->getTerminator()->getOperand(index); }

  bool areEqual(Value a, Value b, unsigned depth) {
    if (a == b)
      return true;
    if (a.getType() != b.getType() || depth > kDeepest)
      return false;
    auto leftArgument = dyn_cast<BlockArgument>(a), rightArgument = dyn_cast<BlockArgument>(b);
    if (leftArgument || rightArgument)
      return leftArgument && rightArgument && leaderOf(leftArgument) == leaderOf(rightArgument);
    auto key = std::pair(a, b);
    if (auto it = m_equal.find(key); it != m_equal.end())
      return it->second;
    bool result = areEqualResults(cast<OpResult>(a), cast<OpResult>(b), depth);
    m_equal[key] = result;
    return result;
  }

  Value leaderOf(BlockArgument argument) {
    if (argument.getOwner() != m_loop.getBody() ||
        argument.getArgNumber() < m_loop.getNumInductionVars())
      return argument;
    return m_loop.getRegionIterArg(
        m_leader[argument.getArgNumber() - m_loop.getNumInductionVars()]);
  }

  bool areEqualResults(OpResult a, OpResult b, unsigned depth) {
    Operation *left = a.getOwner(), *right = b.getOwner();
    return a.getResultNumber() == b.getResultNumber() && left->getName() == right->getName() &&
           left->getNumRegions() == 0 && left->getNumOperands() == right->getNumOperands() &&
           left->getAttrDictionary() == right->getAttrDictionary() && isPure(left) &&
           m_loop->isProperAncestor(left) && m_loop->isProperAncestor(right) &&
           llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()), [&](auto pair) {
             return areEqual(std::get<0>(pair), std::get<1>(pair), depth + 1);
           });
  }

  static constexpr unsigned kDeepest = 100;
  scf::ForOp m_loop;
  SmallVector<unsigned> m_leader;
  DenseMap<std::pair<Value, Value>, bool> m_equal;
};

struct LoopAwareCse : impl::LoopAwareCseBase<LoopAwareCse> {
  void runOnOperation() override {
    bool merged = false;
    // Inner loops first: what they merge may make arguments of outer loops equal.
    getOperation().walk([&](scf::ForOp loop) {
      SmallVector<unsigned> leader = EqualArguments(loop).find();
      for (auto [i, j] : llvm::enumerate(leader)) {
        if (i == j)
          continue;
        merged = true;
        loop.getRegionIterArg(i).replaceAllUsesWith(loop.getRegionIterArg(j));
        loop.getResult(i).replaceAllUsesWith(loop.getResult(j));
      }
    });
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    bool changed = false;
    eliminateCommonSubExpressions(rewriter, dominance, getOperation(), &changed);
    if (!changed && !merged)
      markAllAnalysesPreserved();
    if (merged)
      for (auto function : getOperation().getOps<tt::FuncOp>())
        if (!function.isExternal())
          eraseDeadCode(function);
  }
};

} // namespace
} // namespace tilescope::ttg
