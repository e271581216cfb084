// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler {

uint64_t registerOffset(const LinearLayout &toOffset, int index) {
  uint64_t offset = 0;
  for (auto [bit, column] : llvm::enumerate(toOffset.columns(Dim::Register)))
    if (index >> bit & 1)
      offset ^= column;
  return offset;
}

static Value paddedBytes(Builder &b, Value offset, ArrayRef<PaddingRule> rules, int elementBytes) {
  Value total = offset;
  for (const PaddingRule &rule : rules) {
    Value blocks = LLVM::LShrOp::create(b, offset, i32Constant(b, llvm::Log2_32(rule.interval)));
    Value gap = LLVM::MulOp::create(b, blocks, i32Constant(b, rule.padding));
    total = LLVM::AddOp::create(b, total, gap);
  }
  return LLVM::MulOp::create(b, total, i32Constant(b, elementBytes));
}

Value elementAddress(Builder &b, const SharedRegion &region, ArrayRef<Value> coordinates,
                     int elementBytes) {
  const LinearLayout fromTensor = region.layout.canonicalOuts().invert();
  Value offset;
  const auto add = [&](Value coordinate, size_t dim) {
    std::span<const uint64_t> images = fromTensor.columns(tensorDim(dim));
    Value moved = coordinate ? applyBases(b, coordinate, {images.data(), images.size()}) : Value();
    if (moved)
      offset = offset ? LLVM::XOrOp::create(b, offset, moved).getResult() : moved;
  };
  for (auto [dim, coordinate] : llvm::enumerate(coordinates))
    add(coordinate, dim);
  for (auto [dim, begin] : llvm::enumerate(region.offsets))
    add(begin, dim);
  if (!offset)
    return region.base;
  return advanceBytes(b, region.base, paddedBytes(b, offset, region.padding, elementBytes));
}

LinearLayout offsetsInShared(const SharedRegion &region, const LinearLayout &registers) {
  return placesInShared(region.layout, registers);
}

SharedAddresses::SharedAddresses(Lowering &lowering, const SharedRegion &region,
                                 ArrayRef<uint64_t> threadOffsets, int elementBytes)
    : m_builder(lowering.b), m_region(region), m_elementBytes(elementBytes),
      m_scale(region.padding.empty() ? elementBytes : 1) {
  SmallVector<uint64_t> bases;
  for (uint64_t offset : threadOffsets)
    bases.push_back(offset * m_scale);
  bases.resize(llvm::Log2_32(lowering.numThreads()), 0);
  for (uint64_t basis : bases)
    m_reached |= basis;
  m_thread = applyBases(m_builder, lowering.threadId(), bases);
  LinearLayout fromTensor = region.layout.canonicalOuts().invert();
  for (auto [dim, offset] : llvm::enumerate(region.offsets)) {
    if (!offset || !fromTensor.hasIn(tensorDim(dim)))
      continue;
    SmallVector<uint64_t> images;
    for (uint64_t column : fromTensor.columns(tensorDim(dim)))
      images.push_back(column * m_scale);
    Value moved = applyBases(m_builder, offset, images);
    if (!moved)
      continue;
    m_thread = m_thread ? LLVM::XOrOp::create(m_builder, m_thread, moved).getResult() : moved;
    for (uint64_t image : images)
      m_reached |= image;
  }
  if (!m_thread)
    m_thread = i32Constant(m_builder, 0);
}

Value SharedAddresses::at(uint64_t offset) {
  Builder &b = m_builder;
  uint64_t part = offset * m_scale;
  if (!m_region.padding.empty()) {
    Value whole = LLVM::XOrOp::create(b, m_thread, i32Constant(b, part));
    return advanceBytes(b, m_region.base, paddedBytes(b, whole, m_region.padding, m_elementBytes));
  }
  // Bits that the thread may set too must be flipped; all others are a constant distance.
  uint64_t flipped = part & m_reached;
  Value &pointer = m_pointers[flipped];
  if (!pointer) {
    Value start =
        flipped ? LLVM::XOrOp::create(b, m_thread, i32Constant(b, flipped)).getResult() : m_thread;
    pointer = advanceBytes(b, m_region.base, start);
  }
  return advanceBytes(b, pointer, int64_t(part & ~m_reached));
}

