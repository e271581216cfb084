// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/FindEstimate.h"

#include "compiler/estimate/CodeRegions.h"
#include "compiler/estimate/InstructionCost.h"
#include "compiler/estimate/LoopRounds.h"
#include "compiler/estimate/Predict.h"
#include "compiler/estimate/PtxProgram.h"
#include "compiler/estimate/WarpRun.h"

#include <algorithm>
#include <tuple>

namespace tilescope::compiler::estimate {

using machine::SassInstruction;
using machine::SassProgram;

/// A line of the source, and what is done there with memory.
using AccessKey = std::tuple<uint32_t, uint32_t, MemoryAction>;

namespace {
/// What the counts say of the accesses of one line.
struct LineAccesses {
  double instructions = 0;
  double sectorsPastL1 = 0, sectorsPastL2 = 0, sectors = 0;
  double wavefronts = 0;
};

/// One kernel on its way from machine code to facts.
class LaunchReader {
public:
  LaunchReader(const EstimateInput &input, const DeviceRates &device)
      : m_input(input), m_device(device) {}

  /// What is missing; empty: `facts` are complete.
  std::string read(EstimateFacts &facts);

private:
  std::string readCode(EstimateFacts &facts);
  const std::vector<SourceRange> &sourcesOf(const SassInstruction &instruction) const;
  std::optional<AccessKey> keyOf(const SassInstruction &instruction) const;
  void readAccesses(const MemoryTraffic &traffic);
  std::vector<CountedInstructions> countedInstructions() const;
  double memoryLatency(const SassInstruction &instruction) const;
  double wavefrontsOf(const SassInstruction &instruction) const;
  void addSpills(double bytesOfWarp, EstimateFacts &facts) const;
  void addInstructions(const CodeRegions &regions, EstimateFacts &facts) const;
  void addLines(const std::map<std::pair<uint32_t, uint32_t>, double> &cycles,
                EstimateFacts &facts) const;
  /// Whether all programs run at once.
  bool isOneWave() const {
    return m_input.traffic.memory->programs <=
           static_cast<uint64_t>(m_device.multiprocessors) *
               static_cast<uint64_t>(m_input.traffic.programsPerSm);
  }
  int kernelWarps() const { return m_input.result->metadata.numWarps; }

