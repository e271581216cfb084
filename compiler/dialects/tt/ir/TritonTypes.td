// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_TYPES_TD
#define TILESCOPE_TT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "compiler/dialects/tt/ir/TritonDialect.td"

class TT_TypeDef<string name, string typeMnemonic> : TypeDef<TT_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TT_Ptr : TT_TypeDef<"Pointer", "ptr"> {
  let summary = "pointer";
  let description = [{
    A pointer to a scalar, or (as a block pointer) to a whole tensor. The address space is printed
    only when it is not 1, global memory: `!tt.ptr<f32>`, `!tt.ptr<i8, 3>`.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "descriptor of a tensor in global memory";
  let description = [{
    Base, shape and strides of a tensor in global memory, from which blocks of one type are loaded:
    `!tt.tensordesc<tensor<16x64xf16>>`. Integer elements keep their sign (`ui8`, `si8`).
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
    return $_get(blockType.getContext(), blockType);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The block type with signless integer elements: what loads return and stores take.
    ::mlir::RankedTensorType getSignlessBlockType() const;
  }];
  let skipDefaultBuilders = 1;
}

// Scalars, and blocks of them.
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;
def TT_Int : AnyTypeOf<[I1, I<4>, I8, I16, I32, I64], "integer">;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;
def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Type : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr, TT_Tensor, TT_TensorDescType]>;
// A block pointer: one pointer to a whole tensor.
def TT_TensorPtr : Type<
    And<[CPred<"::llvm::isa<::tilescope::tt::PointerType>($_self)">,
         CPred<"::llvm::isa<::mlir::RankedTensorType>(::llvm::cast<::tilescope::tt::PointerType>($_self).getPointeeType())">]>,
    "pointer to a tensor", "::tilescope::tt::PointerType">;

#endif
