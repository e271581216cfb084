// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_CAST_OPS_TD
#define TILESCOPE_TT_CAST_OPS_TD

include "compiler/dialects/tt/ir/TritonInterfaces.td"

class TT_CastOp<string mnemonic, list<Trait> traits = []> : TT_ElementwiseOp<mnemonic, traits> {
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr"> {
  let summary = "integer to pointer";
  let description = "`%p = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>`";
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int"> {
  let summary = "pointer to integer";
  let description = "`%i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64`";
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let hasFolder = 1;
}

def TT_BitcastOp : TT_CastOp<"bitcast"> {
  let summary = "the same bits as another type of the same width";
  let description = "`%b = tt.bitcast %x : tensor<8xf32> -> tensor<8xi32>`";
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Type:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_FpToFpOp : TT_ElementwiseOp<"fp_to_fp"> {
  let summary = "conversion between floating-point types";
  let description = [{
    Covers what `arith` does not: 8-bit floats and rounding toward zero. A narrowing conversion
    names its rounding.

    `%y = tt.fp_to_fp %x, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>`
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
