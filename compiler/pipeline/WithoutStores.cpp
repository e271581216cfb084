// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/WithoutStores.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace tilescope::compiler {

/// Whether an operation without regions may change what is seen from outside of the kernel.
static bool leavesTrace(Operation *op) {
  if (isa<tt::FuncOp, tt::ReturnOp, tt::CallOp, tt::LoadOp>(op) || op->getNumRegions() > 0 ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return mightHaveEffect<MemoryEffects::Write>(op);
}

bool doesNothing(Operation *module) {
  return !module
              ->walk([](Operation *op) {
                return leavesTrace(op) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

const ast::FunctionDef *functionNamed(const ast::SyntaxTree &tree, std::string_view name) {
  for (const ast::Stmt *statement : tree.module->body)
    if (const auto *function = ast::as<ast::FunctionDef>(statement);
        function && function->name == name)
      return function;
  return nullptr;
}

/// Whether programs may learn which one they are, without reading their place: from a counter, or in assembly.
static bool mayTellApart(Operation *op) {
  if (auto update = dyn_cast<tt::AtomicRMWOp>(op))
    return !update.getResult().use_empty();
  return isa<tt::AtomicCASOp, tt::ElementwiseInlineAsmOp>(op);
}

std::vector<int32_t> unreadAxes(Operation *module) {
  // Of a kernel that stores nothing, nothing is left that reads a number.
  if (doesNothing(module))
    return {};
  const std::set<int32_t> axes{0, 1, 2};
  std::set<int32_t> unread = axes;
  bool areApart = false, isUpdating = false, isLoading = false;
  module->walk([&](Operation *op) {
    if (auto program = dyn_cast<tt::GetProgramIdOp>(op))
      unread.erase(static_cast<int32_t>(program.getAxisAsInt()));
    areApart |= mayTellApart(op);
    isUpdating |= isa<tt::AtomicRMWOp, tt::DescriptorReduceOp>(op);
    isLoading |= isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
  });
  // Programs that all add the same to one counter may be meant so; not if they add the same data.
  if (areApart || (isUpdating && !isLoading && unread == axes))
    return {};
  return {unread.begin(), unread.end()};
}

} // namespace tilescope::compiler
