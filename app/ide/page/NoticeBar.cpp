// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/NoticeBar.h"

#include "views/common/QuotedCode.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace tilescope::app {

/// Enough to read a path and to reach for a button.
static constexpr int kPatienceMs = 12000;

NoticeBar::NoticeBar(QWidget *parent)
    : QWidget(parent), m_rows(new QBoxLayout(QBoxLayout::TopToBottom, this)),
      m_text(new QLabel(this)), m_buttons(new QHBoxLayout) {
  setProperty("bar", true);
  setAttribute(Qt::WA_StyledBackground);
  m_text->setWordWrap(true);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_rows->setContentsMargins(10, 4, 10, 4);
  m_rows->addWidget(m_text, 1);
  m_rows->addLayout(m_buttons);
  m_buttons->addStretch(1);
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatienceMs);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    // Waits for a user who is about to answer.
    if (underMouse() || isAncestorOf(QApplication::focusWidget()))
      m_patience.start();
    else
      hide();
  });
  hide();
}

QString NoticeBar::hideText() { return tr("Hi&de this message"); }

/// Each line begins with a capital, unless it begins with a name or with code.
static QString capitalized(const QString &text) {
  QStringList lines = text.split(u'\n');
  for (QString &line : lines) {
    const QStringView word = QStringView(line).left(line.indexOf(u' '));
    if (std::ranges::all_of(word, [](QChar c) { return c.isLower(); }) && !word.isEmpty())
      line[0] = line[0].toUpper();
  }
  return lines.join(u'\n');
}

void NoticeBar::present(const QString &text, std::vector<Choice> choices, Stay stay) {
  m_patience.stop();
  qApp->removeEventFilter(this);
  for (QPushButton *old : findChildren<QPushButton *>()) {
    old->hide();
    // Later: it may be the one that was pressed.
    old->setParent(nullptr);
    old->deleteLater();
  }
  m_said = text;
  // Text that can be selected is painted without the style, which would set the quotes.
  m_text->setText(views::quotedCode(capitalized(text)));
  for (Choice &choice : choices) {
    auto *button = new QPushButton(choice.label, this);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    connect(button, &QPushButton::clicked, this, [this, choice = std::move(choice)] {
      // The action may show another notice.
      if (choice.closes)
        hide();
      if (choice.take)
        choice.take();
      if (choice.closes)
        Q_EMIT answered();
    });
  }
  arrange();
  show();
  if (stay != Stay::UntilAnswered)
    qApp->installEventFilter(this);
  if (stay == Stay::ForAWhile)
    m_patience.start();
}

bool NoticeBar::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::KeyPress) {
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool isCommand =
        key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    const auto *typedInto = qobject_cast<QWidget *>(watched);
    if (!isCommand && key->key() != Qt::Key_Escape && key->key() != Qt::Key_Tab &&
        !key->text().isEmpty() && typedInto && typedInto->window() == window() &&
        typedInto != this && !isAncestorOf(typedInto))
      hide();
  }
  return false;
}

void NoticeBar::hideEvent(QHideEvent *event) {
  QWidget::hideEvent(event);
  if (!isHidden())
    return;
  m_patience.stop();
  qApp->removeEventFilter(this);
}

void NoticeBar::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  arrange();
}

/// Below each other where the choices leave no room for the text, in two lines at most: an editor
/// may be narrow.
void NoticeBar::arrange() {
  const int text = m_text->fontMetrics().horizontalAdvance(m_text->text());
  const int room = width() - m_buttons->sizeHint().width() - 40;
  // Lines end where words do.
  const bool fits = !m_text->text().contains(u'\n') && (text <= room || text * 5 <= room * 8);
  m_rows->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

QString NoticeBar::text() const { return isHidden() ? QString() : m_said; }

} // namespace tilescope::app
