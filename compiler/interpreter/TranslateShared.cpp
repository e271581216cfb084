// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What TTGIR adds: layouts, which change no value; buffers in shared memory; copies and products
// that are under way. Here everything is done at once, in the order of the program.
#include "compiler/dialects/ttg/ir/OperationNumber.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/interpreter/Translator.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

TracedOperands tracedOperands(Operation *op) {
  return llvm::TypeSwitch<Operation *, TracedOperands>(op)
      .Case([](tt::LoadOp load) { return TracedOperands{load.getPtr(), load.getMask()}; })
      .Case([](tt::StoreOp store) { return TracedOperands{store.getPtr(), store.getMask()}; })
      .Case([](tt::AtomicRMWOp rmw) { return TracedOperands{rmw.getPtr(), rmw.getMask()}; })
      .Case([](tt::AtomicCASOp cas) { return TracedOperands{cas.getPtr(), Value()}; })
      .Case([](ttg::AsyncCopyGlobalToLocalOp copy) {
        return TracedOperands{copy.getSrc(), copy.getMask()};
      })
      .Default([](Operation *) { return TracedOperands(); });
}

SmallVector<Value> tracedNumbers(Operation *op) {
  const std::optional<ttng::BulkOperands> bulk = ttng::bulkOperands(op);
  if (!bulk)
    return {};
  SmallVector<Value> numbers{bulk->predicate, bulk->tensor};
  for (const SmallVector<Value> *each : {&bulk->extents, &bulk->strides, &bulk->offsets})
    llvm::append_range(numbers, *each);
  return numbers;
}

void Translator::emitTrace(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(ttg::kOperationNumberAttr);
  if (!number)
    return;
  const TracedOperands traced = tracedOperands(op);
  std::vector<uint32_t> in;
  if (traced.pointer)
    in = {valueOf(traced.pointer), traced.mask ? valueOf(traced.mask) : kNoValue};
  const bool hasAddresses = !in.empty();
  for (Value each : m_context.slice ? tracedNumbers(op) : SmallVector<Value>())
    in.push_back(each ? valueOf(each) : kNoValue);
  m_program->isStraightLine = false;
  Instruction &instruction = emit(op, runTrace, {});
  instruction.in = std::move(in);
  instruction.number[0] = number.getInt();
  instruction.number[1] = hasAddresses;
}

/// Bytes between neighbours along each dimension of a block of its own.
static std::vector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape, int64_t bytes) {
  std::vector<int64_t> strides(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; bytes *= shape[dim])
    strides[dim] = bytes;
  return strides;
}

static int64_t elementBytes(ttg::MemDescType type) {
  return static_cast<int64_t>(
      storageSize(getElement(type.getElementType()).value_or(Element::I64)));
}

const std::vector<int64_t> &Translator::stridesOf(Value buffer) {
  std::vector<int64_t> &strides = m_strides[buffer];
  auto type = cast<ttg::MemDescType>(buffer.getType());
  if (strides.empty())
    strides = rowMajorStrides(type.getShape(), elementBytes(type));
  return strides;
}

void Translator::noteBuffers(TranslationNotes &noted) {
  for (uint32_t id = 0; id < noted.values.size(); ++id) {
    const Value value = noted.values[id];
    auto type = value ? dyn_cast<ttg::MemDescType>(value.getType()) : ttg::MemDescType();
    if (type)
      noted.buffers[id] = {getElement(type.getElementType()).value_or(Element::I64),
                           {type.getShape().begin(), type.getShape().end()},
                           stridesOf(value)};
  }
}

uint32_t Translator::emitLocalLoad(Operation *op, Value buffer, uint32_t out) {
  Instruction &instruction = emit(op, runLocalLoad, {buffer});
  instruction.out = out;
  instruction.numOut = 1;
  instruction.numbers = stridesOf(buffer);
  return out;
}

/// The factor of a product in registers.
uint32_t Translator::valueOfFactor(Operation *op, Value factor) {
  auto buffer = dyn_cast<ttg::MemDescType>(factor.getType());
  if (!buffer)
    return valueOf(factor);
  auto block = RankedTensorType::get(buffer.getShape(), buffer.getElementType());
  return emitLocalLoad(op, factor, newValue(block, op->getLoc()));
}

