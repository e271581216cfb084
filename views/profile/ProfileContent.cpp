// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/ProfileContent.h"

#include "profiler/analysis/ProfileFigures.h"
#include "profiler/analysis/TimePicture.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

namespace tilescope::views {

using profiler::LadderRung;

static QString text(const std::string &value) { return QString::fromStdString(value); }

static QString tr(const char *source) { return QCoreApplication::translate("ProfileView", source); }

QString profileTitle(const ProfileContent &content) {
  const profiler::Measurement &measurement = content.profile.measurement;
  QStringList parts;
  if (!content.profile.sourcePath.empty())
    parts << QFileInfo(text(content.profile.sourcePath)).fileName();
  parts << text(measurement.kernel);
  if (!content.profile.launch.empty())
    parts << tr("launch %1").arg(text(content.profile.launch));
  parts << text(measurement.device.name);
  if (measurement.timeUs)
    parts << text(profiler::microsecondsText(measurement.timeUs->median));
  if (content.time.isValid())
    parts << content.time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  // Two texts of one file are told apart by it.
  if (!content.profile.sourceText.empty())
    parts << tr("text %1").arg(text(profiler::textDigest(content.profile.sourceText)).left(7));
  if (!content.place.isEmpty())
    parts << content.place;
  return parts.join(QStringLiteral(" · "));
}

/// `✓ Counters (full set)`: the sign says it to who does not see colors.
static QString rungText(const LadderRung &rung) {
  const bool isUsed = rung.state == LadderRung::State::Used;
  const QString sign = isUsed                                     ? QStringLiteral("✓ ")
                       : rung.state == LadderRung::State::Refused ? QStringLiteral("✗ ")
                                                                  : QStringLiteral("– ");
  return isUsed ? QStringLiteral("%1%2 (%3)").arg(sign, text(rung.name), text(rung.words))
                : sign + text(rung.name);
}

QStringList ladderLines(const profiler::Measurement &measurement) {
  QStringList rungs, lines;
  for (const LadderRung &rung : profiler::ladderRungs(measurement)) {
    rungs << rungText(rung);
    if (rung.state == LadderRung::State::Used)
      continue;
    QString why = tr("No %1: %2.").arg(text(rung.name).toLower(), text(rung.words));
    if (!rung.cure.empty())
      why += u' ' + tr("What helps: %1.").arg(text(rung.cure));
    lines << why;
  }
  lines.prepend(rungs.join(QStringLiteral(" → ")));
  return lines;
}

} // namespace tilescope::views
