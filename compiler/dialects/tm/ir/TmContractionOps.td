// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_CONTRACTION_OPS_TD
#define TILESCOPE_TM_CONTRACTION_OPS_TD

include "compiler/dialects/tm/ir/TmBase.td"

def TM_MatmulOp : TM_Op<"matmul"> {
  let summary = "products of matrices, in the last two axes; the others as NumPy repeats them";
  let arguments = (ins TM_Tensor:$lhs, TM_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}
def TM_GemmOp : TM_Op<"gemm"> {
  let summary = "alpha * lhs * rhs + beta * addend, either factor transposed";
  let arguments = (ins TM_Tensor:$lhs, TM_Tensor:$rhs, Optional<TM_Tensor>:$addend, F32Attr:$alpha, F32Attr:$beta,
                   UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let assemblyFormat = "$lhs `,` $rhs (`,` $addend^)? attr-dict `:` functional-type(operands, results)";
}
def TM_EinsumOp : TM_Op<"einsum"> {
  let summary = "sums of products, as the equation says";
  let arguments = (ins StrAttr:$equation, Variadic<TM_Tensor>:$operands_);
  let assemblyFormat = "$equation `,` $operands_ attr-dict `:` functional-type(operands, results)";
}
def TM_ConvOp : TM_Op<"conv"> {
  let summary = "convolution of [N, C, …] with [M, C/groups, …], channels last: of [N, …, C] with [M, …, C/groups] or, where each channel is a group, […, 1, M]; taps first: with […, M, C/groups]; pads: all begins, then all ends";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$filter, Optional<TM_Tensor>:$bias, DenseI64ArrayAttr:$strides,
                   TM_Extents:$pads, DenseI64ArrayAttr:$dilations, I64Attr:$groups, UnitAttr:$channels_last,
                   UnitAttr:$taps_first);
  let assemblyFormat = [{
    $operand `,` $filter (`,` $bias^)? `strides` $strides `pads` $pads `dilations` $dilations `groups` $groups
    attr-dict `:` functional-type(operands, results)
  }];
}
def TM_ConvTransposeOp : TM_Op<"conv_transpose"> {
  let summary = "the transposed convolution of [N, C, …] with [C, M/groups, …]";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$filter, Optional<TM_Tensor>:$bias, DenseI64ArrayAttr:$strides,
                   TM_Extents:$pads, DenseI64ArrayAttr:$dilations, I64Attr:$groups);
  let assemblyFormat = [{
    $operand `,` $filter (`,` $bias^)? `strides` $strides `pads` $pads `dilations` $dilations `groups` $groups
    attr-dict `:` functional-type(operands, results)
  }];
}
def TM_MaxPoolOp : TM_Op<"max_pool"> {
  let summary = "the largest element of each window of [N, C, …] or, channels last, of [N, …, C], and where it is";
  let arguments = (ins TM_Tensor:$operand, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, TM_Extents:$pads,
                   DenseI64ArrayAttr:$dilations, UnitAttr:$column_major, UnitAttr:$channels_last);
  let results = (outs TM_Tensor:$result, TM_Tensor:$indices);
  let assemblyFormat = [{
    $operand `kernel` $kernel `strides` $strides `pads` $pads `dilations` $dilations attr-dict `:`
    functional-type(operands, results)
  }];
}
def TM_AvgPoolOp : TM_Op<"avg_pool"> {
  let summary = "the mean of each window of [N, C, …] or, channels last, of [N, …, C]";
  let arguments = (ins TM_Tensor:$operand, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, TM_Extents:$pads,
                   DenseI64ArrayAttr:$dilations, UnitAttr:$count_pads, UnitAttr:$channels_last);
  let assemblyFormat = [{
    $operand `kernel` $kernel `strides` $strides `pads` $pads `dilations` $dilations attr-dict `:`
    functional-type(operands, results)
  }];
}
def TM_AttentionOp : TM_Op<"attention", [AttrSizedOperandSegments]> {
  let summary = "softmax(scale * Q * Kᵀ + mask) * V for each head; keys and values with those of before, the weights";
  let arguments = (ins TM_Tensor:$query, TM_Tensor:$key, TM_Tensor:$value, Optional<TM_Tensor>:$mask,
                   Optional<TM_Tensor>:$past_key, Optional<TM_Tensor>:$past_value, Optional<TM_Tensor>:$valid_lengths,
                   I64Attr:$query_heads, I64Attr:$key_heads, OptionalAttr<F32Attr>:$scale, F32Attr:$softcap,
                   I64Attr:$weights_mode, UnitAttr:$causal);
  let results = (outs TM_Tensor:$result, Variadic<TM_Tensor>:$others);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`past` $past_key^ `,` $past_value)? (`valid` $valid_lengths^)?
    (`causal` $causal^)? attr-dict `:` functional-type(operands, results)
  }];
}
def TM_RotaryOp : TM_Op<"rotary"> {
  let summary = "pairs of elements rotated by the angles whose cosines and sines are given";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$cosines, TM_Tensor:$sines, Optional<TM_Tensor>:$positions,
                   I64Attr:$dimensions, I64Attr:$heads, UnitAttr:$interleaved);
  let assemblyFormat = "$operand `,` $cosines `,` $sines (`at` $positions^)? attr-dict `:` functional-type(operands, results)";
}
def TM_LstmOp : TM_Op<"lstm", [AttrSizedOperandSegments]> {
  let summary = "long short-term memory over a sequence: all states, the last hidden and cell states";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$input_weights, TM_Tensor:$state_weights, Optional<TM_Tensor>:$bias,
                   Optional<TM_Tensor>:$lengths, Optional<TM_Tensor>:$hidden, Optional<TM_Tensor>:$cell,
                   Optional<TM_Tensor>:$peepholes, I64Attr:$hidden_size, StrAttr:$direction, UnitAttr:$batch_first,
                   UnitAttr:$couples_forget);
  let results = (outs TM_Tensor:$states, TM_Tensor:$last_hidden, TM_Tensor:$last_cell);
  let assemblyFormat = [{
    $operand `,` $input_weights `,` $state_weights (`bias` $bias^)? (`lengths` $lengths^)? (`hidden` $hidden^)?
    (`cell` $cell^)? (`peepholes` $peepholes^)? attr-dict `:` functional-type(operands, results)
  }];
}
def TM_QuantizeOp : TM_Op<"quantize"> {
  let summary = "x / scale, rounded to even, plus the zero point, in the range of the type";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$scale, Optional<TM_Tensor>:$zero_point, I64Attr:$axis, I64Attr:$block);
  let assemblyFormat = "$operand `scale` $scale (`zero` $zero_point^)? attr-dict `:` functional-type(operands, results)";
}
def TM_DequantizeOp : TM_Op<"dequantize"> {
  let summary = "(x - the zero point) * scale";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$scale, Optional<TM_Tensor>:$zero_point, I64Attr:$axis, I64Attr:$block);
  let assemblyFormat = "$operand `scale` $scale (`zero` $zero_point^)? attr-dict `:` functional-type(operands, results)";
}

#endif
