// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/OutputChoice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QTabBar>

namespace tilescope::views {

/// More are a list.
static constexpr size_t kMostTabs = 8;

OutputChoice::OutputChoice(QWidget *parent)
    : QWidget(parent), m_tabs(new QTabBar(this)), m_list(new QComboBox(this)) {
  for (QWidget *choice : {static_cast<QWidget *>(m_tabs), static_cast<QWidget *>(m_list)})
    choice->setAccessibleName(tr("Outputs, then inputs"));
  m_tabs->setExpanding(false);
  m_tabs->setUsesScrollButtons(true);
  m_tabs->setDrawBase(false);
  m_list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_list->hide();
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_tabs);
  layout->addWidget(m_list);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusProxy(m_tabs);
  connect(m_tabs, &QTabBar::currentChanged, this, &OutputChoice::chosen);
  connect(m_list, &QComboBox::currentIndexChanged, this, &OutputChoice::chosen);
}

void OutputChoice::setEntries(const std::vector<Entry> &entries) {
  const QSignalBlocker tabs(m_tabs), list(m_list);
  while (m_tabs->count() > 0)
    m_tabs->removeTab(m_tabs->count() - 1);
  m_list->clear();
  m_isList = entries.size() > kMostTabs;
  for (const Entry &entry : entries) {
    const QString mark = entry.mark.isEmpty() ? QString() : QStringLiteral("  ") + entry.mark;
    const QString whole = QStringLiteral("%1  %2%3").arg(entry.name, entry.type, mark);
    if (m_isList)
      m_list->addItem(whole);
    else
      m_tabs->setTabToolTip(m_tabs->addTab(entry.name + mark), whole);
  }
  m_tabs->setVisible(!m_isList);
  m_list->setVisible(m_isList);
  setFocusProxy(m_isList ? static_cast<QWidget *>(m_list) : m_tabs);
}

int OutputChoice::count() const { return m_isList ? m_list->count() : m_tabs->count(); }

int OutputChoice::current() const {
  return m_isList ? m_list->currentIndex() : m_tabs->currentIndex();
}

void OutputChoice::setCurrent(int index) {
  const QSignalBlocker tabs(m_tabs), list(m_list);
  if (m_isList)
    m_list->setCurrentIndex(index);
  else
    m_tabs->setCurrentIndex(index);
}

QString OutputChoice::text(int index) const {
  return m_isList ? m_list->itemText(index) : m_tabs->tabText(index);
}

} // namespace tilescope::views
