// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_BULK_COPY_OPS_TD
#define TILESCOPE_TTNG_BULK_COPY_OPS_TD

// Operands that occur again and again: a descriptor that is read, through which memory is written, or that is itself in
// memory; and buffers.
def TTNG_LoadDesc : Arg<TT_TensorDescType, "", [MemRead<TTNG_GlobalMemory>]>;
def TTNG_LoadDescOrImages : Arg<AnyTypeOf<[TT_TensorDescType, TTNG_TensorDescIm2Col]>, "", [MemRead<TTNG_GlobalMemory>]>;
def TTNG_StoreDesc : Arg<TT_TensorDescType, "", [MemRead<TTNG_GlobalMemory>, MemWrite<TTNG_GlobalMemory>]>;
def TTNG_StoredDesc : Arg<TT_Ptr, "", [MemRead<TTNG_GlobalMemory>, MemWrite<TTNG_GlobalMemory>]>;
def TTNG_FilledBuffer : Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>;
def TTNG_SentBuffer : Arg<TTG_MemDesc, "", [MemRead<TTG_SharedMemory>]>;

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [
    TTG_BufferAccessOpInterface, AttrSizedOperandSegments]> {
  let summary = "bulk copy of a described block to shared memory";
  let description = [{
    The barrier learns of the bytes as they arrive. Of images, the coordinates are those of the first pixel, the slowest
    first, and a channel; `offsets` moves all pixels along each dimension of an image, as the element of a filter does.

    `ttng.async_tma_copy_global_to_local %d[%i, %j] %m, %bar, %pred : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`
  }];
  let arguments = (ins
    TTNG_LoadDescOrImages:$desc, Variadic<I32>:$coord, Variadic<I16>:$offsets, TTNG_UsedBarrier:$barrier,
    TTNG_FilledBuffer:$result, I1:$pred, UnitAttr:$multicast,
    DefaultValuedAttr<TT_CacheModifierAttr, "::tilescope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::tilescope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred
    `` custom<CachePolicy>($cache, $evict, attr-dict) `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = TTNG_Fills.declaration;
  let hasVerifier = 1;
}

def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global", [TTG_BufferAccessOpInterface]> {
  let summary = "bulk copy of a described block to global memory";
  let description = "`ttng.async_tma_copy_local_to_global %d[%i, %j] %m : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`";
  let arguments = (ins TTNG_StoreDesc:$desc, Variadic<I32>:$coord, TTNG_SentBuffer:$src);
  let assemblyFormat = "$desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))";
  let extraClassDeclaration = TTNG_Sends.declaration;
  let hasVerifier = 1;
}

def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce", [TTG_BufferAccessOpInterface]> {
  let summary = "combine a buffer into a described block of global memory, atomically by element";
  let description = "`ttng.async_tma_reduce add, %d[%i, %j] %m : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>`";
  let arguments = (ins TT_DescriptorReduceKindAttr:$kind, TTNG_StoreDesc:$desc, Variadic<I32>:$coord,
                   TTNG_SentBuffer:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
  let extraClassDeclaration = TTNG_Sends.declaration;
  let hasVerifier = 1;
}

def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather", [TTG_BufferAccessOpInterface]> {
  let summary = "bulk copy of rows of a described matrix to shared memory";
  let description = "`ttng.async_tma_gather %d[%x, %y] %m, %bar, %pred : …`, the types of all operands in the order of the declaration";
  let arguments = (ins TTNG_LoadDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset,
                   TTNG_UsedBarrier:$barrier, TTNG_FilledBuffer:$result, I1:$pred,
                   UnitAttr:$multicast);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred attr-dict `:` qualified(type(operands))
  }];
  let extraClassDeclaration = TTG_AccessMode<"BarrierObject", "AllThreads", "Async">.declaration;
  let hasVerifier = 1;
}

def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter", [TTG_BufferAccessOpInterface]> {
  let summary = "bulk copy of a buffer to rows of a described matrix";
  let description = "`ttng.async_tma_scatter %d[%x, %y] %m : …`, the types of all operands in the order of the declaration";
  let arguments = (ins TTNG_StoreDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset, TTNG_SentBuffer:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` qualified(type(operands))";
  let extraClassDeclaration = TTG_AccessMode<"BulkGroup", "AllThreads", "Async">.declaration;
  let hasVerifier = 1;
}

def TTNG_TMAStoreWaitOp : TTNG_Op<"async_tma_store_wait", [TTG_AsyncWaitOpInterface, TTG_OrdersSharedMemory]> {
  let summary = "wait until at most `pendings` bulk copies out of shared memory are under way";
  let description = [{
    Those that only write what they have read do not count where `read_only` says so.

    `ttng.async_tma_store_wait {pendings = 0 : i32}`
  }];
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let extraClassDeclaration = TTG_AsyncWait<"BulkGroup", "getPendings()">.declaration;
  let assemblyFormat = "attr-dict";
}

def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create", [AttrSizedOperandSegments]> {
  let summary = "write a descriptor of a tensor to global memory";
  let description = [{
    The numbers are those of the fields in PTX's `tensormap.replace`; extents and strides are listed fastest first.

    `ttng.tensormap_create %desc, %base, [%box], [%extent], [], [%one] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()`
  }];
  let arguments = (ins
    TTNG_StoredDesc:$desc_ptr, TT_Ptr:$global_address, Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride, Variadic<I32>:$element_stride,
    I32Attr:$elem_type, I32Attr:$interleave_layout, I32Attr:$swizzle_mode, I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TTNG_TensormapFenceproxyAcquireOp : TTNG_Op<"tensormap_fenceproxy_acquire"> {
  let summary = "make a descriptor that was written to global memory visible to bulk copies";
  let description = "`ttng.tensormap_fenceproxy_acquire %desc : !tt.ptr<i8>`";
  let arguments = (ins TTNG_StoredDesc:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "the descriptor that a pointer points to";
  let description = "`%d = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>`";
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

#endif
