// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/DockSet.h"

#include "app/ide/docks/DockTitle.h"
#include "app/ide/docks/FocusOutline.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/docks/WindowPlacement.h"

#include <QApplication>
#include <QMainWindow>
#include <QResizeEvent>
#include <QTabBar>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace tilescope::app {

using compiler::StageId;

/// A window manager that takes longer to give a window its size does so after the user's first
/// look.
static constexpr int kWindowManagerMs = 3000;
/// Of the window's width, in percent, for the editor.
static constexpr int kEditorShare = 40;
/// A narrower window has two columns beside the editor, in which text can be read, and the third
/// behind one of them.
static constexpr int kThreeColumnsPx = 1500;

/// The stages whose columns are side by side, in order.
static constexpr StageId kFront[] = {StageId::Ttir, StageId::Ttgir, StageId::Ptx};

/// The pictures that are tabs of the layout's diagram, in order.
static constexpr const char *kBehindLayout[] = {"access", "shared", "conversion", "programs"};

/// The stage whose column another one is a tab of: the next that is in front, or the last.
static StageId placeOf(StageId stage) {
  const auto *next = std::ranges::find_if(kFront, [&](StageId each) { return each >= stage; });
  return next == std::end(kFront) ? kFront[std::size(kFront) - 1] : *next;
}

QString stageDockId(StageId stage) {
  const std::string_view name = compiler::stageName(stage);
  return QStringLiteral("stage.") +
         QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

DockSet::DockSet(QMainWindow *window)
    : QObject(window), m_window(window), m_maximized(new MaximizedView(window)),
      m_outline(new FocusOutline(window)) {
  window->installEventFilter(this);
  m_tidyTimer.setSingleShot(true);
  connect(&m_tidyTimer, &QTimer::timeout, this, &DockSet::tidy);
  m_widthTimer.setSingleShot(true);
  connect(&m_widthTimer, &QTimer::timeout, this, &DockSet::noteWidths);
  window->setDockNestingEnabled(true);
  window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                         QMainWindow::AllowTabbedDocks);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
}

DockSet::~DockSet() { delete m_outline; }

ViewDock *DockSet::add(const QString &id, const QString &title, QWidget *view) {
  auto *created = new ViewDock(id, title, view, m_window);
  connect(created, &ViewDock::maximizeRequested, this,
          [this, created] { Q_EMIT maximizeRequested(created); });
  connect(created, &QDockWidget::visibilityChanged, this, &DockSet::visibilityChanged);
  const auto tidyLater = [this] { m_tidyTimer.start(0); };
  connect(created, &QDockWidget::visibilityChanged, this, tidyLater);
  connect(created, &QDockWidget::topLevelChanged, this, tidyLater);
  connect(created, &QDockWidget::dockLocationChanged, this, tidyLater);
  connect(created, &QDockWidget::windowTitleChanged, this, tidyLater);
  connect(created, &QDockWidget::topLevelChanged, this,
          [this, created](bool isFloating) { keepWidths(created, isFloating); });
  created->installEventFilter(this);
  m_docks[id] = created;
  m_order << id;
  return created;
}

ViewDock *DockSet::find(const QString &id) const {
  const auto known = m_docks.find(id);
  return known == m_docks.end() ? nullptr : known->second;
}

ViewDock *DockSet::focused() const {
  for (const auto &[id, dock] : m_docks)
    if (dock->isAncestorOf(QApplication::focusWidget()))
      return dock;
  return nullptr;
}

std::vector<ViewDock *> DockSet::inFront() const {
  std::vector<ViewDock *> places;
  for (const auto &[id, dock] : m_docks)
    if (dock->isInFront())
      places.push_back(dock);
  std::ranges::sort(places, {}, [](const ViewDock *dock) {
    return std::tuple(dock->isFloating(), dock->y(), dock->x());
  });
  return places;
}

