// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutCache.h"
#include "compiler/dialects/ttg/ir/LayoutInference.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "compiler/dialects/ttg/ir/TritonGpuDialect.cpp.inc"
#include "compiler/dialects/ttg/ir/TritonGpuEnums.cpp.inc"

namespace tilescope::ttg {

namespace {
struct AliasInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    StringRef name = aliasOf(attr);
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }

  static StringRef aliasOf(Attribute attr) {
    if (isa<BlockedEncodingAttr>(attr))
      return "blocked";
    if (isa<LinearEncodingAttr, GenericLinearEncodingAttr>(attr))
      return "linear";
    if (isa<NvidiaMmaEncodingAttr>(attr))
      return "mma";
    if (isSharedEncoding(attr))
      return "shared";
    if (isa<SharedMemorySpaceAttr>(attr))
      return "smem";
    return "";
  }
};

/// Everything may be inlined.
struct InlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TTGDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  addInterfaces<AliasInterface, InlinerInterface, LayoutCache, LayoutInference>();
}

void TTGDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/dialects/ttg/ir/TritonGpuOps.cpp.inc"
      >();
}

// Attributes of the module that other code reads as numbers must be numbers.
LogicalResult TTGDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kTargetAttr && !isa<StringAttr>(attribute.getValue()))
    return op->emitOpError("expects '") << name << "' to be a string";
  if (!llvm::is_contained({kNumWarpsAttr, kNumCtasAttr, kThreadsPerWarpAttr, kSharedAttr}, name))
    return success();
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!number || !number.getType().isInteger(32))
    return op->emitOpError("expects '") << name << "' to be an i32";
  if (name != kSharedAttr && !(number.getInt() > 0 && llvm::isPowerOf2_64(number.getInt())))
    return op->emitOpError("expects '") << name << "' to be a power of two";
  return success();
}

} // namespace tilescope::ttg
