// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/AwaitedTabs.h"

#include "app/ide/page/EditorPage.h"
#include "app/ide/page/FileTabs.h"

#include <QEvent>
#include <QScopedValueRollback>
#include <QWindow>

#include <algorithm>
#include <ranges>
#include <utility>

namespace tilescope::app {

/// A window that is never painted, such as one on another desktop, has its tabs, too.
static constexpr int kUnpaintedMs = 2000;

AwaitedTabs::AwaitedTabs(FileTabs *tabs) : QObject(tabs), m_tabs(tabs) {
  m_turn.setObjectName(QStringLiteral("restoring the tabs of the session"));
  connect(&m_turn, &QTimer::timeout, this, &AwaitedTabs::restoreNext);
}

void AwaitedTabs::begin(std::vector<SessionFile> files, const QString &front, Restore restored) {
  m_restore = std::move(restored);
  m_files.clear();
  for (SessionFile &file : files)
    m_files.push_back({std::move(file), nullptr});
  m_numLeft = m_files.size();
  const auto first = std::ranges::find(m_files, front, [](const Tab &tab) { return tab.file.id; });
  EditorPage *shown = first == m_files.end() ? nullptr : restore(*first);
  for (Tab &tab : std::views::reverse(m_files))
    if (!shown && tab.isAwaited)
      shown = restore(tab);
  if (isOver())
    return Q_EMIT over();
  QWindow *window = m_tabs->window()->windowHandle();
  const bool isPainted = !window || window->isExposed();
  if (!isPainted)
    window->installEventFilter(this);
  m_turn.start(isPainted ? 0 : kUnpaintedMs);
}

bool AwaitedTabs::eventFilter(QObject *watched, QEvent *event) {
  // The window paints while it handles this; a turn comes behind it.
  if (event->type() == QEvent::Expose && !isOver())
    m_turn.start(0);
  return QObject::eventFilter(watched, event);
}

const EditorPage *AwaitedTabs::pageBefore(const Tab &tab) const {
  const EditorPage *before = nullptr;
  for (const Tab &each : m_files) {
    if (&each == &tab)
      break;
    // It may have been closed.
    if (each.page && m_tabs->indexOf(each.page) >= 0)
      before = each.page;
  }
  return before;
}

EditorPage *AwaitedTabs::restore(Tab &tab) {
  const QScopedValueRollback guard(m_isRestoring, true);
  tab.isAwaited = false;
  --m_numLeft;
  const EditorPage *before = pageBefore(tab);
  tab.page = m_restore(tab.file, before ? m_tabs->indexOf(before) + 1 : 0);
  return tab.page;
}

void AwaitedTabs::restoreNext() {
  if (m_isRestoring)
    return;
  const auto next = std::ranges::find(m_files, true, &Tab::isAwaited);
  if (next != m_files.end())
    restore(*next);
  if (!isOver())
    return m_turn.start(0);
  m_turn.stop();
  m_files.clear();
  Q_EMIT over();
}

void AwaitedTabs::finish() {
  while (!isOver() && !m_isRestoring)
    restoreNext();
}

void AwaitedTabs::addTo(std::vector<SessionFile> &open) const {
  auto place = open.begin();
  for (const Tab &tab : m_files) {
    const QString id = tab.page ? tab.page->id() : QString();
    const auto found = std::ranges::find(open, id, &SessionFile::id);
    if (tab.isAwaited)
      place = std::next(open.insert(place, tab.file));
    else if (found != open.end() && tab.page)
      place = std::next(found);
  }
}

} // namespace tilescope::app