/// Qt decides again about names and tab bars whenever docks move, one dock at a time.
void DockSet::tidy() {
  std::map<QString, QString> tips;
  for (const auto &[id, dock] : m_docks) {
    dock->title().showName();
    tips[dock->windowTitle()] = dock->title().toolTip();
  }
  for (QTabBar *bar : m_window->findChildren<QTabBar *>(Qt::FindDirectChildrenOnly)) {
    if (bar->drawBase())
      bar->setDrawBase(false);
    if (bar->elideMode() != Qt::ElideNone)
      bar->setElideMode(Qt::ElideNone);
    for (int i = 0; i < bar->count(); ++i)
      bar->setTabToolTip(i, tips[bar->tabText(i)]);
  }
  m_outline->place();
}

void DockSet::arrange() {
  m_maximized->restore();
  for (const auto &[id, dock] : m_docks) {
    dock->setFloating(false);
    m_window->removeDockWidget(dock);
  }
  QDockWidget *ttir = find(stageDockId(StageId::Ttir));
  QDockWidget *ttgir = find(stageDockId(StageId::Ttgir));
  QDockWidget *ptx = find(stageDockId(StageId::Ptx));
  QDockWidget *ast = find(stageDockId(StageId::Ast));
  m_window->addDockWidget(Qt::RightDockWidgetArea, ttir);
  m_window->splitDockWidget(ttir, find(QStringLiteral("layout")), Qt::Vertical);
  for (const char *id : kBehindLayout)
    m_window->tabifyDockWidget(find(QStringLiteral("layout")), find(QString::fromLatin1(id)));
  m_window->splitDockWidget(ttir, ttgir, Qt::Horizontal);
  m_window->splitDockWidget(ttgir, ptx, Qt::Horizontal);
  for (StageId stage : compiler::stagesWith(compiler::stage_trait::Text))
    if (const StageId front = placeOf(stage); front != stage)
      m_window->tabifyDockWidget(find(stageDockId(front)), find(stageDockId(stage)));
  QDockWidget *problems = find(QStringLiteral("problems"));
  m_window->addDockWidget(Qt::BottomDockWidgetArea, problems);
  for (const char *id : {"passes", "run", "console"})
    m_window->tabifyDockWidget(problems, find(QString::fromLatin1(id)));
  for (const auto &[id, dock] : m_docks)
    dock->setVisible(dock != ast);
  ptx->raise();
  ttir->raise();
  find(QStringLiteral("layout"))->raise();
  problems->raise();
}

void DockSet::resizeToDefault() {
  m_isSqueezed = false;
  const int width = m_window->width(), height = m_window->height();
  QDockWidget *ttir = find(stageDockId(StageId::Ttir));
  QDockWidget *ttgir = find(stageDockId(StageId::Ttgir));
  if (width < kThreeColumnsPx) {
    putBehind(StageId::Ttgir);
    const int rest = width * 54 / 100;
    m_window->resizeDocks({ttir, ttgir}, {rest / 2, rest / 2}, Qt::Horizontal);
  } else {
    const int rest = width - width * 36 / 100;
    m_window->resizeDocks({ttir, ttgir, find(stageDockId(StageId::Ptx))},
                          {rest / 3, rest * 36 / 100, rest / 3}, Qt::Horizontal);
  }
  m_window->resizeDocks({ttir, find(QStringLiteral("layout"))},
                        {height * 55 / 100, height * 37 / 100}, Qt::Vertical);
  m_window->resizeDocks({find(QStringLiteral("problems"))}, {height * 38 / 100}, Qt::Vertical);
}

void DockSet::putBehind(StageId front) {
  QDockWidget *place = find(stageDockId(front));
  for (StageId stage : compiler::stagesWith(compiler::stage_trait::Text))
    if (stage > front)
      m_window->tabifyDockWidget(place, find(stageDockId(stage)));
  place->raise();
}

bool DockSet::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_window && event->type() == QEvent::Resize) {
    const auto *resize = static_cast<QResizeEvent *>(event);
    if (!m_awaited.isEmpty() && resize->size() == m_awaitedSize)
      m_window->restoreState(std::exchange(m_awaited, {}));
    else if (resize->oldSize().width() > resize->size().width() && m_awaited.isEmpty())
      leaveRoomForEditor();
    else if (m_isSqueezed && resize->oldSize().width() < resize->size().width())
      takeRoomBack();
    m_widthTimer.start(0);
  } else if (event->type() == QEvent::Resize && !m_isSqueezed) {
    m_widthTimer.start(0);
  }
  return QObject::eventFilter(watched, event);
}

