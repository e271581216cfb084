// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BulkJson.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/EstimateJson.h"
#include "app/commands/InspectionText.h"
#include "app/commands/LoopsJson.h"
#include "compiler/access/picture/BulkPicture.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using namespace compiler;
using nlohmann::json;

/// Of shared memory there are no sectors, and of global memory no banks.
static void addCounts(const AccessCounts &counts, bool ofShared, json &object) {
  object["instructions"] = counts.instructions;
  object["requests"] = counts.requests;
  object["bytes_asked"] = counts.bytesAsked;
  object["bytes_used"] = counts.bytesUsed;
  if (ofShared) {
    object["wavefronts"] = counts.wavefronts;
    object["minimum_wavefronts"] = counts.minimumWavefronts;
    return;
  }
  object["sectors"] = counts.sectors;
  object["lines"] = counts.lines;
  object["bytes_fetched"] = counts.bytesFetched;
}

static json limitJson(const WidthLimit &limit, int32_t elementBytes) {
  json object = {{"reason", widthReasonName(limit.reason)},
                 {"elements", limit.elements},
                 {"text", describe(limit, elementBytes)}};
  if (!limit.argument.empty())
    object["argument"] = limit.argument;
  if (limit.dimension >= 0)
    object["dimension"] = limit.dimension;
  if (!limit.hiddenBy.empty())
    object["hidden_by"] = {{"operation", limit.hiddenBy}, {"line", limit.hiddenIn.begin.line + 1}};
  return object;
}

static json accessJson(const AccessFacts &access, const std::vector<SourceFile> &files) {
  json object = rangeJson(access.range, files);
  object["operation"] = access.operation;
  object["kind"] = memoryActionName(access.action);
  if (!access.argument.empty())
    object["argument"] = access.argument;
  object["element_bytes"] = access.elementBytes;
  object["vector_bytes"] = access.vectorBytes;
  if (access.limit && access.limit->reason != WidthReason::Widest)
    object["why_not_wider"] = limitJson(*access.limit, access.elementBytes);
  object["in_loop"] = access.isInLoop;
  object["executions"] = access.executions;
  addCounts(access.counts, isShared(access.action), object);
  return object;
}

static json conversionJson(const ConversionFacts &conversion,
                           const std::vector<SourceFile> &files) {
  json object = rangeJson(conversion.range, files);
  object["moves"] = conversionMovesName(conversion.moves);
  object["shape"] = conversion.shape;
  object["type"] = conversion.elementType;
  object["bytes"] = conversion.bytes;
  object["from"] = conversion.from;
  object["to"] = conversion.to;
  object["in_loop"] = conversion.isInLoop;
  object["executions"] = conversion.executions;
  object["shuffles"] = conversion.shuffles;
  object["wavefronts"] = conversion.wavefronts;
  object["minimum_wavefronts"] = conversion.minimumWavefronts;
  return object;
}

static json hintJson(const Hint &hint, const std::vector<SourceFile> &files) {
  json object = hint.range.empty() ? json::object() : rangeJson(hint.range, files);
  object["rank"] = hint.rank;
  object["kind"] = hintId(hint.kind);
  object["message"] = hint.message;
  object["evidence"] = hint.evidence;
  object["gain"] = hint.gain;
  object["advice"] = hint.advice;
  for (const HintFix &fix : hint.fixes) {
    object["fix"] = rangeJson(fix.edit.range, files);
    object["fix"]["title"] = fix.edit.title;
    object["fix"]["replacement"] = fix.edit.replacement;
    object["fix"]["outcome"] = fix.outcome;
  }
  if (!hint.whyNoFix.empty())
    object["why_no_fix"] = hint.whyNoFix;
  return object;
}

