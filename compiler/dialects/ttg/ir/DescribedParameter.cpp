// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/DescribedParameter.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::ttg {

static constexpr llvm::StringLiteral kBaseAttr = "ttg.described", kExtentsAttr = "ttg.extents";

std::optional<DescribedParameter> describedBy(tt::FuncOp function, unsigned parameter) {
  auto base = function.getArgAttrOfType<IntegerAttr>(parameter, kBaseAttr);
  auto extents = function.getArgAttrOfType<DenseI64ArrayAttr>(parameter, kExtentsAttr);
  if (!base || !extents)
    return std::nullopt;
  return DescribedParameter{unsigned(base.getInt()), extents.asArrayRef().vec()};
}

Value describedParameter(BlockArgument base, ArrayRef<int64_t> extents, tt::TensorDescType type,
                         Location loc) {
  auto function = cast<tt::FuncOp>(base.getOwner()->getParentOp());
  for (BlockArgument argument : function.getArguments())
    if (const auto known = describedBy(function, argument.getArgNumber());
        known && known->base == base.getArgNumber() && argument.getType() == type &&
        llvm::equal(known->extents, extents))
      return argument;
  Builder builder(function.getContext());
  const unsigned number = function.getNumArguments();
  const auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(kBaseAttr, builder.getI32IntegerAttr(int32_t(base.getArgNumber()))),
       builder.getNamedAttr(kExtentsAttr, builder.getDenseI64ArrayAttr(extents))});
  if (failed(function.insertArgument(number, type, attributes, loc)))
    llvm_unreachable("a kernel takes further parameters");
  return function.getArgument(number);
}

} // namespace tilescope::ttg
