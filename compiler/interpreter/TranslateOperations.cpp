// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shapes, memory, dots, debugging.
#include "compiler/dialects/tt/ir/AssertionText.h"
#include "compiler/dialects/tt/ir/Binding.h"
#include "compiler/interpreter/AtomicOrder.h"
#include "compiler/interpreter/StoreUpdates.h"
#include "compiler/interpreter/Translator.h"
#include "compiler/interpreter/VolatileLooks.h"
#include "compiler/interpreter/WarpRaces.h"
#include "compiler/interpreter/kernels/AtomicFunctions.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

bool Translator::translateShape(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tt::MakeRangeOp range) {
        emitWithResult(op, runMakeRange, {}).number[0] = static_cast<int32_t>(range.getStart());
        return true;
      })
      .Case([&](tt::SplatOp) {
        emitWithResult(op, runSplat, op->getOperands());
        return true;
      })
      .Case([&](tt::UnsplatOp) {
        emitWithResult(op, runUnsplat, op->getOperands());
        return true;
      })
      .Case([&](tt::ExpandDimsOp expand) {
        emitWithResult(op, runExpandDims, op->getOperands()).number[0] = expand.getAxis();
        return true;
      })
      .Case([&](tt::BroadcastOp) {
        emitWithResult(op, runBroadcast, op->getOperands());
        return true;
      })
      .Case([&](tt::ReshapeOp) {
        emitWithResult(op, runReshape, op->getOperands());
        return true;
      })
      .Case([&](tt::TransOp trans) {
        Instruction &instruction = emitWithResult(op, runTrans, op->getOperands());
        instruction.numbers.assign(trans.getOrder().begin(), trans.getOrder().end());
        return true;
      })
      .Case([&](tt::JoinOp) {
        emitWithResult(op, runJoin, op->getOperands());
        return true;
      })
      .Case([&](tt::SplitOp) {
        emitWithResult(op, runSplit, op->getOperands());
        return true;
      })
      .Case([&](tt::CatOp) {
        emitWithResult(op, runCat, op->getOperands());
        return true;
      })
      .Case([&](tt::GatherOp gather) {
        emitWithResult(op, runGather, op->getOperands()).number[0] = gather.getAxis();
        return true;
      })
      .Case([&](tt::HistogramOp histogram) {
        Instruction &instruction = emitWithResult(op, runHistogram, histogram.getSrc());
        instruction.in.push_back(histogram.getMask() ? valueOf(histogram.getMask()) : kNoValue);
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// The places of the accesses that are the first of a pair, each once.
static std::vector<const void *> firstPlaces(const std::vector<UnorderedAccesses> &unordered) {
  std::vector<const void *> places;
  for (const UnorderedAccesses &each : unordered)
    if (!llvm::is_contained(places, each.first.place))
      places.push_back(each.first.place);
  return places;
}

void Translator::noteUnordered(Operation *op, Instruction &instruction) {
  if (!m_context.warps || m_context.warps->unordered.empty())
    return;
  const std::vector<UnorderedAccesses> &unordered = m_context.warps->unordered;
  const std::vector<const void *> places = firstPlaces(unordered);
  if (places.size() >= kMostUnordered)
    return;
  auto found = std::make_shared<UnorderedWarps>();
  found->before.resize(places.size() + 1);
  m_context.accessLocations.resize(places.size() + 1);
  const auto isThis = [&](const WarpAccess &access) {
    return access.place == op->getLoc().getAsOpaquePointer() &&
           access.isStore == isa<tt::StoreOp>(op);
  };
  for (const UnorderedAccesses &each : unordered) {
    const auto number =
        static_cast<uint32_t>(llvm::find(places, each.first.place) - places.begin() + 1);
    if (isThis(each.then)) {
      found->warps = each.then.warps;
      found->before[number] = true;
    }
    if (isThis(each.first)) {
      found->warps = each.first.warps;
      found->number = number;
      m_context.accessLocations[number] = instruction.location;
    }
  }
  const auto type =
      dyn_cast<RankedTensorType>(isa<tt::LoadOp>(op) ? op->getResult(0).getType()
                                                     : cast<tt::StoreOp>(op).getValue().getType());
  const size_t count = type ? static_cast<size_t>(type.getNumElements()) : 1;
  if (found->warps && count == found->warps->size())
    instruction.state = std::move(found);
}

void Translator::emitWarpWait(Operation *op) {
  const bool isPart = isa_and_present<tt::ReduceOp, tt::ScanOp>(op->getParentOp());
  if (m_context.warps && !m_context.warps->unordered.empty() && !isPart &&
      llvm::is_contained(m_context.warps->waits, op->getLoc().getAsOpaquePointer()))
    emit(op, runWarpWait, {});
}

/// How an atomic operation orders programs: `Instruction::number[1]`.
template <typename Op> static int64_t orderOf(Op op) {
  const bool isAwaited = mayBeAwaited(op.getResult());
  const int64_t reads =
      (isAwaited ? kAwaited : 0) | (isReadAsData(op.getResult()) ? kReadsData : 0);
  // What orders the threads of one program alone says nothing to others.
  if (op.getScope() == tt::MemSyncScope::CTA)
    return kOfOneBlock | reads;
  const bool isBoth = op.getSem() == tt::MemSemantic::ACQUIRE_RELEASE;
  const bool acquires = (isBoth || op.getSem() == tt::MemSemantic::ACQUIRE) && isAwaited;
  const bool releases = isBoth || op.getSem() == tt::MemSemantic::RELEASE;
  return (acquires ? kAcquires : 0) | (releases ? kReleases : 0) | reads;
}

bool Translator::translateMemory(Operation *op) {
  auto optional = [&](Value value) { return value ? valueOf(value) : kNoValue; };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tt::LoadOp load) {
        std::optional<Element> element = getElement(load.getType());
        if (!element || tt::isTensorPointerType(load.getPtr().getType()))
          return fail(op, "loads through block pointers cannot be executed on the CPU");
        m_program->isStraightLine = false;
        std::vector<uint32_t> in{valueOf(load.getPtr()), kNoValue, optional(load.getMask()),
                                 optional(load.getOther())};
        Instruction &instruction = emitWithResult(op, runLoad, {});
        instruction.in = std::move(in);
        instruction.function = reinterpret_cast<Instruction::Function>(findRead(*element));
        instruction.number[0] = load.getIsVolatile() && looksAtOthers(load);
        instruction.number[1] = servesUpdateAlone(load) || isGuessOfUpdate(load);
        noteUnordered(op, instruction);
        return true;
      })
      .Case([&](tt::StoreOp store) {
        std::optional<Element> element = getElement(store.getValue().getType());
        if (!element || tt::isTensorPointerType(store.getPtr().getType()))
          return fail(op, "stores through block pointers cannot be executed on the CPU");
        m_program->isStraightLine = false;
        std::vector<uint32_t> in{valueOf(store.getPtr()), valueOf(store.getValue()),
                                 optional(store.getMask())};
        Instruction &instruction = emit(op, runStore, {});
        instruction.in = std::move(in);
        instruction.function = reinterpret_cast<Instruction::Function>(findWrite(*element));
        instruction.number[0] = updatesItsPlaces(store);
        noteUnordered(op, instruction);
        return true;
      })
      .Case([&](tt::AtomicRMWOp rmw) {
        const auto kind = static_cast<AtomicKind>(rmw.getAtomicRmwOp());
        std::optional<Element> element = getElement(rmw.getVal().getType());
        const ElementwiseFunction function = element ? findAtomic(kind, *element) : nullptr;
        if (!function)
          return fail(op, "this atomic operation on such elements cannot be executed on the CPU");
        m_program->isStraightLine = false;
        std::vector<uint32_t> in{valueOf(rmw.getPtr()), valueOf(rmw.getVal()),
                                 optional(rmw.getMask())};
        Instruction &instruction = emitWithResult(op, runAtomicRmw, {});
        instruction.in = std::move(in);
        instruction.function = reinterpret_cast<Instruction::Function>(function);
        instruction.number[0] = static_cast<int64_t>(kind);
        instruction.number[1] = orderOf(rmw);
        return true;
      })
      .Case([&](tt::AtomicPollOp poll) {
        m_program->isStraightLine = false;
        std::vector<uint32_t> in{valueOf(poll.getPtr()), valueOf(poll.getExpected()),
                                 optional(poll.getTimeout())};
        Instruction &instruction = emitWithResult(op, runAtomicPoll, {});
        instruction.in = std::move(in);
        instruction.number[1] = orderOf(poll);
        return true;
      })
      .Case([&](tt::AtomicCASOp cas) {
        m_program->isStraightLine = false;
        emitWithResult(op, runAtomicCas, op->getOperands()).number[1] = orderOf(cas);
        return true;
      })
      .Default([](Operation *) { return false; });
}

