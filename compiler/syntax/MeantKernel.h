// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is meant as a kernel in a file that has none:
//
//     @triton.jit
//     def double(x_ptr):     returns a value, and nothing calls it
//         return x_ptr * 2
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string_view>

namespace tilescope::compiler::ast {

/// The only function of a file without kernels that no other function uses, although it returns a
/// value; null in all other files.
const JitFunction *returningKernel(const ModuleIndex &index);

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
