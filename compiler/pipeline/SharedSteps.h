// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The order of a kernel's operations as a reader follows it. Nine operations from three lines, of
// which the second loads two values through one scratch:
//
//     moment    0 1 2 3 4 5 6 7 8
//     line      4 4 5 5 5 5 5 6 6
//     scratch       [---) [---)          from 2 to 4, from 5 to 7
//     step      0   1   2 3   4          a scratch ends before the next one begins
//
#pragma once

#include "compiler/artifacts/SharedFacts.h"
#include "compiler/conversion/ttg_to_llvm/allocation/SharedPlaces.h"
#include "compiler/pipeline/KernelAccesses.h"

namespace tilescope::compiler {

/// Cuts a function's time into steps. The module was parsed from the stage's text.
class SharedSteps {
public:
  SharedSteps(const Timeline &time, const StageSources &sources,
              llvm::ArrayRef<SharedPlace> places);

  const std::vector<SharedStep> &steps() const { return m_steps; }
  /// The step in which a moment is; behind the last moment: as many as there are.
  uint32_t at(int64_t moment) const;

private:
  std::vector<SharedStep> m_steps;
  /// Of each step.
  std::vector<int64_t> m_begins;
  int64_t m_end = 0;
};

/// The line of an operation in the text that its module was parsed from, 0-based.
uint32_t stageLineOf(mlir::Operation *op);

} // namespace tilescope::compiler
