// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is meant as a kernel, and is none yet:
//
//     @triton.jit
//     def double(x_ptr, n):                          returns a value, and nothing calls it,
//         i = tl.program_id(0) * 64 + tl.arange(0, 64)       but it knows its program and loads
//         return tl.load(x_ptr + i, mask=i < n) * 2
//
// Functions that other files import return values, too, but compute them of what they are given: those are
// no mistake.
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// Functions that are surely meant as kernels, although they return a value: of a file without kernels the
/// only one that no other function uses; of any file those that nothing calls, and that the file launches, or
/// that know the number of their program and access memory.
std::vector<const JitFunction *> returningKernels(const ModuleIndex &index);
bool isReturningKernel(const ModuleIndex &index, const JitFunction &function);

/// The first `return` with a value; null: there is none.
const Return *valueReturn(const FunctionDef &function);

/// The plain function that only lacks `@triton.jit` to be a kernel: the first one that uses the
/// language, else the only one. Null when functions are decorated with it, or nothing fits.
const FunctionDef *undecoratedKernel(const SyntaxTree &tree, const ModuleIndex &index);

/// The decorator of a function that is meant as `@triton.jit` and is neither that nor anything that
/// the file defines or imports: `@jit`, `@triton.jitt`. `wanted` is the function's name; empty: of
/// the first such function. Null: there is none.
const Expr *misspelledJit(const SyntaxTree &tree, const ModuleIndex &index,
                          std::string_view wanted);

} // namespace tilescope::compiler::ast
