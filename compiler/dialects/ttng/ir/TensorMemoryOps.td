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

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load"> {
  let summary = "read a buffer in tensor memory";
  let description = "`%x = ttng.tmem_load %m : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>`";
  let arguments = (ins Arg<TTG_MemDesc, "", [MemRead<TTNG_TensorMemory>]>:$src, Optional<TTG_AsyncToken>:$dep);
  let results = (outs TT_Tensor:$result, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $src `` custom<Token>($dep, type($token)) attr-dict `:` qualified(type($src)) `->` type($result)
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

def TTNG_TMEMSubSliceOp : TTNG_Op<"tmem_subslice", [Pure]> {
  let summary = "columns of a buffer in tensor memory, from `N` on";
  let description = "`%s = ttng.tmem_subslice %m {N = 64 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable, 128x128>`";
  let arguments = (ins TTG_MemDesc:$src, I32Attr:$N);
  let results = (outs TTG_MemDesc:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy"> {
  let summary = "copy shared memory to tensor memory, asynchronously, in the order of matrix instructions";
  let description = "`ttng.tmem_copy %s, %t : !ttg.memdesc<128x8xi8, #shared, #smem, mutable>, !ttg.memdesc<128x8xi8, #tmem_scales, #ttng.tensor_memory, mutable>`";
  let arguments = (ins Arg<TTG_MemDesc, "", [MemRead<TTNG_SharedMemory>]>:$src,
                   Arg<TTG_MemDesc, "", [MemWrite<TTNG_TensorMemory>]>:$dst, Optional<TTG_MemDesc>:$barrier);
  let assemblyFormat = "$src `,` $dst (`,` $barrier^)? attr-dict `:` qualified(type(operands))";
  let hasVerifier = 1;
}

#endif
