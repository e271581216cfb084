// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/StepJob.h"

#include "app/worker/CompileJob.h"
#include "app/worker/CountedLaunch.h"
#include "app/worker/LastWords.h"
#include "app/worker/LaunchInput.h"

#include <algorithm>
#include <chrono>
#include <sys/resource.h>

namespace tilescope::app {

using namespace compiler;

/// The ways back take no more, and no more than a part of what the worker may take.
static constexpr size_t kMostKeptBytes = size_t{512} << 20;
static constexpr rlim_t kShareOfMemory = 4;
/// Between two replies that say how far it is.
static constexpr std::chrono::milliseconds kProgressInterval(200);

static size_t mostKeptBytes() {
  rlimit memory{};
  getrlimit(RLIMIT_AS, &memory);
  return std::min<size_t>(kMostKeptBytes, memory.rlim_cur / kShareOfMemory);
}

std::optional<InterpreterArgument> SteppedLaunch::find(const KernelParameter &parameter) {
  InterpreterArgument result;
  result.name = parameter.name;
  const auto tensor = m_tensors.find(parameter.name);
  if (tensor != m_tensors.end()) {
    result.data = tensor->second.data.data();
    result.sizeBytes = tensor->second.data.size();
    result.shape = tensor->second.shape;
    return result;
  }
  const profiler::PlanArgument *argument = m_plan.argument(parameter.name);
  if (!argument)
    return std::nullopt;
  result.bits = scalarBits(*argument->scalar(), parameter.type);
  return result;
}

/// Where they are is known to the kernel: only their contents are new.
void SteppedLaunch::fillTensors() {
  std::map<std::string, profiler::Tensor> fresh;
  std::string failed;
  if (!makeTensors(m_plan, m_inputFolder, fresh, failed))
    return;
  for (auto &[name, tensor] : m_tensors)
    if (const auto found = fresh.find(name);
        found != fresh.end() && found->second.data.size() == tensor.data.size())
      std::ranges::copy(found->second.data, tensor.data.begin());
}

static void addError(const Error &error, StepDoneReply &reply) {
  reply.diagnostics.push_back(unusable(error));
}

Status SteppedLaunch::open(Compiler &worker, const StepMessage &message,
                           const std::stop_token &stop, StepDoneReply &reply) {
  m_kernel.reset();
  m_tensors.clear();
  const StepLaunch &launch = *message.launch;
  m_request = launch.request;
  m_inputFolder = launch.inputFolder;
  Result<profiler::LaunchPlan> plan = profiler::launchPlanFromJson(launch.launchPlan);
  if (!plan)
    return plan.error();
  m_plan = std::move(*plan);
  CompileHooks hooks;
  hooks.stop = stop;
  hooks.stepStarted = [&](StageId stage, std::string_view step) {
    setLastWordsStep(stage, step);
    obeyTestHook(message.hook, step);
  };
  CompileRequest request = launch.request;
  request.stopAfter = launch.stage;
  // What the frontend says of values: which integers are unsigned.
  request.collectFacts = true;
  request.recordPassIr = false;
  auto compiled = std::make_shared<CompileOutcome>(worker.compile(request, hooks));
  reply.cancelled = compiled->cancelled;
  reply.files = compiled->result.files;
  if (!reply.files.empty())
    reply.files.front().text.clear();
  if (!compiled->result.ok) {
    reply.diagnostics = compiled->result.diagnostics;
    return Error{ErrorCode::Usage, "the kernel does not compile: Problems says why", ""};
  }
  std::string failed;
  if (Status usable = makeTensors(m_plan, m_inputFolder, m_tensors, failed); !usable)
    return usable;
  StepInput input;
  input.stage = launch.stage;
  if (launch.stage == StageId::Ttir && request.entry == StageId::Ast) {
    hooks.keepsBindings = true;
    input.bound = std::make_shared<const CompileResult>(worker.compile(request, hooks).result);
  }
  input.grid = gridOf(m_plan);
  input.argument = [this](const KernelParameter &parameter, bool) { return find(parameter); };
  input.resetMemory = [this] { fillTensors(); };
  input.mostBytes = mostKeptBytes();
  Result<std::unique_ptr<SteppedKernel>> opened = SteppedKernel::open(
      std::shared_ptr<const CompileResult>(compiled, &compiled->result), std::move(input));
  if (!opened)
    return opened.error();
  m_kernel = std::move(*opened);
  return {};
}

/// A program of the grid, whatever was asked for.
static StepCommand inGrid(StepCommand command, const profiler::LaunchPlan &plan) {
  for (size_t axis = 0; axis < command.program.size(); ++axis)
    command.program[axis] = std::clamp<int32_t>(
        command.program[axis], 0, std::max<int32_t>(0, static_cast<int32_t>(plan.grid[axis]) - 1));
  return command;
}

void SteppedLaunch::run(Compiler &worker, const StepMessage &message, std::stop_token stop,
                        ReplyWriter &replies) {
  StepDoneReply reply;
  reply.job = message.job;
  Status usable;
  if (message.launch)
    m_request = message.launch->request;
  setLastWordsJob(lastWordsJob(message.job, m_request));
  if (message.launch)
    usable = open(worker, message, stop, reply);
  else if (!m_kernel)
    usable = Error{ErrorCode::Usage, "there is no launch to step through", ""};
  const bool hasPrograms = std::ranges::none_of(m_plan.grid, [](int64_t n) { return n <= 0; });
  if (usable && !hasPrograms)
    usable = Error{ErrorCode::Usage, "the grid of the launch has no program", ""};
  if (!usable) {
    addError(usable.error(), reply);
  } else {
    setLastWordsStep(StageId::Ttir, "step");
    obeyTestHook(message.hook, "step");
    auto told = std::chrono::steady_clock::now();
    reply.ok = true;
    reply.state = m_kernel->perform(inGrid(message.command, m_plan), std::move(stop),
                                    [&](uint64_t done, uint64_t total) {
                                      const auto now = std::chrono::steady_clock::now();
                                      if (now - told < kProgressInterval)
                                        return;
                                      told = now;
                                      replies.send(RunProgressReply{message.job, done, total});
                                    });
  }
  clearLastWordsJob();
  replies.send(reply);
}

} // namespace tilescope::app
