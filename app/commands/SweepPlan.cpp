// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepPlan.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/SweepAxes.h"
#include "app/launch/SweptNames.h"
#include "profiler/data/Checksum.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using profiler::SweepAxis;

static Error noSuchName(const std::string &name, const std::string &kernel) {
  return {ErrorCode::Usage,
          "`--over`: the launch of `" + kernel + "` has no size, constexpr or option `" + name +
              "`",
          "sizes are those of the launch block's `[sizes]`"};
}

static Result<std::vector<SweepAxis>> oversOf(const std::vector<std::string> &texts) {
  std::vector<SweepAxis> overs;
  for (const std::string &text : texts) {
    Result<SweepAxis> axis = parseOver(text);
    if (!axis)
      return axis.error();
    overs.push_back(std::move(*axis));
  }
  return overs;
}

static Error noAxes(const std::string &kernel) {
  return {ErrorCode::Usage,
          "there is nothing to sweep over: `" + kernel + "` has no `[sweep]` and no configurations",
          "`--over BLOCK=128,256` names values to try"};
}

Result<SweepPlan> planSweep(compiler::WorkerClient &worker, const InputFile &input,
                            const compiler::Selection &selection,
                            const std::vector<std::string> &over, size_t mostPoints) {
  const Result<std::vector<SweepAxis>> overs = oversOf(over);
  if (!overs)
    return overs.error();
  CompileFileOptions options;
  options.stopAfter = compiler::StageId::Ttir;
  options.wanted = {
      .stages = 0, .passes = false, .passIr = false, .layouts = false, .values = false};
  const Result<CompiledFile> file = compileInput(worker, input, selection, options);
  if (!file)
    return file.error();
  SweepPlan plan;
  plan.diagnostics = file->result.diagnostics;
  plan.files = file->result.files;
  if (!file->plan || file->result.launch.block < 0) {
    if (hasErrors(plan.diagnostics))
      return plan;
    return Error{ErrorCode::InvalidInput,
                 "`" + input.path + "` does not say how `" + file->result.kernel + "` is launched",
                 "write a launch block into the file: grid, arguments and their sizes"};
  }
  plan.block = static_cast<size_t>(file->result.launch.block);
  const profiler::LaunchBlock block = profiler::parseLaunchBlocks(input.text).blocks.at(plan.block);
  Result<std::vector<SweepAxis>> axes = axesOf(block.sweep, *overs, file->result.configurations);
  if (!axes)
    return axes.error();
  if (axes->empty())
    return noAxes(file->result.kernel);
  if (profiler::countPoints(*axes, mostPoints) > mostPoints)
    return Error{ErrorCode::Usage, fmt::format("the sweep has more than {} points", mostPoints),
                 "give fewer values, or let names change together: "
                 "`--over BLOCK_M,BLOCK_N=(64,32),(128,64)`"};
  const std::vector<SourceKernel> kernels = input.entry == compiler::StageId::Ast
                                                ? sourceKernels(input.text)
                                                : std::vector<SourceKernel>();
  profiler::Sweep &sweep = plan.sweep;
  for (const SweepAxis &axis : *axes)
    for (const std::string &name : axis.names) {
      const SweptKind kind = sweptKind(name, block, findKernel(kernels, file->result.kernel));
      if (kind == SweptKind::Unknown)
        return noSuchName(name, file->result.kernel);
      if (kind == SweptKind::Size)
        sweep.sizes.push_back(name);
    }
  sweep.file = input.path;
  sweep.launch = file->plan->name;
  sweep.kernel = file->result.kernel;
  sweep.target = file->result.target;
  sweep.axes = std::move(*axes);
  return plan;
}

std::string sweepIdentity(const SweepPlan &plan, const InputFile &input,
                          const compiler::Selection &selection, const std::string &place) {
  const nlohmann::json parts = {TILESCOPE_VERSION,    input.text,
                                plan.sweep.kernel,    plan.sweep.launch,
                                selection.target,     selection.signature,
                                selection.constexprs, selection.options,
                                selection.sizes,      place};
  return fmt::format("{:016x}", profiler::fnv1a(parts.dump(
                                    -1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

} // namespace tilescope::app
