// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/MemoryInterface.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/layout/TensorMemory.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.cpp.inc"

namespace tilescope::ttng {

namespace {
struct TensorMemoryInterface : public ttg::MemoryInterface {
  using MemoryInterface::MemoryInterface;

  bool fits(Attribute memorySpace, Attribute encoding) const final {
    return isa<TensorMemorySpaceAttr>(memorySpace) &&
           isa<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(encoding);
  }
  unsigned rankOf(Attribute) const final { return 2; }
  compiler::LinearLayout layoutOf(ArrayRef<int64_t> shape, Attribute encoding) const final {
    compiler::Shape extents{shape.data(), shape.size()};
    if (auto plain = dyn_cast<TensorMemoryEncodingAttr>(encoding))
      return compiler::tensorMemoryLayout(
          extents, {plain.getBlockM(), plain.getBlockN(), plain.getColStride()});
    return compiler::tensorMemoryScalesLayout(extents);
  }
};

struct AliasInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    if (isa<TensorMemoryEncodingAttr>(attr))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attr))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTNGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.cpp.inc"
      >();
  addInterfaces<TensorMemoryInterface, AliasInterface>();
}

LogicalResult TensorMemoryEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               unsigned blockM, unsigned blockN, unsigned colStride,
                                               unsigned, unsigned, bool) {
  if (blockM != 64 && blockM != 128)
    return emitError() << "blockM must be 64 or 128, not " << blockM;
  if (!llvm::isPowerOf2_32(blockN) || blockN > 512)
    return emitError() << "blockN must be a power of two up to 512, not " << blockN;
  if (!llvm::isPowerOf2_32(colStride) || colStride > 4)
    return emitError() << "colStride must be 1, 2 or 4, not " << colStride;
  return success();
}

} // namespace tilescope::ttng
