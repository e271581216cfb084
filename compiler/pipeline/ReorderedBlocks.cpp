// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ReorderedBlocks.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/IrText.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// Of the elements of a block.
enum class Order {
  /// They are equal, or nothing is known.
  Any,
  /// That of the kernel.
  Kept,
  /// Of `tl.cat`.
  Reordered,
};

class Orders {
public:
  Order of(Value value);
  /// Whether an operation pairs elements of both kinds.
  bool areMixed(Operation *op);

private:
  Order ofResult(Operation *op);

  DenseMap<Value, Order> m_known;
};

} // namespace

static bool pairsElements(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || isa<tt::LoadOp, tt::StoreOp, tt::AddPtrOp>(op);
}

Order Orders::ofResult(Operation *op) {
  if (isa<tt::CatOp>(op))
    return Order::Reordered;
  if (isa<tt::MakeRangeOp>(op))
    return Order::Kept;
  // One that pairs both kinds is told itself, and not what goes on with its result.
  if (!pairsElements(op) || areMixed(op))
    return Order::Any;
  Order order = Order::Any;
  for (Value operand : op->getOperands())
    order = std::max(order, of(operand));
  return order;
}

Order Orders::of(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<RankedTensorType>(value.getType()))
    return Order::Any;
  if (const auto known = m_known.find(value); known != m_known.end())
    return known->second;
  const Order order = ofResult(op);
  m_known[value] = order;
  return order;
}

bool Orders::areMixed(Operation *op) {
  const auto has = [&](Order order) {
    return llvm::any_of(op->getOperands(), [&](Value each) { return of(each) == order; });
  };
  return pairsElements(op) && has(Order::Kept) && has(Order::Reordered);
}

std::vector<Diagnostic> pairedAfterCat(ModuleOp ttir, FileTable &files) {
  std::vector<Diagnostic> found;
  Orders orders;
  ttir.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!orders.areMixed(op))
      return;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunOrder;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = documentPlace(op->getLoc(), files);
    diagnostic.message = "elements of `tl.cat` are paired here with elements in a known order, but "
                         "`tl.cat` may leave its own in any order";
    diagnostic.notes = {
        "the CPU keeps their order, and the layout decides about it on a GPU; `tl.join` keeps it "
        "everywhere, or store both blocks one by one"};
    if (!llvm::is_contained(found, diagnostic))
      found.push_back(std::move(diagnostic));
  });
  return found;
}

} // namespace tilescope::compiler
