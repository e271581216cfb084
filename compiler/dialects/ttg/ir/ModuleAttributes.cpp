// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::ttg {

static std::optional<int> intAttr(ModuleOp module, StringRef name) {
  auto attr = module->getAttrOfType<IntegerAttr>(name);
  return attr ? std::optional<int>(attr.getInt()) : std::nullopt;
}

int numWarps(ModuleOp module) {
  std::optional<int> value = intAttr(module, kNumWarpsAttr);
  if (!value)
    llvm::report_fatal_error("the module has no ttg.num-warps attribute");
  return *value;
}

int numWarpsAround(Operation *op) {
  // A partition's warps are its own.
  if (!isa<ModuleOp>(op))
    for (Region *region = op->getParentRegion(); region; region = region->getParentRegion())
      if (auto specialize = dyn_cast<WarpSpecializeOp>(region->getParentOp());
          specialize && region != &specialize.getDefaultRegion())
        return specialize.getPartitionNumWarps()[region->getRegionNumber() - 1];
  auto module = dyn_cast<ModuleOp>(op);
  return numWarps(module ? module : op->getParentOfType<ModuleOp>());
}

int numCtas(ModuleOp module) { return intAttr(module, kNumCtasAttr).value_or(1); }

int threadsPerWarp(ModuleOp module) { return intAttr(module, kThreadsPerWarpAttr).value_or(32); }

int computeCapability(ModuleOp module) {
  auto target = module->getAttrOfType<StringAttr>(kTargetAttr);
  int capability = 0;
  if (!target)
    return 0;
  StringRef text = target.getValue();
  if (!text.consume_front("cuda:") || text.getAsInteger(10, capability))
    return 0;
  return capability;
}

void setMachineShape(ModuleOp module, const MachineShape &shape) {
  Builder builder(module.getContext());
  module->setAttr(kNumWarpsAttr, builder.getI32IntegerAttr(shape.numWarps));
  module->setAttr(kNumCtasAttr, builder.getI32IntegerAttr(shape.numCtas));
  module->setAttr(kThreadsPerWarpAttr, builder.getI32IntegerAttr(shape.threadsPerWarp));
  module->setAttr(kTargetAttr, builder.getStringAttr(shape.target));
}

} // namespace tilescope::ttg
