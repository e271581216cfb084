// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TRACE_OPS_TD
#define TILESCOPE_TRACE_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Trace_Dialect : Dialect {
  let name = "trace";
  let cppNamespace = "::tilescope::trace";
  let summary = "Clock reads inside a kernel";
  let description = [{
    A kernel that is traced records when its warps begin and end operations. Each warp of the chosen programs writes
    into a ring of its own in the profile scratch; all others execute the same code and write nothing.

        trace.scope 1 "load" "tt.load" queue 1 starts 1
        trace.scope 2 "wait" "tt.load" queue 1 leaves 0

        %w = trace.open programs [0, 7] warps [0, 1, 2, 3] records 1024
        trace.mark %w begins 1
        %v = tt.load %p
        trace.mark %w ends 1
        ...
        trace.mark %w begins 2
        trace.mark %w ends 2 after %v : tensor<128xf32, #blocked>
        trace.close %w
  }];
  let useDefaultTypePrinterParser = 1;
}

def Trace_Writer : TypeDef<Trace_Dialect, "Writer"> {
  let mnemonic = "writer";
  let summary = "where a warp records";
  let description = "`!trace.writer`";
}

def Trace_Scratch : Resource<"::tilescope::trace::ProfileScratch">;
class Trace_Op<string mnemonic> : Op<Trace_Dialect, mnemonic, [MemoryEffects<[MemWrite<Trace_Scratch>]>]>;

def Trace_ScopeOp : Trace_Op<"scope"> {
  let summary = "what marks of this number are of";
  let description = [{
    In the module; the place is the operation's. `queue` numbers what is under way behind the operation that starts
    it: so many pieces of work enter it at the scope's end. A wait leaves so many in it, at most; one that does not say
    how many takes the oldest.

    `trace.scope 2 "copy" "ttg.async_copy_global_to_local" queue 1 starts 1`
  }];
  let arguments = (ins I32Attr:$id, StrAttr:$kind, StrAttr:$subject, OptionalAttr<I32Attr>:$queue,
                   OptionalAttr<I32Attr>:$starts, OptionalAttr<I32Attr>:$leaves);
  let assemblyFormat = [{
    $id $kind $subject (`queue` $queue^)? (`starts` $starts^)? (`leaves` $leaves^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Trace_OpenOp : Trace_Op<"open"> {
  let summary = "find out whether and where this warp records";
  let description = [{
    Programs by their place in the grid, x fastest; warps of all blocks of the program's cluster. `records` is a power
    of two. What `resumes` goes on behind what the warp has recorded before.

    `%w = trace.open programs [0] warps [0, 1, 2, 3] records 1024`
  }];
  let arguments = (ins DenseI64ArrayAttr:$programs, DenseI32ArrayAttr:$warps, I32Attr:$records, UnitAttr:$resumes);
  let results = (outs Trace_Writer:$writer);
  let assemblyFormat = "`programs` $programs `warps` $warps `records` $records (`resumes` $resumes^)? attr-dict";
  let hasVerifier = 1;
}

def Trace_MarkOp : Trace_Op<"mark"> {
  let summary = "read the clock: a scope ends, another begins";
  let description = [{
    With `after`, the clock is read once the value is in its registers.

    `trace.mark %w ends 1 begins 2`
  }];
  let arguments = (ins Trace_Writer:$writer, OptionalAttr<I32Attr>:$ends, OptionalAttr<I32Attr>:$begins,
                   Optional<AnyType>:$awaited);
  let assemblyFormat = [{
    $writer (`ends` $ends^)? (`begins` $begins^)? (`after` $awaited^ `:` type($awaited))? attr-dict
  }];
  let hasVerifier = 1;
}

def Trace_CloseOp : Trace_Op<"close"> {
  let summary = "the end of what the warp records";
  let description = "`trace.close %w`";
  let arguments = (ins Trace_Writer:$writer);
  let assemblyFormat = "$writer attr-dict";
}

#endif
