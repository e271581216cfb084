// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What checked native code needs beside the kernel to note doubts, and what becomes of doubts.
#pragma once

#include "compiler/native/MarkTable.h"
#include "compiler/native/RunGrid.h"
#include "compiler/pipeline/DoubtCoverage.h"
#include "compiler/pipeline/SavedArguments.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The marks of a launch (compiler/conversion/tt_to_cpu/StoreMarks.h), and what the interpreter would have to
/// find again to execute it from the start.
class NativeChecks {
public:
  /// Where the coverage has a gap, there are no marks. The arguments outlive it; `kept`: memory for marks. Throws
  /// std::bad_alloc.
  NativeChecks(const DoubtCoverage &coverage, const InterpreterLaunch &launch,
               native::KeptPages &kept);

  /// Exchanges what arguments hold that are read and changed with what they held before.
  void exchange() { m_saved.exchange(); }

  /// Appends the words that `native::runGrid` takes for them.
  void addWords(std::vector<uint64_t> &words) const;
  /// Puts back what the run has changed and would read.
  void restore() const { m_saved.restore(); }
  /// Whether a program has read what another one has stored to, behind a grid of so many programs.
  bool hasReadRace(uint64_t numPrograms) const;

  /// What no program has stored to, of the arguments for which the launch asks: as the interpreter
  /// counts it where atomic operations do not change them.
  std::vector<UnwrittenElements> unwritten() const;
  /// The name of an argument that the kernel stores to, and of which no element was; null: none.
  const std::string *untouched() const;

private:
  const DoubtCoverage &m_coverage;
  const InterpreterLaunch &m_launch;
  /// Of those who have stored to elements, and of those who have read them, by argument.
  std::vector<std::optional<native::MarkTable>> m_marks, m_reads;
  SavedArguments m_saved;
};

/// What is known of the programs with doubts.
struct ExaminedPrograms {
  /// The interpreter has found something in one of them.
  bool hasFindings = false;
  /// How many it has executed; fewer than there are where it would have taken too long.
  uint64_t count = 0;
  std::chrono::nanoseconds duration{};
};

/// Has the interpreter execute programs on copies of what they change, up to the first finding: as they find the
/// arguments before the grid, which native code has executed.
ExaminedPrograms examinePrograms(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                                 const InterpreterOptions &options,
                                 const std::vector<uint64_t> &programs, NativeChecks &checks);

} // namespace tilescope::compiler
