// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/ReplyWriter.h"
#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/SteppedKernel.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchPlan.h"

#include <map>
#include <memory>
#include <stop_token>

namespace tilescope::app {

/// The launch that is stepped through, with its memory. One at a time; it lives between messages.
class SteppedLaunch {
public:
  /// Does what the message says and sends the reply. Thread: the one that owns the compiler.
  void run(compiler::Compiler &worker, const compiler::StepMessage &message, std::stop_token stop,
           ReplyWriter &replies);

private:
  Status open(compiler::Compiler &worker, const compiler::StepMessage &message,
              const std::stop_token &stop, compiler::StepDoneReply &reply);
  std::optional<compiler::InterpreterArgument> find(const compiler::KernelParameter &parameter);
  void fillTensors();

  profiler::LaunchPlan m_plan;
  std::string m_inputFolder;
  compiler::CompileRequest m_request;
  std::map<std::string, profiler::Tensor> m_tensors;
  /// Points into the tensors.
  std::unique_ptr<compiler::SteppedKernel> m_kernel;
};

} // namespace tilescope::app
