// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/FindEstimate.h"

#include "compiler/estimate/CodeRegions.h"
#include "compiler/estimate/InstructionCost.h"
#include "compiler/estimate/Predict.h"
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
};

/// One kernel on its way from machine code to facts.
class LaunchReader {
public:
  LaunchReader(const EstimateInput &input, const DeviceRates &device)
      : m_input(input), m_device(device) {}

  /// What is missing; empty: `facts` are complete.
  std::string read(EstimateFacts &facts);

private:
  const std::vector<SourceRange> &sourcesOf(const SassInstruction &instruction) const;
  std::optional<AccessKey> keyOf(const SassInstruction &instruction) const;
  void readAccesses(const MemoryTraffic &traffic);
  std::vector<CountedInstructions> countedInstructions() const;
  double memoryLatency(const SassInstruction &instruction) const;
  void addInstructions(const CodeRegions &regions, EstimateFacts &facts) const;
  void addLines(const std::map<std::pair<uint32_t, uint32_t>, double> &cycles,
                EstimateFacts &facts) const;
  int kernelWarps() const { return m_input.result->metadata.numWarps; }

  const EstimateInput &m_input;
  const DeviceRates &m_device;
  const Stage *m_sass = nullptr;
  SassProgram m_program;
  std::map<AccessKey, LineAccesses> m_accesses;
};
} // namespace

const std::vector<SourceRange> &LaunchReader::sourcesOf(const SassInstruction &instruction) const {
  static const std::vector<SourceRange> kNone;
  const auto &lines = m_sass->sourceMap.lines;
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

void LaunchReader::readAccesses(const MemoryTraffic &traffic) {
  const MemoryFacts &memory = *m_input.traffic.memory;
  for (size_t i = 0; i < memory.accesses.size(); ++i) {
    const AccessFacts &access = memory.accesses[i];
    const AccessShares &shares = traffic.shares[i];
    LineAccesses &line =
        m_accesses[{access.range.file, access.range.begin.line, access.action}];
    const auto sectors = static_cast<double>(access.counts.sectors);
    line.instructions += static_cast<double>(access.counts.instructions);
    line.sectors += sectors;
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
  if (!action || isShared(*action))
    return 0;
  const std::optional<AccessKey> key = keyOf(instruction);
  if (!key || m_accesses.at(*key).sectors <= 0)
    return m_device.l2Latency;
  const LineAccesses &line = m_accesses.at(*key);
  if (*action == MemoryAction::GlobalAtomic)
    return m_device.l2Latency;
  const double pastL1 = line.sectorsPastL1 / line.sectors;
  const double pastL2 = line.sectorsPastL2 / line.sectors;
  return pastL1 * m_device.l2Latency +
         std::min(1.0, 4 * pastL2) * (m_device.dramLatency - m_device.l2Latency);
}

void LaunchReader::addInstructions(const CodeRegions &regions, EstimateFacts &facts) const {
  std::vector<WarpInstruction> known;
  for (const SassInstruction &instruction : m_program.instructions) {
    WarpInstruction each{costOf(instruction, m_device)};
    each.latency = each.cost.latency + memoryLatency(instruction);
    known.push_back(each);
  }
  const std::vector<double> cycles = cyclesBefore(m_program, regions, known);
  std::map<std::pair<uint32_t, uint32_t>, double> byLine;
  double wavefronts = 0;
  for (uint32_t i = 0; i < m_program.instructions.size(); ++i) {
    const double times = regions.executions(i);
    const InstructionCost &cost = known[i].cost;
    facts.instructions += times;
    if (cost.pipe)
      facts.pipeCycles[static_cast<size_t>(*cost.pipe)] += times * cost.pipeCycles;
    facts.aloneCycles += times * cycles[i];
    wavefronts += times * cost.wavefronts;
    if (const auto &sources = sourcesOf(m_program.instructions[i]); !sources.empty())
      byLine[{sources.front().file, sources.front().begin.line}] += times * cycles[i];
  }
  facts.wavefronts += wavefronts * kernelWarps();
  addLines(byLine, facts);
}

void LaunchReader::addLines(const std::map<std::pair<uint32_t, uint32_t>, double> &cycles,
                            EstimateFacts &facts) const {
  for (const auto &[line, spent] : cycles)
    if (spent > 0 && facts.aloneCycles > 0)
      facts.lines.push_back({{{line.second, 0}, {line.second + 1, 0}, line.first},
                             spent / facts.aloneCycles});
  std::ranges::stable_sort(facts.lines, std::greater(), &EstimateLine::share);
}

std::string LaunchReader::read(EstimateFacts &facts) {
  const CompileResult &result = *m_input.result;
  m_sass = result.stage(StageId::Sass);
  const Stage *cubin = result.stage(StageId::Cubin);
  if (!m_sass || !m_sass->ok || !cubin || !cubin->ok)
    return "there is no machine code: ptxas or nvdisasm is missing";
  const auto [begin, end] = machine::functionLines(m_sass->text, result.metadata.name);
  m_program = machine::parseSass(m_sass->text, cubin->text);
  if (begin == end || !m_program.hasWords)
    return "the machine code could not be read";
  const MemoryFacts &memory = *m_input.traffic.memory;
  for (const UncountedAccess &access : memory.uncounted)
    if (access.operation.find("descriptor") != std::string::npos ||
        access.operation.find("tma") != std::string::npos)
      return "bytes that bulk copies move are not counted";
  const MemoryTraffic traffic = memoryTraffic(m_input.traffic, m_device);
  readAccesses(traffic);
  CodeRegions regions = findRegions(m_program);
  const std::vector<uint32_t> unknown = countRegions(regions, countedInstructions());
  if (!unknown.empty()) {
    const auto &sources = sourcesOf(m_program.instructions[unknown.front()]);
    return "how often a loop goes round is not known" +
           (sources.empty() ? std::string()
                            : " (line " + std::to_string(sources.front().begin.line + 1) + ")");
  }
  facts.target = result.target;
  facts.programs = memory.programs;
  facts.warps = kernelWarps();
  facts.programsPerSm = m_input.traffic.programsPerSm;
  facts.l2ReadBytes = traffic.l2ReadBytes;
  facts.l2WriteBytes = traffic.l2WriteBytes;
  facts.dramReadBytes = traffic.dramReadBytes;
  facts.dramWriteBytes = traffic.dramWriteBytes;
  facts.atomicSectors = traffic.atomicSectors;
  uint64_t wavefronts = 0;
  for (const AccessFacts &access : memory.accesses)
    wavefronts += access.counts.wavefronts;
  facts.wavefronts = static_cast<double>(wavefronts) /
                     static_cast<double>(std::max<uint64_t>(1, memory.programs));
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
  estimate.reason = LaunchReader(input, *device).read(facts);
  return estimate.reason.empty() ? predict(std::move(facts), *device) : estimate;
}

} // namespace tilescope::compiler::estimate
