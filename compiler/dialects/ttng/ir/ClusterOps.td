// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_CLUSTER_OPS_TD
#define TILESCOPE_TTNG_CLUSTER_OPS_TD

def TTNG_ClusterArriveOp : TTNG_Op<"cluster_arrive", [TTG_OrdersSharedMemory]> {
  let summary = "arrive at the barrier of the cluster";
  let description = "`ttng.cluster_arrive {relaxed = false}`; since Triton 3.8 false may be left out";
  let arguments = (ins OptionalAttr<BoolAttr>:$relaxed);
  let assemblyFormat = "attr-dict";
}

def TTNG_ClusterWaitOp : TTNG_Op<"cluster_wait", [TTG_ThreadsMeet, TTG_OrdersSharedMemory]> {
  let summary = "wait until all blocks of the cluster have arrived";
  let description = "`ttng.cluster_wait`";
  let assemblyFormat = "attr-dict";
}

def TTNG_ClusterBarrierOp : TTNG_Op<"cluster_barrier", [TTG_ThreadsMeet, TTG_OrdersSharedMemory]> {
  let summary = "all threads of the cluster meet";
  let description = [{
    What they wrote before is visible after, unless the barrier is relaxed.

    `ttng.cluster_barrier {relaxed = true}`
  }];
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
}

def TTNG_FenceMBarrierInitReleaseClusterOp : TTNG_Op<"fence_mbarrier_init_release_cluster", [TTG_OrdersSharedMemory]> {
  let summary = "make barriers that this thread prepared visible to the cluster";
  let description = "`ttng.fence_mbarrier_init_release_cluster`";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TTNG_AsyncSharedStoreOp : TTNG_Op<"async_shared_store", [TTG_BufferAccessOpInterface]> {
  let summary = "write registers to a buffer of the cluster, asynchronously";
  let description = [{
    The barrier learns of the bytes as they arrive.

    `ttng.async_shared_store %x, %m, %bar : tensor<256xf32, #blocked> -> !ttg.memdesc<256xf32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared1, #smem, mutable>`
  }];
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>:$dst,
                   TTNG_UsedBarrier:$mbarrier);
  let assemblyFormat = [{
    $src `,` $dst `,` $mbarrier attr-dict `:` type($src) `->` qualified(type($dst)) `,` qualified(type($mbarrier))
  }];
  let extraClassDeclaration = TTG_AccessMode<"BarrierObject", "AllThreads", "Generic">.declaration;
  let hasVerifier = 1;
}

// Cluster launch control: a running cluster takes over the work of one that has not started yet. The hardware's answer
// is 16 bytes, `!ttg.memdesc<2xi64, #shared, #smem, mutable>`.

def TTNG_CLCTryCancelOp : TTNG_Op<"clc_try_cancel", [TTG_BufferAccessOpInterface]> {
  let summary = "ask to cancel the launch of a cluster that has not started";
  let description = [{
    The barrier learns of the 16 bytes of the answer as they arrive.

    `ttng.clc_try_cancel %answer, %bar : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>`
  }];
  let arguments = (ins Arg<TTG_MemDesc, "", [MemWrite<TTG_SharedMemory>]>:$result,
                   TTNG_UsedBarrier:$mbarrier);
  let assemblyFormat = "$result `,` $mbarrier attr-dict `:` qualified(type($result)) `,` qualified(type($mbarrier))";
  let extraClassDeclaration = TTNG_Fills.declaration;
  let hasVerifier = 1;
}

def TTNG_CLCLoadResultOp : TTNG_Op<"clc_load_result"> {
  let summary = "read the answer";
  let description = "`%a = ttng.clc_load_result %answer : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128`";
  let arguments = (ins Arg<TTG_MemDesc, "", [MemRead<TTG_SharedMemory>]>:$src);
  let results = (outs I<128>:$clcResult);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($clcResult)";
  let hasVerifier = 1;
}

def TTNG_CLCIsCanceledOp : TTNG_Op<"clc_is_canceled", [Pure]> {
  let summary = "whether a launch was canceled";
  let description = "`%c = ttng.clc_is_canceled %a : i128 -> i1`";
  let arguments = (ins I<128>:$clcResult);
  let results = (outs I1:$is_canceled);
  let assemblyFormat = "$clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)";
}

def TTNG_CLCGetProgramIdOp : TTNG_Op<"clc_get_program_id", [Pure]> {
  let summary = "place in the grid of the canceled cluster's first thread block";
  let description = "`%i = ttng.clc_get_program_id %a, x : i128 -> i32`";
  let arguments = (ins I<128>:$clcResult, TT_ProgramDim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)";
}

#endif
