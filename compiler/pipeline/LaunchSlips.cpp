// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LaunchSlips.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/AccessCalls.h"
#include "compiler/pipeline/IrText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <set>
#include <string>

using namespace mlir;

namespace tilescope::compiler {

static constexpr int kDeepestValue = 16;

/// The integer that names of the kernel's arguments make; nothing where they do not.
static std::optional<int64_t> integerOf(const ast::Expr &code, const KernelSizes &sizes) {
  if (const auto *name = ast::as<ast::Name>(&code))
    return sizes.value(name->id);
  const auto *constant = ast::as<ast::Constant>(&code);
  if (constant && constant->constantKind == ast::ConstantKind::Int)
    return constant->intValue;
  const auto *product = ast::as<ast::BinOp>(&code);
  if (!product || product->op != ast::BinaryOpKind::Mult)
    return std::nullopt;
  const std::optional<int64_t> left = integerOf(*product->left, sizes);
  const std::optional<int64_t> right = integerOf(*product->right, sizes);
  return left && right ? std::optional(*left * *right) : std::nullopt;
}

static std::optional<SourceRange> ownPlace(Location location, FileTable &files) {
  const std::vector<SourceRange> places = sourceRanges(location, files);
  const auto own = std::ranges::find(places, 0u, &SourceRange::file);
  return own == places.end() ? std::nullopt : std::optional(*own);
}

/// The innermost call or loop around a place.
template <typename T>
static const T *nodeAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const T *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *each = ast::as<T>(&node);
    if (each && each->range.begin <= place.begin && place.end <= each->range.end)
      found = each;
    return true;
  });
  return found;
}

/// Of what the argument with this name points to; 0: that is not known.
static int64_t elementBytes(tt::FuncOp kernel, const InterpreterLaunch &launch,
                            std::string_view name) {
  for (size_t i = 0; i < launch.arguments.size() && i < kernel.getNumArguments(); ++i) {
    auto pointer = dyn_cast<tt::PointerType>(kernel.getArgument(i).getType());
    if (pointer && launch.arguments[i].name == name && pointer.getPointeeType().isIntOrFloat())
      return pointer.getPointeeType().getIntOrFloatBitWidth() / 8;
  }
  return 0;
}

/// Bulk copies address rows by numbers of 16 bytes.
static std::optional<Diagnostic> unfitStride(const ast::Call &make, const ast::SyntaxTree &tree,
                                             int64_t bytes, const KernelSizes &sizes) {
  static constexpr int64_t kUnitBytes = 16;
  const ast::Expr *strides = argument(make, 2, "strides");
  const auto *list = ast::as<ast::List>(strides);
  const auto *tuple = ast::as<ast::Tuple>(strides);
  if (!list && !tuple)
    return std::nullopt;
  const auto &all = list ? list->elts : tuple->elts;
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    const auto *name = ast::as<ast::Name>(all[i]);
    // Another number may have been given to the name.
    if (name && lastValue(functionAround(tree, make.range), name->id, make.range.begin))
      continue;
    const std::optional<int64_t> stride = integerOf(*all[i], sizes);
    if (!stride || *stride * bytes % kUnitBytes == 0)
      continue;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::BadArgument;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = all[i]->range;
    diagnostic.message = "a stride of " + std::to_string(*stride) + " elements is " +
                         std::to_string(*stride * bytes) +
                         " bytes: all strides of a descriptor but the last have to be multiples of "
                         "16 bytes";
    diagnostic.notes = {"a GPU's bulk copies reach no other rows; pad the rows of the array to a "
                        "multiple of " +
                        std::to_string(kUnitBytes / bytes) + " elements, or load with pointers"};
    return diagnostic;
  }
  return std::nullopt;
}

