// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/ProfileDocument.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <memory>

namespace tilescope::views {

/// What a ProfileView shows: one profile, and where it is from.
struct ProfileContent {
  profiler::ProfileDocument profile;
  /// Where it was measured: `GPU 0`; of an opened one the name of its file.
  QString place;
  /// When it was measured; invalid: it is not known.
  QDateTime time;
};
using ProfileContentPointer = std::shared_ptr<const ProfileContent>;

/// `matmul.py · matmul · NVIDIA H100 · 241.19 µs · 2026-03-01 14:05`: what the profile is of.
QString profileTitle(const ProfileContent &content);
/// Which counters, samples and times it consists of, in one line, and a line for each that is missing
/// with the reason and what helps.
QStringList ladderLines(const profiler::Measurement &measurement);

} // namespace tilescope::views
