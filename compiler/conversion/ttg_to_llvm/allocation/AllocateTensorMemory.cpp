// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Assigns columns to every buffer in tensor memory. A kernel gets a power of two of them, at least
// 32, when it starts. Scales that are still in shared memory are copied there first: copies and
// products are done in the order in which they are started.
#include "compiler/analysis/DiagnosticMetadata.h"
#include "compiler/conversion/ttg_to_llvm/allocation/BufferLives.h"
#include "compiler/conversion/ttg_to_llvm/common/BlockText.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_ALLOCATETENSORMEMORY
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

static constexpr int64_t kFewestColumns = 32, kColumnAlignment = 4;

static void copyScales(ttng::TCGen5MMAScaledOp product) {
  ImplicitLocOpBuilder builder(product.getLoc(), product);
  MLIRContext *context = product.getContext();
  for (OpOperand *scales : {&product.getAScaleMutable(), &product.getBScaleMutable()}) {
    auto type = cast<ttg::MemDescType>(scales->get().getType());
    if (ttng::isInTensorMemory(type))
      continue;
    auto encoding = ttng::TensorMemoryScalesEncodingAttr::get(
        context, ttg::CgaLayoutAttr::getSingle(context, 2), ttng::ScaleBlockOrder::MN_THEN_K);
    auto place = ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                       ttng::TensorMemorySpaceAttr::get(context),
                                       /*mutableMemory=*/true);
    auto buffer = ttng::TMEMAllocOp::create(builder, TypeRange(place), Value());
    ttng::TMEMCopyOp::create(builder, scales->get(), buffer.getResult(), Value());
    scales->set(buffer.getResult());
  }
}

/// Fails, with an error, where the buffers need more columns than there are.
static FailureOr<int64_t> allocate(tt::FuncOp function) {
  if (!function.walk([](ttng::TMEMAllocOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return 0;
  const Timeline time(function.getBody());
  SmallVector<ttng::TMEMAllocOp> buffers;
  SmallVector<MemoryRequest> requests;
  for (auto &[op, interval] : bufferLives(function, time, BufferAliases(function)))
    if (auto buffer = dyn_cast<ttng::TMEMAllocOp>(op)) {
      buffers.push_back(buffer);
      requests.push_back({tensorColumns(buffer.getType()), kColumnAlignment, interval.begin,
                          interval.end, time.at(op).group});
    }
  const MemoryPlan plan = planMemory(requests);
  Builder builder(function.getContext());
  for (auto [buffer, column] : llvm::zip(buffers, plan.offsets))
    buffer->setAttr(ttg::kAllocationOffsetAttr, builder.getI32IntegerAttr(column));
  if (plan.total > kTensorMemoryColumns) {
    InFlightDiagnostic error = emitError(buffers.front(), DiagnosticKind::OutOfResources)
                               << "out of resource: the kernel needs " << plan.total
                               << " columns of tensor memory, there are " << kTensorMemoryColumns;
    for (auto [buffer, request] : llvm::zip(buffers, requests))
      error.attachNote(buffer.getLoc())
          << "a buffer of " << blockText(buffer.getType()) << ": " << request.size << " columns";
    return failure();
  }
  return std::max<int64_t>(kFewestColumns, llvm::PowerOf2Ceil(plan.total));
}

namespace {
struct AllocateTensorMemory : impl::AllocateTensorMemoryBase<AllocateTensorMemory> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    int64_t total = 0;
    for (auto function : module.getOps<tt::FuncOp>()) {
      if (function.isDeclaration())
        continue;
      function.walk(copyScales);
      FailureOr<int64_t> columns = allocate(function);
      if (failed(columns))
        return signalPassFailure();
      if (*columns > 0 && !function.isPublic()) {
        function.emitError("tensor memory in a function that is not inlined is not supported");
        return signalPassFailure();
      }
      total = std::max(total, *columns);
    }
    if (total == 0)
      return markAllAnalysesPreserved();
    module->setAttr(ttg::kTensorMemorySizeAttr, builder.getI32IntegerAttr(total));
    // The hardware says through shared memory which columns the kernel got.
    auto shared = module->getAttrOfType<IntegerAttr>(ttg::kSharedAttr);
    const int64_t bytes = std::max<int64_t>(shared ? shared.getInt() : 0, kTensorAddressBytes);
    module->setAttr(ttg::kSharedAttr, builder.getI32IntegerAttr(bytes));
  }
};
} // namespace

} // namespace tilescope::compiler
