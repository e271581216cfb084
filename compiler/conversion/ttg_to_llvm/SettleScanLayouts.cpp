// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Scans and reductions whose layout cannot be walked along the axis get a blocked one:
//
//     %s = tt.scan %x : #mma    ->    %b = ttg.convert_layout %x : #mma -> #blocked
//                                     %t = tt.scan %b : #blocked
//                                     %s = ttg.convert_layout %t : #blocked -> #mma
#include "compiler/conversion/ttg_to_llvm/Passes.h"
#include "compiler/conversion/ttg_to_llvm/Scratch.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/layout/Encodings.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

static ttg::BlockedEncodingAttr walkableEncoding(Operation *op, RankedTensorType type) {
  SmallVector<unsigned> ones(type.getRank(), 1), order;
  for (unsigned dim = type.getRank(); dim-- > 0;)
    order.push_back(dim);
  BlockedParameters blocked =
      defaultBlocked(type.getShape(), ones, order, ttg::numWarpsAround(op), 32);
  return ttg::BlockedEncodingAttr::get(
      op->getContext(), blocked.sizePerThread, blocked.threadsPerWarp, blocked.warpsPerBlock,
      blocked.order, ttg::CgaLayoutAttr::get(op->getContext(), type.getRank(), {}));
}

/// Gives the sources of `op` the encoding, and its results `resultEncoding`; users see no change.
static void changeEncoding(Operation *op, Attribute encoding, Attribute resultEncoding) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType()).cloneWithEncoding(encoding);
    operand.set(ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, operand.get()));
  }
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    result.setType(type.cloneWithEncoding(resultEncoding));
    auto convert = ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
    result.replaceAllUsesExcept(convert, convert);
  }
}

namespace {
struct SettleScanLayouts : public PassWrapper<SettleScanLayouts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SettleScanLayouts)

  StringRef getArgument() const final { return "settle-scan-layouts"; }
  StringRef getDescription() const final {
    return "Give scans and reductions layouts that can be walked along their axis";
  }

  void runOnOperation() final {
    if (ttg::numCtas(getOperation()) > 1)
      return;
    getOperation().walk([](Operation *op) {
      if (auto scan = dyn_cast<tt::ScanOp>(op); scan && failed(analyseScan(scan))) {
        Attribute encoding = walkableEncoding(op, scan.getInputTypes().front());
        changeEncoding(op, encoding, encoding);
      } else if (auto reduce = dyn_cast<tt::ReduceOp>(op);
                 reduce && failed(analyseReduce(reduce))) {
        auto encoding = walkableEncoding(op, reduce.getInputTypes().front());
        changeEncoding(op, encoding,
                       ttg::SliceEncodingAttr::get(op->getContext(), reduce.getAxis(), encoding));
      }
    });
  }
};
} // namespace

std::unique_ptr<Pass> createSettleScanLayoutsPass() {
  return std::make_unique<SettleScanLayouts>();
}

} // namespace tilescope::compiler
