// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int kRowBytes = 16;

uint32_t copyMask(const LinearLayout &layout, int numThreads) {
  uint32_t mask = 0;
  int laneBits = layout.inBits(Dim::Lane);
  for (const DimValue &free : layout.freeVariableMasks())
    if (free.dim == Dim::Lane)
      mask |= free.value;
    else if (free.dim == Dim::Warp)
      mask |= free.value << laneBits;
  for (int bit = laneBits + layout.inBits(Dim::Warp); bit < int(llvm::Log2_32(numThreads)); ++bit)
    mask |= 1u << bit;
  return mask;
}

LinearLayout placesInShared(const LinearLayout &shared, const LinearLayout &registers) {
  // A view's coordinates are a part of the whole's.
  LinearLayout whole = registers;
  for (const DimBits &out : shared.outs())
    whole = whole.resizeOut(out.dim, out.bits);
  return whole.canonicalOuts().compose(shared.canonicalOuts().invert());
}

SmallVector<int> vectorRegisterBits(const LinearLayout &places, int limit) {
  SmallVector<int> bits;
  std::span<const uint64_t> registers = places.columns(Dim::Register);
  while ((1 << bits.size()) < limit) {
    uint64_t wanted = uint64_t(1) << bits.size();
    auto found = llvm::find(registers, wanted);
    auto moves = llvm::count_if(places.columns(), [&](uint64_t column) { return column & wanted; });
    if (found == registers.end() || moves != 1)
      break;
    bits.push_back(found - registers.begin());
  }
  return bits;
}

static std::optional<MatrixForm> findForm(const LinearLayout &places, int bytes) {
  std::span<const uint64_t> registers = places.columns(Dim::Register);
  std::span<const uint64_t> lanes = places.columns(Dim::Lane);
  size_t wordBits = llvm::Log2_32(4 / bytes);
  if (lanes.size() != 5 || registers.size() < wordBits)
    return std::nullopt;
  SmallVector<uint64_t> inWord(registers.begin(), registers.begin() + wordBits);
  SmallVector<uint64_t> four(lanes.begin(), lanes.begin() + 2);
  SmallVector<uint64_t> eight(lanes.begin() + 2, lanes.end());
  for (bool isTransposed : {false, true}) {
    // Transposing moves units of 16 bits.
    if (isTransposed && bytes != 2)
      continue;
    MatrixForm form{isTransposed, inWord, four, {}, 0};
    llvm::append_range(form.along, four);
    form.rows = eight;
    if (isTransposed) {
      std::swap(form.along, form.rows);
      form.rows = inWord;
      llvm::append_range(form.rows, four);
    }
    bool fits = form.rows.size() == 3;
    for (auto [bit, offset] : llvm::enumerate(form.along))
      fits &= offset == uint64_t(1) << bit;
    if (fits)
      return form;
  }
  return std::nullopt;
}

std::optional<MatrixForm> findMatrixForm(const LinearLayout &places, int bytes) {
  if (bytes > 4)
    return std::nullopt;
  std::optional<MatrixForm> form = findForm(places, bytes);
  if (!form)
    return std::nullopt;
  // One matrix per word that a thread holds; as many at a time as lanes can name rows of.
  size_t wordBits = llvm::Log2_32(4 / bytes);
  std::span<const uint64_t> words = places.columns(Dim::Register).subspan(wordBits);
  form->words.assign(words.begin(), words.end());
  form->countBits = std::min<size_t>(2, words.size());
  // All rows start at multiples of their size.
  uint64_t within = kRowBytes / bytes - 1;
  auto isAligned = [&](uint64_t offset) { return (offset & within) == 0; };
  if (!llvm::all_of(form->rows, isAligned) || !llvm::all_of(form->words, isAligned) ||
      !llvm::all_of(places.columns(Dim::Warp), isAligned))
    return std::nullopt;
  return form;
}

bool hasAtomicAdd(Type element, int capability) { return !element.isBF16() || capability >= 90; }

// Pairs of halves, and from capability 9.0 on whole vectors of 16 bytes (PTX ISA, `atom`). Only
// additions of reals have such forms.
int atomicWidth(tt::AtomicRMWOp op, Type element, int capability, int accessWidth) {
  int bits = element.getIntOrFloatBitWidth();
  if (op.getAtomicRmwOp() != tt::RMWOp::FADD || bits > 32 || !hasAtomicAdd(element, capability))
    return 1;
  int most = capability >= 90 ? 128 / bits : 32 / bits;
  return std::min(most, accessWidth);
}

} // namespace tilescope::compiler
