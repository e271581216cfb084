// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/ClusterAccess.h"

#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int kWidestAccess = 16;

Value addressInBlock(Builder &b, Value pointer, Value rank) {
  auto space = static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster);
  return NVVM::MapaOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), space), pointer, rank);
}

namespace {
/// The accesses with which threads reach their elements in an exchange's memory.
class ClusterAccesses {
public:
  ClusterAccesses(Lowering &lowering, const ClusterExchange &exchange, Value base,
                  const LinearLayout &registers, Type storage)
      : m_lowering(lowering), m_exchange(exchange), m_base(base), m_storage(storage),
        m_places(registers.canonicalOuts().compose(exchange.memory.invert())),
        m_vectorBits(vectorRegisterBits(m_places, kWidestAccess / int(storageBytes(storage)))),
        m_offsets(lowering.coordinates(m_places, Dim::Offset)) {}

  /// Calls `visit` with the registers of each access in the order of memory.
  void forEach(llvm::function_ref<void(ArrayRef<int>)> visit) const {
    int inVector = 0;
    for (int bit : m_vectorBits)
      inVector |= 1 << bit;
    for (int first = 0; first < m_places.inSize(Dim::Register); ++first) {
      if (first & inVector)
        continue;
      SmallVector<int> members;
      for (int element = 0; element < 1 << m_vectorBits.size(); ++element) {
        int member = first;
        for (auto [position, bit] : llvm::enumerate(m_vectorBits))
          member |= (element >> position & 1) << bit;
        members.push_back(member);
      }
      visit(members);
    }
  }
  /// Of a register's element in this block's memory.
  Value pointer(int index) const {
    return elementPointer(m_lowering.b, m_base, m_storage, m_offsets[index]);
  }
  /// The rank of the block that wrote the element of each register.
  Values writers() const;

private:
  Lowering &m_lowering;
  const ClusterExchange &m_exchange;
  Value m_base;
  Type m_storage;
  LinearLayout m_places;
  SmallVector<int> m_vectorBits;
  Values m_offsets;
};
} // namespace

Values ClusterAccesses::writers() const {
  Builder &b = m_lowering.b;
  SmallVector<uint64_t> bases;
  uint32_t told = 0;
  for (int bit : m_exchange.rankBits) {
    bases.push_back(uint64_t(1) << bit);
    told |= 1u << bit;
  }
  Value own = LLVM::AndOp::create(b, m_lowering.blockRank(), i32Constant(b, int64_t(~told)));
  Values result;
  for (Value segment : m_lowering.coordinates(m_places, Dim::Segment))
    result.push_back(LLVM::OrOp::create(b, own, applyBases(b, segment, bases)));
  return result;
}

static void store(Lowering &lowering, const ClusterAccesses &accesses, const LinearLayout &from,
                  const Values &values) {
  Builder &b = lowering.b;
  const auto emit = [&] {
    accesses.forEach([&](ArrayRef<int> members) {
      SmallVector<Value> parts;
      for (int member : members)
        parts.push_back(toStorage(b, values[member]));
      Value whole = parts.size() == 1 ? parts.front() : packVector(b, parts);
      LLVM::StoreOp::create(b, whole, accesses.pointer(members.front()),
                            storageBytes(parts.front().getType()) * parts.size());
    });
  };
  if (Value once = lowering.holdsOriginalInBlock(from))
    lowering.emitIf(once, emit);
  else
    emit();
}

static Values load(Lowering &lowering, const ClusterAccesses &accesses, const Values &writers,
                   int count, Type element) {
  Builder &b = lowering.b;
  Type storage = storageType(element);
  Values values(count);
  accesses.forEach([&](ArrayRef<int> members) {
    Value pointer = accesses.pointer(members.front());
    if (!writers.empty())
      pointer = addressInBlock(b, pointer, writers[members.front()]);
    for (auto [member, part] : llvm::zip(members, loadStored(b, pointer, storage, members.size())))
      values[member] = fromStorage(b, part, element);
  });
  return values;
}

FailureOr<Values> exchangeInCluster(Operation *op, Lowering &lowering,
                                    const ClusterExchange &exchange, Value base,
                                    const LinearLayout &from, const LinearLayout &to,
                                    const Values &values) {
  Type element = values.front().getType(), storage = storageType(element);
  store(lowering, ClusterAccesses(lowering, exchange, base, from, storage), from, values);
  const ClusterAccesses reads(lowering, exchange, base, to, storage);
  const int count = static_cast<int>(to.inSize(Dim::Register));
  if (!exchange.isRemote) {
    lowering.barrier();
    return load(lowering, reads, {}, count, element);
  }
  if (failed(lowering.clusterBarrier(op)))
    return failure();
  Values received = load(lowering, reads, reads.writers(), count, element);
  if (failed(lowering.clusterBarrier(op)))
    return failure();
  return received;
}

} // namespace tilescope::compiler
