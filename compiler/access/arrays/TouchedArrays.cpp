// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/TouchedArrays.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace tilescope::compiler::access {

/// The argument whose memory begins nearest to an address.
static size_t argumentOf(const std::vector<RecordedArgument> &arguments, int64_t address) {
  const auto nearest = std::ranges::min_element(arguments, {}, [&](const RecordedArgument &each) {
    return std::abs(address - each.address);
  });
  return static_cast<size_t>(nearest - arguments.begin());
}

TouchedArrays::TouchedArrays(TouchTrace trace) : m_trace(std::move(trace)) {
  std::vector<Array> all(m_trace.arguments.size());
  for (uint32_t number = 0; number < m_trace.runs.size() && !all.empty(); ++number) {
    const TouchRun &run = m_trace.runs[number];
    Array &array = all[argumentOf(m_trace.arguments, run.address)];
    array.runs.push_back({run.program, number});
    if (std::ranges::find(array.accesses, run.access) == array.accesses.end())
      array.accesses.push_back(run.access);
    array.isRead |= access(run.access).reads;
    array.isWritten |= access(run.access).writes;
  }
  for (uint32_t number = 0; number < m_trace.blocks.size() && !all.empty(); ++number) {
    const TouchRun &block = m_trace.blocks[number];
    Array &array = all[argumentOf(m_trace.arguments, block.address)];
    array.blocks.push_back({block.program, number});
  }
  for (size_t argument = 0; argument < all.size(); ++argument) {
    Array &array = all[argument];
    const RecordedArgument &recorded = m_trace.arguments[argument];
    if (array.runs.empty() || recorded.elementBytes <= 0)
      continue;
    array.argument = argument;
    array.shape = arrayShape(recorded, foldOf(array));
    if (array.shape.numElements > 0)
      m_arrays.push_back(std::move(array));
  }
}

/// Where rows of tiles are cut out of a vector, their distance: the matrix then shows.
int64_t TouchedArrays::foldOf(const Array &array) const {
  const RecordedArgument &argument = m_trace.arguments[array.argument];
  if (argument.shape.size() != 1)
    return 1;
  constexpr size_t kMostRuns = 1000;
  constexpr int64_t kLeast = 8;
  const int64_t count = argument.shape.front();
  std::map<int64_t, size_t> votes;
  for (size_t i = 0; i < std::min(array.runs.size(), kMostRuns); ++i) {
    const std::vector<TouchDim> &dims = m_trace.runs[array.runs[i].run].dims;
    for (size_t dim = 0; dim + 1 < dims.size(); ++dim)
      if (const int64_t stride = dims[dim].strideBytes / argument.elementBytes;
          stride >= kLeast && stride < count && stride != dims[dim + 1].extent)
        ++votes[stride];
  }
  const auto best =
      std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; });
  return best == votes.end() ? usualFold(count) : best->first;
}

const RecordedArgument &TouchedArrays::argument(size_t array) const {
  return m_trace.arguments[m_arrays[array].argument];
}

bool TouchedArrays::has(uint64_t program) const {
  const ProgramSample &sample = m_trace.programs;
  return program >= sample.first && (program - sample.first) % sample.stride == 0 &&
         (program - sample.first) / sample.stride < sample.count;
}

bool TouchedArrays::hasAll(const ProgramRange &programs) const {
  if (programs.count() == 0)
    return false;
  const bool isGapless = m_trace.programs.stride == 1 || programs.count() == 1;
  return isGapless && has(programs.first) && has(programs.last - 1);
}

uint32_t TouchedArrays::numSteps(uint64_t program) const {
  uint32_t steps = 1;
  const auto own = std::ranges::equal_range(m_trace.runs, program, {}, &TouchRun::program);
  for (const TouchRun &run : own)
    steps = std::max(steps, run.firstStep + run.numSteps);
  return steps;
}

std::optional<TouchedElements> elementsOf(const TouchRun &run, const StepRange &steps) {
  const uint32_t first = std::max(run.firstStep, steps.first);
  const uint32_t last = std::min(run.firstStep + run.numSteps, steps.last);
  if (first >= last)
    return std::nullopt;
  TouchedElements elements{run.address + (first - run.firstStep) * run.stepBytes, run.dims};
  if (last - first == 1)
    return elements;
  if (run.stepBytes < 0)
    elements.address += (last - first - 1) * run.stepBytes;
  const TouchDim turns{last - first, std::abs(run.stepBytes)};
  const auto at = std::ranges::find_if(
      elements.dims, [&](const TouchDim &dim) { return dim.strideBytes < turns.strideBytes; });
  elements.dims.insert(at, turns);
  return elements;
}

std::vector<ElementBox> TouchedArrays::boxesOf(size_t array, const TouchRun &run,
                                               const StepRange &steps) const {
  std::optional<TouchedElements> elements = elementsOf(run, steps);
  if (!elements)
    return {};
  return access::boxesOf(shape(array), elements->address - argument(array).address,
                         std::move(elements->dims), access(run.access).elementBytes);
}

static std::span<const TouchedArrays::ArrayRun>
ofPrograms(const std::vector<TouchedArrays::ArrayRun> &all, const ProgramRange &programs) {
  const auto first =
      std::ranges::lower_bound(all, programs.first, {}, &TouchedArrays::ArrayRun::program);
  const auto last =
      std::ranges::lower_bound(all, programs.last, {}, &TouchedArrays::ArrayRun::program);
  return {first, last};
}

std::span<const TouchedArrays::ArrayRun> TouchedArrays::runs(size_t array,
                                                             const ProgramRange &programs) const {
  return ofPrograms(m_arrays[array].runs, programs);
}

std::span<const TouchedArrays::ArrayRun> TouchedArrays::blocks(size_t array,
                                                               const ProgramRange &programs) const {
  return ofPrograms(m_arrays[array].blocks, programs);
}

std::vector<TouchedBox> TouchedArrays::boxes(size_t array, uint64_t program,
                                             const StepRange &steps) const {
  std::vector<TouchedBox> boxes;
  for (const ArrayRun &each : runs(array, {program, program + 1})) {
    const TouchRun &run = m_trace.runs[each.run];
    for (const ElementBox &box : boxesOf(array, run, steps))
      boxes.push_back({box, run.access});
  }
  return boxes;
}

} // namespace tilescope::compiler::access
