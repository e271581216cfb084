// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/LinkLabel.h"

#include "views/common/Theme.h"
#include "views/run/PanelLabels.h"

#include <QEvent>
#include <QRegularExpression>

namespace tilescope::views {

LinkLabel::LinkLabel(QWidget *parent) : QLabel(parent) {
  makePanelLabel(*this);
  setTextFormat(Qt::RichText);
  setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
}

void LinkLabel::setHtml(const QString &html) {
  m_html = html;
  layOut();
}

void LinkLabel::layOut() {
  static const QRegularExpression tags(QStringLiteral("</?a\\b[^>]*>"));
  QString shown = m_html;
  if (!isEnabled())
    shown = QStringLiteral("<span style=\"color:%1\">%2</span>")
                .arg(theme()[ColorRole::TextFaint].name(), shown.remove(tags));
  // The same text would keep its colors.
  clear();
  setText(shown);
}

void LinkLabel::changeEvent(QEvent *event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::EnabledChange)
    layOut();
}

} // namespace tilescope::views
