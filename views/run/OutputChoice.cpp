// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/OutputChoice.h"

#include "views/common/IconButton.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>

namespace tilescope::views {

OutputChoice::OutputChoice(QWidget *parent)
    : QWidget(parent), m_tabs(new QTabBar(this)),
      m_all(iconButton(QStringLiteral("down"), tr("All outputs and inputs"),
                       tr("All outputs and inputs"), this)) {
  m_tabs->setAccessibleName(tr("Outputs, then inputs"));
  m_tabs->setExpanding(false);
  m_tabs->setUsesScrollButtons(true);
  m_tabs->setDrawBase(false);
  m_all->hide();
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tabs, 1);
  layout->addWidget(m_all);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusProxy(m_tabs);
  connect(m_tabs, &QTabBar::currentChanged, this, &OutputChoice::chosen);
  connect(m_all, &QToolButton::clicked, this, &OutputChoice::showList);
}

void OutputChoice::setEntries(const std::vector<Entry> &entries) {
  const QSignalBlocker blocker(m_tabs);
  while (m_tabs->count() > 0)
    m_tabs->removeTab(m_tabs->count() - 1);
  for (const Entry &entry : entries) {
    const QString mark = entry.mark.isEmpty() ? QString() : QStringLiteral("  ") + entry.mark;
    m_tabs->setTabToolTip(m_tabs->addTab(entry.name + mark),
                          QStringLiteral("%1  %2%3").arg(entry.name, entry.type, mark));
  }
  offerList();
}

int OutputChoice::count() const { return m_tabs->count(); }

int OutputChoice::current() const { return m_tabs->currentIndex(); }

void OutputChoice::setCurrent(int index) {
  const QSignalBlocker blocker(m_tabs);
  m_tabs->setCurrentIndex(index);
}

QString OutputChoice::text(int index) const { return m_tabs->tabText(index); }

void OutputChoice::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  offerList();
}

void OutputChoice::offerList() { m_all->setVisible(m_tabs->sizeHint().width() > width()); }

void OutputChoice::showList() {
  QMenu menu(this);
  for (int i = 0; i < m_tabs->count(); ++i) {
    QAction *entry = menu.addAction(m_tabs->tabToolTip(i));
    entry->setCheckable(true);
    entry->setChecked(i == m_tabs->currentIndex());
    connect(entry, &QAction::triggered, this, [this, i] { m_tabs->setCurrentIndex(i); });
  }
  menu.exec(m_all->mapToGlobal(QPoint(0, m_all->height())));
}

} // namespace tilescope::views
