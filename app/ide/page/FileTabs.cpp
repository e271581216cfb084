// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/FileTabs.h"

#include "app/ide/page/EditorPage.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QTabBar>

#include <algorithm>

namespace tilescope::app {

FileTabs::FileTabs(QWidget *parent) : QTabWidget(parent), m_awaited(new AwaitedTabs(this)) {
  setTabsClosable(true);
  setMovable(true);
  setDocumentMode(true);
  // Behind a file that was looked at for a moment, the one that the user came from is on show again.
  tabBar()->setSelectionBehaviorOnRemove(QTabBar::SelectPreviousTab);
  // A user who clicks a tab goes on typing.
  tabBar()->setFocusPolicy(Qt::NoFocus);
  connect(this, &QTabWidget::tabBarClicked, this, [this](int index) {
    if (QWidget *page = widget(index))
      page->setFocus(Qt::MouseFocusReason);
  });
  connect(&m_watch, &DiskWatch::touched, this, [this](const QString &path) {
    for (EditorPage *page : pages())
      if (page->path() == path)
        page->checkDisk();
  });
}

EditorPage *FileTabs::page() const { return qobject_cast<EditorPage *>(currentWidget()); }

std::vector<EditorPage *> FileTabs::pages() const {
  std::vector<EditorPage *> all;
  for (int i = 0; i < count(); ++i)
    all.push_back(static_cast<EditorPage *>(widget(i)));
  return all;
}

void FileTabs::add(EditorPage *page) {
  insert(page, count());
  refresh();
  setCurrentWidget(page);
}

void FileTabs::insert(EditorPage *page, int index) {
  insertTab(index, page, page->title() + (page->isModified() ? QStringLiteral(" ●") : QString()));
  setTabToolTip(indexOf(page), page->path());
}

EditorPage *FileTabs::showPath(const QString &path) {
  m_awaited->finish();
  const QString file = QFileInfo(path).canonicalFilePath();
  for (EditorPage *page : pages()) {
    // One file may have several paths.
    if (page->path() == path ||
        (!file.isEmpty() && QFileInfo(page->path()).canonicalFilePath() == file)) {
      setCurrentWidget(page);
      return page;
    }
  }
  return nullptr;
}

void FileTabs::step(int by) {
  m_awaited->finish();
  if (count() > 0)
    setCurrentIndex((currentIndex() + by + count()) % count());
}

/// `name`: the page's title; `numNamesakes`: how many pages have it.
static QString distinguished(const EditorPage &page, const QString &name, qsizetype numNamesakes) {
  return page.path().isEmpty() || numNamesakes < 2
             ? name
             : QStringLiteral("%1 – %2").arg(name, QFileInfo(page.path()).dir().dirName());
}

QString FileTabs::title(const EditorPage &page) const {
  const QString name = page.title();
  const auto isNamesake = [&name](const EditorPage *each) { return each->title() == name; };
  return distinguished(page, name, std::ranges::count_if(pages(), isNamesake));
}

void FileTabs::refresh() {
  // The last of many tabs that come says it for all.
  if (!m_awaited->isOver())
    return;
  QHash<QString, qsizetype> counts;
  for (const EditorPage *page : pages())
    ++counts[page->title()];
  QStringList watched;
  for (const EditorPage *page : pages()) {
    const QString name = distinguished(*page, page->title(), counts[page->title()]);
    setTabText(indexOf(page), page->isModified() ? name + QStringLiteral(" ●") : name);
    if (!page->isReference() && !page->path().isEmpty())
      watched << page->path();
  }
  m_watch.setFiles(watched);
}

void FileTabs::checkDisk() {
  for (EditorPage *page : pages())
    page->checkDisk();
}

void FileTabs::fitCloseButtons() {
  QTabBar *bar = tabBar();
  for (int i = 0; i < bar->count(); ++i)
    if (QWidget *close = bar->tabButton(i, QTabBar::RightSide))
      close->resize(close->sizeHint());
  // Places them again.
  bar->setElideMode(bar->elideMode());
}

} // namespace tilescope::app
