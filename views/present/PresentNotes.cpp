// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/present/PresentNotes.h"

#include "views/common/Theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QTextBrowser>
#include <QTime>
#include <QVBoxLayout>

namespace tilescope::views {

static constexpr QSize kUsualSize{720, 520};

static QString keysText() {
  QStringList words;
  for (const auto &[keys, what] : presentKeyHelp())
    words << QStringLiteral("%1: %2").arg(keys, what);
  return words.join(QStringLiteral(" · "));
}

PresentNotes::PresentNotes(QWidget *window)
    : QWidget(window, Qt::Window), m_mark(new QLabel(this)), m_title(new QLabel(this)),
      m_page(new QTextBrowser(this)), m_next(new QLabel(this)), m_time(new QLabel(this)) {
  setWindowTitle(tr("Notes of the presentation"));
  resize(kUsualSize);
  m_mark->setProperty("muted", true);
  m_time->setProperty("muted", true);
  m_time->setAccessibleName(tr("Time"));
  m_page->setAccessibleName(tr("Notes"));
  m_page->setOpenExternalLinks(false);
  m_page->setOpenLinks(false);
  m_page->installEventFilter(this);
  for (QLabel *each : {m_title, m_next}) {
    each->setTextFormat(Qt::RichText);
    each->setWordWrap(true);
  }
  auto *keys = new QLabel(keysText(), this);
  keys->setWordWrap(true);
  keys->setProperty("muted", true);
  auto *head = new QHBoxLayout;
  head->addWidget(m_title, 1);
  head->addWidget(m_mark);
  auto *foot = new QHBoxLayout;
  foot->addWidget(m_next, 1);
  foot->addWidget(m_time);
  auto *column = new QVBoxLayout(this);
  column->addLayout(head);
  column->addWidget(m_page, 1);
  column->addLayout(foot);
  column->addWidget(keys);
  setFocusProxy(m_page);
  m_tick.setInterval(1000);
  connect(&m_tick, &QTimer::timeout, this, &PresentNotes::showTime);
}

void PresentNotes::begin() {
  m_since.start();
  m_tick.start();
  showTime();
}

void PresentNotes::showTime() {
  const int seconds = static_cast<int>(m_since.elapsed() / 1000);
  m_time->setText(tr("%1:%2 since the beginning · %3")
                      .arg(seconds / 60)
                      .arg(seconds % 60, 2, 10, QLatin1Char('0'))
                      .arg(QTime::currentTime().toString(QStringLiteral("HH:mm"))));
}

void PresentNotes::setNotes(const ShownNotes &notes) {
  m_mark->setText(notes.mark);
  m_title->setText(tr("<b>%1</b> · %2").arg(notes.title.toHtmlEscaped(), notes.view));
  m_page->document()->setDefaultFont(uiFont());
  m_page->setMarkdown(notes.notes.isEmpty() ? tr("This step has no notes.") : notes.notes);
  m_page->moveCursor(QTextCursor::Start);
  m_next->setText(notes.next.isEmpty() ? tr("This is the last step.")
                                       : tr("Next: %1").arg(notes.next.toHtmlEscaped()));
}

QString PresentNotes::titleText() const { return m_title->text(); }
QString PresentNotes::nextText() const { return m_next->text(); }

bool PresentNotes::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::KeyPress) {
    const auto *key = static_cast<QKeyEvent *>(event);
    // Arrows up and down scroll long notes.
    const bool scrolls = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down;
    if (const auto command = presentCommand(key->keyCombination()); command && !scrolls) {
      Q_EMIT commanded(*command);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace tilescope::views
