// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TT_MATH_OPS_TD
#define TILESCOPE_TT_MATH_OPS_TD

include "compiler/dialects/tt/ir/TritonInterfaces.td"

def TT_ClampFOp : TT_ElementwiseOp<"clampf", [SameOperandsAndResultType]> {
  let summary = "clamp to a range";
  let description = [{
    `min(max(x, lo), hi)`. With `propagateNan = all` a NaN in `x` results in NaN; with `none`, in `lo`.
    NaN bounds are undefined.

    `%r = tt.clampf %x, %lo, %hi, propagateNan = none : tensor<8xf32>`
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)
  }];
}

def TT_PreciseSqrtOp : TT_ElementwiseOp<"precise_sqrt", [SameOperandsAndResultType]> {
  let summary = "correctly rounded square root";
  let description = "`%r = tt.precise_sqrt %x : tensor<8xf32>`";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_ElementwiseOp<"precise_divf", [SameOperandsAndResultType]> {
  let summary = "correctly rounded division";
  let description = "`%r = tt.precise_divf %x, %y : tensor<8xf32>`";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_MulhiUIOp : TT_ElementwiseOp<"mulhiui", [Commutative, SameOperandsAndResultType]> {
  let summary = "upper half of the product of unsigned integers";
  let description = "`%r = tt.mulhiui %x, %y : tensor<8xi32>`";
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_AddPtrOp : TT_ElementwiseOp<"addptr", [AllTypesMatch<["result", "ptr"]>]> {
  let summary = "pointer advanced by signed offsets, counted in elements";
  let description = "`%q = tt.addptr %p, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>`";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "consecutive integers";
  let description = "Values `[start, end)`: `%r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>`";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "index of this program in the grid";
  let description = "`%i = tt.get_program_id x : i32`";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "int":$axis), [{
    build($_builder, $_state, $_builder.getI32Type(), static_cast<ProgramIDDim>(axis));
  }]>];
  let extraClassDeclaration = "int32_t getAxisAsInt() { return static_cast<int32_t>(getAxis()); }";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "extent of the grid";
  let description = "`%n = tt.get_num_programs x : i32`";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "int":$axis), [{
    build($_builder, $_state, $_builder.getI32Type(), static_cast<ProgramIDDim>(axis));
  }]>];
  let extraClassDeclaration = "int32_t getAxisAsInt() { return static_cast<int32_t>(getAxis()); }";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    Elementwise, TT_SameShape, TT_SameEncoding, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    ConditionallySpeculatable]> {
  let summary = "function of a library on each element";
  let description = [{
    `%y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<8xf32>) -> tensor<8xf32>`
  }];
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let extraClassDeclaration = "::mlir::Speculation::Speculatability getSpeculatability();";
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    Elementwise, TT_SameShape, TT_SameEncoding, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    ConditionallySpeculatable]> {
  let summary = "assembly on each element, or on packs of consecutive elements";
  let description = [{
    ```mlir
    %y = tt.elementwise_inline_asm "ex2.approx.f32 $0, $1;"
      {constraints = "=f,f", packed_element = 1 : i32, pure = true} %x : tensor<8xf32> -> tensor<8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                   Variadic<AnyTypeOf<[TT_Type]>>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::Speculation::Speculatability getSpeculatability();";
}

#endif
