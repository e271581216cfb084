// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_TYPES_TD
#define TILESCOPE_TTG_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "compiler/dialects/ttg/ir/TritonGpuDialect.td"

class TTG_TypeDef<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTG_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TTG_MemDesc : TTG_TypeDef<"MemDesc", "memdesc", [ShapedTypeInterface]> {
  let summary = "a buffer, or a view into one";
  let description = [{
    `!ttg.memdesc<2x16x64xf16, #shared, #smem, mutable, 4x16x64>`. The last part is the shape of what was
    allocated, where a view is smaller.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$encoding,
    "::mlir::Attribute":$memorySpace, "bool":$mutableMemory, ArrayRefParameter<"int64_t">:$allocShape);
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$encoding,
      "::mlir::Attribute":$memorySpace, CArg<"bool", "false">:$mutableMemory,
      CArg<"::llvm::ArrayRef<int64_t>", "{}">:$allocShape), [{
      return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace, mutableMemory,
                   allocShape.empty() ? shape : allocShape);
    }]>];
  let extraClassDeclaration = [{
    MemDescType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return MemDescType::get(shape.value_or(getShape()), elementType, getEncoding(), getMemorySpace(),
                              getMutableMemory(), shape ? *shape : getAllocShape());
    }
    bool hasRank() const { return true; }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TTG_AsyncToken : TTG_TypeDef<"AsyncToken", "async.token"> {
  let summary = "stands for copies that are under way";
  let builderCall = "$_builder.getType<::tilescope::ttg::AsyncTokenType>()";
  let description = "`!ttg.async.token`";
}

#endif
