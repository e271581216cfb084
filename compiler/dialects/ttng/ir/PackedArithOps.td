// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_PACKED_ARITH_OPS_TD
#define TILESCOPE_TTNG_PACKED_ARITH_OPS_TD

def TTNG_PackedArithElement
    : AnyTypeOf<[I8, F8E8M0FNU, F8E4M3FN, F8E5M2, F16, BF16, F32], "element of packed arithmetic">;

def TTNG_PackedArithOp : TTNG_Op<"packed_arith", [Pure]> {
  let summary = "arithmetic on several neighbors at a time";
  let description = [{
    The elements of a pack are neighbors along `axis` in one thread. `packed_type` is the packs' type in PTX,
    `operand_packed_types` those of the operands. Where all are pairs of the operands' elements along the fastest
    dimension, the short form says no more than the operation.

    `%s = ttng.packed_arith add %x, %y : (tensor<256xf32, #blocked>, tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked>`
    `%s = ttng.packed_arith add, f32x2, [f32x2, f16x2], %x, %y axis = 0 : (tensor<256xf32, #blocked>, tensor<256xf16, #blocked>) -> tensor<256xf32, #blocked>`
  }];
  let arguments = (ins TTNG_PackedArithOpKindAttr:$op_kind, TTNG_PackedArithTypeAttr:$packed_type,
                   DenseI32ArrayAttr:$operand_packed_types, Variadic<RankedTensorOf<[TTNG_PackedArithElement]>>:$operands,
                   I32Attr:$axis);
  let results = (outs RankedTensorOf<[TTNG_PackedArithElement]>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif
