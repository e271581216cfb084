// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/BlockMeans.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/Fillers.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/RealConstant.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <optional>
#include <string>

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// Where a mask ends along an axis of a block, and the argument that says so.
struct MaskBound {
  int64_t value = 0;
  /// Empty: a number of the source.
  std::string name;
};
} // namespace

static std::optional<MaskBound> boundOf(Value value, const InterpreterLaunch &launch) {
  value = withoutShape(value);
  if (const std::optional<double> number = numberConstant(value))
    return MaskBound{static_cast<int64_t>(*number), {}};
  const auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ||
      argument.getArgNumber() >= launch.arguments.size())
    return std::nullopt;
  const InterpreterArgument &known = launch.arguments[argument.getArgNumber()];
  return MaskBound{static_cast<int64_t>(known.bits), known.name};
}

/// Whether a value lies along that axis of the load alone.
static bool liesAlong(Value value, size_t axis, int64_t rank) {
  const auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != rank)
    return false;
  return rank == 1 || type.getNumElements() == type.getShape()[axis];
}

/// The bound of `i < n` in a mask, where it leaves out a part of a block of `extent`.
static std::optional<MaskBound> splittingBound(tt::LoadOp load, size_t axis, int64_t extent,
                                               const InterpreterLaunch &launch) {
  const auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!load.getMask() || !type)
    return std::nullopt;
  llvm::SetVector<Value> parts;
  parts.insert(load.getMask());
  for (size_t i = 0; i < parts.size(); ++i) {
    Operation *op = parts[i].getDefiningOp();
    if (isa_and_nonnull<arith::AndIOp, tt::BroadcastOp>(op))
      parts.insert(op->operand_begin(), op->operand_end());
    auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
        !liesAlong(compare.getLhs(), axis, type.getRank()))
      continue;
    const std::optional<MaskBound> bound = boundOf(compare.getRhs(), launch);
    if (bound && bound->value > 0 && bound->value % extent != 0)
      return bound;
  }
  return std::nullopt;
}

/// Of the loads that a sum adds up element by element, the first bound that leaves out some of the block.
static std::optional<MaskBound> boundOfSum(tt::ReduceOp reduce, int64_t extent,
                                           const InterpreterLaunch &launch) {
  constexpr size_t kMost = 256;
  const Type type = reduce.getSrcs().front().getType();
  llvm::SetVector<Value> parts;
  parts.insert(reduce.getSrcs().front());
  for (size_t i = 0; i < parts.size() && i < kMost; ++i) {
    Operation *op = parts[i].getDefiningOp();
    if (auto load = dyn_cast_or_null<tt::LoadOp>(op)) {
      if (const auto bound = splittingBound(load, reduce.getAxis(), extent, launch))
        return bound;
    } else if (op && op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
      for (Value operand : op->getOperands())
        if (const auto shaped = dyn_cast<RankedTensorType>(operand.getType());
            shaped && shaped.getShape() == cast<RankedTensorType>(type).getShape())
          parts.insert(operand);
    }
  }
  return std::nullopt;
}

/// The sum that a division divides by the extent of the axis which it adds up; null for all else.
static tt::ReduceOp sumOverExtent(arith::DivFOp division) {
  const std::optional<double> divisor = numberConstant(withoutShape(division.getRhs()));
  Value sum = division.getLhs();
  while (Operation *op = sum.getDefiningOp()) {
    if (!keepsElements(op) && !isa<arith::SIToFPOp>(op))
      break;
    sum = op->getOperand(0);
  }
  auto reduce = sum.getDefiningOp<tt::ReduceOp>();
  if (!reduce || !divisor || reduce.getNumResults() != 1 ||
      !isa_and_nonnull<arith::AddFOp, arith::AddIOp>(reduce.getSingleCombiner()))
    return {};
  const auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
  return *divisor > 1 && type.getShape()[reduce.getAxis()] == *divisor ? reduce : tt::ReduceOp();
}

/// Whether the quotient is multiplied by the extent again, and by nothing else.
static bool isTakenBack(arith::DivFOp division) {
  const std::optional<double> extent = numberConstant(withoutShape(division.getRhs()));
  return extent && !division->use_empty() &&
         llvm::all_of(division->getUsers(), [&](Operation *user) {
           return isa<arith::MulFOp>(user) && llvm::any_of(user->getOperands(), [&](Value factor) {
                    return numberConstant(withoutShape(factor)) == extent;
                  });
         });
}

static const ast::BinOp *quotientAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const ast::BinOp *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *operation = ast::as<ast::BinOp>(&node);
    if (operation && operation->op == ast::BinaryOpKind::Div && operation->range == place)
      found = operation;
    return !found;
  });
  return found;
}

std::vector<Diagnostic> meansOfBlocks(Operation *module, const ast::SyntaxTree &tree,
                                      const InterpreterLaunch &launch, FileTable &files) {
  std::vector<Diagnostic> found;
  module->walk([&](arith::DivFOp division) {
    tt::ReduceOp reduce = sumOverExtent(division);
    if (!reduce || isTakenBack(division))
      return;
    const auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
    const int64_t extent = type.getShape()[reduce.getAxis()];
    const std::optional<MaskBound> bound = boundOfSum(reduce, extent, launch);
    const std::vector<SourceRange> places = sourceRanges(division.getLoc(), files);
    const ast::BinOp *quotient = bound && !places.empty() && places.front().file == 0
                                     ? quotientAt(tree, places.front())
                                     : nullptr;
    if (!quotient)
      return;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunOtherCounted;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = quotient->range;
    const std::string end = std::to_string(bound->value);
    diagnostic.message =
        "the sum is divided by " + std::to_string(extent) +
        ", the extent of its block, but the mask leaves out what lies behind " +
        (bound->name.empty() ? end : "`" + bound->name + "`, which is " + end) +
        ": a mean of what is loaded divides by the number of elements that are loaded";
    diagnostic.notes = {
        "a mean that counts the rest as zeros, as padding is counted, is right as it is"};
    diagnostic.cause.extents = {extent, bound->value};
    if (!bound->name.empty() && bound->value < extent)
      diagnostic.fixes = {{quotient->right->range, bound->name, "divide by `" + bound->name + "`"}};
    if (std::ranges::find(found, diagnostic) == found.end())
      found.push_back(std::move(diagnostic));
  });
  return found;
}

} // namespace tilescope::compiler
