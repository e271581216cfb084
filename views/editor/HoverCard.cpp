// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/HoverCard.h"

#include "views/common/Theme.h"

#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

namespace tilescope::views {

static constexpr int kMaxWidth = 620;

HoverCard::HoverCard(QWidget *parent) : QFrame(parent), m_label(new QLabel(this)) {
  // Lies inside its window instead of being one of its own: no focus, no flicker, and part of
  // screenshots.
  setProperty("popup", true);
  setAttribute(Qt::WA_StyledBackground);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  m_label->setTextFormat(Qt::RichText);
  m_label->setWordWrap(true);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 7, 10, 8);
  layout->addWidget(m_label);
  hide();
}

QString HoverCard::text() const { return m_label->text(); }

void HoverCard::showText(const QString &html, const QRect &anchor, bool above) {
  m_label->setText(html);
  m_label->setWordWrap(false);
  int width = m_label->sizeHint().width();
  if (width > kMaxWidth) {
    m_label->setWordWrap(true);
    width = kMaxWidth;
  }
  const int height = m_label->heightForWidth(width) > 0 ? m_label->heightForWidth(width)
                                                        : m_label->sizeHint().height();
  resize(width + 22, height + 17);
  const QRect area = parentWidget()->rect();
  const QPoint low = parentWidget()->mapFromGlobal(anchor.bottomLeft());
  const QPoint high = parentWidget()->mapFromGlobal(anchor.topLeft());
  int y = above ? high.y() - this->height() - 4 : low.y() + 4;
  if (y < 0)
    y = low.y() + 4;
  if (y + this->height() > area.height())
    y = std::max(0, high.y() - this->height() - 4);
  const int x = std::clamp(low.x(), 0, std::max(0, area.width() - this->width()));
  move(x, y);
  show();
  raise();
}

} // namespace tilescope::views
