// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InspectionText.h"

#include "compiler/access/picture/BulkPicture.h"
#include "compiler/artifacts/EstimateText.h"
#include "compiler/artifacts/MergedAccesses.h"
#include "compiler/support/BytesText.h"
#include "compiler/support/Counted.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tilescope::app {

using namespace compiler;

/// `printf` at the end of a text.
[[gnu::format(printf, 2, 3)]] static void append(std::string &text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *line = nullptr;
  if (vasprintf(&line, format, arguments) >= 0)
    text += line;
  va_end(arguments);
  std::free(line);
}

static std::string text(std::string_view view) { return std::string(view); }

static std::string sizeText(int64_t bytes) {
  return bytesText(static_cast<uint64_t>(std::max<int64_t>(bytes, 0)));
}

static std::string gridText(const std::array<int32_t, 3> &grid) {
  return std::to_string(grid[0]) + " x " + std::to_string(grid[1]) + " x " +
         std::to_string(grid[2]);
}

/// The line of the user's file; what comes from elsewhere has the file's number in front.
static std::string lineText(const SourceRange &range) {
  return (range.file == 0 ? "" : "+") + std::to_string(range.begin.line + 1);
}

static unsigned percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 100 : static_cast<unsigned>((100 * part + whole / 2) / whole);
}

static std::string cpuCountsText(const machine::CpuCode &code) {
  const machine::CpuCodeCounts &total = code.total;
  std::string text = counted(total.instructions, "instruction") + ", " +
                     std::to_string(total.onVectors) + " of them on vectors";
  if (code.vectorBytes > 0)
    text += " of at most " + counted(code.vectorBytes, "byte");
  return text;
}

/// A row for each line of the source.
static void addCpuCode(const machine::CpuCode &code, std::string &out) {
  append(out, "\n%6s  %12s %12s %8s %8s %6s\n", "line", "instructions", "on vectors", "gathers",
         "scatters", "calls");
  for (const machine::CpuLineCode &line : code.lines)
    append(out, "%6s  %12d %12d %8d %8d %6d\n", lineText(line.place).c_str(),
           line.counts.instructions, line.counts.onVectors, line.counts.gathers,
           line.counts.scatters, line.counts.calls);
}

static void addHead(const Inspection &inspection, std::string &out) {
  const CompileResult &result = inspection.file.result;
  const Resources &resources = inspection.resources;
  out += "`" + result.kernel + "` for " + result.target;
  if (const auto &memory = inspection.memory) {
    out += ", grid " + gridText(memory->grid);
    out += memory->program
               ? ", program " + std::to_string((*memory->program)[0]) + ", " +
                     std::to_string((*memory->program)[1]) + ", " +
                     std::to_string((*memory->program)[2])
               : ", " + (memory->programs == 1 ? "the only program"
                                               : "all " + counted(memory->programs, "program"));
  }
  if (inspection.cpuCode) {
    out += "\n" + cpuCountsText(*inspection.cpuCode) + "\n";
    return;
  }
  out += "\n" + counted(resources.threads / 32, "warp");
  if (resources.registers >= 0)
    out += ", " + counted(resources.registers, "register");
  if (resources.spillBytes > 0)
    out += ", " + sizeText(resources.spillBytes) + " spilled";
  out += ", " + sizeText(resources.sharedBytes) + " of shared memory\n";
  if (const auto &occupancy = inspection.occupancy)
    append(out, "occupancy: %d of %d warps, %d %s a multiprocessor, limited by %s\n",
           occupancy->warpsPerSm, occupancy->maxWarpsPerSm, occupancy->blocksPerSm,
           occupancy->blocksPerSm == 1 ? "block" : "blocks", occupancy->limiter.c_str());
}

static void addGlobal(const std::vector<AccessFacts> &accesses, std::string &out) {
  if (std::ranges::all_of(accesses, [](const auto &access) { return isShared(access.action); }))
    return;
  append(out, "\nglobal memory\n%6s  %-17s %-16s %5s %12s %12s %14s %6s\n", "line", "what",
         "argument", "lane", "requests", "sectors", "fetched", "used");
  for (const AccessFacts &access : accesses) {
    if (isShared(access.action))
      continue;
    const AccessCounts &counts = access.counts;
    append(out, "%6s  %-17s %-16s %3d B %12llu %12llu %14s %5u%%\n", lineText(access.range).c_str(),
           text(memoryActionName(access.action)).c_str(),
           access.argument.empty() ? "several" : access.argument.c_str(), access.vectorBytes,
           static_cast<unsigned long long>(counts.requests),
           static_cast<unsigned long long>(counts.sectors), bytesText(counts.bytesFetched).c_str(),
           percent(counts.bytesUsed, counts.bytesFetched));
    if (access.limit && access.limit->reason != WidthReason::Widest &&
        access.limit->reason != WidthReason::Scalar)
      append(out, "        not wider: %s\n", describe(*access.limit, access.elementBytes).c_str());
  }
}