void DockSet::leaveRoomForEditor() {
  const QWidget *editor = m_window->centralWidget();
  const int missing = m_window->width() * kEditorShare / 100 - editor->width();
  if (missing <= 0 || m_maximized->view() || !editor->isVisible())
    return;
  m_isSqueezed = true;
  m_squeezed.clear();
  const QList<QDockWidget *> beside = besideEditor();
  const int room = m_window->width() - editor->width();
  QList<int> widths;
  for (const QDockWidget *dock : beside)
    widths << dock->width() * (room - missing) / room;
  m_window->resizeDocks(beside, widths, Qt::Horizontal);
}

void DockSet::takeRoomBack() {
  if (m_maximized->view() || m_widthsOf <= 0)
    return;
  if (!m_squeezed.empty() && m_squeezed != widthsBeside()) {
    m_isSqueezed = false;
    return;
  }
  const int width = std::min(m_window->width(), m_widthsOf);
  QList<QDockWidget *> docks;
  QList<int> widths;
  for (QDockWidget *dock : besideEditor())
    if (const auto known = m_widths.find(dock); known != m_widths.end()) {
      docks << dock;
      widths << known->second * width / m_widthsOf;
    }
  m_window->resizeDocks(docks, widths, Qt::Horizontal);
  m_isSqueezed = m_window->width() < m_widthsOf;
}

QList<QDockWidget *> DockSet::besideEditor() const {
  QList<QDockWidget *> beside;
  for (ViewDock *dock : inFront())
    if (const auto area = m_window->dockWidgetArea(dock);
        !dock->isFloating() && (area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea))
      beside << dock;
  return beside;
}

std::map<const QDockWidget *, int> DockSet::widthsBeside() const {
  std::map<const QDockWidget *, int> widths;
  for (const QDockWidget *dock : besideEditor())
    widths[dock] = dock->width();
  return widths;
}

void DockSet::keepWidths(const QDockWidget *dock, bool isFloating) {
  if (m_maximized->view())
    return;
  if (isFloating) {
    m_beforeFloating[dock] = m_widths;
    return;
  }
  const auto before = m_beforeFloating.extract(dock);
  if (before.empty())
    return;
  // Qt has its own idea of how wide a view is that comes back, a moment later.
  QTimer::singleShot(0, this, [this, widths = before.mapped()] {
    QList<QDockWidget *> docks;
    QList<int> sizes;
    for (QDockWidget *each : besideEditor())
      if (const auto known = widths.find(each); known != widths.end()) {
        docks << each;
        sizes << known->second;
      }
    m_window->resizeDocks(docks, sizes, Qt::Horizontal);
  });
}

void DockSet::noteWidths() {
  if (m_maximized->view())
    return;
  if (m_isSqueezed) {
    m_squeezed = widthsBeside();
    return;
  }
  m_widths = widthsBeside();
  m_widthsOf = m_window->width();
}

/// Whether an arrangement knows a view: its name is in it, in the form in which Qt writes texts.
static bool knows(const QByteArray &arrangement, const QString &id) {
  QByteArray name;
  for (const QChar each : id)
    name.append(static_cast<char>(each.unicode() >> 8)).append(static_cast<char>(each.unicode()));
  return arrangement.contains(name);
}

void DockSet::restore(const QByteArray &arrangement, QSize size) {
  if (arrangement.isEmpty() || !m_window->restoreState(arrangement)) {
    resizeToDefault();
  } else if (size != m_window->size()) {
    m_awaited = arrangement;
    m_awaitedSize = size;
    QTimer::singleShot(kWindowManagerMs, this, [this] { m_awaited.clear(); });
  }
  // A view that is newer than the arrangement stays behind the one that it is behind by default.
  ViewDock *layout = find(QStringLiteral("layout"));
  for (const char *id : kBehindLayout) {
    ViewDock *view = find(QString::fromLatin1(id));
    if (arrangement.isEmpty() || knows(arrangement, view->objectName()) || layout->isFloating())
      continue;
    m_window->tabifyDockWidget(layout, view);
    layout->raise();
  }
  for (const auto &[id, dock] : m_docks)
    if (dock->isFloating())
      keepOnScreen(*dock);
}

} // namespace tilescope::app
