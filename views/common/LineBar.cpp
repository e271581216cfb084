// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/LineBar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpressionValidator>

#include <algorithm>

namespace tilescope::views {

LineBar::LineBar(QWidget *parent)
    : QWidget(parent), m_place(new QLineEdit(this)), m_range(new QLabel(this)) {
  setProperty("bar", true);
  setAttribute(Qt::WA_StyledBackground);
  m_place->setAccessibleName(tr("Go to line"));
  m_place->setValidator(new QRegularExpressionValidator(
      QRegularExpression(QStringLiteral("[0-9]{0,9}(:[0-9]{0,6})?")), this));
  m_range->setProperty("muted", true);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(new QLabel(tr("Go to line"), this));
  row->addWidget(m_place, 1);
  row->addWidget(m_range, 2);
  hide();
}

void LineBar::open(int line, int numLines) {
  m_numLines = numLines;
  m_place->setText(QString::number(line + 1));
  m_range->setText(tr("1 to %1, or line:column").arg(numLines));
  show();
  m_place->setFocus();
  m_place->selectAll();
}

void LineBar::accept() {
  const int line = m_place->text().section(u':', 0, 0).toInt();
  const QString column = m_place->text().section(u':', 1, 1);
  hide();
  if (line > 0)
    Q_EMIT placeRequested(std::min(line, m_numLines) - 1,
                          column.isEmpty() ? -1 : std::max(column.toInt(), 1) - 1);
  Q_EMIT closed();
}

void LineBar::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Escape:
    hide();
    Q_EMIT closed();
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return accept();
  default:
    QWidget::keyPressEvent(event);
  }
}

} // namespace tilescope::views
