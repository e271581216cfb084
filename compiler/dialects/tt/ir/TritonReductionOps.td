// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_REDUCTION_OPS_TD
#define TILESCOPE_TT_REDUCTION_OPS_TD

include "compiler/dialects/tt/ir/TritonInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
// A region that combines two groups of scalars, or works on scalars of blocks, and ends in its own terminator.
class TT_RegionReturnOp<string mnemonic, string parent>
    : TT_Op<mnemonic, [ParentOneOf<[parent]>, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ReduceOp : TT_Op<"reduce", [
    Pure, SameOperandsShape, TT_SameOperandsEncoding, SingleBlock, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "combine all elements along an axis";
  let description = [{
    The region combines two groups of one scalar per source, associatively.

    ```mlir
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r0: f32):
      %s = arith.addf %l, %r0 : f32
      tt.reduce.return %s : f32
    }) : (tensor<8xf32>) -> f32
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int32_t":$axis)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
    unsigned getNumOperands() { return this->getOperands().size(); }
    /// The one operation besides the terminator that combines the two scalars; null if it is not so simple.
    ::mlir::Operation *getSingleCombiner();
  }];
}

def TT_ReduceReturnOp : TT_RegionReturnOp<"reduce.return", "ReduceOp"> {
  let summary = "ends the region of a reduction";
}

def TT_ScanOp : TT_Op<"scan", [
    Pure, SameOperandsShape, TT_SameOperandsEncoding, SingleBlock, InferTypeOpAdaptorWithIsCompatible]> {
  let summary = "running combination along an axis";
  let description = [{
    Element `i` of the result combines elements `0..i` (with `reverse`, `i..n-1`).

    ```mlir
    %r = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%l: f32, %r0: f32):
      %s = arith.addf %l, %r0 : f32
      tt.scan.return %s : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int32_t":$axis, "bool":$reverse)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
    unsigned getNumOperands() { return this->getOperands().size(); }
  }];
}

def TT_ScanReturnOp : TT_RegionReturnOp<"scan.return", "ScanOp"> {
  let summary = "ends the region of a scan";
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [
    Elementwise, SameOperandsAndResultShape, TT_SameEncoding, RecursiveMemoryEffects]> {
  let summary = "a scalar function, which may branch, on each element";
  let description = [{
    With `pack = n` the region works on n consecutive elements at once: for each source its n scalars, one
    source after the other; it returns n scalars per result likewise.

    ```mlir
    %r = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
    ^bb0(%e: f32):
      %s = arith.negf %e : f32
      tt.map_elementwise.return %s : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp : TT_RegionReturnOp<"map_elementwise.return", "MapElementwiseOp"> {
  let summary = "ends the region of an elementwise map";
}

#endif
