// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InspectionText.h"
#include "compiler/machine/InstructionCount.h"
#include "compiler/machine/PtxSteps.h"
#include "compiler/support/BytesText.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::app {

using namespace compiler;

namespace {

/// Facts of two kernels, side by side; those that are equal are left out.
class Differences {
public:
  /// "registers 64 → 96"; a number that is not known is negative.
  void add(const std::string &name, int64_t before, int64_t after, const std::string &unit = "") {
    if (before == after)
      return;
    const auto number = [](int64_t value) {
      return value < 0 ? std::string("unknown") : std::to_string(value);
    };
    join(name + " " + number(before) + " → " + number(after) + unit);
  }
  /// "shared memory 32 KiB → 96 KiB"; the same of bytes.
  void addBytes(const std::string &name, int64_t before, int64_t after) {
    const auto size = [](int64_t value) {
      return value < 0 ? std::string("unknown") : bytesText(static_cast<uint64_t>(value));
    };
    if (before != after)
      join(name + " " + size(before) + " → " + size(after));
  }
  /// "+1 conversion in a loop", "+2 conversions in a loop"; `where` may be empty.
  void addCount(const std::string &name, int64_t before, int64_t after,
                const std::string &where = "") {
    const int64_t more = after - before;
    if (more != 0)
      join((more > 0 ? "+" : "−") + std::to_string(std::abs(more)) + " " + name +
           (std::abs(more) == 1 ? "" : "s") + where);
  }
  /// Empty: there are none.
  const std::string &text() const { return m_text; }

private:
  void join(const std::string &part) { m_text += (m_text.empty() ? "" : ", ") + part; }

  std::string m_text;
};

} // namespace

/// Bytes that a lane moves at once, weighted by what is moved: the widest and the narrowest access
/// of a kernel say little about it.
static int64_t bytesPerLane(const MemoryFacts &memory,
                            std::initializer_list<MemoryAction> actions) {
  uint64_t bytes = 0, weighted = 0;
  for (const AccessFacts &access : memory.accesses)
    if (std::ranges::find(actions, access.action) != actions.end()) {
      bytes += access.counts.bytesAsked;
      weighted += access.counts.bytesAsked * static_cast<uint64_t>(access.vectorBytes);
    }
  return bytes == 0 ? 0 : static_cast<int64_t>((weighted + bytes / 2) / bytes);
}

static void addMemory(const MemoryFacts &before, const MemoryFacts &after, Differences &all) {
  const auto addTotals = [&](const std::string &name, auto actions) {
    all.add(name, bytesPerLane(before, actions), bytesPerLane(after, actions), " bytes a lane");
    const AccessCounts old = before.total(actions), now = after.total(actions);
    all.add(name + " requests", static_cast<int64_t>(old.requests),
            static_cast<int64_t>(now.requests));
    all.add(name + " sectors", static_cast<int64_t>(old.sectors),
            static_cast<int64_t>(now.sectors));
  };
  addTotals("load",
            std::initializer_list<MemoryAction>{MemoryAction::GlobalLoad, MemoryAction::AsyncCopy});
  addTotals("store", std::initializer_list<MemoryAction>{MemoryAction::GlobalStore});
  addTotals("atomic", std::initializer_list<MemoryAction>{MemoryAction::GlobalAtomic,
                                                          MemoryAction::GlobalReduction});
  const auto shared = {MemoryAction::SharedLoad, MemoryAction::SharedStore,
                       MemoryAction::MatrixLoad};
  all.add("shared wavefronts", static_cast<int64_t>(before.total(shared).wavefronts),
          static_cast<int64_t>(after.total(shared).wavefronts));
  const auto conversions = [](const MemoryFacts &memory, bool inLoop) {
    return static_cast<int64_t>(std::ranges::count(
        memory.conversions, inLoop, [](const ConversionFacts &facts) { return facts.isInLoop; }));
  };
  all.addCount("conversion", conversions(before, false), conversions(after, false));
  all.addCount("conversion", conversions(before, true), conversions(after, true), " in a loop");
  all.addCount("pipelined loop", static_cast<int64_t>(before.pipelines.size()),
               static_cast<int64_t>(after.pipelines.size()));
}

