// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `ldmatrix` reads 8 x 8 matrices of 16-bit units. Lane l names the row l % 8 of matrix l / 8, 16
// consecutive bytes, and receives of each matrix the word with
//
//     units 2(l%4) and 2(l%4)+1 of row l/4            as they lie
//     unit l/4 of rows 2(l%4) and 2(l%4)+1            transposed
//
// So it fits where, as they lie, a word's registers and lane bits 0 and 1 walk along a row, or,
// transposed, lane bits 2, 3 and 4 do. The other bits number the rows, wherever these are.
#include "compiler/conversion/ttg_to_llvm/memory/MatrixLoad.h"

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static constexpr int kRowBytes = 16;

namespace {
/// How a layout's bits become rows and places within them.
struct MatrixForm {
  bool isTransposed = false;
  /// Offsets of the bits that walk along a row, and of those that number the 8 rows.
  SmallVector<uint64_t> along, rows;
};
} // namespace

static std::optional<MatrixForm> findForm(const LinearLayout &toOffset, int bytes) {
  std::span<const uint64_t> registers = toOffset.columns(Dim::Register);
  std::span<const uint64_t> lanes = toOffset.columns(Dim::Lane);
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
    MatrixForm form{isTransposed, inWord, four};
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

/// Whether all rows start at multiples of their size.
static bool areRowsAligned(const LinearLayout &toOffset, const MatrixForm &form, int bytes) {
  uint64_t within = kRowBytes / bytes - 1;
  auto isAligned = [&](uint64_t offset) { return (offset & within) == 0; };
  size_t wordBits = llvm::Log2_32(4 / bytes);
  return llvm::all_of(form.rows, isAligned) &&
         llvm::all_of(toOffset.columns(Dim::Register).subspan(wordBits), isAligned) &&
         llvm::all_of(toOffset.columns(Dim::Warp), isAligned);
}

Values loadMatrices(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                    Type element) {
  Builder &b = lowering.b;
  Type storage = storageType(element);
  int bytes = storageBytes(storage);
  if (bytes > 4 || !region.padding.empty() ||
      llvm::any_of(region.offsets, [](Value offset) { return bool(offset); }))
    return {};
  LinearLayout toOffset = offsetsInShared(region, registers);
  std::optional<MatrixForm> form = findForm(toOffset, bytes);
  if (!form || !areRowsAligned(toOffset, *form, bytes))
    return {};

  // One matrix per word that a thread holds; as many at a time as lanes can name rows of.
  size_t wordBits = llvm::Log2_32(4 / bytes);
  std::span<const uint64_t> words = toOffset.columns(Dim::Register).subspan(wordBits);
  size_t countBits = std::min<size_t>(2, words.size());
  SmallVector<uint64_t> threadOffsets(form->rows);
  for (size_t bit = 0; bit < 2; ++bit)
    threadOffsets.push_back(bit < countBits ? words[bit] : 0);
  llvm::append_range(threadOffsets, toOffset.columns(Dim::Warp));
  SharedAddresses addresses(lowering, region, threadOffsets, bytes);

  int perWord = 4 / bytes, count = 1 << countBits;
  MLIRContext *context = b.getContext();
  auto shape = NVVM::LdStMatrixShapeAttr::get(context, 8, 8);
  auto layout = form->isTransposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  Type word = b.getI32Type();
  Type loaded =
      count == 1 ? word
                 : Type(LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(count, word)));
  Values values(registers.inSize(Dim::Register));
  for (int first = 0; first < int(values.size()); first += count * perWord) {
    Value matrices =
        NVVM::LdMatrixOp::create(b, loaded, addresses.at(registerOffset(toOffset, first)), count,
                                 layout, shape, NVVM::LdStMatrixEltType::B16);
    for (int index = 0; index < count; ++index) {
      Value whole =
          count == 1 ? matrices : LLVM::ExtractValueOp::create(b, matrices, index).getResult();
      SmallVector<Value> parts;
      if (perWord == 1)
        parts.push_back(bitcast(b, whole, storage));
      else
        parts = unpackVector(b, bitcast(b, whole, VectorType::get(perWord, storage)));
      for (auto [position, part] : llvm::enumerate(parts))
        values[first + index * perWord + position] = fromStorage(b, part, element);
    }
  }
  return values;
}

} // namespace tilescope::compiler
