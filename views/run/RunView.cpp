// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunView.h"

#include "views/run/ScrollPart.h"
#include "views/run/TabOrder.h"

#include <QApplication>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

namespace tilescope::views {

/// Form and results are side by side where this many letters fit.
static constexpr int kLettersBeside = 76;
/// Lines of results that must fit below launch, place and buttons; else these are scrolled away.
static constexpr int kLeastLines = 4;

RunView::RunView(QWidget *parent)
    : QWidget(parent), m_form(new RunFormView(this)), m_results(new ResultsView(this)),
      m_resultsPart(new ScrollPart(m_results, this)), m_beside(new QSplitter(Qt::Horizontal, this)),
      m_column(new QScrollArea(this)) {
  m_beside->addWidget(m_form);
  m_beside->addWidget(m_resultsPart);
  m_beside->setSizes({300, 420});
  m_beside->setChildrenCollapsible(false);
  auto *content = new QWidget;
  content->setProperty("panel", true);
  auto *rows = new QVBoxLayout(content);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  m_column->setWidget(content);
  m_column->setWidgetResizable(true);
  m_column->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_column->setFocusPolicy(Qt::NoFocus);
  m_column->hide();
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_beside);
  layout->addWidget(m_column);
  // The height follows what is shown, step by step.
  connect(m_column->verticalScrollBar(), &QScrollBar::rangeChanged, this,
          &RunView::scrollToResults);
  connect(m_column->verticalScrollBar(), &QScrollBar::actionTriggered, this,
          [this] { m_isRevealing = false; });
  connect(m_form, &RunFormView::valuesToggled, this, [this](bool shown) {
    if (!shown)
      return revealResults();
    m_isRevealing = false;
    showValues(true);
    m_column->verticalScrollBar()->setValue(0);
  });
  connect(m_results, &ResultsView::resultsChanged, this, [this](bool any) { showValues(!any); });
  // Qt scrolls only to what Tab goes to.
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
    if (now && m_isOneColumn && m_column->widget()->isAncestorOf(now))
      m_column->ensureWidgetVisible(now);
  });
  setRunning(false);
  showValues(true);
}

void RunView::showValues(bool shown) {
  m_showsValues = shown;
  m_form->setFolding({m_isOneColumn, m_isOneColumn && !shown});
  m_results->setFolded(m_isOneColumn && shown);
}

void RunView::arrange() {
  const bool isOneColumn = width() < fontMetrics().averageCharWidth() * kLettersBeside;
  if (isOneColumn == m_isOneColumn)
    return;
  m_isOneColumn = isOneColumn;
  const QPointer<QWidget> focus = QApplication::focusWidget();
  const bool isMine = focus && isAncestorOf(focus);
  m_form->setScrolling(!isOneColumn);
  m_resultsPart->setScrolling(!isOneColumn);
  m_results->setScrolledWithForm(isOneColumn);
  for (QWidget *part : {static_cast<QWidget *>(m_form), static_cast<QWidget *>(m_resultsPart)}) {
    if (isOneColumn)
      m_column->widget()->layout()->addWidget(part);
    else
      m_beside->addWidget(part);
    part->show();
  }
  if (isOneColumn)
    static_cast<QVBoxLayout *>(m_column->widget()->layout())->setStretchFactor(m_resultsPart, 1);
  // Results have more to show than the form, whose table needs its columns.
  if (!isOneColumn)
    m_beside->setSizes({width() * 9 / 20, width() * 11 / 20});
  m_beside->setVisible(!isOneColumn);
  m_column->setVisible(isOneColumn);
  showValues(m_showsValues);
  orderTabs(m_form->orderFields(), m_results);
  if (isMine && focus)
    focus->setFocus();
}

void RunView::revealResults() {
  m_isRevealing = true;
  showValues(false);
  scrollToResults();
}

void RunView::scrollToResults() {
  if (!m_isRevealing || !m_isOneColumn)
    return;
  const int above = m_resultsPart->y();
  const int room = m_column->viewport()->height() - above;
  const bool fits = room >= kLeastLines * fontMetrics().lineSpacing();
  m_column->verticalScrollBar()->setValue(fits ? 0 : above);
}

void RunView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  arrange();
}

void RunView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  // Later: a splitter deletes handles, which a caller that is iterating over all widgets still
  // refers to.
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    QMetaObject::invokeMethod(this, &RunView::arrange, Qt::QueuedConnection);
}

void RunView::setRunning(bool running) {
  m_form->setRunning(running);
  m_results->setRunning(running);
}

} // namespace tilescope::views
