// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/FindBar.h"

#include "views/common/Theme.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QToolButton>

namespace tilescope::views {

FindBar::FindBar(QWidget *parent)
    : QWidget(parent), m_pattern(new QLineEdit(this)), m_replacement(new QLineEdit(this)),
      m_caseSensitive(addToggle(QStringLiteral("case"), tr("Match case"))),
      m_regularExpression(addToggle(QStringLiteral("regex"), tr("Regular expression"))),
      m_replaceRow(new QWidget(this)), m_outcome(new QLabel(this)) {
  setProperty("bar", true);
  setAttribute(Qt::WA_StyledBackground);
  m_pattern->setPlaceholderText(tr("Find"));
  m_pattern->setAccessibleName(tr("Find"));
  m_replacement->setPlaceholderText(tr("Replace with"));
  m_outcome->setProperty("muted", true);
  auto addButton = [this](const QString &icon, const QString &tip) {
    auto *button = new QToolButton(this);
    button->setIcon(themedIcon(icon));
    button->setToolTip(tip);
    return button;
  };
  QToolButton *previous = addButton(QStringLiteral("up"), tr("Previous match (Shift+Enter)"));
  QToolButton *next = addButton(QStringLiteral("down"), tr("Next match (Enter)"));
  QToolButton *close = addButton(QStringLiteral("close"), tr("Close (Escape)"));

  auto *findRow = new QHBoxLayout;
  findRow->setSpacing(4);
  findRow->addWidget(m_pattern, 1);
  for (QWidget *widget :
       {static_cast<QWidget *>(m_caseSensitive), static_cast<QWidget *>(m_regularExpression),
        static_cast<QWidget *>(m_outcome), static_cast<QWidget *>(previous),
        static_cast<QWidget *>(next), static_cast<QWidget *>(close)})
    findRow->addWidget(widget);
  auto *replaceRow = new QHBoxLayout(m_replaceRow);
  replaceRow->setContentsMargins(0, 0, 0, 0);
  auto *one = new QPushButton(tr("Replace"), m_replaceRow);
  auto *all = new QPushButton(tr("Replace all"), m_replaceRow);
  replaceRow->addWidget(m_replacement, 1);
  replaceRow->addWidget(one);
  replaceRow->addWidget(all);
  auto *rows = new QVBoxLayout(this);
  rows->setContentsMargins(8, 4, 8, 4);
  rows->setSpacing(4);
  rows->addLayout(findRow);
  rows->addWidget(m_replaceRow);

  auto incremental = [this] { Q_EMIT findRequested(true, true); };
  connect(m_pattern, &QLineEdit::textChanged, this, incremental);
  connect(m_caseSensitive, &QToolButton::toggled, this, incremental);
  connect(m_regularExpression, &QToolButton::toggled, this, incremental);
  connect(previous, &QToolButton::clicked, this, [this] { Q_EMIT findRequested(false, false); });
  connect(next, &QToolButton::clicked, this, [this] { Q_EMIT findRequested(true, false); });
  connect(one, &QPushButton::clicked, this, &FindBar::replaceRequested);
  connect(all, &QPushButton::clicked, this, &FindBar::replaceAllRequested);
  connect(close, &QToolButton::clicked, this, [this] {
    hide();
    Q_EMIT closed();
  });
  hide();
}

QToolButton *FindBar::addToggle(const QString &icon, const QString &tip) {
  auto *button = new QToolButton(this);
  button->setIcon(themedIcon(icon));
  button->setCheckable(true);
  button->setToolTip(tip);
  return button;
}

void FindBar::open(Mode mode, const QString &text) {
  m_replaceRow->setVisible(mode == Mode::Replace);
  if (!text.isEmpty() && !text.contains(u'\n'))
    m_pattern->setText(text);
  show();
  m_pattern->setFocus();
  m_pattern->selectAll();
}

QString FindBar::pattern() const { return m_pattern->text(); }
QString FindBar::replacement() const { return m_replacement->text(); }

FindOptions FindBar::options() const {
  return {.caseSensitive = m_caseSensitive->isChecked(),
          .regularExpression = m_regularExpression->isChecked()};
}

void FindBar::setOutcome(const QString &text, bool found) {
  m_outcome->setText(text);
  m_pattern->setProperty("invalid", !found && !m_pattern->text().isEmpty());
  m_pattern->style()->polish(m_pattern);
}

void FindBar::setMatch(MatchPlace match) {
  if (m_pattern->text().isEmpty())
    return setOutcome({}, false);
  const QRegularExpression read(m_pattern->text());
  if (m_regularExpression->isChecked() && !read.isValid())
    return setOutcome(tr("not a regular expression: %1").arg(read.errorString()), false);
  setOutcome(match.total == 0    ? tr("no match")
             : match.number == 0 ? tr("%1 matches").arg(match.total)
                                 : tr("%1 of %2").arg(match.number).arg(match.total),
             match.total > 0);
}

void FindBar::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Escape:
    hide();
    Q_EMIT closed();
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (m_replacement->hasFocus())
      Q_EMIT replaceRequested();
    else
      Q_EMIT findRequested(!(event->modifiers() & Qt::ShiftModifier), false);
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

} // namespace tilescope::views
