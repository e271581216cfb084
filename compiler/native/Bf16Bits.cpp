// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/Bf16Bits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tilescope::native {
namespace {

/// The bits of numbers, by number.
class Bits {
public:
  explicit Bits(LLVMContext &context) : m_word(Type::getInt16Ty(context)) {}

  /// Replaces an instruction, whose operands are not known yet, by one on bits.
  void replace(Instruction &number) {
    IRBuilder<> b(&number);
    m_replaced.insert(&number);
    if (auto *phi = dyn_cast<PHINode>(&number))
      m_bits[phi] = b.CreatePHI(m_word, phi->getNumIncomingValues());
    else if (auto *element = dyn_cast<ExtractElementInst>(&number)) {
      auto *vector = cast<VectorType>(element->getVectorOperandType());
      Value *words = b.CreateBitCast(element->getVectorOperand(),
                                     VectorType::get(m_word, vector->getElementCount()));
      m_bits[element] = b.CreateExtractElement(words, element->getIndexOperand());
    } else {
      // Its operands are exchanged by `finish`.
      auto &select = cast<SelectInst>(number);
      Value *none = PoisonValue::get(m_word);
      m_bits[&select] =
          SelectInst::Create(select.getCondition(), none, none, "", select.getIterator());
    }
  }

  void finish(Instruction &number) {
    Value *bits = m_bits.lookup(&number);
    if (auto *phi = dyn_cast<PHINode>(&number)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        cast<PHINode>(bits)->addIncoming(of(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    } else if (auto *select = dyn_cast<SelectInst>(&number)) {
      cast<SelectInst>(bits)->setTrueValue(of(select->getTrueValue()));
      cast<SelectInst>(bits)->setFalseValue(of(select->getFalseValue()));
    }
  }

  /// Has those who need the number take its bits, or make it of them where they are.
  void forget(Instruction &number) {
    Value *bits = m_bits.lookup(&number);
    for (Use &use : make_early_inc_range(number.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (m_replaced.contains(user))
        continue;
      if (user->getOpcode() == Instruction::BitCast && user->getType() == m_word) {
        user->replaceAllUsesWith(bits);
        user->eraseFromParent();
        continue;
      }
      // Not a phi: those are replaced.
      use.set(IRBuilder<>(user).CreateBitCast(bits, number.getType()));
    }
  }

  void insertInto(InsertElementInst &element) {
    auto *vector = element.getType();
    IRBuilder<> b(&element);
    Value *words =
        b.CreateBitCast(element.getOperand(0), VectorType::get(m_word, vector->getElementCount()));
    words = b.CreateInsertElement(words, of(element.getOperand(1)), element.getOperand(2));
    element.replaceAllUsesWith(b.CreateBitCast(words, vector));
    element.eraseFromParent();
  }

private:
  Value *of(Value *number) {
    if (Value *known = m_bits.lookup(number))
      return known;
    if (auto *constant = dyn_cast<Constant>(number))
      return ConstantExpr::getBitCast(constant, m_word);
    if (auto *cast = dyn_cast<BitCastInst>(number); cast && cast->getSrcTy() == m_word)
      return cast->getOperand(0);
    if (auto *argument = dyn_cast<Argument>(number)) {
      BasicBlock &entry = argument->getParent()->getEntryBlock();
      IRBuilder<> b(&entry, entry.getFirstInsertionPt());
      return m_bits[number] = b.CreateBitCast(number, m_word);
    }
    auto *instruction = cast<Instruction>(number);
    IRBuilder<> b(instruction->getParent(), *instruction->getInsertionPointAfterDef());
    return m_bits[number] = b.CreateBitCast(number, m_word);
  }

  Type *m_word;
  DenseMap<Value *, Value *> m_bits;
  SmallPtrSet<Instruction *, 8> m_replaced;
};

} // namespace

void keepBf16AsBits(Function &function) {
  SmallVector<Instruction *> numbers;
  SmallVector<InsertElementInst *> elements;
  for (Instruction &instruction : instructions(function)) {
    auto *element = dyn_cast<InsertElementInst>(&instruction);
    if (element && element->getType()->getElementType()->isBFloatTy())
      elements.push_back(element);
    else if (instruction.getType()->isBFloatTy() &&
             isa<PHINode, SelectInst, ExtractElementInst>(instruction))
      numbers.push_back(&instruction);
  }
  Bits bits(function.getContext());
  for (Instruction *number : numbers)
    bits.replace(*number);
  for (Instruction *number : numbers)
    bits.finish(*number);
  for (InsertElementInst *element : elements)
    bits.insertInto(*element);
  for (Instruction *number : numbers)
    bits.forget(*number);
  for (Instruction *number : numbers)
    number->dropAllReferences();
  for (Instruction *number : numbers)
    number->eraseFromParent();
}

} // namespace tilescope::native