/// What a copy brings, in registers.
uint32_t Translator::emitCopiedBlock(ttg::AsyncCopyGlobalToLocalOp copy) {
  Type element = copy.getResult().getType().getElementType();
  const auto shape = cast<RankedTensorType>(copy.getSrc().getType()).getShape();
  const auto optional = [&](Value value) { return value ? valueOf(value) : kNoValue; };
  const uint32_t block = newValue(RankedTensorType::get(shape, element), copy.getLoc());
  std::vector<uint32_t> in{valueOf(copy.getSrc()), kNoValue, optional(copy.getMask()),
                           optional(copy.getOther())};
  m_program->isStraightLine = false;
  Instruction &instruction = emit(copy, runLoad, {});
  instruction.in = std::move(in);
  instruction.out = block;
  instruction.numOut = 1;
  instruction.function =
      reinterpret_cast<Instruction::Function>(findRead(getElement(element).value_or(Element::I64)));
  return block;
}

bool Translator::translateBuffer(Operation *op) {
  const auto store = [&](uint32_t value, Value buffer) {
    Instruction &instruction = emit(op, runLocalStore, {});
    instruction.in = {valueOf(buffer), value};
    instruction.numbers = stridesOf(buffer);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ttg::LocalAllocOp alloc) {
        auto type = alloc.getType();
        std::string place(sizeof(int64_t), '\0');
        const auto begin = static_cast<int64_t>(m_program->sharedBytes);
        std::memcpy(place.data(), &begin, sizeof(begin));
        emitConstant(op, alloc.getResult(), std::move(place));
        m_program->sharedBytes +=
            static_cast<size_t>(ShapedType::getNumElements(type.getShape()) * elementBytes(type));
        if (alloc.getSrc())
          store(valueOf(alloc.getSrc()), alloc.getResult());
        return true;
      })
      .Case([&](ttg::LocalLoadOp load) {
        const uint32_t out = defineResults(op);
        emitLocalLoad(op, load.getSrc(), out);
        return true;
      })
      .Case([&](ttg::LocalStoreOp local) {
        store(valueOf(local.getSrc()), local.getDst());
        return true;
      })
      .Case([&](ttg::MemDescIndexOp index) {
        std::vector<int64_t> strides = stridesOf(index.getSrc());
        emitWithResult(op, runBufferIndex, op->getOperands()).number[0] = strides.front();
        strides.erase(strides.begin());
        m_strides[index.getResult()] = std::move(strides);
        return true;
      })
      .Case([&](ttg::MemDescTransOp trans) {
        const std::vector<int64_t> strides = stridesOf(trans.getSrc());
        std::vector<int64_t> &permuted = m_strides[trans.getResult()];
        for (const int32_t dim : trans.getOrder())
          permuted.push_back(strides[static_cast<size_t>(dim)]);
        emitWithResult(op, runCopy, op->getOperands());
        return true;
      })
      .Case([&](ttg::AsyncCopyGlobalToLocalOp copy) {
        store(emitCopiedBlock(copy), copy.getResult());
        emitConstant(op, copy.getToken(), std::string(sizeof(int64_t), '\0'));
        return true;
      })
      .Default([](Operation *) { return false; });
}

bool Translator::translateLayoutOp(Operation *op) {
  if (isa<ttg::LocalDeallocOp, ttng::FenceAsyncSharedOp>(op))
    return true;
  if (isa<ttg::AsyncCommitGroupOp, ttg::AsyncWaitOp>(op)) {
    emitConstant(op, op->getResult(0), std::string(sizeof(int64_t), '\0'));
    return true;
  }
  if (isa<ttg::ConvertLayoutOp>(op)) {
    emitWithResult(op, runCopy, op->getOperands());
    return true;
  }
  if (isa<ttng::WarpGroupDotWaitOp>(op)) {
    for (auto [input, output] : llvm::zip(op->getOperands(), op->getResults())) {
      const std::vector<uint32_t> out{valueOf(output)};
      emitCopies(op, input, out);
      if (isa<ttg::MemDescType>(input.getType())) {
        std::vector<int64_t> strides = stridesOf(input);
        m_strides[output] = std::move(strides);
      }
    }
    return true;
  }
  auto dot = dyn_cast<ttng::WarpGroupDotOp>(op);
  if (!dot)
    return translateBuffer(op);
  if (dot.getUseC())
    return fail(op, "a product that may leave out its sum cannot be executed on the CPU");
  std::vector<uint32_t> in{valueOfFactor(op, dot.getA()), valueOfFactor(op, dot.getB()),
                           valueOf(dot.getC())};
  Instruction &instruction = emitWithResult(op, runDot, {});
  instruction.in = std::move(in);
  instruction.number[0] = dot.getInputPrecision() == tt::InputPrecision::TF32;
  return true;
}

} // namespace tilescope::compiler::interpreter