bool Translator::translateDot(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    bool isFloat = isa<FloatType>(dot.getA().getType().getElementType());
    bool isFloatResult = isa<FloatType>(dot.getType().getElementType());
    if (isFloat != isFloatResult || (!isFloat && !dot.getType().getElementType().isInteger(32)))
      return fail(op, "a dot of these types cannot be executed on the CPU");
    Instruction &instruction = emitWithResult(op, runDot, op->getOperands());
    instruction.number[0] = dot.getInputPrecision() == tt::InputPrecision::TF32;
    return true;
  }
  auto dot = dyn_cast<tt::DotScaledOp>(op);
  if (!dot)
    return false;
  for (tt::ScaleDotElemType type : {dot.getAElemType(), dot.getBElemType()})
    if (type == tt::ScaleDotElemType::E2M3 || type == tt::ScaleDotElemType::E3M2)
      return fail(op, "6-bit floats cannot be executed on the CPU");
  Instruction &instruction = emitWithResult(op, runDotScaled, {dot.getA(), dot.getB(), dot.getC()});
  for (Value scale : {Value(dot.getAScale()), Value(dot.getBScale())})
    instruction.in.push_back(scale ? valueOf(scale) : kNoValue);
  instruction.numbers = {static_cast<int64_t>(dot.getAElemType()),
                         static_cast<int64_t>(dot.getBElemType()), dot.getLhsKPack(),
                         dot.getRhsKPack()};
  return true;
}

