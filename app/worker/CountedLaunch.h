// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/CountAccesses.h"
#include "compiler/service/Messages.h"
#include "profiler/package/LaunchPlan.h"

#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tilescope::app {

/// What is to be counted, and until when.
struct CountTask {
  const compiler::InspectMessage &message;
  /// Without programs where the message has no plan.
  const profiler::LaunchPlan &plan;
  std::stop_token stop;

  bool isExecuted() const { return !message.launchPlan.empty() && !message.onlyNumbers; }
};

/// What a launch gives to its kernel. Tensors are made when their data is asked for: most counts need
/// none.
class TaskArguments {
public:
  explicit TaskArguments(const CountTask &task) : m_task(task) {}
  /// Holds on to this object.
  compiler::LaunchArguments provider();
  /// What keeps the tensors from being made.
  const Status &usable() const { return m_usable; }

private:
  std::optional<compiler::InterpreterArgument> find(const compiler::KernelParameter &parameter,
                                                    bool withData);
  Status makeTensor(const profiler::PlanArgument &argument);

  const CountTask &m_task;
  std::map<std::string, profiler::Tensor> m_tensors;
  /// Of the tensors made so far.
  uint64_t m_bytes = 0;
  Status m_usable;
};

/// A kernel that was compiled, with what the accesses of its launch cost.
struct CountedLaunch {
  compiler::CompileResult result;
  /// Nothing after an error.
  std::optional<compiler::MemoryFacts> facts;
  compiler::AccessRecord record;
  /// Where hints or an estimate are wanted.
  compiler::ComputeFacts kernel;
  std::vector<compiler::Diagnostic> diagnostics;
  bool cancelled = false;
};

/// Whether hints or an estimate are wanted: both read the machine code.
inline bool needsMachineCode(const compiler::InspectMessage &message) {
  return message.wantsHints || message.wantsEstimate;
}

/// What is to be compiled before it is counted.
compiler::CompileRequest countRequest(compiler::CompileRequest request, bool needsCode);

/// The grid of a launch, as the interpreter takes it.
std::array<int32_t, 3> gridOf(const profiler::LaunchPlan &plan);

/// What is said of a launch that cannot be made.
compiler::Diagnostic unusable(const Error &error);

CountedLaunch countLaunch(compiler::CompileOutcome compiled, const CountTask &task);

/// Of all arrays of the launch.
uint64_t dataBytes(const profiler::LaunchPlan &plan);

} // namespace tilescope::app
