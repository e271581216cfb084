// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/SteppedKernel.h"
#include "compiler/stepping/StepSession.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A kernel in step mode with small inputs.
struct SteppedFixture {
  struct Kernel {
    /// Everything behind the imports.
    std::string text;
    std::map<std::string, std::string> signature;
    std::map<std::string, std::string> constexprs = {};
    std::map<std::string, uint64_t> scalars = {};
    std::array<int32_t, 3> grid{1, 1, 1};
    StageId stage = StageId::Ttir;
    size_t mostBytes = size_t{512} << 20;
    std::string kernel = {};
    /// Elements of each array.
    size_t numElements = 4096;
    /// Texts of files beside it, by their names.
    std::map<std::string, std::string> others = {};
  };
  explicit SteppedFixture(Kernel kernel);

  StepState perform(StepAction action);
  StepState perform(const StepCommand &command) { return stepped->perform(command); }
  /// Begins with a program.
  StepState restart(std::array<int32_t, 3> program = {}, StepOrder order = StepOrder::Alone);
  /// From 1, in the text of the kernel (behind the imports).
  int line(const StepState &state, size_t frame = 0) const;
  /// The preview of a variable; empty: there is none.
  static std::string preview(const StepState &state, const std::string &name);
  /// Everything that a program has computed, and all of memory.
  std::string digest();

  Kernel kernel;
  std::map<std::string, std::vector<float>> arrays;
  StepCommand command;
  std::unique_ptr<SteppedKernel> stepped;
};

/// Breaks at a line of the fixture's text, from 1.
StepBreakpoint breakAt(uint32_t line, std::string condition = {});

} // namespace tilescope::compiler
