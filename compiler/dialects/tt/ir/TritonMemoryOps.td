// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_MEMORY_OPS_TD
#define TILESCOPE_TT_MEMORY_OPS_TD

include "compiler/dialects/tt/ir/TritonInterfaces.td"

def TT_LoadOp : TT_Op<"load", [
    TT_SameEncoding, AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the result is what the pointer points to", "ptr", "result",
                   "::tilescope::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask has the pointer's shape", "ptr", "mask",
                           "::tilescope::tt::getI1SameShape(::tilescope::tt::getPointeeType($_self))">,
    OptionalTypesMatchWith<"`other` is what the pointer points to", "ptr", "other",
                           "::tilescope::tt::getPointeeType($_self)">]> {
  let summary = "load from memory";
  let description = [{
    Where the mask is false no memory is touched and the result is `other`, or undefined without it. A block
    pointer (a pointer to a tensor) is bounded in the dimensions of `boundaryCheck`, and reads `padding` outside.

    `%v = tt.load %p, %m, %z evictionPolicy = evict_first : tensor<8x!tt.ptr<f32>>`
  }];
  let arguments = (ins
    AnyTypeOf<[TT_PtrLike, TT_TensorPtr]>:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    OptionalAttr<TT_PaddingOptionAttr>:$padding,
    DefaultValuedAttr<TT_CacheModifierAttr, "::tilescope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::tilescope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Type:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ptr, CArg<"::mlir::Value", "{}">:$mask, CArg<"::mlir::Value", "{}">:$other,
                   CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
                   CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict, CArg<"bool", "false">:$isVolatile)>,
    OpBuilder<(ins "::mlir::Value":$ptr, "::llvm::ArrayRef<int32_t>":$boundaryCheck,
                   "std::optional<PaddingOption>":$padding, "CacheModifier":$cache, "EvictionPolicy":$evict,
                   "bool":$isVolatile)>];
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)?
    `` custom<CachePolicy>($cache, $evict, attr-dict) `:` type($ptr)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_StoreOp : TT_Op<"store", [
    TT_SameEncoding,
    TypesMatchWith<"the value is what the pointer points to", "ptr", "value",
                   "::tilescope::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask has the pointer's shape", "ptr", "mask",
                           "::tilescope::tt::getI1SameShape(::tilescope::tt::getPointeeType($_self))">]> {
  let summary = "store to memory";
  let description = [{
    Where the mask is false no memory is touched.

    `tt.store %p, %v, %m : tensor<8x!tt.ptr<f32>>`
  }];
  let arguments = (ins
    Arg<AnyTypeOf<[TT_PtrLike, TT_TensorPtr]>, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Type:$value,
    Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifierAttr, "::tilescope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::tilescope::tt::EvictionPolicy::NORMAL">:$evict);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value, "::mlir::Value":$mask,
                                 CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
                                 CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict), [{
    build($_builder, $_state, ptr, value, mask, ::llvm::ArrayRef<int32_t>{}, cache, evict);
  }]>];
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    `` custom<CachePolicy>($cache, $evict, attr-dict) `:` type($ptr)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [
    TT_SameShape, TT_SameEncoding,
    TypesMatchWith<"the value is what the pointer points to", "ptr", "val", "::tilescope::tt::getPointeeType($_self)">,
    AllTypesMatch<["val", "result"]>,
    OptionalTypesMatchWith<"the mask has the pointer's shape", "ptr", "mask",
                           "::tilescope::tt::getI1SameShape($_self)">]> {
  let summary = "atomic read-modify-write";
  let description = [{
    Gives the value that was there before.

    `%o = tt.atomic_rmw fadd, relaxed, gpu, %p, %v, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>`
  }];
  let arguments = (ins
    TT_AtomicRMWAttr:$atomic_rmw_op,
    Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr, TT_Type:$val,
    Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [
    TT_SameShape, TT_SameEncoding,
    TypesMatchWith<"the compared value is what the pointer points to", "ptr", "cmp",
                   "::tilescope::tt::getPointeeType($_self)">,
    AllTypesMatch<["cmp", "val", "result"]>]> {
  let summary = "atomic compare and swap";
  let description = [{
    Stores `val` where memory held `cmp`; returns the value that was there before.

    `%o = tt.atomic_cas acq_rel, gpu, %p, %c, %v : (!tt.ptr<i32>, i32, i32) -> i32`
  }];
  let arguments = (ins
    Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr, TT_Type:$cmp, TT_Type:$val,
    TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    TypesMatchWith<"the expected value is what the pointer points to", "ptr", "expected",
                   "::tilescope::tt::getPointeeType($_self)">]> {
  let summary = "wait until memory holds a value";
  let description = [{
    Gives true when the value was seen, false when the timeout (in nanoseconds) passed first.

    `%k = tt.atomic_poll acquire, gpu, %p, %e : !tt.ptr<i32>, i32 -> i1`
  }];
  let arguments = (ins
    Arg<TT_Ptr, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr, TT_Int:$expected,
    Optional<I64>:$timeout, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`,` $timeout^)? attr-dict `:`
    qualified(type($ptr)) `,` type($expected) `->` type($result)
  }];
}

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize,
    TypesMatchWith<"the base points to the block's elements", "result", "base",
                   "::tilescope::tt::getPointerToElement($_self)">]> {
  let summary = "block pointer";
  let description = [{
    ```mlir
    %p = tt.make_tensor_ptr %base, [%m, %n], [%s, %one], [%i, %j] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    ```
  }];
  let arguments = (ins TT_Ptr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                   DenseI32ArrayAttr:$order);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "block pointer moved by offsets";
  let description = "`%q = tt.advance %p, [%i, %j] : <tensor<32x32xf16>>`";
  let arguments = (ins TT_TensorPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasFolder = 1;
}

#endif
