// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What Triton's pipeliner writes while it guards the operations of a loop, and takes away again.
#ifndef TILESCOPE_TTG_PIPELINE_OPS_TD
#define TILESCOPE_TTG_PIPELINE_OPS_TD

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [Pure, AllTypesMatch<["iv", "ub", "step"]>]> {
  let summary = "whether an iteration executes a stage of the pipeline";
  let description = [{
    An iteration of a pipelined loop begins the first stage of one iteration of the source while it ends the last stage
    of an earlier one. The last of them do not begin anything: `iv < ub - (maxStage - stage) * step`.

    `ttg.predicate_stage %iv, %ub, %step maxStage 2 stage 0 : i32 -> i1`
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$iv, AnySignlessIntegerOrIndex:$ub, AnySignlessIntegerOrIndex:$step,
                       I32Attr:$maxStage, I32Attr:$stage);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:` type($iv) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_MaskOp : TTG_Op<"mask", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "operations that are executed where a predicate holds";
  let description = [{
    Where it does not hold, the results are not read.

    ```mlir
    %x = ttg.mask %pred {
      %y = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
      ttg.mask.return %y : tensor<64xf32, #blocked>
    } : tensor<64xf32, #blocked>
    ```
  }];
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = "$pred $region attr-dict (`:` type($results)^)?";
  let hasRegionVerifier = 1;
}

def TTG_MaskReturnOp : TTG_Op<"mask.return", [Pure, Terminator, ReturnLike, HasParent<"MaskOp">]> {
  let summary = "end of operations that are executed where a predicate holds";
  let description = "`ttg.mask.return %y : tensor<64xf32, #blocked>`";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
