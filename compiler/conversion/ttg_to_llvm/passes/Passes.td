// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_TO_LLVM_PASSES_TD
#define TILESCOPE_TTG_TO_LLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def BoundUnrolling : Pass<"bound-unrolling", "::mlir::ModuleOp"> {
  let summary = "refuse blocks that unroll into too much";
  let description = [{
    A thread's program has an instruction for each of its elements of each block. A kernel whose program would
    be so long that compiling it would not end is an error, which names the operation that takes the most.

    Example: tests/lit/ttg_to_llvm/bound-unrolling.mlir
  }];
}

def SettleScanLayouts : Pass<"settle-scan-layouts", "::mlir::ModuleOp"> {
  let summary = "assign layouts that can be walked to scans, reductions and maps of packs";
  let description = [{
    Operations that go along an axis need its elements in an order that threads can follow. Where a layout does
    not have one, the operands are converted to a blocked layout, and the results back.

    Example: tests/lit/ttg_to_llvm/settle-scan-layouts.mlir
  }];
}

def LoopsToBranches : Pass<"loops-to-branches", "::mlir::ModuleOp"> {
  let summary = "replace loops and conditionals by basic blocks and branches";
  let description = [{
    The functions of scalars inside reductions, scans and maps keep theirs: they are expanded for each element.
    What `ttg.mask` guards is a conditional, too.

    Example: tests/lit/ttg_to_llvm/loops-to-branches.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

def AllocateGlobalScratch : Pass<"allocate-global-scratch", "::mlir::ModuleOp"> {
  let summary = "place what programs need in global memory";
  let description = [{
    Each `ttg.global_scratch_alloc` gets its place in its program's part of the scratch in global memory, and the
    module the size and the alignment of such a part.

    Example: tests/lit/ttg_to_llvm/allocate-global-scratch.mlir
  }];
}

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "place buffers and scratch in shared memory, by their lives";
  let description = [{
    Every buffer and every operation's scratch gets its place (`allocation.offset`), and the module the sum
    (`ttg.shared`). Those that are not alive at the same time share places. More than `limit` bytes are an error.

    Example: tests/lit/ttg_to_llvm/allocate-shared-memory.mlir, tests/lit/ttg_to_llvm/exchange-parts.mlir
  }];
  let options = [Option<"limit", "limit", "int64_t", "std::numeric_limits<int64_t>::max()",
                        "bytes that a thread block may use">];
}

def AllocateTensorMemory : Pass<"allocate-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "place buffers in tensor memory";
  let description = [{
    Every buffer in tensor memory gets its columns (`allocation.offset`), and the module their number
    (`ttg.tensor_memory_size`). Runs after the allocation of shared memory, of which it needs a word.

    Example: tests/lit/ttg_to_llvm/allocate-tensor-memory.mlir
  }];
  let dependentDialects = ["::tilescope::ttng::TTNGDialect"];
}

def InsertSharedBarriers : Pass<"insert-shared-barriers", "::mlir::ModuleOp"> {
  let summary = "put barriers between conflicting accesses to shared memory";
  let description = [{
    `ttg.barrier local` is inserted wherever threads may read or overwrite what other threads wrote or read.

    Example: tests/lit/ttg_to_llvm/insert-shared-barriers.mlir
  }];
}

def InsertTraceMarks : Pass<"insert-trace-marks", "::mlir::ModuleOp"> {
  let summary = "read the clock where operations begin and end";
  let description = [{
    Loads, copies, waits, products, barriers, stores and exchanges between threads get scopes (`trace.scope`), and the
    kernel's own code reads the clock at their ends. One read serves two scopes that follow each other. A load has two
    scopes: its start, and the wait for its value in front of the value's first use. Operands that are read from shared
    memory right before a product are a part of it.

        %v = tt.load %p                    %a = trace.clock %w
        ...                          ->    %v = tt.load %p
        %s = arith.addf %v, %v             %b = trace.clock %w
                                           ...
                                           %c = trace.clock %w
                                           trace.record %w begins 1 at %a, ends 1 at %b, begins 2 at %c
                                           %d = trace.clock %w after %v
                                           %s = arith.addf %v, %v
                                           trace.record %w ends 2 at %d

    Runs last before the lowering, so that barriers are there and no later pass moves anything.

    Example: tests/lit/ttg_to_llvm/insert-trace-marks.mlir
  }];
  let options = [
    ListOption<"kinds", "kinds", "std::string", "operations that get scopes; all without">,
    ListOption<"programs", "programs", "int64_t", "programs that record; the first without">,
    ListOption<"warps", "warps", "int32_t", "warps of them that record; all without">,
    Option<"records", "records", "int32_t", "1024", "reads of the clock that a warp has room for, a power of two">
  ];
  let dependentDialects = ["::tilescope::trace::TraceDialect"];
}

def ConvertTtgToLlvm : Pass<"convert-ttg-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lower blocks with layouts to the code of one thread";
  let description = [{
    Every block becomes the elements of it that a thread holds, in the order of its layout's registers.

    Example: tests/lit/ttg_to_llvm/elementwise.mlir, tests/lit/ttg_to_llvm/memory.mlir
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif
