// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AddressAddends.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// What an operation only copies, extends or lays out otherwise.
static Value copiedBy(Operation *op) {
  return isa_and_nonnull<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, arith::ExtSIOp,
                         arith::ExtUIOp, arith::TruncIOp>(op)
             ? op->getOperand(0)
             : Value();
}

static std::optional<int64_t> combined(Operation *op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (isa<arith::AddIOp>(op))
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (isa<arith::SubIOp>(op))
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (isa<arith::MulIOp>(op))
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (isa<arith::DivSIOp>(op))
    return a >= 0 && b > 0 ? std::optional(a / b) : std::nullopt;
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp>(op))
    return std::max(a, b);
  return std::nullopt;
}

std::optional<int64_t> numberInLaunch(Value value, const InterpreterLaunch &launch) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (const auto argument = dyn_cast<BlockArgument>(value)) {
    const bool isOfKernel =
        isa<tt::FuncOp>(argument.getOwner()->getParentOp()) && argument.getType().isInteger();
    return isOfKernel
               ? std::optional(static_cast<int64_t>(launch.arguments[argument.getArgNumber()].bits))
               : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (const Value copied = copiedBy(op))
    return numberInLaunch(copied, launch);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp,
           arith::MaxSIOp>(op))
    return std::nullopt;
  const auto left = numberInLaunch(op->getOperand(0), launch);
  const auto right = left ? numberInLaunch(op->getOperand(1), launch) : std::nullopt;
  return right ? combined(op, *left, *right) : std::nullopt;
}

namespace {
class AddendWalk {
public:
  explicit AddendWalk(const InterpreterLaunch &launch) : m_launch(launch) {}

  std::vector<AddressAddend> found;

  /// `loop`: what is added is added in each of its turns. False: there is a part that is not told.
  bool add(Value value, int64_t factor, scf::ForOp loop) {
    int64_t product = 0;
    if (const auto number = numberInLaunch(value, m_launch)) {
      found.push_back({{}, 0, loop});
      return !__builtin_mul_overflow(*number, factor, &found.back().factor);
    }
    if (auto argument = dyn_cast<BlockArgument>(value))
      return addArgument(argument, factor, loop);
    Operation *op = value.getDefiningOp();
    if (const Value copied = copiedBy(op))
      return add(copied, factor, loop);
    if (isa<tt::AddPtrOp, arith::AddIOp>(op))
      return add(op->getOperand(0), factor, loop) && add(op->getOperand(1), factor, loop);
    if (isa<arith::SubIOp>(op))
      return add(op->getOperand(0), factor, loop) && add(op->getOperand(1), -factor, loop);
    if (isa<arith::MulIOp>(op))
      for (const unsigned side : {0U, 1U})
        if (const auto number = numberInLaunch(op->getOperand(side), m_launch))
          return !__builtin_mul_overflow(*number, factor, &product) &&
                 add(op->getOperand(1 - side), product, loop);
    if (auto carried = dyn_cast<scf::ForOp>(op))
      return add(carried.getRegionIterArg(cast<OpResult>(value).getResultNumber()), factor, loop);
    found.push_back({value, factor, loop});
    return getElementTypeOrSelf(value).isInteger() && !isa<arith::MulIOp>(op);
  }

private:
  bool addArgument(BlockArgument argument, int64_t factor, scf::ForOp loop) {
    if (isa<tt::FuncOp>(argument.getOwner()->getParentOp()))
      return true;
    auto carrier = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!carrier)
      return false;
    if (argument == carrier.getInductionVar()) {
      found.push_back({argument, factor, loop});
      return true;
    }
    if (!m_visited.insert(argument).second)
      return true;
    return add(carrier.getTiedLoopInit(argument)->get(), factor, loop) &&
           add(carrier.getTiedLoopYieldedValue(argument)->get(), factor, carrier);
  }

  const InterpreterLaunch &m_launch;
  llvm::DenseSet<Value> m_visited;
};
} // namespace

std::optional<std::vector<AddressAddend>> addressAddends(Value pointer,
                                                         const InterpreterLaunch &launch) {
  AddendWalk walk(launch);
  if (!walk.add(pointer, 1, {}))
    return std::nullopt;
  return std::move(walk.found);
}

} // namespace tilescope::compiler
