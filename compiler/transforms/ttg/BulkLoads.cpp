// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/BulkLoads.h"

#include "compiler/dialects/ttg/ir/DescribedParameter.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilescope::ttg {

static MemDescType sharedType(ArrayRef<int64_t> shape, Type element, Attribute encoding) {
  return MemDescType::get(shape, element, encoding,
                          SharedMemorySpaceAttr::get(element.getContext()), true);
}

/// Of barriers: one number behind the other.
static Attribute barrierEncoding(MLIRContext *context) {
  return SwizzledSharedEncodingAttr::get(context, 1, 1, 1, {0},
                                         CgaLayoutAttr::getSingle(context, 1));
}

Value barrierOf(OpBuilder &builder, Location loc, Value barriers, Value slot) {
  auto type = cast<MemDescType>(barriers.getType());
  return MemDescIndexOp::create(
      builder, loc, sharedType({1}, type.getElementType(), type.getEncoding()), barriers, slot);
}

static void forEachBarrier(OpBuilder &builder, Location loc, Value barriers,
                           llvm::function_ref<void(Value)> visit) {
  for (int64_t slot = 0; slot < cast<MemDescType>(barriers.getType()).getShape().front(); ++slot)
    visit(barrierOf(builder, loc, barriers, arith::ConstantIntOp::create(builder, loc, slot, 32)));
}

Value makeBarriers(OpBuilder &builder, Location loc, int64_t count) {
  Value barriers = LocalAllocOp::create(
      builder, loc,
      sharedType({count, 1}, builder.getI64Type(), barrierEncoding(builder.getContext())));
  forEachBarrier(builder, loc, barriers,
                 [&](Value barrier) { ttng::InitBarrierOp::create(builder, loc, barrier, 1); });
  // The unit that copies sees the barriers past the path that stores take.
  ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
  return barriers;
}

void endBarriers(OpBuilder &builder, Location loc, Value barriers) {
  forEachBarrier(builder, loc, barriers,
                 [&](Value barrier) { ttng::InvalBarrierOp::create(builder, loc, barrier); });
  LocalDeallocOp::create(builder, loc, barriers);
}

bool fitsBulkCopies(Attribute encoding) {
  auto shared = dyn_cast_or_null<NvmmaSharedEncodingAttr>(encoding);
  return shared && !shared.getTransposed() && !shared.getFp4Padded();
}

int64_t bytesOf(tt::DescriptorLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return type.getNumElements() * tt::getElementBitWidth(type) / 8;
}

/// The parameter by which the launch describes the tensor for blocks that lie in shared memory so.
static Value parameterOf(tt::MakeTensorDescOp make, Attribute encoding) {
  RankedTensorType block = make.getType().getBlockType();
  const auto type = tt::TensorDescType::get(block.cloneWithEncoding(encoding));
  SmallVector<int64_t> extents;
  for (Value extent : make.getShape())
    extents.push_back(*getConstantIntValue(extent));
  return describedParameter(cast<BlockArgument>(make.getBase()), extents, type, make.getLoc());
}

ttng::AsyncTMACopyGlobalToLocalOp copyInBulk(OpBuilder &builder, tt::DescriptorLoadOp load,
                                             Value slot, Value barrier, Value predicate) {
  auto make = load.getDesc().getDefiningOp<tt::MakeTensorDescOp>();
  Value described = parameterOf(make, cast<MemDescType>(slot.getType()).getEncoding());
  return ttng::AsyncTMACopyGlobalToLocalOp::create(builder, load.getLoc(), described,
                                                   load.getIndices(), ValueRange(), barrier, slot,
                                                   predicate, /*multicast=*/false);
}

static NvmmaSharedEncodingAttr bufferEncoding(RankedTensorType type) {
  const int64_t rowBytes = type.getShape().back() * tt::getElementBitWidth(type) / 8;
  const unsigned swizzle = rowBytes >= 128 ? 128 : rowBytes >= 64 ? 64 : 32;
  return NvmmaSharedEncodingAttr::get(type.getContext(), swizzle, /*transposed=*/false,
                                      tt::getElementBitWidth(type), /*fp4Padded=*/false,
                                      getCgaLayout(type.getEncoding()));
}

static void lower(tt::DescriptorLoadOp load) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  auto type = cast<RankedTensorType>(load.getType());
  Value barriers = makeBarriers(builder, loc, 1);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value barrier = barrierOf(builder, loc, barriers, zero);
  Value buffer = LocalAllocOp::create(
      builder, loc, sharedType(type.getShape(), type.getElementType(), bufferEncoding(type)));
  ttng::BarrierExpectOp::create(builder, loc, barrier, uint32_t(bytesOf(load)), always,
                                IntegerAttr());
  copyInBulk(builder, load, buffer, barrier, always);
  ttng::WaitBarrierOp::create(builder, loc, barrier, zero, Value(), ValueRange());
  Value loaded = LocalLoadOp::create(builder, loc, type, buffer);
  endBarriers(builder, loc, barriers);
  load.replaceAllUsesWith(loaded);
  load.erase();
}

void lowerOtherBulkLoads(ModuleOp module) {
  SmallVector<tt::DescriptorLoadOp> loads;
  SmallVector<tt::MakeTensorDescOp> made;
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(op);
        load && load.getDesc().getDefiningOp<tt::MakeTensorDescOp>())
      loads.push_back(load);
    else if (auto make = dyn_cast<tt::MakeTensorDescOp>(op))
      made.push_back(make);
  });
  for (tt::DescriptorLoadOp load : loads)
    lower(load);
  for (tt::MakeTensorDescOp make : made)
    if (make->use_empty())
      make.erase();
}

} // namespace tilescope::ttg
