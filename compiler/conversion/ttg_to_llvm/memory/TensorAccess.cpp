// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/TensorAccess.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// Some columns, by all lanes.
struct Message {
  /// Where it begins, relative to the buffer.
  int64_t address = 0;
  /// Per column, the registers that its word holds, lowest bits first.
  SmallVector<SmallVector<int>> words;
};

/// How a block's registers meet a buffer's words.
class TensorAccess {
public:
  static FailureOr<TensorAccess> create(Operation *op, Lowering &lowering, RankedTensorType block,
                                        ttg::MemDescType buffer);

  ArrayRef<Message> messages() const { return m_messages; }
  /// This warp's part of a message.
  ptx::TensorColumns columns(Lowering &lowering, Value buffer, const Message &message);

private:
  Value address(Lowering &lowering, Value buffer, const Message &message);
  /// Fails where lanes and warps are not where an instruction has them.
  LogicalResult placeThreads(const LinearLayout &registers, const LinearLayout &memory,
                             const LinearLayout &toMemory);
  LogicalResult planMessages(const LinearLayout &toMemory, int64_t perWord, bool isPacked);

  SmallVector<Message> m_messages;
  /// Columns between the halves of the lanes; below zero where each lane has a row.
  int64_t m_split = -1;
  /// What the bits of the warp's number, from the third on, add to the address.
  SmallVector<uint64_t> m_warps;
  Value m_start;
};
} // namespace

static constexpr int kMostColumns = 128;
/// Lanes of the shorter shape that have their own rows.
static constexpr int kHalfBits = 4, kLaneBits = 5, kRowGroupBits = 2;

/// A place's packed bits as an address, columns counted in words.
static int64_t addressOf(uint64_t place, const LinearLayout &toMemory, int64_t perWord) {
  int64_t row = 0, column = 0;
  for (const DimValue &value : toMemory.unpackOut(place))
    (value.dim == Dim::Row ? row : column) = value.value;
  return row << kTensorRowShift | column / perWord;
}

LogicalResult TensorAccess::placeThreads(const LinearLayout &registers, const LinearLayout &memory,
                                         const LinearLayout &toMemory) {
  if (registers.inBits(Dim::Warp) < kRowGroupBits)
    return failure();
  // The hardware adds the warp's rows itself.
  for (int bit = 0; bit < kRowGroupBits; ++bit)
    if (registers.columns(Dim::Warp)[bit] != memory.columns(Dim::Row)[kLaneBits + bit])
      return failure();
  std::span<const uint64_t> lanes = toMemory.columns(Dim::Lane);
  const auto row = [&](int bit) { return toMemory.basis(Dim::Lane, bit, Dim::Row); };
  const auto column = [&](int bit) { return toMemory.basis(Dim::Lane, bit, Dim::Column); };
  for (int bit = 0; bit < kHalfBits; ++bit)
    if (row(bit) != 1 << bit || column(bit) != 0)
      return failure();
  const bool isLong = row(kHalfBits) == 1 << kHalfBits && column(kHalfBits) == 0;
  if (!isLong && row(kHalfBits) != 0)
    return failure();
  if (!isLong)
    m_split = column(kHalfBits);
  return success(lanes.size() == size_t(kLaneBits));
}

LogicalResult TensorAccess::planMessages(const LinearLayout &toMemory, int64_t perWord,
                                         bool isPacked) {
  std::span<const uint64_t> bits = toMemory.columns(Dim::Register);
  const auto isColumn = [&](int bit, int64_t column) {
    return toMemory.basis(Dim::Register, bit, Dim::Row) == 0 &&
           toMemory.basis(Dim::Register, bit, Dim::Column) == column;
  };
  SmallVector<int> rest = llvm::to_vector(llvm::seq<int>(0, bits.size()));
  const auto take = [&](int64_t column) {
    auto *found = llvm::find_if(rest, [&](int bit) { return isColumn(bit, column); });
    if (found == rest.end())
      return -1;
    const int bit = *found;
    rest.erase(found);
    return bit;
  };
  SmallVector<int> inWord, inMessage;
  for (int64_t column = 1; isPacked && column < perWord; column *= 2) {
    inWord.push_back(take(column));
    if (inWord.back() < 0)
      return failure();
  }
  for (int64_t column = 1; column < kMostColumns; column *= 2) {
    const int bit = take(column * perWord);
    if (bit < 0)
      break;
    inMessage.push_back(bit);
  }
  // The register whose number has the bits `of` set as `index` says.
  const auto spread = [](ArrayRef<int> of, int index) {
    int result = 0;
    for (auto [position, bit] : llvm::enumerate(of))
      result |= (index >> position & 1) << bit;
    return result;
  };
  for (int index = 0; index < 1 << rest.size(); ++index) {
    const int first = spread(rest, index);
    uint64_t place = 0;
    for (size_t bit = 0; bit < bits.size(); ++bit)
      place ^= first >> bit & 1 ? bits[bit] : 0;
    Message message{addressOf(place, toMemory, perWord), {}};
    for (int column = 0; column < 1 << inMessage.size(); ++column) {
      SmallVector<int> &word = message.words.emplace_back();
      for (int part = 0; part < 1 << inWord.size(); ++part)
        word.push_back(first | spread(inMessage, column) | spread(inWord, part));
    }
    m_messages.push_back(std::move(message));
  }
  return success();
}

