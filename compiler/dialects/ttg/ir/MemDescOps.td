// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_MEMDESC_OPS_TD
#define TILESCOPE_TTG_MEMDESC_OPS_TD

// An immutable buffer is written where it is made and never again, so a second allocation of the same block is the same
// value: allocating and loading it have no memory effects that would keep them from being merged.
class TTG_ValueOrMemoryOp<string mnemonic> : TTG_Op<mnemonic, [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TTG_BufferAccessOpInterface, ["getBufferEffects"]>]>;

def TTG_LocalAllocOp : TTG_ValueOrMemoryOp<"local_alloc"> {
  let summary = "a buffer in shared memory, filled with a block if one is given";
  let description = [{
    Without a block the buffer must be mutable, or nothing could be written to it.

    `%m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>`
  }];
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDesc:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result), [{ build($_builder, $_state, result, ::mlir::Value(), ::mlir::IntegerAttr()); }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, src, ::mlir::IntegerAttr());
    }]>];
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "::tilescope::ttg::MemDescType getType() { return getResult().getType(); }";
  let hasVerifier = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "the end of a buffer's life";
  let description = "`ttg.local_dealloc %m : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`";
  let arguments = (ins Arg<TTG_MemDesc, "", [MemFree<TTG_SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

def TTG_LocalLoadOp : TTG_ValueOrMemoryOp<"local_load"> {
  let summary = "read a buffer into registers";
  let description = "`%v = ttg.local_load %m token %t : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>`";
  let arguments = (ins TTG_MemDesc:$src, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
    build($_builder, $_state, result, src, ::mlir::Value());
  }]>];
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let summary = "write registers to a buffer";
  let description = "`ttg.local_store %v, %m : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`";
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
  let hasVerifier = 1;
}

def TTG_MemDescIndexOp : TTG_ViewOp<"memdesc_index"> {
  let summary = "one slice along the first dimension";
  let description = "`%s = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`";
  let arguments = (ins TTG_MemDesc:$src, I32:$index);
  let assemblyFormat = "$src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescSubsliceOp : TTG_ViewOp<"memdesc_subslice"> {
  let summary = "a box at fixed offsets";
  let description = "`%s = ttg.memdesc_subslice %m[0, 32] : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem, 64x64>`";
  let arguments = (ins TTG_MemDesc:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = "$src `[` custom<Offsets>($offsets) `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescTransOp : TTG_ViewOp<"memdesc_trans"> {
  let summary = "permute the dimensions";
  let description = "`%t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared1, #smem>`";
  let arguments = (ins TTG_MemDesc:$src, DenseI32ArrayAttr:$order);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescReshapeOp : TTG_ViewOp<"memdesc_reshape"> {
  let summary = "the same elements in another shape";
  let description = "`%t = ttg.memdesc_reshape %m : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<2048xf16, #shared1, #smem>`";
  let arguments = (ins TTG_MemDesc:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescReinterpretOp : TTG_ViewOp<"memdesc_reinterpret"> {
  let summary = "the same bytes as another type";
  let description = "`%t = ttg.memdesc_reinterpret %m : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xi32, #shared, #smem>`";
  let arguments = (ins TTG_MemDesc:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

#endif
