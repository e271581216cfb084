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
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

Values loadMatrices(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                    Type element) {
  Builder &b = lowering.b;
  Type storage = storageType(element);
  int bytes = storageBytes(storage);
  if (!region.padding.empty() ||
      llvm::any_of(region.offsets, [](Value offset) { return bool(offset); }))
    return {};
  LinearLayout toOffset = offsetsInShared(region, registers);
  std::optional<MatrixForm> form = findMatrixForm(toOffset, bytes);
  if (!form)
    return {};

  const SmallVector<uint64_t> &words = form->words;
  const size_t countBits = form->countBits;
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
