// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of RunHistory that starts runs: at once, or when that of another text has ended.
#include "app/ide/run/RunHistory.h"
#include "views/common/DeleteInBackground.h"
#include "views/console/ConsoleView.h"
#include "views/run/RunView.h"

#include <utility>

namespace tilescope::app {

using views::ConsoleLine;

void RunHistory::start(LaunchRequest request) {
  if (!canStart())
    return;
  Origin origin = originOf(request.place);
  origin.folder.reset(new QTemporaryDir, views::DeleteInBackground());
  if (!origin.folder->isValid()) {
    m_view->setStatus(
        tr("Could not create a folder for the outputs: %1").arg(origin.folder->errorString()),
        true);
    Q_EMIT finished();
    return;
  }
  request.dumpFolder = origin.folder->path().toStdString();
  origin.isProfile = request.isProfile;
  if (m_running)
    wait(std::move(origin), std::move(request));
  else
    begin(std::move(origin), std::move(request));
}

void RunHistory::begin(Origin origin, LaunchRequest request) {
  m_console->append({{ConsoleLine::Kind::Title,
                      tr("%1 · %2 · %3 · %4")
                          .arg(origin.stamp.fileName(), origin.stamp.kernel, origin.stamp.place,
                               origin.stamp.time.toString(QStringLiteral("HH:mm:ss")))}});
  m_running = std::move(origin);
  m_stopped.erase(m_running->document.file);
  m_lost.erase(m_running->document.file);
  m_isCancelled = false;
  m_view->setRunning(true);
  show();
  m_view->revealResults();
  Q_EMIT runningChanged(true);
  tell(m_running->isProfile ? tr("Profiling %1…") : tr("Running %1…"));
  m_backend->run(request);
}

void RunHistory::wait(Origin origin, LaunchRequest request) {
  const QObject *before = m_next ? m_next->origin.document.file : nullptr;
  m_next = Waiting{std::move(origin), std::move(request)};
  if (before && before != m_next->origin.document.file)
    noteLost(before, tr("Not run: %1 was started while this file waited for another run to end. "
                        "Press F5 again.")
                         .arg(m_next->origin.stamp.fileName()));
  show();
}

void RunHistory::beginNext() {
  if (!m_next)
    return;
  Waiting next = *std::exchange(m_next, std::nullopt);
  begin(std::move(next.origin), std::move(next.request));
}

bool RunHistory::isNext() const {
  return m_next && m_next->origin.document.file == m_document.file;
}

QString RunHistory::waitingText() const {
  if (!isNext())
    return {};
  return runsElsewhere() ? tr("Waiting for the run of %1 to end. Shift+F5 stops that one.")
                               .arg(m_running->stamp.fileName())
                         : tr(", then the newer text. Shift+F5 stops this run.");
}

} // namespace tilescope::app
