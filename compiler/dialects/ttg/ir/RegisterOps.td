// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_REGISTER_OPS_TD
#define TILESCOPE_TTG_REGISTER_OPS_TD

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [SameOperandsAndResultShape, SameOperandsAndResultElementType, Pure]> {
  let summary = "the same block in another layout";
  let description = "`%y = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #mma>`";
  let arguments = (ins TT_Tensor:$src, UnitAttr:$force_warp_shuffle);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
    build($_builder, $_state, result, src, /*force_warp_shuffle=*/false);
  }]>];
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
}

def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure]> {
  let summary = "unpack two 4-bit floats per byte";
  let description = [{
    The result is twice as long along `axis`; the low half of a byte comes first.

    `%y = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x16xi8, #blocked> -> tensor<32x32xbf16, #blocked1>`
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$src, I32Attr:$axis);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "index of this warp in its thread block, the same in all lanes";
  let description = "`%w = ttg.warp_id`";
  let results = (outs I32:$result);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, $_builder.getI32Type()); }]>];
  let assemblyFormat = "attr-dict";
}

def TTG_BarrierOp : TTG_Op<"barrier", [
    TTG_ThreadsMeet, MemoryEffects<[MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>,
                                    MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>]> {
  let summary = "all threads of the block meet";
  let description = [{
    What they wrote to the named memories before is visible after.

    `ttg.barrier local`, `ttg.barrier local|global_write`
  }];
  let arguments = (ins TTG_MemorySpacesAttr:$spaces);
  let assemblyFormat = "custom<Spaces>($spaces) attr-dict";
}

def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "a piece of global memory for this program";
  let description = "`%p = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>`";
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment);
  let results = (outs Arg<TT_Ptr, "", [MemAlloc<TT_GlobalMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

#endif
