// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayUpdates.h"

#include "compiler/frontend/Failure.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope::compiler::frontend {

namespace {
/// What a value is made from.
struct Origins {
  bool hasLoad = false;
  bool hasProgram = false;
  /// A parameter of a function that the kernel calls: what is passed is not known here.
  bool isOpen = false;
};
} // namespace

static Origins originsOf(llvm::SmallVector<mlir::Value> values, bool isKernel) {
  Origins origins;
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  while (!values.empty()) {
    mlir::Value value = values.pop_back_val();
    mlir::Operation *op = value.getDefiningOp();
    if (!op) {
      // Of a loop's values, those that it begins with and its bounds; of a kernel's parameters, none.
      op = value.getParentBlock()->getParentOp();
      if (!op || mlir::isa<tt::FuncOp>(op)) {
        origins.isOpen |= !isKernel;
        continue;
      }
    }
    if (!seen.insert(op).second)
      continue;
    origins.hasLoad |= mlir::isa<tt::LoadOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op);
    origins.hasProgram |= mlir::isa<tt::GetProgramIdOp>(op);
    values.append(op->operand_begin(), op->operand_end());
  }
  return origins;
}

bool mayRepeat(Emitter &emitter, const ast::Expr &index) {
  llvm::SmallVector<mlir::Value> values;
  std::vector<const ast::Expr *> parts{&index};
  if (const auto *tuple = ast::as<ast::Tuple>(&index))
    parts.assign(tuple->elts.begin(), tuple->elts.end());
  for (const ast::Expr *part : parts) {
    if (ast::is<ast::Slice>(part))
      continue;
    try {
      emitter.evaluate(*part).flatten(values);
    } catch (const Failure &) {
      return false;
    } catch (const PoisonUsed &) {
      return false;
    }
  }
  const Origins origins = originsOf(std::move(values), !emitter.frame().caller);
  return origins.hasLoad || (!origins.hasProgram && !origins.isOpen);
}

std::optional<AtomicUpdate> atomicUpdate(ast::BinaryOpKind op) {
  switch (op) {
  case ast::BinaryOpKind::Add:
    return AtomicUpdate{"atomic_add"};
  case ast::BinaryOpKind::Sub:
    return AtomicUpdate{"atomic_add", true};
  case ast::BinaryOpKind::BitAnd:
    return AtomicUpdate{"atomic_and"};
  case ast::BinaryOpKind::BitOr:
    return AtomicUpdate{"atomic_or"};
  case ast::BinaryOpKind::BitXor:
    return AtomicUpdate{"atomic_xor"};
  default:
    return std::nullopt;
  }
}

} // namespace tilescope::compiler::frontend
