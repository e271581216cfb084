// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include <optional>

namespace tilescope::compiler {

/// Where programs of a sample write.
enum class SampleMemory {
  /// Into copies.
  Copied,
  /// Into the launch's arguments, as far as the whole grid will store the same there: what it updates by
  /// atomic operations, or loads as well as stores to, is copied.
  InPlace,
};

/// The interpreter executes some programs of a grid on copies of what they change: it
/// finds what native code does not look for, such as undefined values. Of the result, only these
/// findings count, and how many programs it executed in which time. Nothing: the programs would wait for
/// others, or it would take too long.
std::optional<Interpretation> samplePrograms(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                                             const InterpreterOptions &options,
                                             const std::vector<uint64_t> &programs,
                                             SampleMemory memory = SampleMemory::Copied);

/// The numbers of the first and the last program.
std::vector<uint64_t> outermostPrograms(const InterpreterLaunch &launch);

} // namespace tilescope::compiler