  const EstimateInput &m_input;
  const DeviceRates &m_device;
  /// SASS, or PTX where there is none.
  const Stage *m_code = nullptr;
  SassProgram m_program;
  std::map<AccessKey, LineAccesses> m_accesses;
};
} // namespace

const std::vector<SourceRange> &LaunchReader::sourcesOf(const SassInstruction &instruction) const {
  static const std::vector<SourceRange> kNone;
  const auto &lines = m_code->sourceMap.lines;
  const auto found = std::ranges::lower_bound(lines, instruction.line, {}, &LineMapping::line);
  return found != lines.end() && found->line == instruction.line ? found->sources : kNone;
}

std::optional<AccessKey> LaunchReader::keyOf(const SassInstruction &instruction) const {
  const std::optional<MemoryAction> action = memoryActionOf(instruction);
  if (!action)
    return std::nullopt;
  for (const SourceRange &range : sourcesOf(instruction))
    if (const AccessKey key(range.file, range.begin.line, *action); m_accesses.contains(key))
      return key;
  return std::nullopt;
}

/// Passes that write what a copy has fetched into shared memory: as wide as all banks, or one for each
/// sector of which narrow copies use a part, as those that transpose a block on its way. So long did two
/// products of tf32 take on an H200, of 1024 and of 2048 rows, whose second factor is copied so (50 and
/// 211 µs); with one pass for all 16 sectors of a request, half of it would be left unexplained.
static double sharedPasses(const AccessFacts &copy) {
  const auto wide = static_cast<double>(copy.counts.bytesAsked) / 128;
  const bool isInParts =
      copy.vectorBytes < 16 && 2 * copy.counts.bytesUsed <= copy.counts.bytesFetched;
  return isInParts ? std::max(wide, static_cast<double>(copy.counts.sectors)) : wide;
}

void LaunchReader::readAccesses(const MemoryTraffic &traffic) {
  const MemoryFacts &memory = *m_input.traffic.memory;
  // Counts are averages over the grid, and the launch lasts as long as the program that has the most to do.
  const double uneven =
      m_input.traffic.programs ? unevenness(*m_input.traffic.programs, m_device) : 1;
  for (size_t i = 0; i < memory.accesses.size(); ++i) {
    const AccessFacts &access = memory.accesses[i];
    const AccessShares &shares = traffic.shares[i];
    LineAccesses &line = m_accesses[{access.range.file, access.range.begin.line, access.action}];
    const auto sectors = static_cast<double>(access.counts.sectors);
    line.instructions += static_cast<double>(access.counts.instructions);
    line.sectors += sectors;
    // Of global memory, a line of L1 each; copies are also written to shared memory.
    line.wavefronts += isShared(access.action) ? static_cast<double>(access.counts.wavefronts)
                                               : uneven * static_cast<double>(access.counts.lines);
    if (access.action == MemoryAction::AsyncCopy)
      line.wavefronts += uneven * sharedPasses(access);
    line.sectorsPastL1 += sectors * shares.pastL1;
    line.sectorsPastL2 += sectors * shares.pastL1 * shares.pastL2;
  }
}

std::vector<CountedInstructions> LaunchReader::countedInstructions() const {
  std::map<AccessKey, std::vector<uint32_t>> instructions;
  for (uint32_t i = 0; i < m_program.instructions.size(); ++i)
    if (const std::optional<AccessKey> key = keyOf(m_program.instructions[i]))
      instructions[*key].push_back(i);
  const double warps = static_cast<double>(m_input.traffic.memory->programs) * kernelWarps();
  std::vector<CountedInstructions> counted;
  for (const auto &[key, numbers] : instructions)
    counted.push_back({numbers, m_accesses.at(key).instructions / warps});
  return counted;
}

/// Beyond L1, on average: the slowest sector of a request counts, so that a few from DRAM are
/// enough.
double LaunchReader::memoryLatency(const SassInstruction &instruction) const {
  const std::optional<MemoryAction> action = memoryActionOf(instruction);
  if (instruction.operation == "LDL")
    return m_device.l2Latency / 2;
  if (!action || isShared(*action))
    return 0;
  const std::optional<AccessKey> key = keyOf(instruction);
  if (!key || m_accesses.at(*key).sectors <= 0)
    return m_device.l2Latency;
  const LineAccesses &line = m_accesses.at(*key);
  if (*action == MemoryAction::GlobalAtomic)
    return m_device.l2Latency;
  const double pastL1 = line.sectorsPastL1 / line.sectors;
  // Programs that begin together wait together for what one of them has asked for first.
  const double pastL2 = isOneWave() ? pastL1 : line.sectorsPastL2 / line.sectors;
  return pastL1 * m_device.l2Latency +
         std::min(1.0, 4 * pastL2) * (m_device.dramLatency - m_device.l2Latency);
}

double LaunchReader::wavefrontsOf(const SassInstruction &instruction) const {
  const std::optional<AccessKey> key = keyOf(instruction);
  if (!key || m_accesses.at(*key).instructions <= 0)
    return 0;
  return m_accesses.at(*key).wavefronts / m_accesses.at(*key).instructions;
}

/// Spilled registers lie in L1 as far as those of all threads fit beside shared memory, and then in
/// L2.
void LaunchReader::addSpills(double bytesOfWarp, EstimateFacts &facts) const {
  if (bytesOfWarp <= 0)
    return;
  const double atOnce =
      std::min(static_cast<double>(facts.programsPerSm),
               std::max(1.0, static_cast<double>(facts.programs) / m_device.multiprocessors));
  const double room = m_device.l1Bytes - atOnce * static_cast<double>(m_input.traffic.sharedBytes);
  const double needed =
      static_cast<double>(std::max<int64_t>(0, m_input.result->resources.spillBytes)) * 32 *
      facts.warps * atOnce;
  const double pastL1 = std::clamp(needed / std::max(room, 1.0) - 1, 0.0, 1.0);
  const double everywhere =
      needed * std::min<double>(m_device.multiprocessors, static_cast<double>(facts.programs));
  const double pastL2 = everywhere > 0 ? std::max(0.0, 1 - m_device.l2Bytes / everywhere) : 0;
  // About half are stores.
  const double half = bytesOfWarp * facts.warps * static_cast<double>(facts.programs) * pastL1 / 2;
  facts.l2ReadBytes += half;
  facts.l2WriteBytes += half;
  facts.dramReadBytes += half * pastL2;
  facts.dramWriteBytes += half * pastL2;
}

/// Where the time of an instruction counts: of code that was inlined, the innermost place in the
/// document, as samples do; of code that has none there, the innermost place. Null: none is known.
static const SourceRange *placeOf(const std::vector<SourceRange> &sources) {
  const auto own = std::ranges::find(sources, 0u, &SourceRange::file);
  if (own != sources.end())
    return &*own;
  return sources.empty() ? nullptr : &sources.front();
}

void LaunchReader::addInstructions(const CodeRegions &regions, EstimateFacts &facts) const {
  std::vector<WarpInstruction> known;
  for (const SassInstruction &instruction : m_program.instructions) {
    WarpInstruction each{costOf(instruction, m_device)};
    each.latency = each.cost.latency + memoryLatency(instruction);
    each.wavefronts = each.cost.wavefronts + wavefrontsOf(instruction);
    known.push_back(each);
  }
  const std::vector<double> cycles = cyclesBefore(m_program, regions, known, facts.warps);
  std::map<std::pair<uint32_t, uint32_t>, double> byLine;
  double wavefronts = 0, spilled = 0;
  for (uint32_t i = 0; i < m_program.instructions.size(); ++i) {
    const double times = regions.executions(i);
    const InstructionCost &cost = known[i].cost;
    facts.instructions += times;
    if (cost.pipe)
      facts.pipeCycles[static_cast<size_t>(*cost.pipe)] += times * cost.pipeCycles;
    facts.aloneCycles += times * cycles[i];
    wavefronts += times * known[i].wavefronts;
    spilled += times * cost.spilledBytes;
    if (const SourceRange *place = placeOf(sourcesOf(m_program.instructions[i])))
      byLine[{place->file, place->begin.line}] += times * cycles[i];
  }
  facts.wavefronts = wavefronts * facts.warps;
  addSpills(spilled, facts);
  addLines(byLine, facts);
}

void LaunchReader::addLines(const std::map<std::pair<uint32_t, uint32_t>, double> &cycles,
                            EstimateFacts &facts) const {
  for (const auto &[line, spent] : cycles)
    if (spent > 0 && facts.aloneCycles > 0)
      facts.lines.push_back(
          {{{line.second, 0}, {line.second + 1, 0}, line.first}, spent / facts.aloneCycles});
  std::ranges::sort(facts.lines, [](const EstimateLine &a, const EstimateLine &b) {
    return std::pair(-a.share, a.range) < std::pair(-b.share, b.range);
  });
}

/// What is missing; empty: there is a program.
std::string LaunchReader::readCode(EstimateFacts &facts) {
  const CompileResult &result = *m_input.result;
  const Stage *sass = result.stage(StageId::Sass), *cubin = result.stage(StageId::Cubin);
  if (sass && sass->ok && cubin && cubin->ok) {
    m_code = sass;
    m_program = machine::parseSass(sass->text, cubin->text);
    return m_program.hasWords ? "" : "the machine code could not be read";
  }
  m_code = result.stage(StageId::Ptx);
  if (!m_code || !m_code->ok)
    return "there is neither machine code nor PTX";
  m_program = ptxProgram(m_code->text);
  facts.confidence = EstimateConfidence::Ptx;
  // The assembler may be there, and only what reads its result is missing.
  const std::string missing = cubin && cubin->ok ? "nvdisasm is" : "ptxas and nvdisasm are";
  facts.assumptions.push_back("the assembler keeps the instructions of PTX and their order; " +
                              missing + " missing, so the machine code cannot be read");
  return m_program.instructions.empty() ? "the PTX has no kernel" : "";
}

std::string LaunchReader::read(EstimateFacts &facts) {
  if (std::string missing = readCode(facts); !missing.empty())
    return missing;
  const MemoryFacts &memory = *m_input.traffic.memory;
  for (const UncountedAccess &access : memory.uncounted)
    if (access.operation.find("descriptor") != std::string::npos ||
        access.operation.find("tma") != std::string::npos)
      return "bytes that bulk copies move are not counted";
  const MemoryTraffic traffic = memoryTraffic(m_input.traffic, m_device);
  readAccesses(traffic);
  CodeRegions regions = findRegions(m_program);
  const LoopRounds rounds(m_input.loops, *m_code, m_program, regions);
  const std::vector<uint32_t> unknown = countRegions(
      regions, countedInstructions(), [&](const CodeRegion &loop) { return rounds.of(loop); });
  if (!unknown.empty())
    return rounds.whyNot(unknown.front());
  facts.target = m_input.result->target;
  facts.programs = memory.programs;
  facts.warps = kernelWarps();
  facts.programsPerSm = m_input.traffic.programsPerSm;
  facts.l2ReadBytes = traffic.l2ReadBytes;
  facts.l2WriteBytes = traffic.l2WriteBytes;
  facts.dramReadBytes = traffic.dramReadBytes;
  facts.dramWriteBytes = traffic.dramWriteBytes;
  facts.atomicSectors = traffic.atomicSectors;
  facts.atomicTurns = traffic.atomicTurns;
  addInstructions(regions, facts);
  return {};
}

Estimate findEstimate(const EstimateInput &input) {
  Estimate estimate;
  const std::optional<DeviceRates> device = deviceRates(input.result->target, input.device);
  if (!device) {
    estimate.reason = "the rates of " +
                      (input.device.empty() ? "`" + input.result->target + "`" : input.device) +
                      " are not known";
    return estimate;
  }
  if (input.traffic.programsPerSm <= 0 || input.traffic.memory->programs == 0) {
    estimate.reason = "no program of the launch fits on a multiprocessor, or there is none";
    return estimate;
  }
  EstimateFacts facts;
  facts.assumptions = input.assumptions;
  estimate.reason = LaunchReader(input, *device).read(facts);
  return estimate.reason.empty() ? predict(std::move(facts), *device) : estimate;
}

} // namespace tilescope::compiler::estimate
