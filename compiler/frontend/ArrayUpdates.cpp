// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ArrayUpdates.h"

#include "compiler/frontend/Failure.h"
#include "compiler/frontend/LastAssignment.h"

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

/// The same as far as the source shows it, for an index that another error leaves without a value.
/// The values of names that have one go into `values`.
static void addWritten(const Frame &frame, const ast::Expr &index, Origins &origins,
                       llvm::SmallVector<mlir::Value> &values, int depth) {
  constexpr int kMaxDepth = 8;
  ast::walk(index, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    origins.hasLoad |= callee && callee->attr == "load";
    origins.hasProgram |= callee && callee->attr == "program_id";
    const auto *name = ast::as<ast::Name>(&node);
    const Value *value = name ? frame.locals.find(name->id) : nullptr;
    // An element of an array, as beginners write it.
    const auto *element = ast::as<ast::Subscript>(&node);
    const auto *array = element ? ast::as<ast::Name>(element->value) : nullptr;
    const Value *indexed = array ? frame.locals.find(array->id) : nullptr;
    origins.hasLoad |= indexed && indexed->tensor() && !indexed->tensor()->isBlock();
    if (value && value->tensor())
      value->flatten(values);
    if (!name || depth >= kMaxDepth || (value && !value->isPoison()))
      return true;
    forEachAssignment(frame, name->id, [&](const ast::Assign &assign) {
      if (assign.range.end <= index.range.begin)
        addWritten(frame, *assign.value, origins, values, depth + 1);
    });
    return true;
  });
}

bool mayRepeat(Emitter &emitter, const ast::Expr &index) {
  llvm::SmallVector<mlir::Value> values;
  Origins written;
  bool isPoisoned = false;
  std::vector<const ast::Expr *> parts{&index};
  if (const auto *tuple = ast::as<ast::Tuple>(&index))
    parts.assign(tuple->elts.begin(), tuple->elts.end());
  for (const ast::Expr *part : parts) {
    if (ast::is<ast::Slice>(part))
      continue;
    bool isKnown = false;
    try {
      emitter.evaluate(*part).flatten(values);
      isKnown = true;
    } catch (const Failure &) {
      // Such as `int(v * 10)` of a block: what it is computed from shows.
    } catch (const PoisonUsed &) {
    }
    isPoisoned |= !isKnown;
    if (!isKnown && emitter.frame().function)
      addWritten(emitter.frame(), *part, written, values, 0);
  }
  Origins origins = originsOf(std::move(values), !emitter.frame().caller);
  if (isPoisoned) {
    origins.hasLoad |= written.hasLoad;
    origins.hasProgram |= written.hasProgram;
    // What is not known may come from anywhere: an atomic update is right in any case.
    origins.isOpen = false;
  }
  return origins.hasLoad || (!origins.hasProgram && !origins.isOpen);
}

bool mayRepeat(const Frame &frame, llvm::SmallVector<mlir::Value> address) {
  const Origins origins = originsOf(std::move(address), !frame.caller);
  return origins.hasLoad || (!origins.hasProgram && !origins.isOpen);
}

bool isMadeOfLoads(const Value &value) {
  llvm::SmallVector<mlir::Value> handles;
  value.flatten(handles);
  return originsOf(std::move(handles), true).hasLoad;
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
