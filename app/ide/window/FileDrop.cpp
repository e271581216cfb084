// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/FileDrop.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace tilescope::app {

FileDrop::FileDrop(QWidget *window) : QObject(window), m_window(window) {
  window->setAcceptDrops(true);
  qApp->installEventFilter(this);
}

static QStringList filesIn(const QMimeData &data) {
  QStringList paths;
  for (const QUrl &url : data.urls())
    if (url.isLocalFile())
      paths << url.toLocalFile();
  return paths;
}

bool FileDrop::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove &&
      event->type() != QEvent::Drop)
    return false;
  const auto *widget = qobject_cast<QWidget *>(watched);
  if (!widget || (widget->window() != m_window && widget->window()->parentWidget() != m_window))
    return false;
  auto *drop = static_cast<QDropEvent *>(event);
  if (filesIn(*drop->mimeData()).isEmpty())
    return false;
  take(*drop);
  return true;
}

void FileDrop::take(QDropEvent &event) {
  // A question is open, which comes first.
  if (QApplication::activeModalWidget())
    return event.ignore();
  // Whoever gave the files keeps them, whatever they offered.
  event.setDropAction(Qt::CopyAction);
  event.accept();
  // When the drag is over: what a file leads to may ask something.
  if (event.type() == QEvent::Drop)
    QMetaObject::invokeMethod(
        this, [this, paths = filesIn(*event.mimeData())] { Q_EMIT dropped(paths); },
        Qt::QueuedConnection);
}

} // namespace tilescope::app
