// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The Passes view in the window: its commands, and the pass at which all views are.
#include "app/ide/compile/PassFollower.h"
#include "app/ide/compile/SharedController.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/stages/StageColumn.h"

#include <QCheckBox>

namespace tilescope::app {

using namespace tilescope::views;

/// All views go to the pass that the Passes view is at, or back to the end.
void MainWindow::followPass() {
  const std::optional<PassKey> pass = m_passes->followedPass();
  for (auto &[stage, column] : m_columns->all())
    column->setFollowedPass(pass);
  m_follower->follow(pass);
}

void MainWindow::showBehindPass(const ResultPointer &behind) {
  const compiler::PassRecord *record = behind ? m_follower->laidOutIr() : nullptr;
  const QString pass = record ? passTitle(*m_follower->pass()) : QString();
  m_sharedFacts->setBehind(record ? std::optional(SharedController::Behind{pass, *record})
                                  : std::nullopt);
  if (behind)
    m_layout->setResult(behind);
  else if (m_compile.latest())
    m_layout->setResult(m_compile.latest()->result());
  if (record)
    m_layout->setNote(tr("After %1, where the Passes view is.").arg(pass));
}

void MainWindow::connectPasses() {
  connect(m_passes, &PassesView::passIrWanted, &m_compile,
          [this](bool wanted) { m_compile.setPassIrWanted(m_passes, wanted); });
  connect(m_passes, &PassesView::followedPassChanged, this, &MainWindow::followPass);
  const ViewDock *passes = dock(QStringLiteral("passes"));
  connect(passes, &QDockWidget::visibilityChanged, m_passes, &PassesView::setInFront);
  // Qt does not say that a view comes into sight when it is taken out from behind others.
  connect(passes, &QDockWidget::topLevelChanged, m_passes, [this](bool isFloating) {
    if (isFloating)
      m_passes->setInFront(true);
  });
  connect(m_follower, &PassFollower::said, m_passes, &PassesView::setEstimate);
  connect(m_follower, &PassFollower::found, this, &MainWindow::showBehindPass);
}

void MainWindow::createPassActions() {
  const auto toggle = [this](const char *id, const QString &text, QCheckBox &box) {
    m_actions.add(QString::fromLatin1(id), text, {}, [this, &box] {
      goToView(dock(QStringLiteral("passes")));
      box.toggle();
    });
  };
  toggle("onlyChangedPasses", tr("Passes: list only changes, or all"), m_passes->onlyChangedBox());
  toggle("passesAsDiff", tr("Passes: show code as a diff, or whole"), m_passes->diffBox());
  m_actions.add(QStringLiteral("followPass"), tr("Show the chosen pass in all views"),
                QKeySequence(QStringLiteral("Ctrl+Alt+F")), [this] {
                  ViewDock *passes = dock(QStringLiteral("passes"));
                  // Out of sight it leads nobody: the key brings it back to do so.
                  const bool leads = passes->isInFront() && m_passes->followBox().isChecked();
                  goToView(passes);
                  m_passes->followBox().setChecked(!leads);
                });
}

} // namespace tilescope::app
