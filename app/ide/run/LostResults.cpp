// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of RunHistory that says of files without results what became of those.
#include "app/ide/run/RunHistory.h"

#include <QLocale>

namespace tilescope::app {

void RunHistory::noteLost(const QObject *file, const QString &why) {
  // It may be said of a file that is just being closed.
  if (m_lost.insert_or_assign(file, why).second && file)
    connect(file, &QObject::destroyed, this, [this, file] { m_lost.erase(file); });
  if (file == m_document.file)
    show();
}

QString RunHistory::lastRun(const QObject *file) const {
  const auto known = m_lastRuns.find(file);
  return known == m_lastRuns.end() ? QString() : known->second;
}

void RunHistory::restoreLastRun(const QObject *file, const QString &run) {
  if (run.isEmpty())
    return;
  m_lastRuns[file] = run;
  noteLost(file,
           tr("Not run since Tilescope was started, and results are not kept beyond that. The last "
              "run was of %1. F5 runs it again.")
               .arg(run));
}

void RunHistory::noteRun(const QObject *file, const views::RunStamp &stamp) {
  m_lastRuns[file] =
      tr("%1 on %2, %3")
          .arg(stamp.kernel, stamp.place,
               QLocale(QLocale::English).toString(stamp.time, QStringLiteral("d MMM HH:mm")));
}

void RunHistory::noteDropped(const QObject *file) {
  if (const QString run = lastRun(file); !run.isEmpty())
    m_lost[file] =
        tr("The results of the last run (%1) were dropped, since those of the last %2 files "
           "are kept. F5 runs it again.")
            .arg(run)
            .arg(kKeptEntries);
}

} // namespace tilescope::app
