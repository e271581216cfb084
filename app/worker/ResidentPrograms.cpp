// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/ResidentPrograms.h"

#include "app/worker/LaunchEstimate.h"
#include "compiler/artifacts/CpuTarget.h"
#include "compiler/hints/UsualDevice.h"
#include "profiler/analysis/Occupancy.h"

#include <algorithm>
#include <string>

namespace tilescope::app {

using namespace compiler;

static std::string targetOf(const CompileRequest &request) {
  const std::string &target = request.selection.target;
  return target.empty() || isCpuTarget(target) ? kDefaultTarget : target;
}

uint32_t multiprocessorsOf(const CompileRequest &request) {
  const std::optional<UsualDevice> device = usualDevice(targetOf(request));
  return device ? static_cast<uint32_t>(device->multiprocessors) : 0;
}

static CompileRequest machineCodeRequest(const CompileRequest &request) {
  CompileRequest compiled = request;
  compiled.selection.target = targetOf(request);
  compiled.stopAfter = StageId::Cubin;
  compiled.collectFacts = compiled.recordPassIr = false;
  return compiled;
}

static std::string placesText(const UsualDevice &device, const profiler::Occupancy &occupancy,
                              int32_t blocksOfProgram) {
  std::string text = std::to_string(occupancy.blocksPerSm) + " on each of " +
                     std::to_string(device.multiprocessors) + " multiprocessors, limited by " +
                     occupancy.limiter;
  if (blocksOfProgram > 1)
    text += "; a program takes " + std::to_string(blocksOfProgram) + " such places";
  return text;
}

/// Of clusters.
static constexpr uint64_t kMostBlocksOfProgram = 16;

std::optional<Diagnostic> tooManyWaiting(Compiler &worker, const CompileRequest &request,
                                         const WaitingPrograms &waiting,
                                         const CompileHooks &hooks) {
  constexpr int32_t kWarpThreads = 32;
  const std::optional<UsualDevice> device = usualDevice(targetOf(request));
  // Any kernel that can be launched has a place for one block on each multiprocessor.
  if (!device ||
      waiting.inVain < static_cast<uint64_t>(device->multiprocessors) / kMostBlocksOfProgram)
    return std::nullopt;
  CompileHooks withText = hooks;
  withText.wantsText = {};
  const CompileResult compiled = worker.compile(machineCodeRequest(request), withText).result;
  std::vector<std::string> assumptions;
  // Where nothing is known of registers, the rest decides.
  const int64_t registers = std::max<int64_t>(1, registersOf(compiled, assumptions));
  const std::optional<profiler::Occupancy> occupancy =
      profiler::occupancyOn(targetOf(request), {registers, compiled.metadata.sharedBytes,
                                                compiled.metadata.numWarps * kWarpThreads});
  if (!compiled.ok || !occupancy || occupancy->blocksPerSm < 1)
    return std::nullopt;
  const int32_t blocksOfProgram = std::max(1, compiled.metadata.numCtas);
  const auto atOnce = static_cast<uint64_t>(device->multiprocessors) *
                      static_cast<uint64_t>(occupancy->blocksPerSm) /
                      static_cast<uint64_t>(blocksOfProgram);
  if (waiting.inVain < atOnce)
    return std::nullopt;
  Diagnostic found;
  found.kind = DiagnosticKind::RunStepLimit;
  found.severity = Severity::Warning;
  found.range = waiting.range;
  found.message = "programs wait here for others that have not begun, until " +
                  std::to_string(waiting.atOnce) + " run at once, but " +
                  std::string(device->name) + " (`" + targetOf(request) + "`) holds at most " +
                  std::to_string(atOnce) + " of them (" +
                  placesText(*device, *occupancy, blocksOfProgram) +
                  "): the kernel can hang there; launch at most " + std::to_string(atOnce) +
                  " programs, each of which does the work of several";
  found.notes = std::move(assumptions);
  return found;
}

} // namespace tilescope::app
