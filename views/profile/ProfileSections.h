// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/ProfilePictures.h"
#include "profiler/analysis/TimePicture.h"
#include "profiler/data/ProfileDocument.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <variant>
#include <vector>

namespace tilescope::views {

enum class ProfilePart {
  Times,
  Prediction,
  SpeedOfLight,
  Memory,
  Compute,
  Scheduler,
  WarpStates,
  Occupancy,
  Roofline,
  HotLines,
};
inline constexpr int kNumProfileParts = 10;
QString profilePartTitle(ProfilePart part);

/// A name with its value, or a line of the kernel with its share of the samples.
struct ProfileRow {
  QString name, value;
  /// In sentences.
  QString description = {};
  /// It was not measured: `value` says so.
  bool isMissing = false;
  /// Of the document, from 0: the user can go there.
  std::optional<uint32_t> line = std::nullopt;
  /// Of the samples, from 0 to 1; of rows of lines only.
  std::optional<double> share = std::nullopt;
};

/// A part of a profile: words, at most one picture, and a table. The pictures are those of reports.
struct ProfileSection {
  ProfilePart part{};
  /// Each in sentences; why there is nothing, where there is nothing.
  QStringList remarks = {};
  std::variant<std::monostate, profiler::TimePicture, profiler::BarPicture, profiler::MemoryPicture,
               profiler::RooflinePicture>
      picture = {};
  std::vector<ProfileRow> rows = {};

  bool isEmpty() const { return rows.empty() && std::holds_alternative<std::monostate>(picture); }
};

/// All parts, in order, those without anything measured too.
std::vector<ProfileSection> profileSections(const profiler::ProfileDocument &profile);

/// The text of a line, from 0, without blanks around it.
QString lineText(std::string_view source, uint32_t line);

/// `Waits for global memory 72 %, Fixed latency 11 %`: the most frequent reasons of a place's
/// samples.
QString stallWords(const std::vector<std::pair<std::string, uint64_t>> &reasons, uint64_t samples,
                   size_t most);

} // namespace tilescope::views
