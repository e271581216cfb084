// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/tt/ir/TritonVersion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "compiler/dialects/tt/ir/TritonDialect.cpp.inc"
#include "compiler/dialects/tt/ir/TritonEnums.cpp.inc"

namespace tilescope::tt {

namespace {
/// Everything may be inlined but what is marked `noinline`.
struct TritonInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const final {
    auto noInline = callable->getAttrOfType<BoolAttr>("noinline");
    return !noInline || !noInline.getValue();
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *newDest) const final {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), newDest, returnOp.getOperands());
    op->erase();
  }

  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    for (auto [result, value] : llvm::zip(valuesToReplace, cast<ReturnOp>(op).getOperands()))
      result.replaceAllUsesWith(value);
  }
};
} // namespace

void TTDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerOps();
  addInterfaces<TritonInlinerInterface, PrintedVersion>();
}

void TTDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialects/tt/ir/TritonOps.cpp.inc"
      >();
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location loc) {
  if (isa<ub::PoisonAttrInterface>(value))
    return ub::PoisonOp::create(builder, loc, type, cast<ub::PoisonAttrInterface>(value));
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

} // namespace tilescope::tt