/// The sums that correspond to counters of a GPU.
static json totalsJson(const MemoryFacts &memory) {
  json totals = json::object();
  for (const auto action :
       {MemoryAction::GlobalLoad, MemoryAction::GlobalStore, MemoryAction::GlobalAtomic,
        MemoryAction::GlobalReduction, MemoryAction::AsyncCopy, MemoryAction::SharedLoad,
        MemoryAction::SharedStore, MemoryAction::MatrixLoad, MemoryAction::ProductRead}) {
    const AccessCounts sum = memory.total({action});
    if (sum.instructions == 0)
      continue;
    json object;
    addCounts(sum, isShared(action), object);
    std::string name(memoryActionName(action));
    std::ranges::replace(name, ' ', '_');
    totals[name] = std::move(object);
  }
  return totals;
}

static json uncountedJson(const Inspection &inspection, size_t index) {
  const UncountedAccess &access = inspection.memory->uncounted[index];
  json entry = rangeJson(access.range, inspection.files);
  entry["operation"] = access.operation;
  entry["reason"] = access.reason;
  if (const RecordedBulkCopy *copy = access::bulkCopyOf(inspection.record, index))
    entry["bulk"] = bulkJson(*copy, inspection.record);
  return entry;
}

static void addMemory(const Inspection &inspection, json &object) {
  const MemoryFacts &memory = *inspection.memory;
  const std::vector<SourceFile> &files = inspection.files;
  object["grid"] = memory.grid;
  if (memory.program)
    object["program"] = *memory.program;
  object["programs"] = memory.programs;
  object["depends_on_data"] = memory.dependsOnData;
  for (const char *list : {"accesses", "uncounted", "conversions"})
    object[list] = json::array();
  for (const AccessFacts &access : memory.accesses)
    object["accesses"].push_back(accessJson(access, files));
  for (size_t i = 0; i < memory.uncounted.size(); ++i)
    object["uncounted"].push_back(uncountedJson(inspection, i));
  for (const ConversionFacts &conversion : memory.conversions)
    object["conversions"].push_back(conversionJson(conversion, files));
  object["totals"] = totalsJson(memory);
}

static json sharedBufferJson(const SharedFacts &shared, size_t index,
                             const std::vector<SourceFile> &files) {
  const SharedBuffer &buffer = shared.buffers[index];
  json object = rangeJson(buffer.range, files);
  object["use"] = sharedUseName(buffer.use);
  object["operation"] = buffer.operation;
  if (!buffer.name.empty())
    object["name"] = buffer.name;
  object["text"] = buffer.words;
  object["offset"] = buffer.offset;
  object["bytes"] = buffer.bytes;
  // Steps of the program order, half-open.
  object["life"] = {buffer.begin, buffer.end};
  if (buffer.group >= 0)
    object["warp_group"] = buffer.group;
  if (buffer.use == SharedUse::Buffer) {
    object["slots"] = buffer.slots;
    object["shape"] = buffer.shape;
    object["type"] = buffer.elementType;
    object["encoding"] = buffer.encoding;
  }
  object["same_bytes_as"] = shared.sharersOf(index);
  return object;
}

static json sharedAccessJson(const SharedAccess &access, const std::vector<SourceFile> &files) {
  json object = rangeJson(access.facts.range, files);
  object["buffer"] = access.buffer;
  object["step"] = access.step;
  object["operation"] = access.facts.operation;
  object["writes"] = access.isWrite;
  object["in_loop"] = access.facts.isInLoop;
  if (!access.uncounted.empty()) {
    object["not_counted"] = access.uncounted;
    return object;
  }
  object["kind"] = memoryActionName(access.facts.action);
  object["vector_bytes"] = access.facts.vectorBytes;
  addCounts(access.facts.counts, true, object);
  return object;
}

static json ringJson(const SharedRing &ring, const std::vector<SourceFile> &files) {
  json object = rangeJson(ring.range, files);
  object["buffer"] = ring.buffer;
  object["turns"] = json::array();
  for (const RingTurn &turn : ring.turns)
    object["turns"].push_back({{"iteration", turn.iteration},
                               {"slot", turn.slot},
                               {"writes", turn.isWrite},
                               {"block", turn.block}});
  return object;
}

