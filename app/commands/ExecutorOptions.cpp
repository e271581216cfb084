// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExecutorOptions.h"

#include "compiler/artifacts/CpuTarget.h"

#include <CLI/CLI.hpp>

namespace tilescope::app {

void addExecutorOptions(CLI::App &command, ExecutorOptions &options) {
  CLI::Option *interpret = command.add_flag("--interpret", options.interpret,
                                            "on the CPU: the interpreter executes every program");
  CLI::Option *native = command.add_flag(
      "--native", options.native,
      "on the CPU: checked machine code, which is the usual way, and why not where "
      "the interpreter has to execute the kernel");
  CLI::Option *checked =
      command.add_flag("--checked", options.checked,
                       "with --target cpu:native: find accesses outside of the arguments");
  CLI::Option *exact = command.add_flag(
      "--exact", options.exact,
      "with --target cpu:native: sums in the interpreter's order, and its functions");
  command.add_flag("--no-cache", options.noCache,
                   "on the CPU: compile native code anew, and keep none for the next run");
  interpret->excludes(native)->excludes(checked)->excludes(exact);
}

static Error unfit(const std::string &option, const std::string &hint) {
  return {ErrorCode::Usage, "`" + option + "` is for runs on the CPU", hint};
}

Status checkExecutor(const ExecutorOptions &options, const RunSelection &run) {
  const bool isCpu = run.place.kind == RunPlace::Kind::Cpu;
  const bool isOfTarget = isCpu && run.selection.target == compiler::kNativeTarget;
  if (options.exact && !isOfTarget)
    return Error{ErrorCode::Usage, "`--exact` is for native code of the CPU",
                 "add `--on cpu --target cpu:native`, or `--interpret` in place of `--exact`: the "
                 "interpreter is exact"};
  // Only native code can do without checks.
  if (options.checked && !isOfTarget)
    return Error{
        ErrorCode::Usage, "`--checked` is for native code of the CPU",
        "add `--on cpu --target cpu:native`, or leave `--checked` out: without that target "
        "every access is checked"};
  for (const auto &[isGiven, option] :
       {std::pair(options.interpret, "--interpret"), std::pair(options.native, "--native"),
        std::pair(options.noCache, "--no-cache")})
    if (isGiven && !isCpu)
      return unfit(option, "add `--on cpu`, or leave `" + std::string(option) + "` out");
  return {};
}

compiler::CpuExecutor executorOf(const ExecutorOptions &options, const RunSelection &run) {
  if (options.interpret)
    return compiler::CpuExecutor::Interpreter;
  // Who asks for code of this processor gets it, checked or not.
  const bool isOfTarget = run.selection.target == compiler::kNativeTarget && !options.native;
  return isOfTarget ? compiler::CpuExecutor::OfTarget : compiler::CpuExecutor::Native;
}

} // namespace tilescope::app