static void addShared(const std::vector<AccessFacts> &accesses, std::string &out) {
  if (std::ranges::none_of(accesses, [](const auto &access) { return isShared(access.action); }))
    return;
  append(out, "\nshared memory\n%6s  %-17s %-22s %5s %12s %12s %12s\n", "line", "what", "for",
         "lane", "requests", "wavefronts", "at least");
  for (const AccessFacts &access : accesses)
    if (isShared(access.action))
      append(out, "%6s  %-17s %-22s %3d B %12llu %12llu %12llu\n", lineText(access.range).c_str(),
             text(memoryActionName(access.action)).c_str(), access.operation.c_str(),
             access.vectorBytes, static_cast<unsigned long long>(access.counts.requests),
             static_cast<unsigned long long>(access.counts.wavefronts),
             static_cast<unsigned long long>(access.counts.minimumWavefronts));
}

static void addConversions(const MemoryFacts &memory, std::string &out) {
  if (memory.conversions.empty())
    return;
  out += "\nconversions of layouts\n";
  for (const ConversionFacts &conversion : memory.conversions) {
    std::string shape;
    for (const int64_t extent : conversion.shape)
      shape += (shape.empty() ? "" : " x ") + std::to_string(extent);
    append(out, "%6s  %s of %s, %s, between %s%s", lineText(conversion.range).c_str(),
           shape.c_str(), conversion.elementType.c_str(), sizeText(conversion.bytes).c_str(),
           text(conversionMovesName(conversion.moves)).c_str(),
           conversion.isInLoop ? ", in a loop" : "");
    if (conversion.shuffles > 0)
      append(out, ", %lld shuffles", static_cast<long long>(conversion.shuffles));
    if (conversion.wavefronts > 0)
      append(out, ", %llu wavefronts (at least %llu)",
             static_cast<unsigned long long>(conversion.wavefronts),
             static_cast<unsigned long long>(conversion.minimumWavefronts));
    out += "\n";
  }
}

static void addPipeline(const LoopFacts &loop, std::string &out) {
  const PipelineFacts &pipeline = loop.pipeline;
  append(out, "%6s", lineText(loop.range).c_str());
  const char *separator = "  ";
  const auto begin = [&] { out += std::exchange(separator, "; "); };
  if (!loop.isPipelined()) {
    begin();
    out += "not pipelined: " + text(pipelineObstacleName(loop.obstacle));
  }
  if (pipeline.copies > 0) {
    begin();
    append(out, "%d stages, %d copies an iteration, waits for all but %d groups", pipeline.stages,
           pipeline.copies, pipeline.copiesUnderWay);
  }
  if (pipeline.asyncProducts > 0) {
    begin();
    append(out, "%d asynchronous products, %d waits for them", pipeline.asyncProducts,
           pipeline.productWaits);
  }
  for (const WaitingLoad &load : loop.waiting) {
    begin();
    append(out, "the product waits for the load of line %s: %s", lineText(load.range).c_str(),
           text(loopObstacleText(load.obstacle)).c_str());
  }
  out += "\n";
}

static void addPipelines(const std::vector<LoopFacts> &loops, std::string &out) {
  if (loops.empty())
    return;
  out += "\nloops\n";
  for (const LoopFacts &loop : loops)
    addPipeline(loop, out);
}

static void addAllocations(const SharedFacts &shared, std::string &out) {
  if (shared.buffers.empty())
    return;
  append(out, "\nshared memory by its places, %s of %s\n%6s  %8s %8s  %s\n",
         sizeText(shared.total).c_str(), sizeText(shared.limit).c_str(), "line", "offset", "size",
         "what");
  for (size_t i = 0; i < shared.buffers.size(); ++i) {
    const SharedBuffer &buffer = shared.buffers[i];
    append(out, "%6s  %8lld %8s  %s%s%s", lineText(buffer.range).c_str(),
           static_cast<long long>(buffer.offset), sizeText(buffer.bytes).c_str(),
           buffer.name.empty() || buffer.use != SharedUse::Buffer ? ""
                                                                  : (buffer.name + ": ").c_str(),
           buffer.words.c_str(),
           buffer.slots > 1 ? (", " + std::to_string(buffer.slots) + " slots").c_str() : "");
    if (const size_t sharers = shared.sharersOf(i).size())
      append(out, ", has its bytes in turns with %zu more", sharers);
    out += "\n";
  }
}

