// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The trace of the profile that the window shows: its dock.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/window/MainWindow.h"
#include "views/access/AccessView.h"
#include "views/pipeline/PipelineView.h"
#include "views/profile/ProfileContent.h"
#include "views/shared/SharedView.h"
#include "views/trace/TraceView.h"

#include <QAction>
#include <QLocale>

namespace tilescope::app {

using namespace tilescope::views;

void MainWindow::createTraceDock() {
  m_trace = new TraceView(&m_focus, this);
  addDock(QStringLiteral("trace"), tr("Trace"), m_trace,
          QKeySequence(QStringLiteral("Ctrl+Shift+X")), m_trace->header());
  connect(m_trace, &PictureView::placeShown, this, &MainWindow::showProfiledPlace);
  connect(m_trace, &TraceView::traceRequested, this, [this] {
    profiler::ProfileWishes wishes = m_profiles->wishes();
    wishes.trace = true;
    // The answer is given where the question was asked.
    if (const QString why = m_run->whyNotProfiled(wishes); !why.isEmpty() && !m_run->isBusy())
      return m_trace->clear(why);
    QAction *choice = action(QStringLiteral("profileTrace"));
    if (!choice->isChecked())
      choice->trigger();
    profile();
  });
  connect(m_profiles, &ProfileController::shownChanged, this, &MainWindow::showTrace);
  showTrace();
}

/// Why a profile has no trace.
static QString whyNoTrace(const ProfileContentPointer &shown) {
  if (!shown)
    return MainWindow::tr("No kernel was traced yet. A trace says when each warp of a program "
                          "executed what.");
  for (const profiler::Refusal &refusal : shown->profile.measurement.refusals)
    if (refusal.rung == profiler::ProfileRung::Trace)
      return MainWindow::tr("The kernel was not traced: %1.")
                 .arg(QString::fromStdString(refusal.reason)) +
             (refusal.cure.empty()
                  ? QString()
                  : MainWindow::tr(" Cure: %1.").arg(QString::fromStdString(refusal.cure)));
  return MainWindow::tr("The profile of this kernel was made without a trace.");
}

/// The pipeline has the times of a trace as long as it is of the code that is shown.
static std::shared_ptr<const profiler::TraceData> timesFor(const ProfileContentPointer &shown,
                                                           bool isOutdated) {
  if (!shown || !shown->profile.measurement.trace || isOutdated)
    return nullptr;
  return {shown, &*shown->profile.measurement.trace};
}

/// Counters of the code that is shown.
static MeasurementPointer countersFor(const ProfileContentPointer &shown, bool isOutdated) {
  if (!shown || isOutdated || !shown->profile.measurement.counters)
    return nullptr;
  return {shown, &shown->profile.measurement};
}

void MainWindow::showTrace() {
  const ProfileContentPointer shown = m_profiles->shown();
  m_access->setMeasurement(countersFor(shown, m_profiles->isOutdated()));
  m_shared->setMeasurement(countersFor(shown, m_profiles->isOutdated()));
  m_pipeline->setTrace(timesFor(shown, m_profiles->isOutdated()));
  if (!shown || !shown->profile.measurement.trace)
    return m_trace->clear(whyNoTrace(shown));
  if (!m_trace->content() || m_tracedProfile != shown.get()) {
    auto content = std::make_shared<TraceContent>();
    content->trace = *shown->profile.measurement.trace;
    content->kernel = shown->profile.measurement.kernel;
    content->sourcePath = shown->profile.sourcePath;
    content->origin = shown->place;
    if (shown->time.isValid())
      content->origin += QStringLiteral(" · ") +
                         QLocale().toString(shown->time.toLocalTime(), QLocale::ShortFormat);
    m_tracedProfile = shown.get();
    m_trace->setContent(std::move(content));
  }
  m_trace->setStaleNote(m_profiles->isOutdated()
                            ? tr("The trace is of an earlier text, kernel or choice.")
                            : QString());
}

} // namespace tilescope::app
