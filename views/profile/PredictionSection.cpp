// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/PredictionSection.h"

#include "profiler/analysis/PredictionWords.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilescope::views {

using namespace profiler;

static constexpr size_t kLinesShown = 12;
// Less of the time says nothing.
static constexpr double kLeastShare = 0.01;

static QString tr(const char *source) { return QCoreApplication::translate("ProfileView", source); }

static QString besideText(const LineShares &line) {
  return tr("%1 | %2").arg(QString::fromStdString(shareOrDash(line.predicted)),
                           QString::fromStdString(shareOrDash(line.measured)));
}

static QString sourceWords(ShareSource source) {
  switch (source) {
  case ShareSource::Samples:
    return tr("Shares of the time of a lone warp, as predicted, | of the samples.");
  case ShareSource::Trace:
    return tr(
        "Shares of the time of a lone warp, as predicted, | of the time of the traced warps.");
  case ShareSource::None:
    break;
  }
  return tr("Shares of the time of a lone warp, as predicted; none were measured: profile with "
            "samples or a trace.");
}

static ProfileRow lineRow(const LineShares &line, std::string_view source) {
  const QString where = tr("line %1").arg(line.line + 1), code = lineText(source, line.line);
  ProfileRow row{code.isEmpty() ? where : where + QStringLiteral("  ") + code, besideText(line),
                 tr("%1: predicted %2 of the time, measured %3.")
                     .arg(where, QString::fromStdString(shareOrDash(line.predicted)),
                          QString::fromStdString(shareOrDash(line.measured)))};
  row.line = line.line;
  row.share = line.measured ? line.measured : line.predicted;
  return row;
}

ProfileSection predictionSection(const ProfileDocument &profile) {
  ProfileSection section{ProfilePart::Prediction};
  const auto beside = besidePrediction(profile.measurement);
  if (!beside) {
    section.remarks << tr("Nothing was predicted for this launch and device; the notes below the "
                          "times say why.");
    return section;
  }
  const QString headline = QString::fromStdString(predictionHeadline(profile.measurement));
  section.remarks << tr("Predicted %1.").arg(headline);
  if (const std::string gap = lineGapText(*beside); !gap.empty())
    section.remarks << tr("Of the lines differs most: %1.").arg(QString::fromStdString(gap));
  section.remarks << sourceWords(beside->source);
  for (size_t i = 0; i < std::min(beside->lines.size(), kLinesShown); ++i)
    if (beside->lines[i].most() >= kLeastShare)
      section.rows.push_back(lineRow(beside->lines[i], profile.sourceText));
  return section;
}

} // namespace tilescope::views