bool Translator::translateDebug(Operation *op) {
  if (tt::PrintOp binding = tt::asBinding(op)) {
    // The name keeps the value when what it was bound to is computed again.
    const uint32_t kept = newValue(binding.getArgs().front().getType(), op->getLoc());
    Instruction &instruction = emit(op, runCopy, op->getOperands());
    instruction.out = kept;
    instruction.numOut = 1;
    return true;
  }
  if (auto print = dyn_cast<tt::PrintOp>(op)) {
    m_program->isStraightLine = false;
    Instruction &instruction = emit(op, runPrint, op->getOperands());
    instruction.text = print.getPrefix().str();
    instruction.number[0] = print.getHex();
    instruction.numbers.assign(print.getIsSigned().begin(), print.getIsSigned().end());
    return true;
  }
  if (auto assertion = dyn_cast<tt::AssertOp>(op)) {
    m_program->isStraightLine = false;
    Instruction &instruction = emit(op, runAssert, op->getOperands());
    instruction.text = tt::assertionText(assertion);
    instruction.number[0] = assertion->hasAttr(tt::kPromiseAttr);
    return true;
  }
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
    emitWithResult(op, runProgramId, {}).number[0] = id.getAxisAsInt();
    return true;
  }
  if (auto count = dyn_cast<tt::GetNumProgramsOp>(op)) {
    emitWithResult(op, runNumPrograms, {}).number[0] = count.getAxisAsInt();
    return true;
  }
  return false;
}

} // namespace tilescope::compiler::interpreter
