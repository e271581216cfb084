// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Results that were recorded elsewhere, beside those of runs in the window.
#include "app/ide/run/RunHistory.h"
#include "app/ide/run/RunOutcome.h"

namespace tilescope::app {

using views::RunResults;

void RunHistory::keepOwn(const QObject *file, const views::RunStamp &recorded) {
  const auto shown = m_entries.find(file);
  if (shown == m_entries.end() || shown->second.origin.isRecorded || !shown->second.results->hasRun)
    return;
  Entry own = shown->second;
  auto results = std::make_shared<RunResults>(*own.results);
  results->stamp.other = tr("Show what is %1").arg(recorded.place);
  own.results = std::move(results);
  m_others[file] = std::move(own);
}

void RunHistory::showOther() {
  const auto shown = m_entries.find(m_document.file), other = m_others.find(m_document.file);
  if (shown == m_entries.end() || other == m_others.end())
    return;
  std::swap(shown->second, other->second);
  moveFindings();
  show();
  Q_EMIT findingsChanged();
}

void RunHistory::keepRecorded(const QObject *file, const RecordedResults &recorded) {
  m_recorded[file] = recorded;
  takeRecorded();
}

void RunHistory::takeRecorded() {
  const auto kept = m_recorded.find(m_document.file);
  if (kept == m_recorded.end() || m_document.kernel != kept->second.measurement.kernel)
    return;
  const RecordedResults recorded = std::move(kept->second);
  m_recorded.erase(kept);
  Origin origin{m_document,
                {m_document.path,
                 QString::fromStdString(m_document.kernel),
                 recorded.place,
                 {},
                 m_document.untitledName},
                nullptr,
                true,
                false,
                !recorded.hasSource};
  LaunchRun run;
  run.measurement = recorded.measurement;
  auto results = std::make_shared<RunResults>(*resultsOf(run, origin.stamp, nullptr));
  // Not where such a run would have been.
  results->stamp.place = recorded.place;
  // Their values are not recorded.
  results->outputs.clear();
  keepOwn(m_document.file, results->stamp);
  if (const auto own = m_others.find(m_document.file); own != m_others.end())
    results->stamp.other = tr("Show the results of this tab's own run of %1")
                               .arg(own->second.results->stamp.time.toString(u"HH:mm:ss"));
  enter(std::move(origin), std::move(results));
}

} // namespace tilescope::app
