// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/SharedAccess.h"

#include "compiler/conversion/ttg_to_llvm/Emit.h"

using namespace mlir;

namespace tilescope::compiler {

/// Register bits that move the element by 1, 2, 4, … offsets, and by nothing else.
static SmallVector<int> vectorRegisterBits(const LinearLayout &toOffset, int limit) {
  SmallVector<int> bits;
  std::span<const uint64_t> registers = toOffset.columns(Dim::Register);
  while ((1 << bits.size()) < limit) {
    uint64_t wanted = uint64_t(1) << bits.size();
    auto found = llvm::find(registers, wanted);
    auto moves =
        llvm::count_if(toOffset.columns(), [&](uint64_t column) { return column & wanted; });
    if (found == registers.end() || moves != 1)
      break;
    bits.push_back(found - registers.begin());
  }
  return bits;
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

SharedAccesses planSharedAccesses(Lowering &lowering, const SharedRegion &region,
                                  const LinearLayout &registers, Type storage, int maxBytes) {
  Builder &b = lowering.b;
  LinearLayout fromTensor = region.layout.canonicalOuts().invert();
  // A view's coordinates are a part of the whole's.
  LinearLayout whole = registers;
  for (const DimBits &out : region.layout.outs())
    whole = whole.resizeOut(out.dim, out.bits);
  LinearLayout toOffset = whole.canonicalOuts().compose(fromTensor);
  int bytes = storageBytes(storage);
  int limit = std::max(1, maxBytes / bytes);
  for (const PaddingRule &rule : region.padding)
    limit = std::min<int>({limit, int(rule.interval), int(rule.padding)});
  // A run-time offset may be any multiple of the view's extents: wide accesses stay aligned only as
  // long as they lie within one view, which the views' verifier guarantees.
  SmallVector<int> vectorBits = vectorRegisterBits(toOffset, limit);

  SharedAccesses result;
  result.vectorElements = 1 << vectorBits.size();
  // The thread's part of the offset, in bytes unless gaps come between.
  int scale = region.padding.empty() ? bytes : 1;
  SmallVector<uint64_t> bases;
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (uint64_t column : toOffset.columns(dim))
      bases.push_back(column * scale);
  bases.resize(llvm::Log2_32(lowering.numThreads()), 0);
  uint64_t reached = 0;
  for (uint64_t basis : bases)
    reached |= basis;
  Value thread = applyBases(b, lowering.threadId(), bases);
  for (auto [dim, offset] : llvm::enumerate(region.offsets)) {
    if (!offset || !fromTensor.hasIn(tensorDim(dim)))
      continue;
    SmallVector<uint64_t> images;
    for (uint64_t column : fromTensor.columns(tensorDim(dim)))
      images.push_back(column * scale);
    Value moved = applyBases(b, offset, images);
    if (!moved)
      continue;
    thread = thread ? LLVM::XOrOp::create(b, thread, moved).getResult() : moved;
    for (uint64_t image : images)
      reached |= image;
  }
  if (!thread)
    thread = i32Constant(b, 0);

  uint64_t inVector = 0;
  for (int bit : vectorBits)
    inVector |= uint64_t(1) << bit;
  llvm::DenseMap<uint64_t, Value> pointers;
  std::span<const uint64_t> registerColumns = toOffset.columns(Dim::Register);
  for (int index = 0; index < registers.inSize(Dim::Register); ++index) {
    if (index & inVector)
      continue;
    uint64_t part = 0;
    for (auto [bit, column] : llvm::enumerate(registerColumns))
      if (index >> bit & 1)
        part ^= column * scale;
    SmallVector<int> members;
    for (int element = 0; element < result.vectorElements; ++element) {
      int member = index;
      for (auto [position, bit] : llvm::enumerate(vectorBits))
        if (element >> position & 1)
          member |= 1 << bit;
      members.push_back(member);
    }
    // Bits that the thread may set too must be flipped; all others are a constant distance.
    uint64_t flipped = part & reached;
    Value &pointer = pointers[flipped];
    if (region.padding.empty()) {
      if (!pointer) {
        Value offset =
            flipped ? LLVM::XOrOp::create(b, thread, i32Constant(b, flipped)).getResult() : thread;
        pointer = advanceBytes(b, region.base, offset);
      }
      result.accesses.emplace_back(members, advanceBytes(b, pointer, int64_t(part & ~reached)));
    } else {
      Value offset = LLVM::XOrOp::create(b, thread, i32Constant(b, part));
      Value address = paddedBytes(b, offset, region.padding, bytes);
      result.accesses.emplace_back(members, advanceBytes(b, region.base, address));
    }
  }
  return result;
}

void storeToShared(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                   ValueRange values) {
  Builder &b = lowering.b;
  Type storage = storageType(values.front().getType());
  SharedAccesses plan = planSharedAccesses(lowering, region, registers, storage);
  auto emit = [&] {
    for (const auto &[members, pointer] : plan.accesses) {
      SmallVector<Value> parts;
      for (int member : members)
        parts.push_back(toStorage(b, values[member]));
      Value whole = parts.size() == 1 ? parts.front() : packVector(b, parts);
      LLVM::StoreOp::create(b, whole, pointer, storageBytes(storage) * parts.size());
    }
  };
  if (Value once = lowering.holdsOriginal(registers))
    lowering.emitIf(once, emit);
  else
    emit();
}

Values loadFromShared(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                      Type element) {
  Builder &b = lowering.b;
  Type storage = storageType(element);
  SharedAccesses plan = planSharedAccesses(lowering, region, registers, storage);
  Values values(registers.inSize(Dim::Register));
  for (const auto &[members, pointer] : plan.accesses) {
    Type type = members.size() == 1 ? storage : Type(VectorType::get(members.size(), storage));
    Value whole = LLVM::LoadOp::create(b, type, pointer, storageBytes(storage) * members.size());
    SmallVector<Value> parts{whole};
    if (members.size() > 1)
      parts = unpackVector(b, whole);
    for (auto [member, part] : llvm::zip(members, parts))
      values[member] = fromStorage(b, part, element);
  }
  return values;
}

} // namespace tilescope::compiler
