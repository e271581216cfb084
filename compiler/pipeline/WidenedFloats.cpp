// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/WidenedFloats.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tilescope::compiler {

/// Of numbers and blocks of fp16 and bf16, not of pointers to them.
static bool isNarrow(Type type) {
  const Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

static Type widened(Type type) {
  const Type wide = Float32Type::get(type.getContext());
  auto block = dyn_cast<RankedTensorType>(type);
  return block ? Type(block.clone(wide)) : wide;
}

static bool touchesNarrow(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isNarrow) ||
         llvm::any_of(op->getResultTypes(), isNarrow);
}

/// Elements lie in memory in their own type.
static bool accessesMemory(Operation *op) {
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorLoadOp,
             tt::DescriptorStoreOp, tt::DescriptorGatherOp, tt::DescriptorScatterOp,
             tt::DescriptorReduceOp>(op);
}

static bool dependsOnBits(Operation *op) {
  return touchesNarrow(op) &&
         isa<tt::BitcastOp, arith::BitcastOp, tt::ElementwiseInlineAsmOp, tt::ExternElementwiseOp,
             tt::CallOp, tt::ReturnOp, tt::DotScaledOp>(op);
}

/// Whether the kernel computes in 16 bits, and nothing but the precision would change.
static bool canWiden(ModuleOp module) {
  bool isNeeded = false, isPossible = true;
  module.walk([&](Operation *op) {
    isNeeded |= !accessesMemory(op) && touchesNarrow(op);
    isPossible &= !dependsOnBits(op);
    if (auto function = dyn_cast<tt::FuncOp>(op))
      isPossible &= llvm::none_of(function.getArgumentTypes(), isNarrow);
  });
  return isNeeded && isPossible;
}

namespace {
class Widening {
public:
  explicit Widening(ModuleOp module) : m_module(module) {}

  void run() {
    m_module.walk([&](Operation *op) {
      if (accessesMemory(op))
        m_accesses.push_back(op);
    });
    for (Operation *access : m_accesses)
      convertAround(access);
    m_module.walk([&](Operation *op) { widen(op); });
    dropCasts();
  }

private:
  /// What an access takes is rounded in front of it, and what it returns is widened behind it.
  void convertAround(Operation *access) {
    OpBuilder b(access);
    for (OpOperand &operand : access->getOpOperands())
      if (isNarrow(operand.get().getType())) {
        auto rounded =
            arith::TruncFOp::create(b, access->getLoc(), operand.get().getType(), operand.get());
        m_kept.insert(rounded);
        operand.set(rounded);
      }
    b.setInsertionPointAfter(access);
    for (Value result : access->getResults())
      if (isNarrow(result.getType())) {
        m_kept.insert(result);
        auto wide = arith::ExtFOp::create(b, access->getLoc(), widened(result.getType()), result);
        result.replaceAllUsesExcept(wide, wide);
      }
  }

  void widen(Value value) {
    if (isNarrow(value.getType()) && !m_kept.contains(value))
      value.setType(widened(value.getType()));
  }

  void widen(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && isNarrow(constant.getType()))
      constant.setValueAttr(cast<TypedAttr>(widened(constant.getValue())));
    if (auto dot = dyn_cast<tt::DotOp>(op); dot && isNarrow(dot.getA().getType()))
      dot.setInputPrecision(tt::InputPrecision::IEEE);
    for (Value result : op->getResults())
      widen(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          widen(argument);
  }

  static Attribute widened(Attribute value) {
    const Type wide = Float32Type::get(value.getContext());
    const auto convert = [](APFloat number) {
      bool losesInfo = false;
      number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      return number;
    };
    if (auto number = dyn_cast<FloatAttr>(value))
      return FloatAttr::get(wide, convert(number.getValue()));
    return cast<DenseFPElementsAttr>(value).mapValues(
        wide, [&](const APFloat &number) { return convert(number).bitcastToAPInt(); });
  }
  static Type widened(Type type) { return compiler::widened(type); }

  /// Casts between 16 bits and fp32 have become casts from fp32 to fp32.
  void dropCasts() {
    SmallVector<Operation *> casts;
    m_module.walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp>(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType())
        casts.push_back(op);
    });
    for (Operation *cast : casts) {
      cast->getResult(0).replaceAllUsesWith(cast->getOperand(0));
      cast->erase();
    }
  }

  ModuleOp m_module;
  SmallVector<Operation *> m_accesses;
  /// Values that keep their type: what an access takes and returns.
  llvm::DenseSet<Value> m_kept;
};
} // namespace

OwningOpRef<ModuleOp> withWideFloats(ModuleOp ttir) {
  if (!canWiden(ttir))
    return {};
  OwningOpRef<ModuleOp> copy = ttir.clone();
  Widening(*copy).run();
  // What cannot be told is not told.
  ScopedDiagnosticHandler quiet(copy->getContext(), [](mlir::Diagnostic &) {});
  return succeeded(verify(*copy)) ? std::move(copy) : OwningOpRef<ModuleOp>();
}

} // namespace tilescope::compiler
