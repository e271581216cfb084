// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_TENSOR_CORE_OPS_TD
#define TILESCOPE_TTNG_TENSOR_CORE_OPS_TD

// One thread starts a product; barriers signal its end.
class TTNG_ProductOp<string mnemonic> : TTNG_Op<mnemonic, [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TTG_BufferAccessOpInterface]> {
  let extraClassDeclaration = TTNG_OnTensorCore.declaration;
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let hasVerifier = 1;
}

def TTNG_TCGen5MMAOp : TTNG_ProductOp<"tc_gen5_mma"> {
  let summary = "product of two factors in shared memory into tensor memory";
  let description = [{
    `a` may be in tensor memory, too. Where `useD` is false, `d` counts as zero; where `pred` is false, nothing
    happens. Each barrier is told of the end where its predicate holds. Integers are signed, unless `is_unsigned`
    says otherwise.

    `ttng.tc_gen5_mma %a, %b, %d, %useD, %pred, %bar[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>`
  }];
  let arguments = (ins
    TTG_MemDesc:$a, TTG_MemDesc:$b, TTG_MemDesc:$d, Optional<TTG_AsyncToken>:$acc_dep, I1:$useD, I1:$pred,
    Variadic<TTG_MemDesc>:$barriers, Variadic<I1>:$barrier_preds,
    UnitAttr:$is_async, UnitAttr:$two_ctas, UnitAttr:$multicast, UnitAttr:$is_unsigned);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD `,` $pred ``
    custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict `:`
    qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5MMAScaledOp : TTNG_ProductOp<"tc_gen5_mma_scaled"> {
  let summary = "product of two block-scaled factors into tensor memory";
  let description = [{
    The scales are in tensor memory, or in shared memory until they are copied there.

    `ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %useD, %pred lhs = e4m3 rhs = e2m1, %bar[%true] {is_async} : …`, the types of `a`, `b`, `d`, the scales and the barriers
  }];
  let arguments = (ins
    TTG_MemDesc:$a, TTG_MemDesc:$b, TTG_MemDesc:$d, Optional<TTG_AsyncToken>:$acc_dep, TTG_MemDesc:$a_scale,
    TTG_MemDesc:$b_scale, TT_ScaleDotElemTypeAttr:$a_type, TT_ScaleDotElemTypeAttr:$b_type, I1:$useD, I1:$pred,
    Variadic<TTG_MemDesc>:$barriers, Variadic<I1>:$barrier_preds,
    UnitAttr:$is_async, UnitAttr:$two_ctas, UnitAttr:$multicast);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,` $b_scale `,` $useD `,` $pred
    `lhs` `=` $a_type `rhs` `=` $b_type `` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict `:`
    qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) `,` qualified(type($a_scale)) `,`
    qualified(type($b_scale)) (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5CommitOp : TTNG_Op<"tc_gen5_commit", [AttrSizedOperandSegments]> {
  let summary = "signal a barrier when all products and copies so far have ended";
  let description = [{
    `descs` are factors that several thread blocks of the cluster share: their barriers are told as well.

    `ttng.tc_gen5_commit %bar, %pred descs %a : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>`
  }];
  let arguments = (ins TTNG_UsedBarrier:$barrier,
                   Optional<I1>:$pred, Variadic<TTG_MemDesc>:$descs, UnitAttr:$two_ctas);
  let assemblyFormat = [{
    $barrier (`,` $pred^)? (`descs` $descs^)? attr-dict `:` qualified(type($barrier)) (`,` qualified(type($descs))^)?
  }];
  let hasVerifier = 1;
}

#endif
