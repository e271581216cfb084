// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What TTIR shows: masks, arithmetic and arguments as the kernel has them.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/ComputeFacts.h"
#include "compiler/pipeline/IndexRanges.h"
#include "compiler/pipeline/WithoutStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <set>

using namespace mlir;

namespace tilescope::compiler {

static int64_t elementsOf(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  return block ? block.getNumElements() : 1;
}

static Operation *loopAround(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>(); }

static Value maskOf(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getMask();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return store.getMask();
  return {};
}

static void addMask(Operation *op, const StageSources &sources, ComputeFacts &facts) {
  Value mask = maskOf(op);
  if (!mask)
    return;
  MaskFacts found;
  found.range = sources.of(op);
  found.operation = op->getName().getStringRef();
  found.elements = elementsOf(mask.getType());
  found.isAlwaysTrue = isAlwaysTrue(mask);
  found.isInLoop = loopAround(op) != nullptr;
  facts.masks.push_back(std::move(found));
}

/// Arithmetic that threads carry out, not what the compiler folds or what only changes a type.
static bool isArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::NegFOp, arith::CmpFOp>(op) ||
         isa<math::MathDialect>(op->getDialect());
}

/// Integer operations that take several instructions at 64 bits.
static bool isLongArithmetic(Operation *op) {
  return isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

/// Where the kernel accesses memory: arithmetic of these places is that of addresses, which an
/// access through a descriptor brings along.
static std::set<SourceRange> accessPlaces(ModuleOp ttir, const StageSources &sources) {
  std::set<SourceRange> places;
  ttir.walk([&](Operation *op) {
    if (isa<tt::LoadOp, tt::StoreOp>(op))
      places.insert(sources.of(op));
  });
  return places;
}

static void addWide(Operation *op, const std::set<SourceRange> &accesses,
                    const StageSources &sources, ComputeFacts &facts) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || !loopAround(op))
    return;
  const Type type = op->getOperand(0).getType();
  const Type element = getElementTypeOrSelf(type);
  if (element.isF64() && isArithmetic(op))
    facts.wideArithmetic.push_back({sources.of(op), "fp64", elementsOf(type)});
  else if (element.isInteger(64) && isLongArithmetic(op) && isa<RankedTensorType>(type) &&
           !accesses.contains(sources.of(op)))
    facts.wideArithmetic.push_back({sources.of(op), "int64", elementsOf(type)});
}

/// Whether a block is read or written without a mask.
static bool hasAccessWithoutMask(ModuleOp ttir) {
  return ttir
      .walk([](Operation *op) {
        const bool isAccess = isa<tt::LoadOp, tt::StoreOp>(op) && !maskOf(op) &&
                              isa<RankedTensorType>(op->getOperand(0).getType());
        return isAccess ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void addSourceFacts(ModuleOp ttir, const std::vector<KernelParameter> &parameters,
                    const StageSources &sources, ComputeFacts &facts) {
  const std::set<SourceRange> accesses = accessPlaces(ttir, sources);
  ttir.walk<WalkOrder::PreOrder>([&](Operation *op) {
    addMask(op, sources, facts);
    addWide(op, accesses, sources, facts);
    auto kernel = dyn_cast<tt::FuncOp>(op);
    if (!kernel || !kernel.isPublic() || kernel.getNumArguments() != parameters.size())
      return;
    facts.kernel = sources.of(op);
    // Who has just begun to write a kernel has not used its arguments yet.
    if (doesNothing(ttir))
      return;
    // A number may be what the masks that are missing compare with.
    const bool lacksMasks = hasAccessWithoutMask(ttir);
    for (BlockArgument argument : kernel.getArguments())
      if (argument.use_empty() && !(lacksMasks && argument.getType().isInteger()))
        facts.unusedArguments.push_back(parameters[argument.getArgNumber()].name);
    addRepeatedLoads(kernel, sources, facts);
    addArithmetic(kernel, parameters, sources, facts);
  });
}

} // namespace tilescope::compiler
