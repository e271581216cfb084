// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/present/PresentController.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScreen>

#include <utility>

namespace tilescope::app {

using views::PresentCommand;
using views::PresentLayer;
using views::PresentNotes;

static QString words(const std::string &text) { return QString::fromStdString(text); }

PresentController::PresentController(QWidget *window) : QObject(window), m_window(window) {
  m_clock.setSingleShot(true);
  connect(&m_clock, &QTimer::timeout, this, [this] { command(PresentCommand::Next); });
}

void PresentController::begin(PresentScript script) {
  end();
  m_state.emplace(std::move(script));
  m_layer = new PresentLayer(m_window);
  m_notes = new PresentNotes(m_window);
  connect(m_layer, &PresentLayer::commanded, this, &PresentController::command);
  connect(m_notes, &PresentNotes::commanded, this, &PresentController::command);
  qApp->installEventFilter(this);
  Q_EMIT begun();
  m_layer->show();
  m_notes->begin();
  showStop();
  // Beside the one that the audience sees, if there is one.
  if (!m_state->isLoop() && QGuiApplication::screens().size() > 1)
    setNotesVisible(true);
}

void PresentController::end() {
  if (!m_state)
    return;
  qApp->removeEventFilter(this);
  m_clock.stop();
  m_state.reset();
  // They may be about to handle the key that ends it.
  std::exchange(m_layer, nullptr)->deleteLater();
  PresentNotes *notes = std::exchange(m_notes, nullptr);
  notes->hide();
  notes->deleteLater();
  Q_EMIT ended();
}

void PresentController::command(PresentCommand command) {
  if (!m_state)
    return;
  const auto last = m_state->numStops() - 1;
  switch (command) {
  case PresentCommand::Next:
  case PresentCommand::Previous:
    // A dark screen becomes light again before anything else happens.
    if (m_layer->isBlank())
      m_layer->setBlank(false);
    else if (m_state->go(command == PresentCommand::Next ? 1 : -1))
      showStop();
    return restartClock();
  case PresentCommand::First:
  case PresentCommand::Last:
    if (m_state->goTo(command == PresentCommand::First ? 0 : last))
      showStop();
    return;
  case PresentCommand::Spotlight:
    return m_layer->setSpotlit(!m_layer->isSpotlit());
  case PresentCommand::Draw:
    return m_layer->setDrawing(!m_layer->isDrawing());
  case PresentCommand::Clear:
    return m_layer->clearDrawing();
  case PresentCommand::Notes:
    return setNotesVisible(!m_notes->isVisible());
  case PresentCommand::Blank:
    return m_layer->setBlank(!m_layer->isBlank());
  case PresentCommand::Loop:
    return setLoop(!m_state->isLoop());
  case PresentCommand::End:
    return end();
  }
}

void PresentController::setLoop(bool isLoop) {
  m_state->setLoop(isLoop);
  showNotes();
  restartClock();
}

void PresentController::restartClock() {
  if (m_state->isLoop())
    m_clock.start(m_state->stay());
  else
    m_clock.stop();
}

void PresentController::showStop() {
  m_remark.clear();
  const PresentStep &step = m_state->step();
  m_layer->setStop(m_state->position());
  m_layer->setSpotlit(step.hasSpotlight);
  m_layer->setTarget(std::nullopt);
  Q_EMIT stopShown(step, words(m_state->view()));
  m_layer->raise();
  if (QApplication::activeWindow() != m_notes)
    m_layer->setFocus();
  showNotes();
  restartClock();
}

void PresentController::setRemark(const QString &remark) {
  m_remark = remark;
  showNotes();
}

void PresentController::showNotes() {
  const PresentStep &step = m_state->step();
  const QString mark = tr("%1 of %2").arg(m_state->position() + 1).arg(m_state->numStops()) +
                       (m_state->isLoop() ? tr(", goes on by itself") : QString());
  m_layer->setCaption(mark, words(step.title));
  QString notes = words(m_state->notes());
  if (!m_remark.isEmpty())
    notes = tr("**%1**\n\n%2").arg(m_remark, notes);
  const PresentStep *next = m_state->nextStep();
  m_notes->setNotes({mark, words(step.title), words(m_state->view()), notes,
                     next ? words(next->title) : QString()});
}

void PresentController::setNotesVisible(bool isVisible) {
  if (!isVisible) {
    m_notes->hide();
    m_window->activateWindow();
    return m_layer->setFocus();
  }
  for (const QScreen *screen : QGuiApplication::screens())
    if (screen != m_window->screen())
      m_notes->move(screen->availableGeometry().topLeft());
  m_notes->show();
  m_notes->raise();
  m_notes->activateWindow();
  m_notes->page().setFocus();
}

bool PresentController::isPresented(const QObject *watched) const {
  const auto *widget = qobject_cast<const QWidget *>(watched);
  return widget && widget->window() == m_window;
}

/// A key of a clicker is a command wherever the keyboard is, before a shortcut is made of it.
bool PresentController::eventFilter(QObject *watched, QEvent *event) {
  switch (event->type()) {
  case QEvent::ShortcutOverride:
  case QEvent::KeyPress: {
    if (!isPresented(watched) || QApplication::activePopupWidget())
      return false;
    const auto found = views::clickerCommand(static_cast<QKeyEvent *>(event)->keyCombination());
    if (!found)
      return false;
    event->accept();
    if (event->type() == QEvent::KeyPress)
      command(*found);
    return true;
  }
  case QEvent::MouseMove:
    if (isPresented(watched))
      m_layer->setPointer(
          m_layer->mapFromGlobal(static_cast<QMouseEvent *>(event)->globalPosition()));
    return false;
  case QEvent::UpdateRequest:
    // Something was scrolled, moved, or drawn anew.
    if (watched == m_window && m_find && m_layer->isSpotlit())
      m_layer->setTarget(m_find());
    return false;
  default:
    return false;
  }
}

} // namespace tilescope::app
