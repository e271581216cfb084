// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/HoverCard.h"

#include <QLabel>
#include <QVBoxLayout>

namespace tilescope::views {

static constexpr int kMaxWidthPx = 620;

HoverCard::HoverCard(QWidget *parent) : QFrame(parent), m_label(new QLabel(this)) {
  makePopup(*this);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  m_label->setTextFormat(Qt::RichText);
  auto *layout = new QVBoxLayout(this);
  // The card is as large as its text, not as the largest text so far.
  layout->setSizeConstraint(QLayout::SetNoConstraint);
  layout->setContentsMargins(10, 7, 10, 8);
  layout->addWidget(m_label);
}

QString HoverCard::text() const { return m_label->text(); }

void HoverCard::showText(const QString &html, const QRect &anchor, PopupSide side) {
  m_label->setText(html);
  m_label->setWordWrap(false);
  const QMargins margins = layout()->contentsMargins();
  const QRect screen = screenAround(anchor, *parentWidget());
  const int widest = std::min(kMaxWidthPx, screen.width() - margins.left() - margins.right());
  QSize size = m_label->sizeHint();
  if (size.width() > widest) {
    m_label->setWordWrap(true);
    size = {widest, m_label->heightForWidth(widest)};
  }
  setGeometry(placeBeside(size.grownBy(margins), anchor, screen, side));
  show();
}

} // namespace tilescope::views
