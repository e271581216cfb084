// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_WARP_SPECIALIZE_OPS_TD
#define TILESCOPE_TTG_WARP_SPECIALIZE_OPS_TD

def TTG_WarpSpecializeOp : TTG_Op<"warp_specialize"> {
  let summary = "groups of warps that execute different code at the same time";
  let description = [{
    The warps that execute the operation go on with the first region; each further region is executed by warps
    of its own, which see the captured values as its arguments. The operation ends when all regions have.

    ```mlir
    ttg.warp_specialize(%m, %n)
    default {
      ttg.warp_yield
    }
    partition0(%a: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %b: i32) num_warps(2) {
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #shared, #smem, mutable>, i32) -> ()
    ```
  }];
  let arguments = (ins
    Variadic<AnyType>:$captures, DenseI32ArrayAttr:$partitionNumWarps,
    OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds, OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
    OptionalAttr<DenseI32ArrayAttr>:$actualRegisters);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MinSizedRegion<1>:$defaultRegion, VariadicRegion<MinSizedRegion<1>>:$partitions);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TTG_WarpYieldOp : TTG_Op<"warp_yield", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">]> {
  let summary = "end of the code of the warps that were there before";
  let description = "`ttg.warp_yield %x : i32`";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}

def TTG_WarpReturnOp : TTG_Op<"warp_return", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">]> {
  let summary = "end of the code of a group of further warps";
  let description = "`ttg.warp_return`";
  let assemblyFormat = "attr-dict";
}

#endif
