// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/CompileJob.h"

#include "app/launch/ComputedArguments.h"
#include "app/launch/DocumentArguments.h"
#include "app/launch/OfferedConfigurations.h"
#include "app/worker/ConfigurationTrial.h"
#include "app/worker/LastWords.h"
#include "app/worker/ProvenFixes.h"
#include "app/worker/Reproducers.h"
#include "compiler/pipeline/CompilerVersion.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace tilescope::app {

using namespace compiler;

/// Ends only with the stack.
static int recurse(volatile const char *caller) {
  volatile char frame[4096] = {};
  frame[0] = *caller;
  return frame[0] == 0 ? 0 : recurse(frame) + frame[0];
}

void obeyTestHook(const TestHook &hook, std::string_view step) {
  if (hook.action == TestHook::Action::None || hook.where != step)
    return;
  const char *allowed = std::getenv("TILESCOPE_TEST_HOOKS");
  if (allowed == nullptr || std::string_view(allowed) != "1")
    return;
  switch (hook.action) {
  case TestHook::Action::None:
    return;
  case TestHook::Action::Crash:
    raise(SIGSEGV);
    return;
  case TestHook::Action::Hang:
    while (true)
      pause();
  case TestHook::Action::OverflowStack: {
    const char start = 1;
    recurse(&start);
    return;
  }
  case TestHook::Action::ExhaustMemory: {
    std::vector<std::vector<char>> blocks;
    while (true)
      blocks.emplace_back(size_t{64} << 20);
  }
  }
}

static std::string describe(const CompileRequest &request) {
  std::string text = "path: " + request.path + "\n";
  text += "entry: " + std::string(stageName(request.entry)) + "\n";
  text += "stop_after: " + std::string(stageName(request.stopAfter)) + "\n";
  const Selection &selection = request.selection;
  text += "kernel: " + selection.kernel + "\ntarget: " + selection.target + "\n";
  for (const auto &[name, type] : selection.signature)
    text += "signature: " + name + "=" + type + "\n";
  for (const auto &[name, value] : selection.constexprs)
    text += "constexpr: " + name + "=" + value + "\n";
  for (const auto &[name, value] : selection.options)
    text += "option: " + name + "=" + value + "\n";
  return text;
}

LastWordsJob lastWordsJob(JobId job, const CompileRequest &request) {
  return {job, request.revision, reproducerFileName(request.path), request.text, describe(request)};
}

static std::vector<PassRecord> passesOf(const CompileResult &result, StageId stage,
                                        const WantedParts &wanted) {
  std::vector<PassRecord> passes;
  for (const PassRecord &record : result.passes) {
    if (!wanted.passes || record.stage != stage)
      continue;
    passes.push_back(record);
    if (!wanted.passIr) {
      passes.back().ir.clear();
      passes.back().irMap.lines.clear();
    }
  }
  return passes;
}

/// What is wrong with the launch block comes first: it may be the cause of the rest.
static std::vector<Diagnostic> withLaunch(const ResolvedLaunch &launch,
                                          const std::vector<Diagnostic> &found) {
  std::vector<Diagnostic> all = launch.diagnostics;
  all.insert(all.end(), found.begin(), found.end());
  return all;
}

static StageReadyReply stageReady(const CompileMessage &message, const ResolvedLaunch &launch,
                                  const CompileResult &soFar, const Stage &stage) {
  StageReadyReply reply;
  reply.job = message.job;
  reply.revision = soFar.revision;
  if (message.wanted.wants(stage.id)) {
    reply.stage = stage;
  } else {
    reply.stage.id = stage.id;
    reply.stage.ok = stage.ok;
    reply.stage.cached = stage.cached;
    reply.stage.durationNs = stage.durationNs;
  }
  reply.diagnostics = withLaunch(launch, soFar.diagnostics);
  reply.passes = passesOf(soFar, stage.id, message.wanted);
  // The document itself is known to the client.
  reply.files = soFar.files;
  if (!reply.files.empty())
    reply.files.front().text.clear();
  reply.kernels = soFar.kernels;
  // Facts go with the first stage that they are about: of a document in IR, that is the document.
  const bool isFirst = stage.id == std::max(message.request.entry, StageId::Ttir);
  if (isFirst && stage.ok)
    reply.interface = {soFar.kernel,      soFar.signature, soFar.constexprs, soFar.options,
                       soFar.assumptions, soFar.metadata,  soFar.suggestion};
  if (isFirst && message.wanted.values)
    reply.values = soFar.values;
  if (message.wanted.layouts && stage.id == StageId::Ttgir)
    reply.layouts = soFar.layouts;
  return reply;
}

/// Works out which launch the request means and completes the request with it.
static ResolvedLaunch resolveJob(JobId job, CompileRequest &request) {
  setLastWordsJob(lastWordsJob(job, request));
  setLastWordsStep(request.entry, "launch block");
  ResolvedLaunch launch = resolveLaunch(request);
  request.selection = launch.selection;
  // Nothing is made for guesses in place of what the block was to say.
  if (!launch.ok())
    request.stopAfter = request.entry;
  setLastWordsJob(lastWordsJob(job, request));
  return launch;
}

