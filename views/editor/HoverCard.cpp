// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/HoverCard.h"

#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>

#include <cmath>

namespace tilescope::views {

static constexpr int kMaxWidthPx = 620;
static constexpr QMargins kMargins(10, 7, 10, 8);

QString colored(const QString &text, ColorRole role) {
  return QStringLiteral("<span style=\"color:%1\">%2</span>")
      .arg(theme()[role].name(), text.toHtmlEscaped());
}

HoverCard::HoverCard(QWidget *parent) : QFrame(parent) {
  makePopup(*this);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  m_document.setUndoRedoEnabled(false);
  m_document.setDocumentMargin(0);
}

void HoverCard::showText(const QString &html, const QRect &anchor, PopupSide side) {
  const QRect screen = screenAround(anchor, *parentWidget());
  const int widest = std::min(kMaxWidthPx, screen.width() - kMargins.left() - kMargins.right());
  // A signature follows the cursor at every key. Laying it out costs more than the key itself.
  if (html != m_html || widest != m_widest) {
    m_html = html;
    layOut(widest);
    update();
  }
  const QSize size(static_cast<int>(std::ceil(m_document.idealWidth())),
                   static_cast<int>(std::ceil(m_document.size().height())));
  setGeometry(placeBeside(size.grownBy(kMargins), anchor, screen, side));
  show();
}

void HoverCard::layOut(int widest) {
  m_widest = widest;
  m_document.setDefaultFont(font());
  m_document.setTextWidth(-1);
  m_document.setHtml(quotedCode(m_html));
  if (m_document.idealWidth() > widest)
    m_document.setTextWidth(widest);
  // Lines between parts are as wide as the text.
  m_document.setTextWidth(std::ceil(m_document.idealWidth()));
  setAccessibleName(m_document.toPlainText());
}

void HoverCard::changeEvent(QEvent *event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    m_widest = 0;
}

void HoverCard::paintEvent(QPaintEvent *event) {
  QFrame::paintEvent(event);
  QPainter painter(this);
  painter.translate(kMargins.left(), kMargins.top());
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette.setColor(QPalette::Text, theme()[ColorRole::Text]);
  m_document.documentLayout()->draw(&painter, context);
}

} // namespace tilescope::views