SharedAccesses planSharedAccesses(Lowering &lowering, const SharedRegion &region,
                                  const LinearLayout &registers, Type storage, int maxBytes) {
  LinearLayout toOffset = offsetsInShared(region, registers);
  int bytes = storageBytes(storage);
  int limit = std::max(1, maxBytes / bytes);
  for (const PaddingRule &rule : region.padding)
    limit = std::min<int>({limit, int(rule.interval), int(rule.padding)});
  // A run-time offset may be any multiple of the view's extents: wide accesses stay aligned only as
  // long as they lie within one view, which the views' verifier guarantees.
  SmallVector<int> vectorBits = vectorRegisterBits(toOffset, limit);

  SharedAccesses result;
  result.vectorElements = 1 << vectorBits.size();
  SmallVector<uint64_t> threadOffsets;
  for (Dim dim : {Dim::Lane, Dim::Warp})
    llvm::append_range(threadOffsets, toOffset.columns(dim));
  SharedAddresses addresses(lowering, region, threadOffsets, bytes);

  uint64_t inVector = 0;
  for (int bit : vectorBits)
    inVector |= uint64_t(1) << bit;
  for (int index = 0; index < registers.inSize(Dim::Register); ++index) {
    if (index & inVector)
      continue;
    SmallVector<int> members;
    for (int element = 0; element < result.vectorElements; ++element) {
      int member = index;
      for (auto [position, bit] : llvm::enumerate(vectorBits))
        if (element >> position & 1)
          member |= 1 << bit;
      members.push_back(member);
    }
    result.accesses.emplace_back(members, addresses.at(registerOffset(toOffset, index)));
  }
  return result;
}

void storeToShared(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                   ValueRange values) {
  Builder &b = lowering.b;
  const Type storage = storageType(values.front().getType());
  const SharedAccesses plan = planSharedAccesses(lowering, region, registers, storage);
  const Value once = lowering.holdsOriginalInBlock(registers);
  for (const auto &[members, pointer] : plan.accesses) {
    SmallVector<Value> elements;
    for (int member : members)
      elements.push_back(toStorage(b, values[member]));
    storeElements(b, once, elements, pointer);
  }
}

void storeElements(Builder &b, Value condition, ArrayRef<Value> elements, Value pointer) {
  const Type storage = elements.front().getType();
  if (condition) {
    const auto words = AccessWords::of(elements.size(), 8 * storageBytes(storage));
    const Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), pointer);
    ptx::stShared(b, condition, address, words, words.pack(b, elements));
    return;
  }
  const Value whole = elements.size() == 1 ? elements.front() : packVector(b, elements);
  LLVM::StoreOp::create(b, whole, pointer, storageBytes(storage) * elements.size());
}

SmallVector<Value> loadStored(Builder &b, Value pointer, Type storage, size_t count) {
  const Type type = count == 1 ? storage : Type(VectorType::get(count, storage));
  const Value whole = LLVM::LoadOp::create(b, type, pointer, storageBytes(storage) * count);
  return count == 1 ? SmallVector<Value>{whole} : unpackVector(b, whole);
}

Values loadFromShared(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                      Type element) {
  Builder &b = lowering.b;
  Type storage = storageType(element);
  SharedAccesses plan = planSharedAccesses(lowering, region, registers, storage);
  Values values(registers.inSize(Dim::Register));
  for (const auto &[members, pointer] : plan.accesses) {
    for (auto [member, part] : llvm::zip(members, loadStored(b, pointer, storage, members.size())))
      values[member] = fromStorage(b, part, element);
  }
  return values;
}

} // namespace tilescope::compiler