/// Of all descriptors that a kernel makes of its arguments.
static std::vector<Diagnostic> unfitStrides(tt::FuncOp kernel, const ast::SyntaxTree &tree,
                                            const InterpreterLaunch &launch,
                                            const KernelSizes &sizes) {
  std::vector<Diagnostic> found;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *make = ast::as<ast::Call>(&node);
    const auto *function = make ? ast::as<ast::Attribute>(make->func) : nullptr;
    if (!function || function->attr != "make_tensor_descriptor")
      return true;
    const auto *around = ast::as<ast::FunctionDef>(&functionAround(tree, make->range));
    const auto *base = ast::as<ast::Name>(argument(*make, 0, "base"));
    const int64_t bytes = base && around && std::string_view(kernel.getName()) == around->name
                              ? elementBytes(kernel, launch, base->id)
                              : 0;
    if (bytes > 0)
      if (std::optional<Diagnostic> unfit = unfitStride(*make, tree, bytes, sizes))
        found.push_back(std::move(*unfit));
    return true;
  });
  return found;
}

/// Whether two values are computed in the same way of the same ones, without loads.
static bool areSame(Value left, Value right, int depth = 0) {
  if (left == right)
    return true;
  Operation *one = left.getDefiningOp(), *other = right.getDefiningOp();
  if (depth >= kDeepestValue || !one || !other || one->getName() != other->getName() ||
      one->getNumRegions() > 0 || !isMemoryEffectFree(one) ||
      one->getAttrDictionary() != other->getAttrDictionary() || left.getType() != right.getType() ||
      one->getNumOperands() != other->getNumOperands())
    return false;
  return llvm::all_of(llvm::zip_equal(one->getOperands(), other->getOperands()), [&](auto pair) {
    return areSame(std::get<0>(pair), std::get<1>(pair), depth + 1);
  });
}

/// The load that a bound of a loop is.
static tt::LoadOp boundLoad(Value bound) {
  while (Operation *op = bound.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
      break;
    bound = op->getOperand(0);
  }
  return bound.getDefiningOp<tt::LoadOp>();
}

/// The argument that an address begins with.
static Value baseOf(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      break;
    pointer = op->getOperand(0);
  }
  return pointer;
}

static bool mayChange(Operation *module, Value base) {
  const auto visit = [&](Operation *op) {
    return isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
                   baseOf(op->getOperand(0)) == base
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return module->walk(visit).wasInterrupted();
}

/// `range(start, end)` of two numbers that are loaded from one place.
static std::optional<Diagnostic> emptyLoop(scf::ForOp loop, Operation *module,
                                           const ast::SyntaxTree &tree, FileTable &files) {
  tt::LoadOp start = boundLoad(loop.getLowerBound()), end = boundLoad(loop.getUpperBound());
  if (!start || !end || !areSame(start.getPtr(), end.getPtr()) ||
      mayChange(module, baseOf(start.getPtr())))
    return std::nullopt;
  const std::optional<SourceRange> place = ownPlace(loop.getLoc(), files);
  const std::optional<SourceRange> to = ownPlace(end.getLoc(), files);
  const ast::For *code = place ? nodeAt<ast::For>(tree, *place) : nullptr;
  if (!code || !to)
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadArgument;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = code->iter->range;
  diagnostic.message = "the loop has no turn in any program: its end is loaded from "
                       "the same place as its start";
  const ast::Call *access = findAccess(tree, *to);
  if (const ast::Expr *pointer = access ? argument(*access, 0, "pointer") : nullptr)
    diagnostic.notes = {"a segment ends where the next one begins, at `" +
                        std::string(tree.text(pointer->range)) + " + 1`"};
  return diagnostic;
}

std::vector<Diagnostic> launchSlips(ModuleOp module, const ast::SyntaxTree &tree,
                                    const InterpreterLaunch &launch, const KernelSizes &sizes,
                                    FileTable &files) {
  std::vector<Diagnostic> found;
  for (tt::FuncOp function : module.getOps<tt::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      found = unfitStrides(function, tree, launch, sizes);
  std::set<SourceRange> seen;
  module.walk([&](scf::ForOp loop) {
    std::optional<Diagnostic> empty = emptyLoop(loop, module, tree, files);
    if (empty && seen.insert(empty->range).second)
      found.push_back(std::move(*empty));
  });
  return found;
}

} // namespace tilescope::compiler