/// Counts are of one execution of an access by one program.
static json sharedJson(const SharedFacts &shared, const std::vector<SourceFile> &files) {
  json object = {{"bytes", shared.total},        {"limit", shared.limit},
                 {"steps", shared.steps.size()}, {"buffers", json::array()},
                 {"accesses", json::array()},    {"rings", json::array()}};
  for (size_t i = 0; i < shared.buffers.size(); ++i)
    object["buffers"].push_back(sharedBufferJson(shared, i, files));
  for (const SharedAccess &access : shared.accesses)
    object["accesses"].push_back(sharedAccessJson(access, files));
  for (const SharedRing &ring : shared.rings)
    object["rings"].push_back(ringJson(ring, files));
  return object;
}

static json livePeakJson(const LivePeak &peak, const std::vector<SourceFile> &files) {
  json object = {{"stage", peak.stage},           {"line", peak.line + 1},
                 {"registers", peak.registers},   {"uniform_registers", peak.uniformRegisters},
                 {"predicates", peak.predicates}, {"values", json::array()}};
  for (const LivePeak::Value &value : peak.values) {
    json each = {{"name", value.name}, {"registers", value.registers}, {"which", value.which}};
    if (value.place) {
      each["file"] = files[value.place->file].path;
      each["line"] = value.place->begin.line + 1;
    }
    object["values"].push_back(std::move(each));
  }
  return object;
}

static json cpuCountsJson(const machine::CpuCodeCounts &counts) {
  return {{"instructions", counts.instructions},
          {"on_vectors", counts.onVectors},
          {"gathers", counts.gathers},
          {"scatters", counts.scatters},
          {"calls", counts.calls}};
}

static json cpuCodeJson(const machine::CpuCode &code, const std::vector<SourceFile> &files) {
  json object = cpuCountsJson(code.total);
  if (code.vectorBytes > 0)
    object["vector_bytes"] = code.vectorBytes;
  object["lines"] = json::array();
  for (const machine::CpuLineCode &line : code.lines) {
    json entry = rangeJson(line.place, files);
    entry.update(cpuCountsJson(line.counts));
    object["lines"].push_back(std::move(entry));
  }
  return object;
}

json inspectionJson(const Inspection &inspection) {
  const CompileResult &result = inspection.file.result;
  json object = {{"ok", inspection.ok()},
                 {"kernel", result.kernel},
                 {"target", result.target},
                 {"notes", inspection.notes},
                 {"diagnostics", json::array()}};
  for (const Diagnostic &diagnostic : inspection.diagnostics)
    object["diagnostics"].push_back(diagnosticJson(diagnostic, inspection.files));
  const auto addKnown = [&](const char *name, int64_t value) {
    if (value >= 0)
      object["resources"][name] = value;
  };
  addKnown("registers", inspection.resources.registers);
  addKnown("shared_bytes", inspection.resources.sharedBytes);
  addKnown("spill_bytes", inspection.resources.spillBytes);
  addKnown("threads", inspection.resources.threads);
  if (const auto &occupancy = inspection.occupancy)
    object["occupancy"] = {{"blocks_per_sm", occupancy->blocksPerSm},
                           {"warps_per_sm", occupancy->warpsPerSm},
                           {"max_warps_per_sm", occupancy->maxWarpsPerSm},
                           {"fraction", occupancy->fraction},
                           {"limiter", occupancy->limiter}};
  object["live_registers"] = json::array();
  for (const LivePeak &peak : inspection.livePeaks)
    object["live_registers"].push_back(livePeakJson(peak, inspection.files));
  if (inspection.cpuCode)
    object["cpu_code"] = cpuCodeJson(*inspection.cpuCode, inspection.files);
  if (inspection.shared)
    object["shared_memory"] = sharedJson(*inspection.shared, inspection.files);
  if (inspection.loops)
    object["pipelines"] = pipelinesJson(*inspection.loops, inspection.files);
  if (inspection.memory)
    addMemory(inspection, object);
  if (inspection.estimate)
    object["estimate"] = estimateJson(*inspection.estimate, inspection.files);
  object["hints"] = json::array();
  for (const Hint &hint : inspection.hints)
    object["hints"].push_back(hintJson(hint, inspection.files));
  return object;
}

} // namespace tilescope::app
