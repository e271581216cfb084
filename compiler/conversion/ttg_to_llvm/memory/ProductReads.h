// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What products of groups of warps read from shared memory, past the threads: core matrices of eight
// rows by 16 bytes. Each instruction reads its part of both factors.
//
// Worked example (asserted by the unit test "what tensor cores read is counted by core matrices"):
// 128 x 128 x 64 of fp16 by one group of warps, whose instructions are 64 x 128 x 16 each. Two pieces
// of 64 rows and four steps along K are 8 instructions. They read the left factor (16 KiB) once, in
// 128 core matrices, and the right one for each piece, in 256.
// Source: PTX ISA, "Asynchronous warpgroup level matrix multiply-accumulate", shared memory layouts.
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/PlannedAccesses.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

namespace tilescope::compiler {

/// Rows of a buffer as if lanes read them, 16 bytes each, eight rows at a time: how its elements are
/// swizzled, and how tensor cores read it. Nothing where there are fewer rows, or elements that fill
/// no bytes.
std::optional<access::AccessPlan> rowsOfBuffer(mlir::Value buffer);

/// Adds the reads of the factors that are in shared memory.
void addProductReads(ttng::WarpGroupDotOp dot, int numWarps, PlannedAccesses &result);

} // namespace tilescope::compiler
