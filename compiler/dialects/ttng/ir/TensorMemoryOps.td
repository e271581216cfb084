// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_TENSOR_MEMORY_OPS_TD
#define TILESCOPE_TTNG_TENSOR_MEMORY_OPS_TD

// While passes reorder them, operations hand on a token for the buffer's contents: `%m[%token]`, or `%m[]` for the
// first of a chain.

def TTNG_TMEMAllocOp : TTNG_Op<"tmem_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "allocate tensor memory, with what is in it or without";
  let description = "`%m = ttng.tmem_alloc %x : (tensor<128x64xf32, #linear>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>`";
  let arguments = (ins Optional<TT_Tensor>:$src);
  let results = (outs TTG_MemDesc:$result, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = "::tilescope::ttg::MemDescType getType() { return getResult().getType(); }";
}

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load", [AttrSizedResultSegments]> {
  let summary = "read a buffer in tensor memory, and reduce its rows if asked to";
  let description = [{
    With `redOp` a further result has the smallest or largest element of each row, of their absolute values where `abs`
    says so, NaN wherever there is one where `NaN` says so.

    `%x = ttng.tmem_load %m : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>`
    `%x, %r = ttng.tmem_load %m {redOp = #ttng.redOp<max>} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>`
  }];
  let arguments = (ins Arg<TTG_MemDesc, "", [MemRead<TTNG_TensorMemory>]>:$src, Optional<TTG_AsyncToken>:$dep,
                   OptionalAttr<TTNG_LoadReductionEnum>:$redOp, OptionalAttr<BoolAttr>:$abs,
                   OptionalAttr<BoolAttr>:$NaN);
  let results = (outs TT_Tensor:$result, Optional<TTG_AsyncToken>:$token, Optional<TT_Tensor>:$red);
  let assemblyFormat = [{
    $src `` custom<Token>($dep, type($token)) attr-dict `:` qualified(type($src)) `->` type($result)
    (`,` type($red)^)?
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMStoreOp : TTNG_Op<"tmem_store"> {
  let summary = "write a buffer in tensor memory, where `pred` holds";
  let description = "`ttng.tmem_store %x, %m, %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>`";
  let arguments = (ins Arg<TTG_MemDesc, "", [MemWrite<TTNG_TensorMemory>]>:$dst, Optional<TTG_AsyncToken>:$dep,
                   TT_Tensor:$src, I1:$pred);
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred attr-dict `:` type($src) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMWaitOp : TTNG_Op<"tmem_wait",
    [MemoryEffects<[MemRead<TTNG_TensorMemory>, MemWrite<TTNG_TensorMemory>]>]> {
  let summary = "wait until this thread's loads from tensor memory, or its stores, are done";
  let description = "`ttng.tmem_wait store`";
  let arguments = (ins TTNG_TensorAccessAttr:$access);
  let assemblyFormat = "$access attr-dict";
}

def TTNG_TMEMSubSliceOp : TTNG_Op<"tmem_subslice", [Pure]> {
  let summary = "part of a buffer in tensor memory along `dim`, from `offset` on";
  let description = [{
    Triton writes `{N = 64 : i32}` up to version 3.8, which is read as well.

    `%s = ttng.tmem_subslice %m {offset = 64 : i32, dim = 1 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable, 128x128>`
  }];
  let arguments = (ins TTG_MemDesc:$src, I32Attr:$offset, DefaultValuedAttr<I32Attr, "1">:$dim);
  let results = (outs TTG_MemDesc:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy", [TTG_BufferAccessOpInterface]> {
  let summary = "copy shared memory to tensor memory, asynchronously, in the order of matrix instructions";
  let description = "`ttng.tmem_copy %s, %t : !ttg.memdesc<128x8xi8, #shared, #smem, mutable>, !ttg.memdesc<128x8xi8, #tmem_scales, #ttng.tensor_memory, mutable>`";
  let arguments = (ins Arg<TTG_MemDesc, "", [MemRead<TTG_SharedMemory>]>:$src,
                   Arg<TTG_MemDesc, "", [MemWrite<TTNG_TensorMemory>]>:$dst,
                   Arg<Optional<TTG_MemDesc>, "", [MemRead<TTNG_BarrierPhase>, MemWrite<TTNG_BarrierPhase>]>:$barrier);
  let assemblyFormat = "$src `,` $dst (`,` $barrier^)? attr-dict `:` qualified(type(operands))";
  let extraClassDeclaration = TTNG_OnTensorCore.declaration;
  let hasVerifier = 1;
}

#endif
