// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_WARP_GROUP_OPS_TD
#define TILESCOPE_TTNG_WARP_GROUP_OPS_TD

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TTG_BufferAccessOpInterface, ["getAccessMode", "getBufferEffects"]>,
    TypesMatchWith<"`c` has the type of the result", "d", "c", "$_self">]> {
  let summary = "product of blocks by groups of four warps";
  let description = [{
    `b`, and `a` unless it is a factor in registers, are read from shared memory. An asynchronous product may
    be under way until `ttng.warp_group_dot_wait`: its result and its buffers must not be touched before.
    Where `useC` is false, `c` counts as zero.

    `%d = ttng.warp_group_dot %a, %b, %c, %use {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>`
  }];
  let arguments = (ins
    TTNG_MemDescOrTensor:$a, TTG_MemDesc:$b, TT_FpIntTensor:$c, Optional<I1>:$useC,
    DefaultValuedAttr<TT_InputPrecisionAttr, "::tilescope::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc, DefaultValuedAttr<BoolAttr, "false">:$isAsync);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` qualified(type($a)) `*` qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>, TTG_AsyncWaitOpInterface, TTG_OrdersSharedMemory]> {
  let summary = "wait until at most `pendings` asynchronous products are under way";
  let description = [{
    Hands its operands on: what is used behind the wait is used through its results.

    `%r:2 = ttng.warp_group_dot_wait %d, %a {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`
  }];
  let arguments = (ins Variadic<TTNG_MemDescOrTensor>:$inputs, I32Attr:$pendings);
  let results = (outs Variadic<TTNG_MemDescOrTensor>:$outputs);
  let extraClassDeclaration = TTG_AsyncWait<"ProductGroup", "getPendings()">.declaration;
  let assemblyFormat = "$inputs attr-dict `:` qualified(type($inputs))";
  let hasVerifier = 1;
}

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared", [TTG_OrdersSharedMemory]> {
  let summary = "make what threads wrote to shared memory visible to bulk copies and matrix instructions";
  let description = "`ttng.fence_async_shared {bCluster = false}`";
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}

#endif
