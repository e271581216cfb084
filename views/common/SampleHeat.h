// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/ProfileDocument.h"

#include <QString>

#include <map>
#include <memory>

namespace tilescope::views {

/// How often warps were found at a line, and why they did not go on.
struct LineHeat {
  /// Of the kernel's samples, from 0 to 1.
  double share = 0;
  /// Of the hottest line's.
  double warmth = 0;
  /// In words.
  QString reasons;
  /// What was counted there, in words; empty where nothing was.
  QString counts = {};
  bool operator==(const LineHeat &) const = default;
};

/// The samples of a profile, and its counts of instructions, for whatever shows them beside a text.
struct SampleHeat {
  profiler::SampleData samples;
  /// The kernel's function.
  std::string kernel;
  /// `profiler::textDigest` of the SASS whose offsets the samples are of; empty: it is not known.
  std::string machineCode;
  std::optional<profiler::ExecutionData> executions = std::nullopt;
};
using SampleHeatPointer = std::shared_ptr<const SampleHeat>;

/// By line of the document, from 0: those that have samples.
std::map<uint32_t, LineHeat> documentHeat(const SampleHeat &heat);
/// By line of a text of SASS: those that have samples or were counted; empty unless it is the code that was sampled.
std::map<uint32_t, LineHeat> sassHeat(const SampleHeat &heat, std::string_view sass);

/// `41.2 % of the samples: Waits for global memory 72 %, …; 4,096 executions by warps, …`.
QString heatWords(const LineHeat &heat);
/// `99.9 % of the samples belong to a line of the source.`; empty where that is not known.
QString mappedWords(const SampleHeat &heat);

} // namespace tilescope::views
