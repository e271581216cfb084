// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/Compiler.h"

#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace tilescope::compiler {
std::ostream &operator<<(std::ostream &out, const InterpreterFinding &finding);
} // namespace tilescope::compiler

namespace tilescope::tests {

using Messages = std::vector<std::string>;

/// `x_ptr` and `y_ptr` of fp32, `i_ptr` of i32 with the numbers from 0 on, and how many elements each has.
struct Launch {
  std::array<int32_t, 3> grid{4, 1, 1};
  size_t n = 100;
  int numWarps = 4;
  /// Assertions are checked.
  bool isDebug = false;
  /// Of native code.
  unsigned numThreads = 2;
  compiler::CpuExecutor executor = compiler::CpuExecutor::OfTarget;
  std::optional<std::chrono::nanoseconds> maxProgramDuration = std::nullopt;
  /// Elements of `y_ptr` that no program writes are counted.
  bool countsUnwritten = false;
};

struct Found {
  bool completed = false;
  /// Those about accesses outside, and about assertions.
  std::vector<compiler::InterpreterFinding> findings;
  /// Those about programs that do not end.
  std::vector<compiler::InterpreterFinding> endless;
  std::vector<std::vector<std::byte>> memory;
  /// The diagnostics about them.
  std::vector<std::string> messages;
  /// Those about undefined values and races.
  std::vector<std::string> doubts;
  /// What native code says of its checks.
  std::vector<std::string> notes;
  bool isNative = false;
  std::string whyInterpreted;
  std::vector<compiler::UnwrittenElements> unwritten;
  std::vector<compiler::InterpreterPrint> prints;
};

/// Executes a kernel of `x_ptr`, `y_ptr`, `i_ptr` and `n`, in which `pid` is the program and `o` the indices of its 32
/// elements: with checked native code for the target of native code, else in the interpreter.
Found runOn(compiler::Compiler &compiler, const std::string &body, const std::string &target,
            const Launch &launch);

} // namespace tilescope::tests
