// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code in place of the interpreter. What a run says is what the interpreter says, word by word: native code
// executes the grid alone where there is nothing to say. In the order of what it costs to find out:
//
//   the kernel or the launch need what native code does not know    nothing was executed
//   the first program has findings                                  the interpreter executed one program
//   a program of the grid is at fault, or in doubt                  native code executed the grid in vain
//
// In each of these cases the interpreter executes the kernel, from the start, and the run takes its time.
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/CompileJob.h"

#include <optional>
#include <string>

namespace tilescope::compiler {

struct StandInRun {
  /// Nothing: the interpreter shall execute the kernel, on arguments that are as they were, as far as it
  /// reads them.
  std::optional<Interpretation> outcome;
  /// Why there is no outcome: a clause such as "the grid is empty".
  std::string obstacle;
};

/// Interprets the first program of the grid, and executes all as checked native code.
StandInRun standInForInterpreter(CompileJob &job, mlir::ModuleOp ttir,
                                 const InterpreterLaunch &launch,
                                 const InterpreterOptions &options);

} // namespace tilescope::compiler
