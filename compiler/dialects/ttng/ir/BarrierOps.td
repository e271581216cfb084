// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_BARRIER_OPS_TD
#define TILESCOPE_TTNG_BARRIER_OPS_TD

// A barrier is a buffer of one `i64`: `!ttg.memdesc<1xi64, #shared, #smem, mutable>`; in a cluster, of one for each of
// its thread blocks, or for each group of them: `!ttg.memdesc<2xi64, #shared, #smem, mutable>`.
//
// To prepare or end a barrier is to write its memory. All other operations change its phase, which orders them by itself.
class TTNG_BarrierOp<string mnemonic, list<Trait> traits = []>
    : TTNG_Op<mnemonic, !listconcat(traits, [TTG_BufferAccessOpInterface])> {
  let extraClassDeclaration = TTNG_ByFirstThread.declaration;
  let hasVerifier = 1;
}
def TTNG_BarrierMemory : Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>;
def TTNG_UsedBarrier : Arg<TTG_MemDesc, "", [MemRead<TTNG_BarrierPhase>, MemWrite<TTNG_BarrierPhase>]>;

def TTNG_InitBarrierOp : TTNG_BarrierOp<"init_barrier"> {
  let summary = "prepare a barrier whose phase ends after `count` arrivals";
  let description = "`ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>`";
  let arguments = (ins TTNG_BarrierMemory:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
}

def TTNG_InvalBarrierOp : TTNG_BarrierOp<"inval_barrier"> {
  let summary = "the end of a barrier: its memory is free for other uses";
  let description = "`ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #shared, #smem, mutable>`";
  let arguments = (ins TTNG_BarrierMemory:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
}

def TTNG_BarrierExpectOp : TTNG_BarrierOp<"barrier_expect"> {
  let summary = "arrive, and let the phase wait for `size` bytes of bulk copies as well";
  let description = [{
    `fromCTA` is a mask of the bits of a thread block's number in the cluster: the block with the other bits 0
    arrives at the barriers of those that share them.

    `ttng.barrier_expect %bar, 8192, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>`
  }];
  let arguments = (ins TTNG_UsedBarrier:$alloc,
                   I32Attr:$size, I1:$pred, OptionalAttr<I32Attr>:$fromCTA);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
}

def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments, TTG_AsyncWaitOpInterface]> {
  let summary = "wait until the phase of this parity is over";
  let description = [{
    `deps` are the buffers whose contents the wait makes ready.

    `ttng.wait_barrier %bar, %phase, %pred deps %m : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>`
  }];
  let arguments = (ins TTNG_UsedBarrier:$alloc,
                   I32:$phase, Optional<I1>:$pred, Variadic<TTG_MemDesc>:$deps);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` qualified(type($alloc)) (`,` qualified(type($deps))^)?
  }];
  let extraClassDeclaration = TTG_AsyncWait<"BarrierObject", "0">.declaration;
  let hasVerifier = 1;
}

def TTNG_ArriveBarrierOp : TTNG_BarrierOp<"arrive_barrier"> {
  let summary = "count `count` arrivals at a barrier";
  let description = [{
    `multicastCTA` is a mask of the bits of a thread block's number in the cluster: the arrival counts at the
    barriers of all blocks whose numbers differ in these bits only. For `fromCTA` see `ttng.barrier_expect`.

    `ttng.arrive_barrier %bar, 2, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>`
  }];
  let arguments = (ins TTNG_UsedBarrier:$alloc,
                   I32Attr:$count, Optional<I1>:$pred, OptionalAttr<I32Attr>:$fromCTA,
                   DefaultValuedOptionalAttr<I32Attr, "0">:$multicastCTA);
  let assemblyFormat = "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))";
  let extraClassDeclaration = TTG_AccessMode<"Immediate", "FirstThreadForAll", "Generic">.declaration;
}

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive"> {
  let summary = "arrive when all asynchronous copies of this thread are done";
  let description = "`ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>`";
  let arguments = (ins TTNG_UsedBarrier:$barrier,
                   UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

#endif
