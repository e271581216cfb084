// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_ASYNC_OPS_TD
#define TILESCOPE_TTG_ASYNC_OPS_TD

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    AttrSizedOperandSegments, TTG_BufferAccessOpInterface,
    OptionalTypesMatchWith<"the mask has the pointer's shape", "src", "mask", "::tilescope::tt::getI1SameShape($_self)">,
    OptionalTypesMatchWith<"`other` is what the pointer points to", "src", "other", "::tilescope::tt::getPointeeType($_self)">]> {
  let summary = "copy from global to shared memory, past the registers";
  let description = [{
    Where the mask is false the buffer gets `other`, or zero without it.

    `%t = ttg.async_copy_global_to_local %p, %m mask %k : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>`
  }];
  let arguments = (ins
    Arg<TT_PtrTensor, "", [MemRead<TT_GlobalMemory>]>:$src, Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>:$result,
    Optional<TT_BoolTensor>:$mask, Optional<TT_Tensor>:$other,
    DefaultValuedAttr<TT_CacheModifierAttr, "::tilescope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::tilescope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    `` custom<CachePolicy>($cache, $evict, attr-dict) `:` type($src) `->` type($result)
  }];
  let extraClassDeclaration = TTG_AccessMode<"CopyGroup", "AllThreads", "Generic">.declaration;
  let hasVerifier = 1;
}

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group", [TTG_OrdersSharedMemory]> {
  let summary = "close a group of asynchronous copies";
  let description = "`%g = ttg.async_commit_group tokens %t`";
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncWaitOp : TTG_Op<"async_wait", [TTG_AsyncWaitOpInterface, TTG_OrdersSharedMemory]> {
  let summary = "wait until at most `num` groups of asynchronous copies are under way";
  let description = "`%w = ttg.async_wait %g {num = 2 : i32}`";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let extraClassDeclaration = TTG_AsyncWait<"CopyGroup", "getNum()">.declaration;
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

#endif