/// PTX without what says which lines it is of: comments, and all that debuggers read.
static std::string instructionsOf(std::string_view ptx) {
  std::string kept;
  for (const std::string_view line : splitLines(ptx)) {
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view words = line.substr(first);
    if (words.starts_with(".section"))
      break;
    if (!words.empty() && !words.starts_with("//") && !words.starts_with(".loc") &&
        !words.starts_with(".file"))
      kept.append(line) += '\n';
  }
  return kept;
}

static std::string_view codeOf(const Inspection &inspection, StageId id) {
  const Stage *stage = inspection.file.result.stage(id);
  return stage && stage->ok ? std::string_view(stage->text) : std::string_view();
}

/// Of machine code, or of PTX where there is no machine code of one of them.
static void addInstructions(const Inspection &before, const Inspection &after, Differences &all) {
  if (before.cpuCode && after.cpuCode) {
    const machine::CpuCodeCounts &old = before.cpuCode->total, &now = after.cpuCode->total;
    all.add("instructions", old.instructions, now.instructions);
    all.add("instructions on vectors", old.onVectors, now.onVectors);
    return all.addCount("call", old.calls, now.calls);
  }
  const int64_t old = machine::numInstructions(codeOf(before, StageId::Cubin));
  const int64_t now = machine::numInstructions(codeOf(after, StageId::Cubin));
  if (old > 0 && now > 0)
    return all.add("instructions", old, now);
  const size_t oldPtx = machine::readPtxSteps(codeOf(before, StageId::Ptx)).steps.size();
  const size_t nowPtx = machine::readPtxSteps(codeOf(after, StageId::Ptx)).steps.size();
  if (oldPtx > 0 && nowPtx > 0)
    all.add("PTX instructions", static_cast<int64_t>(oldPtx), static_cast<int64_t>(nowPtx));
}

/// The first stage that both have and that differs. Machine code names the file that it is of, so it
/// decides only where nothing before it is known of both.
static std::optional<StageId> firstDifference(const CompileResult &before,
                                              const CompileResult &after) {
  bool isCompared = false;
  for (const StageId id :
       {StageId::Ttir, StageId::Ttgir, StageId::Assembly, StageId::Ptx, StageId::Cubin}) {
    const Stage *old = before.stage(id), *now = after.stage(id);
    if (!old || !now || !old->ok || !now->ok || (id == StageId::Cubin && isCompared))
      continue;
    isCompared = true;
    const bool isSame = id == StageId::Ptx ? instructionsOf(old->text) == instructionsOf(now->text)
                                           : old->text == now->text;
    if (!isSame)
      return id;
  }
  return std::nullopt;
}

/// Of two kernels with equal counts.
static std::string codeLine(const CompileResult &before, const CompileResult &after) {
  const std::optional<StageId> stage = firstDifference(before, after);
  return stage ? "the counts do not differ; the code does (first stage that differs: " +
                     std::string(stageTitle(*stage)) + ")"
               : "no difference in code and counts";
}

std::string differenceLine(const Inspection &before, const Inspection &after) {
  Differences all;
  if (before.memory && after.memory)
    addMemory(*before.memory, *after.memory, all);
  addInstructions(before, after, all);
  all.add("registers", before.resources.registers, after.resources.registers);
  all.addBytes("spilled", before.resources.spillBytes, after.resources.spillBytes);
  all.addBytes("shared memory", before.resources.sharedBytes, after.resources.sharedBytes);
  all.add("threads", before.resources.threads, after.resources.threads);
  if (before.occupancy && after.occupancy)
    all.add("warps a multiprocessor", before.occupancy->warpsPerSm, after.occupancy->warpsPerSm);
  return all.text().empty() ? codeLine(before.file.result, after.file.result) : all.text();
}

} // namespace tilescope::app
