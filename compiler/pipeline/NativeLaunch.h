// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A launch as native code takes it.
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/native/RunGrid.h"
#include "compiler/pipeline/CompileJob.h"

#include <vector>

namespace tilescope::compiler {

/// Whether two arguments share memory. The same memory under two names is fine as long as a program
/// uses equal elements of both, but nothing here knows whether it does.
bool argumentsOverlap(const std::vector<InterpreterArgument> &arguments);

/// A word for each argument, and where bounds are checked another one with its bytes.
std::vector<uint64_t> wordsOf(const std::vector<InterpreterArgument> &arguments, bool checksBounds);

/// Whether a launch stores more than the caches hold, so that its stores are to go past them.
bool writesPastCaches(mlir::ModuleOp ttir, const InterpreterLaunch &launch);

/// Executes the grid; reports progress a few times a second, also while no program ends.
native::GridOutcome runPrograms(CompileJob &job, const native::NativeKernel &kernel,
                                const std::vector<uint64_t> &words, const InterpreterLaunch &launch,
                                const InterpreterOptions &options);

/// Compiles the kernel, or finds the code that was made of it before. `reported`: what is at fault in it.
Result<native::NativeKernel> compileNative(CompileJob &job, mlir::ModuleOp ttir,
                                           const native::NativeOptions &options,
                                           std::vector<Diagnostic> &reported);

/// What the programs have printed. The places' files are added to those of the outcome.
void addPrints(const native::NativeKernel &kernel, native::GridOutcome &run,
               Interpretation &outcome);

/// Whether a print may have shown an element that is undefined, of which the interpreter says so.
bool mayPrintUndefined(const native::NativeKernel &kernel, const native::GridOutcome &run);

/// What there is to say of a program that did not come to its end. `limit`: how long one may take.
InterpreterFinding faultFinding(CompileJob &job, mlir::ModuleOp ttir,
                                const native::GridFault &fault, const std::array<int32_t, 3> &grid,
                                std::chrono::nanoseconds limit);

} // namespace tilescope::compiler
