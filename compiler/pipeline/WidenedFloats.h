// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel that computes in fp32 where its source computes in fp16 or bf16, so that what is wrong with it is told from
// what it rounds:
//
//     acc = tl.zeros([BN], dtype=tl.float16)     sums of fp32
//     acc += tl.load(x_ptr + i)                  loads fp16, as before
//     tl.store(o_ptr + j, acc)                   stores fp16, as before
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilescope::compiler {

/// A copy of a kernel in TTIR that rounds to 16 bits only what it stores. Null: it computes nothing in 16 bits, or
/// something that depends on their bits (a bitcast, inline assembly, functions of the device's library).
mlir::OwningOpRef<mlir::ModuleOp> withWideFloats(mlir::ModuleOp ttir);

} // namespace tilescope::compiler
