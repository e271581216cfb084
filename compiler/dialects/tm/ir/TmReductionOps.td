// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_REDUCTION_OPS_TD
#define TILESCOPE_TM_REDUCTION_OPS_TD

include "compiler/dialects/tm/ir/TmBase.td"

def TM_ReduceOp : TM_Op<"reduce"> {
  let summary = "all elements along the axes combined into one; the axes go or keep an extent of 1";
  let arguments = (ins TM_ReduceKind:$kind, TM_Tensor:$operand, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "$kind `,` $operand `over` $axes attr-dict `:` functional-type(operands, results)";
}
def TM_ArgReduceOp : TM_Op<"arg_reduce"> {
  let summary = "where along the axis the largest or smallest element is: the first one, or the last one";
  let arguments = (ins TM_ReduceKind:$kind, TM_Tensor:$operand, I64Attr:$axis, UnitAttr:$last);
  let assemblyFormat = "$kind `,` $operand `over` $axis (`last` $last^)? attr-dict `:` functional-type(operands, results)";
}
def TM_CumSumOp : TM_Op<"cumsum"> {
  let summary = "sums of all elements up to each one along the axis";
  let arguments = (ins TM_Tensor:$operand, I64Attr:$axis, UnitAttr:$exclusive, UnitAttr:$reverse);
  let assemblyFormat = "$operand `over` $axis attr-dict `:` functional-type(operands, results)";
}
def TM_TopKOp : TM_Op<"topk"> {
  let summary = "the k largest or smallest elements along the axis, and where they are";
  let arguments = (ins TM_Tensor:$operand, Optional<TM_Tensor>:$k, I64Attr:$axis, UnitAttr:$smallest, UnitAttr:$sorted);
  let results = (outs TM_Tensor:$values, TM_Tensor:$indices);
  let assemblyFormat = "$operand (`,` $k^)? `over` $axis attr-dict `:` functional-type(operands, results)";
}
def TM_SoftmaxOp : TM_Op<"softmax", [SameOperandsAndResultType]> {
  let summary = "exp(x), divided by its sum along the axes; `masked`: rows in which all is -inf become 0, not nan";
  let arguments = (ins TM_Tensor:$operand, DenseI64ArrayAttr:$axes, UnitAttr:$masked);
  let assemblyFormat = "$operand `over` $axes (`masked` $masked^)? attr-dict `:` type($operand)";
}
def TM_LogSoftmaxOp : TM_Op<"log_softmax", [SameOperandsAndResultType]> {
  let summary = "the logarithm of softmax";
  let arguments = (ins TM_Tensor:$operand, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "$operand `over` $axes attr-dict `:` type($operand)";
}

def TM_LayerNormOp : TM_Op<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "from the axis on: mean 0 and variance 1, times the scale, plus the bias; mean and 1/deviation";
  let arguments = (ins TM_Tensor:$operand, Optional<TM_Tensor>:$scale, Optional<TM_Tensor>:$bias, I64Attr:$axis, F32Attr:$epsilon);
  let results = (outs TM_Tensor:$result, TM_Tensor:$mean, TM_Tensor:$inverse_deviation);
  let assemblyFormat = [{
    $operand (`scale` $scale^)? (`bias` $bias^)? `from` $axis attr-dict `:` functional-type(operands, results)
  }];
}
def TM_RmsNormOp : TM_Op<"rms_norm"> {
  let summary = "from the axis on: divided by the root of the mean square, times the scale";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$scale, I64Attr:$axis, F32Attr:$epsilon);
  let assemblyFormat = "$operand `scale` $scale `from` $axis attr-dict `:` functional-type(operands, results)";
}
def TM_BatchNormOp : TM_Op<"batch_norm"> {
  let summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias for each channel";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$scale, TM_Tensor:$bias, TM_Tensor:$mean, TM_Tensor:$variance, F32Attr:$epsilon);
  let assemblyFormat = [{
    $operand `scale` $scale `bias` $bias `mean` $mean `variance` $variance attr-dict `:` functional-type(operands, results)
  }];
}
def TM_GroupNormOp : TM_Op<"group_norm"> {
  let summary = "the channels of each group together: mean 0 and variance 1, times the scale, plus the bias of the channel";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$scale, TM_Tensor:$bias, I64Attr:$groups, F32Attr:$epsilon, UnitAttr:$per_group);
  let assemblyFormat = "$operand `scale` $scale `bias` $bias `groups` $groups attr-dict `:` functional-type(operands, results)";
}
def TM_InstanceNormOp : TM_Op<"instance_norm"> {
  let summary = "each channel of each image: mean 0 and variance 1, times the scale, plus the bias";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$scale, TM_Tensor:$bias, F32Attr:$epsilon);
  let assemblyFormat = "$operand `scale` $scale `bias` $bias attr-dict `:` functional-type(operands, results)";
}
def TM_LocalResponseNormOp : TM_Op<"local_response_norm", [SameOperandsAndResultType]> {
  let summary = "divided by (bias + alpha / size * the sum of squares of neighbouring channels) ^ beta";
  let arguments = (ins TM_Tensor:$operand, I64Attr:$size, F32Attr:$alpha, F32Attr:$beta, F32Attr:$bias);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

#endif
