// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_LOCAL_INDEXED_OPS_TD
#define TILESCOPE_TTG_LOCAL_INDEXED_OPS_TD

// Accesses to shared memory whose coordinate along one dimension, `axis`, is data. The other coordinates are those of
// the element in the block of indices.

def TTG_LocalGatherOp : TTG_Op<"local_gather"> {
  let summary = "read elements of a buffer whose coordinate along `axis` is given";
  let description = [{
    Element [i, j] of the result is element [indices[i, j], j] of the buffer where `axis` is 0.

    `%v = ttg.local_gather %m[%i] {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem>, tensor<16x32xi32, #blocked> -> tensor<16x32xf16, #blocked>`
  }];
  let arguments = (ins Arg<TTG_MemDesc, "", [MemRead<TTG_SharedMemory>]>:$src, TT_IntTensor:$indices, I32Attr:$axis,
                   Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "write elements of a buffer whose coordinate along `axis` is given";
  let description = [{
    Which of several values for one element stays is not defined.

    `ttg.local_scatter %m[%i], %v {axis = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<16x32xi32, #blocked>, tensor<16x32xf16, #blocked>`
  }];
  let arguments = (ins Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>:$dst, TT_Tensor:$values,
                   TT_IntTensor:$indices, I32Attr:$axis, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict `:`
    qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw", [
    TypesMatchWith<"the result has the type of the values", "values", "result", "$_self">,
    OptionalTypesMatchWith<"the mask has the shape of the values", "values", "mask", "::tilescope::tt::getI1SameShape($_self)">]> {
  let summary = "combine values with elements of a buffer, atomically by element";
  let description = [{
    The coordinate along `axis` is given. The result is what the elements were before; where the mask is false,
    nothing happens and the result is not defined.

    `%o = ttg.local_atomic_scatter_rmw add, %m[%i], %v, %k {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>`
  }];
  let arguments = (ins
    TT_AtomicRMWAttr:$atomic_rmw_op, Arg<TTG_MemDesc, "", [MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>:$dst,
    TT_Tensor:$values, TT_IntTensor:$indices, Optional<TT_BoolTensor>:$mask, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif
