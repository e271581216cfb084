// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/SampleHeat.h"

#include "compiler/machine/SassProgram.h"
#include "profiler/analysis/PredictionWords.h"
#include "profiler/analysis/ProfileFigures.h"
#include "views/common/Heat.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace tilescope::views {

using compiler::machine::SassInstruction;
using profiler::SamplePlace;

static QString tr(const char *source) { return QCoreApplication::translate("SampleHeat", source); }

static QString reasonsOf(const SamplePlace &place) {
  constexpr size_t kMost = 4;
  // Less says nothing.
  constexpr double kLeast = 0.01;
  QStringList words;
  for (size_t i = 0; i < std::min(place.reasons.size(), kMost) && place.samples > 0; ++i) {
    const auto &[reason, samples] = place.reasons[i];
    const double share = static_cast<double>(samples) / static_cast<double>(place.samples);
    if (share >= kLeast)
      words << QStringLiteral("%1 %2").arg(QString::fromStdString(profiler::stallLabel(reason)),
                                           shareText(share));
  }
  return words.join(QStringLiteral(", "));
}

static LineHeat heatOf(const SamplePlace &place, double hottest) {
  return {place.share, hottest > 0 ? place.share / hottest : 0, reasonsOf(place)};
}

static QString wordsOf(const profiler::ExecutionCounts *counts) {
  return counts ? QString::fromStdString(profiler::executionsText(*counts)) : QString();
}

std::map<uint32_t, LineHeat> documentHeat(const SampleHeat &heat) {
  const std::vector<SamplePlace> places = profiler::hottestLines(heat.samples);
  std::map<uint32_t, LineHeat> lines;
  for (const SamplePlace &place : places) {
    LineHeat &line = lines[place.place] = heatOf(place, places.front().share);
    if (heat.executions)
      line.counts = wordsOf(profiler::countsOfLine(*heat.executions, place.place));
  }
  return lines;
}

std::map<uint32_t, LineHeat> sassHeat(const SampleHeat &heat, std::string_view sass) {
  if (heat.machineCode.empty() || heat.machineCode != profiler::textDigest(sass))
    return {};
  const std::vector<SamplePlace> places = profiler::hottestOffsets(heat.samples);
  std::map<uint32_t, const SamplePlace *> byOffset;
  for (const SamplePlace &place : places)
    byOffset[place.place] = &place;
  const auto [begin, end] = compiler::machine::functionLines(sass, heat.kernel);
  std::map<uint32_t, LineHeat> lines;
  for (const SassInstruction &instruction : compiler::machine::parseSass(sass).instructions) {
    if (instruction.line < begin || instruction.line >= end)
      continue;
    const auto found = byOffset.find(instruction.address);
    if (found != byOffset.end())
      lines[instruction.line] = heatOf(*found->second, places.front().share);
    if (heat.executions)
      if (const auto *counts = profiler::countsOfOffset(*heat.executions,
                                                        static_cast<uint32_t>(instruction.address)))
        lines[instruction.line].counts = wordsOf(counts);
  }
  return lines;
}

QString heatWords(const LineHeat &heat) {
  const QString share = tr("%1 of the samples").arg(shareText(heat.share));
  if (heat.share == 0 && !heat.counts.isEmpty())
    return heat.counts;
  const QString words =
      heat.reasons.isEmpty() ? share : share + QStringLiteral(": ") + heat.reasons;
  return heat.counts.isEmpty() ? words : words + QStringLiteral("; ") + heat.counts;
}

QString mappedWords(const SampleHeat &heat) {
  return heat.samples.mappedShare ? tr("%1 of the samples belong to a line of the source.")
                                        .arg(shareText(*heat.samples.mappedShare))
                                  : QString();
}

} // namespace tilescope::views
