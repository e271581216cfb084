// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NativeChecks.h"

#include "compiler/pipeline/SampledPrograms.h"

#include <algorithm>
#include <cstring>

namespace tilescope::compiler {

NativeChecks::NativeChecks(const DoubtCoverage &coverage, const InterpreterLaunch &launch)
    : m_marks(launch.arguments.size()) {
  if (!coverage.gap.empty() || coverage.uses.empty())
    return;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const InterpreterArgument &argument = launch.arguments[i];
    if (!argument.data)
      continue;
    if (const size_t bytes = coverage.storedBytes[i])
      m_marks[i].emplace(argument.sizeBytes / bytes + 1);
    // What is only stored to, nobody reads before it is stored to again.
    if (coverage.uses[i].isUpdated)
      m_copies.push_back({argument.data, {argument.data, argument.data + argument.sizeBytes}});
  }
}

void NativeChecks::addWords(std::vector<uint64_t> &words) const {
  for (const std::optional<native::MarkTable> &marks : m_marks)
    words.push_back(marks ? marks->address() : 0);
}

void NativeChecks::restore() const {
  for (const Copy &copy : m_copies)
    std::memcpy(copy.data, copy.before.data(), copy.before.size());
}

/// In all.
static constexpr std::chrono::milliseconds kLongestExamination(500);
/// The first programs that are executed together; then twice as many each time.
static constexpr size_t kFirstTogether = 4;

ExaminedPrograms examinePrograms(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                                 const InterpreterOptions &options,
                                 const std::vector<uint64_t> &programs) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  ExaminedPrograms examined;
  size_t together = kFirstTogether;
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
  examined.duration = Clock::now() - begin;
  return examined;
}

} // namespace tilescope::compiler
