// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_MOVEMENT_OPS_TD
#define TILESCOPE_TM_MOVEMENT_OPS_TD

include "compiler/dialects/tm/ir/TmBase.td"

def TM_ReshapeOp : TM_Op<"reshape"> {
  let summary = "the same elements in order, with the result's extents; these come from a tensor where only that knows them";
  let arguments = (ins TM_Tensor:$operand, Optional<TM_Tensor>:$shape);
  let assemblyFormat = "$operand (`to` $shape^)? attr-dict `:` functional-type(operands, results)";
}
def TM_ExpandOp : TM_Op<"expand"> {
  let summary = "extents of 1, and new axes in front, repeated to the result's extents";
  let arguments = (ins TM_Tensor:$operand, Optional<TM_Tensor>:$shape);
  let assemblyFormat = "$operand (`to` $shape^)? attr-dict `:` functional-type(operands, results)";
}
def TM_TransposeOp : TM_Op<"transpose"> {
  let summary = "axis i of the result is axis order[i] of the operand";
  let arguments = (ins TM_Tensor:$operand, DenseI64ArrayAttr:$order);
  let assemblyFormat = "$operand `by` $order attr-dict `:` functional-type(operands, results)";
}
def TM_SliceOp : TM_Op<"slice"> {
  let summary = "for each axis every step-th element from begin on, as many as the result has";
  let description = "`%1 = tm.slice %0 from #tm.extents<0, 1> steps [1, 2] : …`; without `from` the operands say it.";
  let arguments = (ins TM_Tensor:$operand, Variadic<TM_Tensor>:$bounds, OptionalAttr<TM_Extents>:$begins,
                   OptionalAttr<DenseI64ArrayAttr>:$steps);
  let assemblyFormat = [{
    $operand (`by` $bounds^)? (`from` $begins^)? (`steps` $steps^)? attr-dict `:` functional-type(operands, results)
  }];
}
def TM_ConcatOp : TM_Op<"concat"> {
  let summary = "tensors behind each other along the axis";
  let arguments = (ins Variadic<TM_Tensor>:$operands_, I64Attr:$axis);
  let assemblyFormat = "$operands_ `along` $axis attr-dict `:` functional-type(operands, results)";
}
class TM_Gathering<string mnemonic, string what> : TM_Op<mnemonic> {
  let summary = what;
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$indices, I64Attr:$axis);
  let assemblyFormat = "$operand `,` $indices `along` $axis attr-dict `:` functional-type(operands, results)";
}
def TM_GatherOp : TM_Gathering<"gather", "slices across the axis, at the indices">;
def TM_GatherElementsOp : TM_Gathering<"gather_elements", "an element for each index, at its own place but along the axis">;
def TM_GatherNdOp : TM_Op<"gather_nd"> {
  let summary = "elements or slices at positions that the last axis of the indices holds";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$indices, I64Attr:$batch_axes);
  let assemblyFormat = "$operand `,` $indices attr-dict `:` functional-type(operands, results)";
}
def TM_ScatterNdOp : TM_Op<"scatter_nd"> {
  let summary = "the operand with updates put at, or combined into, the positions that the indices hold";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$indices, TM_Tensor:$updates, StrAttr:$combine);
  let assemblyFormat = "$operand `,` $indices `,` $updates attr-dict `:` functional-type(operands, results)";
}
def TM_ScatterElementsOp : TM_Op<"scatter_elements"> {
  let summary = "the operand with an update for each index, put at or combined into its own place but along the axis";
  let arguments = (ins TM_Tensor:$operand, TM_Tensor:$indices, TM_Tensor:$updates, I64Attr:$axis, StrAttr:$combine);
  let assemblyFormat = "$operand `,` $indices `,` $updates `along` $axis attr-dict `:` functional-type(operands, results)";
}
def TM_PadOp : TM_Op<"pad", [AttrSizedOperandSegments]> {
  let summary = "elements around the tensor; pads: all begins, then all ends; less than 0 cuts";
  let arguments = (ins TM_PadMode:$mode, TM_Tensor:$operand, Optional<TM_Tensor>:$value, Variadic<TM_Tensor>:$amounts,
                   OptionalAttr<TM_Extents>:$pads);
  let assemblyFormat = [{
    $mode `,` $operand (`with` $value^)? (`amounts` $amounts^)? (`pads` $pads^)? attr-dict `:`
    functional-type(operands, results)
  }];
}
def TM_ResizeOp : TM_Op<"resize"> {
  let summary = "an image of other extents, sampled from the operand";
  let arguments = (ins TM_Tensor:$operand, Variadic<TM_Tensor>:$extents, StrAttr:$mode, StrAttr:$coordinates, StrAttr:$nearest,
                   OptionalAttr<DenseF32ArrayAttr>:$scales, F32Attr:$cubic, F32Attr:$extrapolation, UnitAttr:$antialias,
                   UnitAttr:$exclude_outside);
  let assemblyFormat = "$operand (`by` $extents^)? attr-dict `:` functional-type(operands, results)";
}
def TM_TileOp : TM_Op<"tile"> {
  let summary = "the tensor repeated along each axis, as often as the extents say";
  let arguments = (ins TM_Tensor:$operand, Optional<TM_Tensor>:$repeats);
  let assemblyFormat = "$operand (`by` $repeats^)? attr-dict `:` functional-type(operands, results)";
}
def TM_DepthToSpaceOp : TM_Op<"depth_to_space"> {
  let summary = "blocks of channels become blocks of the image";
  let arguments = (ins TM_Tensor:$operand, I64Attr:$block, UnitAttr:$columns_first);
  let assemblyFormat = "$operand `block` $block attr-dict `:` functional-type(operands, results)";
}
def TM_SpaceToDepthOp : TM_Op<"space_to_depth"> {
  let summary = "blocks of the image become blocks of channels";
  let arguments = (ins TM_Tensor:$operand, I64Attr:$block);
  let assemblyFormat = "$operand `block` $block attr-dict `:` functional-type(operands, results)";
}
def TM_TriluOp : TM_Op<"trilu"> {
  let summary = "the upper or lower triangle of each matrix, from the given diagonal on; 0 elsewhere";
  let arguments = (ins TM_Tensor:$operand, Optional<TM_Tensor>:$diagonal, UnitAttr:$upper);
  let assemblyFormat = "$operand (`from` $diagonal^)? attr-dict `:` functional-type(operands, results)";
}
def TM_OneHotOp : TM_Op<"one_hot"> {
  let summary = "a new axis that holds the second value at the index, and the first one elsewhere";
  let arguments = (ins TM_Tensor:$indices, TM_Tensor:$values, I64Attr:$axis);
  let assemblyFormat = "$indices `,` $values `along` $axis attr-dict `:` functional-type(operands, results)";
}

#endif
