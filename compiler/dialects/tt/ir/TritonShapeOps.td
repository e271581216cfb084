// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_SHAPE_OPS_TD
#define TILESCOPE_TT_SHAPE_OPS_TD

include "compiler/dialects/tt/ir/TritonInterfaces.td"

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "a block of one value";
  let description = "`%t = tt.splat %s : f32 -> tensor<4x8xf32>`";
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [
    Pure, TypesMatchWith<"the result is the element", "src", "result", "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "the value of a block of one element";
  let description = "`%s = tt.unsplat %t : tensor<1xf32>`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "insert a dimension of extent 1";
  let description = "`%t = tt.expand_dims %s {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>`";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order unless `allow_reorder` is set. `efficient_layout` says that the
    result's encoding was chosen on purpose.

    `%t = tt.reshape %s : tensor<8x4xf32> -> tensor<32xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Value":$src,
                                 CArg<"bool", "false">:$allowReorder)>];
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure, TT_SameEncoding]> {
  let summary = "grow dimensions of extent 1";
  let description = "`%t = tt.broadcast %s : tensor<8x1xi32> -> tensor<8x16xi32>`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_CatOp : TT_Op<"cat", [SameTypeOperands, Pure]> {
  let summary = "two blocks after one another, in unspecified order";
  let description = "`%t = tt.cat %a, %b : tensor<8xf32> -> tensor<16xf32>`";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "two blocks as the two halves of a new last dimension";
  let description = "`%t = tt.join %a, %b : tensor<8xf32> -> tensor<8x2xf32>`";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasFolder = 1;
}

def TT_SplitOp : TT_Op<"split", [
    Pure, AllTypesMatch<["outLHS", "outRHS"]>, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "the two halves of a last dimension of extent 2";
  let description = "`%a, %b = tt.split %t : tensor<8x2xf32> -> tensor<8xf32>`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasFolder = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "permute the dimensions";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source.

    `%t = tt.trans %s {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "elements picked along an axis";
  let description = [{
    `result[i, j] = src[indices[i, j], j]` for axis 0. The result has the shape and encoding of `indices`.

    `%g = tt.gather %s[%i] {axis = 0 : i32} : (tensor<16x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$indices, "int32_t":$axis)>];
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TT_HistogramOp : TT_Op<"histogram", [
    Pure, OptionalTypesMatchWith<"the mask has the source's shape", "src", "mask",
                                 "::tilescope::tt::getI1SameShape($_self)">]> {
  let summary = "how often each value occurs";
  let description = [{
    Bin `i` counts the elements equal to `i`; as many bins as the result has elements. Elements that are
    masked off do not count.

    `%h = tt.histogram %x : tensor<64xi32> -> tensor<16xi32>`
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif
