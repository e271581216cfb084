// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/ProductReads.h"

#include "compiler/conversion/ttg_to_llvm/common/Exchange.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

using namespace mlir;

namespace tilescope::compiler {

std::optional<access::AccessPlan> rowsOfBuffer(Value buffer) {
  auto type = cast<ttg::MemDescType>(buffer.getType());
  constexpr int kRowBits = 3, kPieceBytes = 16;
  const int64_t bytes = sharedElementBytes(type.getElementType());
  if (type.getRank() != 2 || ttng::isInTensorMemory(type))
    return std::nullopt;
  LinearLayout shared = ttg::toLinearLayout(type);
  if (shared.hasIn(Dim::Block))
    shared = shared.dropIn(Dim::Block);
  const int along = shared.basis(Dim::Offset, 0, tensorDim(1)) != 0 ? 1 : 0;
  const int64_t rows = type.getShape()[static_cast<size_t>(1 - along)];
  const int64_t length = type.getShape()[static_cast<size_t>(along)];
  if (rows < (1 << kRowBits) || length * bytes < kPieceBytes ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(rows)) ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(length)))
    return std::nullopt;
  const LinearLayout registers =
      (LinearLayout::identity(length, Dim::Register, tensorDim(along)) *
       LinearLayout::identity(1 << kRowBits, Dim::Lane, tensorDim(1 - along)) *
       LinearLayout::identity(rows >> kRowBits, Dim::Warp, tensorDim(1 - along)))
          .canonicalOuts();
  access::AccessPlan plan;
  plan.action = MemoryAction::ProductRead;
  plan.places = placesInShared(shared, registers);
  for (const PaddingRule &rule : paddingOf(type.getEncoding()))
    plan.padding.push_back(rule);
  plan.elementBytes = static_cast<int>(bytes);
  plan.vectorElements = static_cast<int>(kPieceBytes / bytes);
  plan.vectorRegisters = static_cast<uint32_t>(plan.vectorElements - 1);
  plan.numWarps = static_cast<int>(rows >> kRowBits);
  plan.numLanes = 1 << kRowBits;
  return plan;
}

/// `elementsRead`: by all instructions of a product together; an element that is read twice counts
/// twice.
static void addFactor(Value buffer, int64_t elementsRead, int64_t numInstructions,
                      PlannedAccesses &result) {
  auto type = cast<ttg::MemDescType>(buffer.getType());
  const int64_t numElements = ShapedType::getNumElements(type.getShape());
  std::optional<access::AccessPlan> plan = rowsOfBuffer(buffer);
  if (!plan || elementsRead % numElements != 0) {
    result.uncounted = "the factor does not lie in rows of 16 bytes";
    return;
  }
  result.accesses.push_back({std::move(*plan), elementsRead / numElements, numInstructions});
}

void addProductReads(ttng::WarpGroupDotOp dot, int numWarps, PlannedAccesses &result) {
  constexpr int64_t kRows = 64, kWarps = 4, kDepthBits = 256, kThreads = 128;
  auto type = cast<RankedTensorType>(dot.getType());
  const auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(type.getEncoding());
  if (!mma || mma.getInstrShape().size() != 3 || numWarps % kWarps != 0) {
    result.uncounted = "the product has no instruction of this shape";
    return;
  }
  const int64_t columns = mma.getInstrShape()[1];
  const int64_t depth =
      kDepthBits / getElementTypeOrSelf(dot.getB().getType()).getIntOrFloatBitWidth();
  const int64_t steps = cast<ShapedType>(dot.getB().getType()).getDimSize(0) / depth;
  const int64_t pieces =
      distinctRegisters(type).inSize(Dim::Register) / (kRows * columns / kThreads);
  const int64_t products = numWarps / kWarps * pieces * steps;
  if (isa<ttg::MemDescType>(dot.getA().getType()))
    addFactor(dot.getA(), products * kRows * depth, products * kWarps, result);
  addFactor(dot.getB(), products * columns * depth, products * kWarps, result);
}

} // namespace tilescope::compiler