FailureOr<TensorAccess> TensorAccess::create(Operation *op, Lowering &lowering,
                                             RankedTensorType block, ttg::MemDescType buffer) {
  const LinearLayout registers = lowering.layout(block).canonicalOuts();
  const LinearLayout memory =
      ttg::toLinearLayout(buffer.getShape(), buffer.getEncoding()).canonicalOuts();
  // Where the elements of a row are apart, each has its own word.
  const int64_t perWord = 32 / buffer.getElementTypeBitWidth();
  const bool isPacked = perWord == 1 || memory.columns(Dim::Column).front() != 0;
  TensorAccess access;
  std::optional<LinearLayout> toMemory = registers.invertAndCompose(memory);
  // Which rows a warp reaches depends on its number in the thread block: groups must begin at a
  // multiple of four.
  const bool isAligned = lowering.module().numWarps % (1 << kRowGroupBits) == 0;
  if (!isAligned || !toMemory || failed(access.placeThreads(registers, memory, *toMemory)) ||
      failed(access.planMessages(*toMemory, perWord, isPacked)))
    return op->emitError("no instruction moves ")
           << block << " between registers and tensor memory as " << buffer.getEncoding();
  std::span<const uint64_t> warps = toMemory->columns(Dim::Warp);
  access.m_warps.assign(kRowGroupBits, 0);
  for (uint64_t place : warps.subspan(kRowGroupBits))
    access.m_warps.push_back(addressOf(place, *toMemory, perWord));
  if (access.m_split > 0)
    access.m_split /= perWord;
  return access;
}

ptx::TensorColumns TensorAccess::columns(Lowering &lowering, Value buffer, const Message &message) {
  return {address(lowering, buffer, message), message.words.size(), m_split};
}

Value TensorAccess::address(Lowering &lowering, Value buffer, const Message &message) {
  Builder &b = lowering.b;
  if (!m_start) {
    // From lane 0, so that the assembler knows that all lanes agree.
    Value warp = shuffle(b, ShuffleMode::Index, lowering.warpId(), i32Constant(b, 0));
    Value group = LLVM::AndOp::create(b, warp, i32Constant(b, (1 << kRowGroupBits) - 1));
    Value rows = LLVM::ShlOp::create(b, group, i32Constant(b, kTensorRowShift + kLaneBits));
    m_start = LLVM::AddOp::create(b, lowering.scalar(buffer), rows);
    if (Value apart = applyBases(b, warp, m_warps))
      m_start = LLVM::AddOp::create(b, m_start, apart);
  }
  if (message.address == 0)
    return m_start;
  return LLVM::AddOp::create(b, m_start, i32Constant(b, message.address));
}

LogicalResult loadFromTensorMemory(ttng::TMEMLoadOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto block = cast<RankedTensorType>(op.getResult().getType());
  auto access = TensorAccess::create(op, lowering, block, op.getSrc().getType());
  if (failed(access))
    return failure();
  Type element = lowering.elementType(block);
  const unsigned bits = element.getIntOrFloatBitWidth();
  Values values(lowering.numRegisters(block));
  beginTensorOperations(lowering);
  for (const Message &message : access->messages()) {
    const size_t count = message.words.size();
    Value all = ptx::tcgen05Ld(b, access->columns(lowering, op.getSrc(), message));
    for (auto [index, registers] : llvm::enumerate(message.words)) {
      Value word = count == 1 ? all : LLVM::ExtractValueOp::create(b, all, index).getResult();
      if (registers.size() > 1) {
        SmallVector<Value> parts =
            unpackVector(b, bitcast(b, word, VectorType::get(registers.size(), element)));
        for (auto [part, target] : llvm::zip(parts, registers))
          values[target] = part;
        continue;
      }
      if (bits < 32)
        word = LLVM::TruncOp::create(b, b.getIntegerType(bits), word);
      values[registers.front()] = bitcast(b, word, element);
    }
  }
  endTensorOperations(lowering);
  lowering.set(op.getResult(), std::move(values));
  return success();
}

static Value wordOf(Builder &b, const Values &values, ArrayRef<int> registers) {
  SmallVector<Value> parts;
  for (int index : registers)
    parts.push_back(values[index]);
  if (parts.size() > 1)
    return bitcast(b, packVector(b, parts), b.getI32Type());
  const unsigned bits = parts.front().getType().getIntOrFloatBitWidth();
  Value word = bitcast(b, parts.front(), b.getIntegerType(bits));
  return bits < 32 ? LLVM::ZExtOp::create(b, b.getI32Type(), word).getResult() : word;
}

LogicalResult storeToTensorMemory(Operation *op, Lowering &lowering, Value source, Value buffer,
                                  Value predicate) {
  Builder &b = lowering.b;
  auto access = TensorAccess::create(op, lowering, cast<RankedTensorType>(source.getType()),
                                     cast<ttg::MemDescType>(buffer.getType()));
  if (failed(access))
    return failure();
  Value condition = predicate ? lowering.scalar(predicate) : intConstant(b, b.getI1Type(), 1);
  const Values &values = lowering.values(source);
  beginTensorOperations(lowering);
  for (const Message &message : access->messages()) {
    const ptx::TensorColumns columns = access->columns(lowering, buffer, message);
    SmallVector<Value> words;
    for (ArrayRef<int> registers : message.words)
      words.push_back(wordOf(b, values, registers));
    ptx::tcgen05St(b, condition, columns, words);
  }
  NVVM::Tcgen05WaitOp::create(b, NVVM::Tcgen05WaitKind::STORE);
  endTensorOperations(lowering);
  return success();
}

} // namespace tilescope::compiler
