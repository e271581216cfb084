// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/WarpRun.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tilescope::compiler::estimate {

using machine::SassControl;
using machine::SassInstruction;
using machine::SassProgram;

/// Rounds of a loop that are followed; the first ones, in which the pipeline fills, do not count.
static constexpr int kRounds = 6, kFirstRounds = 2;
/// More instructions are not followed: loops in loops.
static constexpr int64_t kMostSteps = 400000;
/// Until all warps of a program have arrived, and go on.
static constexpr double kBarrierCycles = 24;
/// Until an instruction on memory has read its operands.
static constexpr double kReadCycles = 10;

namespace {
class WarpRun {
public:
  WarpRun(const SassProgram &program, const CodeRegions &regions,
          const std::vector<WarpInstruction> &instructions, int32_t warps)
      : m_program(program), m_regions(regions), m_instructions(instructions), m_warps(warps),
        m_sharers(std::max(1.0, warps / 4.0)), m_sums(program.instructions.size()),
        m_counts(program.instructions.size()) {}

  std::vector<double> run() {
    const CodeRegion &whole = m_regions.regions.front();
    follow(0, whole.begin, whole.end, true);
    for (size_t i = 0; i < m_sums.size(); ++i)
      if (m_counts[i] > 0)
        m_sums[i] /= m_counts[i];
    return std::move(m_sums);
  }

private:
  /// A region's instructions, once, with those of the regions inside.
  void follow(int32_t number, uint32_t begin, uint32_t end, bool isCounted) {
    for (uint32_t i = begin; i < end;) {
      const int32_t inner = regionBelow(number, i);
      if (inner == number) {
        issue(i++, isCounted);
        continue;
      }
      const CodeRegion &region = m_regions.regions[static_cast<size_t>(inner)];
      enter(inner, region, isCounted);
      i = region.end;
    }
  }

  void enter(int32_t number, const CodeRegion &region, bool isCounted) {
    const double outer =
        region.parent < 0 ? 1 : m_regions.regions[static_cast<size_t>(region.parent)].executions;
    const double times = outer > 0 ? region.executions / outer : 0;
    if (region.kind != CodeRegion::Kind::Loop) {
      if (times >= 0.5 || (times > 0 && m_counts[region.begin] == 0))
        follow(number, region.begin, region.end, isCounted);
      return;
    }
    const int rounds = std::min<int>(kRounds, static_cast<int>(std::ceil(times)));
    const int first = rounds > kFirstRounds + 1 ? kFirstRounds : 0;
    for (int round = 0; round < rounds && m_steps < kMostSteps; ++round)
      follow(number, region.begin, region.end, isCounted && round >= first);
  }

  /// The region at an instruction that is `number` or lies directly in it.
  int32_t regionBelow(int32_t number, uint32_t instruction) const {
    int32_t at = m_regions.regionOf[instruction];
    while (at != number && m_regions.regions[static_cast<size_t>(at)].parent != number &&
           m_regions.regions[static_cast<size_t>(at)].parent >= 0)
      at = m_regions.regions[static_cast<size_t>(at)].parent;
    return at;
  }

  void issue(uint32_t number, bool isCounted) {
    ++m_steps;
    const SassInstruction &instruction = m_program.instructions[number];
    const WarpInstruction &known = m_instructions[number];
    const SassControl control = machine::decodeControl(instruction.word);
    const double begin = m_now;
    double time = std::max(m_now, m_next);
    for (int board = 0; board < machine::kNumBarriers; ++board)
      if (control.waitMask >> board & 1)
        time = std::max(time, m_boards[static_cast<size_t>(board)]);
    time = std::max(time, waitOf(instruction));
    const bool isGroup = instruction.operation.ends_with("GMMA");
    const auto pipe = known.cost.pipe ? static_cast<size_t>(*known.cost.pipe) : 0;
    double end = time;
    if (known.cost.pipe) {
      // A product of four warps waits in a queue, and the warp goes on.
      const double start = std::max(time, m_pipes[pipe]);
      if (!isGroup)
        time = start;
      m_pipes[pipe] = start + known.cost.pipeCycles * m_sharers;
      end = isGroup ? m_pipes[pipe] : time;
    }
    if (known.wavefronts > 0) {
      m_banks = std::max(m_banks, time) + known.wavefronts * m_warps;
      end = std::max(end, m_banks);
    }
    m_now = time;
    m_next = time + std::max<double>(m_sharers, control.stall);
    note(instruction, control, time, end + known.latency);
    if (isCounted) {
      m_sums[number] += m_now - begin;
      m_counts[number] += 1;
    }
  }

  /// Until when an instruction waits for what goes on beside the warp.
  double waitOf(const SassInstruction &instruction) {
    if (instruction.operation == "BAR")
      return std::max(m_now, m_next) + kBarrierCycles;
    const bool isCopyWait = instruction.operation == "DEPBAR";
    if (!isCopyWait && !(instruction.operation == "WARPGROUP" && instruction.has("DEPBAR")))
      return 0;
    std::vector<double> &groups = isCopyWait ? m_copyGroups : m_productGroups;
    const size_t pending =
        numberOf(instruction.operands.empty() ? "" : instruction.operands.back());
    double time = 0;
    while (groups.size() > pending) {
      time = std::max(time, groups.front());
      groups.erase(groups.begin());
    }
    return time;
  }

  static size_t numberOf(std::string_view text) {
    size_t number = 0;
    if (text.starts_with("0x"))
      std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
    return number;
  }

  /// What is known once an instruction has issued.
  void note(const SassInstruction &instruction, const SassControl &control, double time,
            double end) {
    if (control.writeBarrier < machine::kNumBarriers)
      hold(control.writeBarrier, end);
    if (control.readBarrier < machine::kNumBarriers)
      hold(control.readBarrier, time + kReadCycles);
    if (instruction.operation == "LDGSTS")
      m_copies = std::max(m_copies, end);
    if (instruction.operation == "LDGDEPBAR")
      m_copyGroups.push_back(std::max(m_copies, time));
    if (instruction.operation.ends_with("GMMA") &&
        std::ranges::find(instruction.operands, "gsb0") != instruction.operands.end())
      m_productGroups.push_back(end);
  }

  void hold(uint8_t board, double end) { m_boards[board] = std::max(m_boards[board], end); }

  const SassProgram &m_program;
  const CodeRegions &m_regions;
  const std::vector<WarpInstruction> &m_instructions;
  double m_warps;
  /// Warps in a quarter of the multiprocessor.
  double m_sharers;
  std::vector<double> m_sums, m_counts;
  /// When the last instruction issued, and when its stall is over.
  double m_now = 0, m_next = 0;
  std::array<double, machine::kNumBarriers> m_boards{};
  std::array<double, kNumMachinePipes> m_pipes{};
  /// When the banks of L1 and shared memory are free again.
  double m_banks = 0;
  /// When the copies, and the groups of copies and of products, are over.
  double m_copies = 0;
  std::vector<double> m_copyGroups, m_productGroups;
  int64_t m_steps = 0;
};
} // namespace

std::vector<double> cyclesBefore(const SassProgram &program, const CodeRegions &regions,
                                 const std::vector<WarpInstruction> &instructions, int32_t warps) {
  return WarpRun(program, regions, instructions, warps).run();
}

} // namespace tilescope::compiler::estimate
