// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Many threads hold the same factor of a dot. They go through shared memory, where each
// element is written once and read by all, in a layout that the reading suits:
//
//   convert %x : #blocked -> #dot_op            %m = local_alloc %x : #swizzled
//                                               local_load %m : #dot_op
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/transforms/ttg/OperandBuffers.h"
#include "compiler/transforms/ttg/Passes.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_REDUCEDATADUPLICATION
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

/// `place`, under the name of `value`: a factor of a product is made where the product is, and is
/// not what the product is assigned to.
Location named(Location place, Value value) {
  if (auto name = dyn_cast<NameLoc>(place))
    place = name.getChildLoc();
  auto name = dyn_cast<NameLoc>(value.getLoc());
  return name ? NameLoc::get(name.getName(), place) : place;
}

/// The least movement that is worth a buffer. Where threads multiply by themselves, each holds
/// whole rows: too many values to shuffle.
ConversionKind leastKind(DotOperandEncodingAttr operand) {
  return isa<BlockedEncodingAttr>(operand.getParent()) ? ConversionKind::Lanes
                                                       : ConversionKind::SharedMemory;
}

struct ReduceDataDuplication : impl::ReduceDataDuplicationBase<ReduceDataDuplication> {
  void runOnOperation() override {
    SmallVector<ConvertLayoutOp> conversions;
    getOperation().walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
    bool changed = false;
    for (ConvertLayoutOp convert : conversions) {
      auto source = cast<RankedTensorType>(convert.getSrc().getType());
      auto operand = dyn_cast<DotOperandEncodingAttr>(convert.getType().getEncoding());
      if (!operand || isa<DotOperandEncodingAttr>(source.getEncoding()) ||
          classifyConversion(source, convert.getType()) < leastKind(operand))
        continue;
      OpBuilder builder(convert);
      auto buffer = MemDescType::get(source.getShape(), source.getElementType(),
                                     operandBufferEncoding(source, operand),
                                     SharedMemorySpaceAttr::get(&getContext()));
      Value memory =
          LocalAllocOp::create(builder, convert.getSrc().getLoc(), buffer, convert.getSrc());
      Value loaded = LocalLoadOp::create(builder, named(convert.getLoc(), convert.getSrc()),
                                         convert.getType(), memory);
      convert.replaceAllUsesWith(loaded);
      convert.erase();
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace tilescope::ttg
