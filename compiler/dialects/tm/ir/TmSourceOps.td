// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_SOURCE_OPS_TD
#define TILESCOPE_TM_SOURCE_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "compiler/dialects/tm/ir/TmBase.td"

def TM_ConstantOp : TM_Op<"constant", [AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor that the module holds";
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "attr-dict $value";
}
def TM_WeightOp : TM_Op<"weight"> {
  let summary = "a tensor that a file holds; it is mapped where it is used";
  let description = "`%w = tm.weight \"conv1.weight\" in \"model.onnx\" at 4096 : tensor<64x3x7x7xf32>`; little-endian, rows first. With `order = [0, 2, 3, 1]` axis 1 is the file's axis 2, and so on";
  let arguments = (ins StrAttr:$name, StrAttr:$file, I64Attr:$offset, DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$order);
  let assemblyFormat = "$name `in` $file `at` $offset attr-dict `:` type($result)";
}
def TM_SizesOp : TM_Op<"sizes"> {
  let summary = "whole numbers that follow from the extents of the inputs";
  let description = "`%s = tm.sizes #tm.extents<N, 3, H floordiv 2> : tensor<3xi64>`";
  let arguments = (ins TM_Extents:$values);
  let assemblyFormat = "$values attr-dict `:` type($result)";
}
def TM_FillOp : TM_Op<"fill"> {
  let summary = "one value everywhere";
  let arguments = (ins TypedAttrInterface:$value, Optional<TM_Tensor>:$shape);
  let assemblyFormat = "$value (`to` $shape^)? attr-dict `:` functional-type(operands, results)";
}
def TM_RangeOp : TM_Op<"range"> {
  let summary = "start, start + step, … before the limit";
  let arguments = (ins TM_Tensor:$start, TM_Tensor:$limit, TM_Tensor:$step);
  let assemblyFormat = "$start `,` $limit `,` $step attr-dict `:` functional-type(operands, results)";
}

#endif