static void addHints(const std::vector<Hint> &hints, std::string &out) {
  if (hints.empty())
    return;
  out += "\nhints, by rank\n";
  for (const Hint &hint : hints) {
    const std::string line = hint.range.empty() ? "" : lineText(hint.range);
    append(out, "%6s  [%d] %s: %s\n", line.c_str(), hint.rank, text(hintId(hint.kind)).c_str(),
           hint.message.c_str());
    for (const std::string &evidence : hint.evidence)
      append(out, "            %s\n", evidence.c_str());
    append(out, "            gain: %s\n            try: %s\n", hint.gain.c_str(),
           hint.advice.c_str());
    for (const HintFix &fix : hint.fixes)
      append(out, "            fix: %s (%s)\n", fix.edit.title.c_str(), fix.outcome.c_str());
    if (!hint.whyNoFix.empty())
      append(out, "            no fix: %s\n", hint.whyNoFix.c_str());
  }
}

static void addLivePeaks(const std::vector<LivePeak> &peaks, std::string &out) {
  for (const LivePeak &peak : peaks) {
    append(out, "\nlive registers: at most %d in %s, at its line %u\n%6s  %9s  %s\n",
           peak.registers, peak.stage.c_str(), peak.line + 1, "line", "registers", "value");
    for (const LivePeak::Value &value : peak.values)
      if (value.registers > 0)
        append(out, "%6s  %9d  %s\n", value.place ? lineText(*value.place).c_str() : "",
               value.registers, value.name.empty() ? "made by the compiler" : value.name.c_str());
  }
}

/// The prediction, what each resource would take, and the lines that a warp spends most on.
static void addEstimate(const Estimate &estimate, std::string &out) {
  constexpr size_t kMostLines = 8;
  constexpr double kLeastShare = 0.02;
  out += (estimate.isKnown() ? "\npredicted: " : "\n") + estimateHeadline(estimate) + "\n";
  if (!estimate.isKnown())
    return;
  append(out, "%12s  %s\n", "alone, µs", "by");
  for (const EstimatePart &part : estimate.parts)
    append(out, "%11.2f  %s\n", part.us, part.name.c_str());
  append(out, "%6s  %s\n", "line", "share of a warp's time");
  const auto &lines = estimate.facts.lines;
  for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i)
    if (lines[i].share >= kLeastShare)
      append(out, "%6s  %3.0f%%\n", lineText(lines[i].range).c_str(), 100 * lines[i].share);
  for (const std::string &assumption : estimate.facts.assumptions)
    out += "    taken for granted: " + assumption + "\n";
}

static void addUncounted(const Inspection &inspection, std::string &out) {
  const std::vector<UncountedAccess> &left = inspection.memory->uncounted;
  for (size_t i = 0; i < left.size(); ++i) {
    append(out, "\nnot counted: line %s, %s: %s\n", lineText(left[i].range).c_str(),
           left[i].operation.c_str(), left[i].reason.c_str());
    const RecordedBulkCopy *copy = access::bulkCopyOf(inspection.record, i);
    const BulkExecution *first = copy ? access::firstExecution(*copy) : nullptr;
    if (!first)
      continue;
    const access::BulkPicture picture(*copy, *first);
    const auto &program = inspection.record.program;
    append(out, "    %s, program %d, %d, %d at first: %s\n",
           access::bulkTitle(*copy, inspection.record).c_str(), program[0], program[1], program[2],
           access::bulkCostText(picture).c_str());
  }
}

std::string inspectionText(const Inspection &inspection) {
  std::string out;
  addHead(inspection, out);
  if (inspection.cpuCode)
    addCpuCode(*inspection.cpuCode, out);
  addLivePeaks(inspection.livePeaks, out);
  if (inspection.shared)
    addAllocations(*inspection.shared, out);
  if (inspection.loops)
    addPipelines(*inspection.loops, out);
  if (const auto &memory = inspection.memory) {
    const std::vector<AccessFacts> merged = mergeAccesses(memory->accesses);
    addGlobal(merged, out);
    addShared(merged, out);
    addConversions(*memory, out);
    addUncounted(inspection, out);
  }
  if (inspection.estimate)
    addEstimate(*inspection.estimate, out);
  addHints(inspection.hints, out);
  for (const std::string &note : inspection.notes)
    out += "note: " + note + "\n";
  return out;
}

} // namespace tilescope::app