/// Notes about the launch that need the kernel.
static void finishLaunch(const CompileRequest &asked, const CompileRequest &request,
                         ResolvedLaunch &launch, CompileResult &result) {
  // Where nothing was made, it is still known what for.
  if (result.kernel.empty())
    result.kernel = launch.selection.kernel;
  takeOptionErrors(asked, launch, result.diagnostics);
  std::ranges::move(missingArguments(request, launch, result.metadata.parameters),
                    std::back_inserter(launch.diagnostics));
  result.launch = launchFacts(launch);
  if (launch.plan)
    std::ranges::move(assumedComputed(request, result.kernel, result.assumptions),
                      std::back_inserter(launch.diagnostics));
  result.configurations = offeredConfigurations(request, result);
  std::ranges::move(configurationProblems(request, result.kernel),
                    std::back_inserter(result.diagnostics));
}

void runCompileJob(Compiler &worker, const CompileMessage &message, std::stop_token stop,
                   ReplyWriter &replies) {
  CompileRequest request = message.request;
  ResolvedLaunch launch = resolveJob(message.job, request);
  replies.send(
      LaunchResolvedReply{message.job, request.revision, launchFacts(launch), launch.diagnostics});
  CompileHooks hooks;
  hooks.stop = stop;
  hooks.stageStarted = [&](StageId stage) {
    replies.send(StageStartedReply{message.job, message.request.revision, stage});
  };
  hooks.stepStarted = [&](StageId stage, std::string_view step) {
    setLastWordsStep(stage, step);
    obeyTestHook(message.hook, step);
  };
  // The stage that fails is the last, or the syntax tree before it; fixes are tried before anyone sees them.
  std::vector<StageReadyReply> failed;
  hooks.stageFinished = [&](const CompileResult &soFar, const Stage &stage) {
    StageReadyReply reply = stageReady(message, launch, soFar, stage);
    if (stage.ok)
      replies.send(reply);
    else
      failed.push_back(std::move(reply));
  };
  hooks.wantsText = [&](StageId stage) { return message.wanted.wants(stage); };
  hooks.wantsPasses = message.wanted.passes;
  CompileOutcome outcome = worker.compile(request, hooks);
  setLastWordsStep(request.entry, "configurations");
  finishLaunch(message.request, request, launch, outcome.result);
  // Who asks for a configuration learns about that one.
  if (launch.plan && message.request.selection.constexprs.empty() && !outcome.cancelled)
    std::ranges::move(configurationFailures(worker, request, outcome.result, stop),
                      std::back_inserter(outcome.result.diagnostics));
  setLastWordsStep(request.entry, "fixes");
  keepProvenFixes(worker, message.request, launch.diagnostics, stop);
  const auto tellFailed = [&] {
    for (StageReadyReply &each : failed) {
      each.diagnostics = withLaunch(launch, outcome.result.diagnostics);
      replies.send(each);
    }
    failed.clear();
  };
  keepProvenFixes(worker, message.request, outcome.result.diagnostics, stop, tellFailed);
  clearLastWordsJob();
  tellFailed();

  CompileDoneReply done;
  done.job = message.job;
  done.cancelled = outcome.cancelled;
  done.result = std::move(outcome.result);
  done.result.ok = done.result.ok && launch.ok();
  done.result.diagnostics = withLaunch(launch, done.result.diagnostics);
  done.result.launch = {};
  done.result.stages.clear();
  done.result.passes.clear();
  done.result.values.clear();
  done.result.layouts.clear();
  if (!done.result.files.empty())
    done.result.files.front().text.clear();
  replies.send(done);
}

static constexpr const char *kWarmUpKernel = R"(module attributes {"ttg.num-warps" = 4 : i32} {
  llvm.func @warm_up(%p: !llvm.ptr<1>, %a: f32, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
    %s = llvm.fadd %a, %a : f32
    llvm.store %s, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
)";

void warmUp(Compiler &worker, std::stop_token stop) {
  CompileRequest request;
  request.path = "warm-up.mlir";
  request.text = kWarmUpKernel;
  request.entry = StageId::LlvmIr;
  request.stopAfter = StageId::Cubin;
  CompileHooks hooks;
  hooks.stop = stop;
  worker.compile(request, hooks);
}

static ToolInfo tool(const char *name, const std::string &path, const std::string &version,
                     const char *hint) {
  return {name, path, path.empty() ? "" : version, path.empty() ? hint : ""};
}

HelloReply makeHello(const Compiler &worker) {
  const CudaToolkit &toolkit = worker.toolkit();
  const std::string release =
      std::to_string(toolkit.assemblerMajor) + "." + std::to_string(toolkit.assemblerMinor);
  HelloReply hello;
  hello.llvmVersion = llvmVersion();
  hello.tools = {
      tool("libdevice", toolkit.libdevice, "",
           "CUDA Toolkit: set CUDA_HOME or TILESCOPE_LIBDEVICE"),
      tool("ptxas", toolkit.ptxas, release, "CUDA Toolkit: set CUDA_HOME or TILESCOPE_PTXAS"),
      tool("nvJitLink", toolkit.nvJitLink ? toolkit.nvJitLink->path() : "",
           toolkit.ptxas.empty() ? release : "",
           "CUDA Toolkit: set CUDA_HOME or TILESCOPE_NVJITLINK"),
      tool("nvdisasm", toolkit.nvdisasm, "", "CUDA Toolkit: set CUDA_HOME or TILESCOPE_NVDISASM"),
  };
  return hello;
}

} // namespace tilescope::app
