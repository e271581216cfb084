// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/StepRoom.h"

#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "views/step/StepView.h"

#include <QMainWindow>

namespace tilescope::app {

/// The part of the window's height that the Step view takes at most by itself, in percent.
static constexpr int kMostOfStep = 45;
static constexpr int kMostOfStepBelowPictures = 34;

StepRoom::StepRoom(QMainWindow *window, DockSet *docks, ViewDock *dock, views::StepView *view)
    : QObject(window), m_window(window), m_docks(docks), m_dock(dock), m_view(view) {
  connect(dock, &QDockWidget::visibilityChanged, this, &StepRoom::follow, Qt::QueuedConnection);
}

/// What is stepped is in the editor and in the view: both are in sight. The keyboard stays.
void StepRoom::show(bool hasBegun) {
  if (m_docks->maximized().view() != m_dock)
    m_docks->maximized().restore();
  if (!hasBegun && m_dock->isHidden())
    return;
  m_dock->show();
  m_dock->raise();
  if (hasBegun)
    give();
}

/// What it takes is given back when another view covers it.
void StepRoom::give() {
  // Above it are pictures, which need some, too.
  const int share = m_docks->workspace() == Workspace::See ? kMostOfStepBelowPictures : kMostOfStep;
  const int wanted = std::min(m_view->usefulHeight(), m_window->height() * share / 100);
  if (m_dock->isFloating() || m_dock->height() >= wanted)
    return;
  m_heightBefore = m_dock->height();
  m_height = wanted;
  m_window->resizeDocks({m_dock}, {wanted}, Qt::Vertical);
}

void StepRoom::follow() {
  if (m_docks->maximized().view() || m_dock->isFloating())
    return;
  if (m_dock->isInFront()) {
    if (m_view->hasState())
      give();
    return;
  }
  constexpr int kSameHeight = 12;
  const int before = std::exchange(m_heightBefore, 0);
  // Another height is what the user has chosen since.
  for (QDockWidget *beside : m_window->tabifiedDockWidgets(m_dock))
    if (before > 0 && beside->isVisible() && !beside->visibleRegion().isEmpty() &&
        std::abs(beside->height() - m_height) <= kSameHeight)
      m_window->resizeDocks({beside}, {before}, Qt::Vertical);
}

} // namespace tilescope::app
