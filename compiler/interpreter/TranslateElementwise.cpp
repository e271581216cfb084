// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Translator.h"
#include "compiler/interpreter/kernels/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// Whether something chooses between the result and another value, as `tl.where(n > 0, x // n, 0)` does.
static bool isChosenFrom(Operation *op, int depth = 0) {
  constexpr int kDeepest = 4;
  return depth < kDeepest &&
         llvm::any_of(
             op->getUsers(),
             [&](Operation *user) {
               return isa<arith::SelectOp>(user) ||
                      (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp,
                           arith::ExtSIOp, arith::TruncIOp, arith::SIToFPOp>(user) &&
                       isChosenFrom(user, depth + 1));
             });
}

/// The rule for Affine operands, for the operations that have one.
static Instruction::Run getRun(Operation *op, Element operand) {
  if (operand == Element::I1)
    return isa<arith::AndIOp>(op) ? runAnd : runElementwise;
  return llvm::TypeSwitch<Operation *, Instruction::Run>(op)
      .Case([](arith::AddIOp) { return runAdd; })
      .Case([](arith::SubIOp) { return runSub; })
      .Case([](arith::MulIOp) { return runMul; })
      .Case([](arith::ExtSIOp) { return runExtendSigned; })
      .Case([](arith::IndexCastOp) { return runExtendSigned; })
      .Case([](arith::ExtUIOp) { return runExtendUnsigned; })
      .Case([](arith::TruncIOp) { return runTruncate; })
      .Case([&](arith::RemSIOp) { return isChosenFrom(op) ? runRemSigned : runRemSignedChecked; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemUIOp>(
          [&](auto) { return isChosenFrom(op) ? runElementwise : runDivide; })
      .Case([](arith::CmpIOp) { return runCompare; })
      .Default([](Operation *) { return runElementwise; });
}

/// The name in the tables of functions, and the operand whose type the row is for.
static std::pair<std::string, unsigned> getFunctionName(Operation *op, Element source,
                                                        Element result) {
  std::string name = op->getName().getStringRef().str();
  std::string to = "." + std::string(elementName(result));
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return {name + "." + arith::stringifyCmpIPredicate(compare.getPredicate()).str(), 0};
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return {name + "." + arith::stringifyCmpFPredicate(compare.getPredicate()).str(), 0};
  if (auto clamp = dyn_cast<tt::ClampFOp>(op))
    return {name + "." + tt::stringifyPropagateNan(clamp.getPropagateNan()).str(), 0};
  if (auto library = dyn_cast<tt::ExternElementwiseOp>(op))
    return {library.getSymbol().str(), 0};
  if (isa<arith::SelectOp>(op))
    return {name, 1};
  if (isa<arith::BitcastOp, tt::BitcastOp, tt::IntToPtrOp, tt::PtrToIntOp>(op))
    return {"bitcast" + to, 0};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    if (storageSize(source) == storageSize(result))
      return {"bitcast" + to, 0};
    bool isSigned = isa<arith::IndexCastOp>(op);
    bool narrows = storageSize(source) > storageSize(result);
    return {(narrows ? "arith.trunci" : isSigned ? "arith.extsi" : "arith.extui") + to, 0};
  }
  if (auto convert = dyn_cast<tt::FpToFpOp>(op)) {
    bool towardZero =
        convert.getRounding() == tt::RoundingMode::RTZ && memorySize(result) < memorySize(source);
    return {name + (towardZero ? ".rtz" : "") + to, 0};
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::ExtFOp, arith::TruncFOp,
          arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp>(op))
    return {name + to, 0};
  return {name, 0};
}

bool Translator::translateElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || op->getNumOperands() > 4 ||
      op->getNumRegions() != 0)
    return false;
  std::optional<Element> result = getElement(op->getResult(0).getType());
  std::optional<Element> source = getElement(op->getOperand(0).getType());
  if (!result || !source)
    return false;
  if (auto add = dyn_cast<tt::AddPtrOp>(op)) {
    Type pointee = getElementTypeOrSelf(tt::getPointeeType(add.getType()));
    std::optional<Element> element = getElement(pointee);
    if (!element)
      return false;
    emitWithResult(op, runAddPointer, op->getOperands()).number[0] =
        static_cast<int64_t>(memorySize(*element));
    return true;
  }
  auto [name, keyOperand] = getFunctionName(op, *source, *result);
  std::optional<Element> key = getElement(op->getOperand(keyOperand).getType());
  ElementwiseFunction function = key ? findElementwise(name, *key) : nullptr;
  if (!function) {
    if (auto library = dyn_cast<tt::ExternElementwiseOp>(op))
      return fail(op, "the library function `" + library.getSymbol().str() +
                          "` cannot be executed on the CPU");
    return false;
  }
  Instruction &instruction = emitWithResult(op, getRun(op, *key), op->getOperands());
  instruction.function = reinterpret_cast<Instruction::Function>(function);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    instruction.number[0] = static_cast<int64_t>(compare.getPredicate());
  return true;
}

} // namespace tilescope::compiler::interpreter
