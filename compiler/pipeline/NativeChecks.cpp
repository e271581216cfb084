// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NativeChecks.h"

#include "compiler/conversion/tt_to_cpu/StoreMarks.h"
#include "compiler/pipeline/SampledPrograms.h"

#include <algorithm>

namespace tilescope::compiler {

NativeChecks::NativeChecks(const DoubtCoverage &coverage, const InterpreterLaunch &launch,
                           native::KeptPages &kept)
    : m_coverage(coverage), m_launch(launch), m_marks(launch.arguments.size()),
      m_reads(launch.arguments.size()) {
  if (!coverage.gap.empty() || coverage.uses.empty())
    return;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const InterpreterArgument &argument = launch.arguments[i];
    if (!argument.data)
      continue;
    if (const size_t bytes = coverage.storedBytes[i])
      m_marks[i].emplace(argument.sizeBytes / bytes + 1, &kept);
    if (coverage.isChangedInPlace(i))
      m_reads[i].emplace(argument.sizeBytes / coverage.storedBytes[i] + 1, &kept);
    // What is only stored to, nobody reads before it is stored to again.
    if (coverage.uses[i].isUpdated || coverage.isChangedInPlace(i))
      m_saved.save(argument);
  }
}

void NativeChecks::addWords(std::vector<uint64_t> &words) const {
  for (const auto *tables : {&m_marks, &m_reads})
    for (const std::optional<native::MarkTable> &table : *tables)
      words.push_back(table ? table->address() : 0);
}

bool NativeChecks::hasReadRace(uint64_t numPrograms) const {
  for (size_t i = 0; i < m_reads.size(); ++i)
    if (m_reads[i] && cpu::changesWhatOthersRead(m_marks[i]->marks(), m_reads[i]->marks(),
                                                 cpu::executionBitsOf(numPrograms)))
      return true;
  return false;
}

/// Whether all marks of the bytes from `begin` to `end` are set.
static bool isMarked(std::span<const uint32_t> marks, size_t markedBytes, size_t begin,
                     size_t end) {
  for (size_t i = begin / markedBytes; i * markedBytes < end; ++i)
    if (marks[i] == 0)
      return false;
  return true;
}

std::vector<UnwrittenElements> NativeChecks::unwritten() const {
  std::vector<UnwrittenElements> all;
  for (size_t i = 0; i < m_launch.arguments.size(); ++i) {
    const InterpreterArgument &argument = m_launch.arguments[i];
    const size_t bytes = m_coverage.elementBytes[i];
    const auto count = static_cast<int64_t>(bytes ? argument.sizeBytes / bytes : 0);
    if (!argument.countUnwritten || !argument.data || count == 0)
      continue;
    UnwrittenElements unwritten{argument.name};
    if (!m_marks[i]) {
      unwritten.count = count;
      unwritten.first = 0;
      all.push_back(std::move(unwritten));
      continue;
    }
    for (int64_t element = 0; element < count; ++element) {
      const size_t begin = static_cast<size_t>(element) * bytes;
      if (isMarked(m_marks[i]->marks(), m_coverage.storedBytes[i], begin, begin + bytes))
        continue;
      if (unwritten.count++ == 0)
        unwritten.first = element;
    }
    if (unwritten.count > 0)
      all.push_back(std::move(unwritten));
  }
  return all;
}

const std::string *NativeChecks::untouched() const {
  for (size_t i = 0; i < m_marks.size(); ++i)
    if (m_marks[i] && std::ranges::none_of(m_marks[i]->marks(), [](uint32_t mark) { return mark; }))
      return &m_launch.arguments[i].name;
  return nullptr;
}

/// In all.
static constexpr std::chrono::milliseconds kLongestExamination(500);
/// The first programs that are executed together; then twice as many each time.
static constexpr size_t kFirstTogether = 4;

ExaminedPrograms examinePrograms(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                                 const InterpreterOptions &options,
                                 const std::vector<uint64_t> &programs, NativeChecks &checks) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  ExaminedPrograms examined;
  size_t together = kFirstTogether;
  checks.exchange();
  while (examined.count < programs.size() && Clock::now() - begin < kLongestExamination &&
         !options.stop.stop_requested()) {
    const size_t count = std::min<size_t>(together, programs.size() - examined.count);
    const auto first = programs.begin() + static_cast<ptrdiff_t>(examined.count);
    const std::optional<Interpretation> sample =
        samplePrograms(ttir, launch, options, {first, first + static_cast<ptrdiff_t>(count)});
    if (!sample)
      break;
    examined.count += count;
    examined.hasFindings = !sample->findings.empty();
    if (examined.hasFindings)
      break;
    together *= 2;
  }
  checks.exchange();
  examined.duration = Clock::now() - begin;
  return examined;
}

} // namespace tilescope::compiler
