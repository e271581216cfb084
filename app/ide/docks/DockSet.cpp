// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/DockSet.h"

#include "app/ide/docks/Arrangement.h"
#include "app/ide/docks/DockTitle.h"
#include "app/ide/docks/EditorRoom.h"
#include "app/ide/docks/FocusOutline.h"
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/PointedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/docks/WindowPlacement.h"

#include <QApplication>
#include <QDataStream>
#include <QMainWindow>
#include <QMap>
#include <QPointer>
#include <QResizeEvent>

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilescope::app {

using compiler::StageId;

/// A window manager that takes longer to give a window its size does so after the user's first
/// look.
static constexpr int kWindowManagerMs = 3000;

QString stageDockId(StageId stage) {
  const std::string_view name = compiler::stageName(stage);
  return QStringLiteral("stage.") +
         QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

static QString nameOf(Workspace workspace) {
  return QString::fromLatin1(workspaceKind(workspace).name);
}

// What a session calls the sizes of a workspace.
static QString widthOf(Workspace workspace) { return nameOf(workspace) + QStringLiteral(".width"); }
static QString heightOf(Workspace workspace) {
  return nameOf(workspace) + QStringLiteral(".height");
}

DockSet::DockSet(QMainWindow *window)
    : QObject(window), m_window(window), m_maximized(new MaximizedView(window)),
      m_outline(new FocusOutline(window)), m_pointed(new PointedView(this)),
      m_width(new EditorRoom(window, m_maximized, Qt::Horizontal)),
      m_height(new EditorRoom(window, m_maximized, Qt::Vertical)) {
  window->installEventFilter(this);
  m_tidyTimer.setSingleShot(true);
  connect(&m_tidyTimer, &QTimer::timeout, this, &DockSet::tidy);
  window->setDockNestingEnabled(true);
  window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                         QMainWindow::AllowTabbedDocks);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  // What lies below has the whole width.
  window->setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  window->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
}

DockSet::~DockSet() { delete m_outline; }

ViewDock *DockSet::add(const QString &id, const QString &title, QWidget *view, QWidget *header) {
  auto *created = new ViewDock(id, title, view, header, m_window);
  m_docks[id] = created;
  m_order << id;
  connectDock(created);
  return created;
}

void DockSet::connectDock(ViewDock *dock) {
  connect(dock, &ViewDock::maximizeRequested, this,
          [this, dock] { Q_EMIT maximizeRequested(dock); });
  connect(dock, &QDockWidget::visibilityChanged, this, &DockSet::visibilityChanged);
  const auto tidyLater = [this] { m_tidyTimer.start(0); };
  connect(dock, &QDockWidget::visibilityChanged, this, tidyLater);
  connect(dock, &QDockWidget::topLevelChanged, this, tidyLater);
  connect(dock, &QDockWidget::dockLocationChanged, this, tidyLater);
  connect(dock, &QDockWidget::windowTitleChanged, this, tidyLater);
  connect(dock, &QDockWidget::topLevelChanged, this, [this, dock](bool isFloating) {
    m_width->keep(dock, isFloating);
    m_height->keep(dock, isFloating);
  });
  connect(&dock->title(), &DockTitle::tabChosen, this, &DockSet::choose);
  connect(&dock->title(), &DockTitle::splitRequested, this, [this, dock] { splitRight(dock); });
  dock->installEventFilter(this);
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

ViewDock *DockSet::inUse() const {
  ViewDock *pointed = m_pointed->dock();
  return pointed && pointed->isInFront() ? pointed : focused();
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

int DockSet::keptWidth() const { return m_width->kept(); }

int DockSet::keptHeight() const { return m_height->kept(); }

/// Qt decides again about places whenever docks move, one dock at a time.
void DockSet::tidy() {
  for (const QString &id : m_order) {
    ViewDock *dock = m_docks[id];
    if (!dock->isVisible())
      continue;
    const QList<QDockWidget *> beside =
        dock->isFloating() ? QList<QDockWidget *>() : m_window->tabifiedDockWidgets(dock);
    QList<QDockWidget *> tabs;
    for (const QString &each : m_order)
      if (ViewDock *other = m_docks[each];
          other == dock || (beside.contains(other) && !other->isHidden() && !other->isFloating()))
        tabs << other;
    dock->title().setBeside(tabs);
    dock->title().setSplittable(tabs.size() > 1 && id.startsWith(u"stage."));
  }
  m_outline->place();
}

void DockSet::choose(QDockWidget *dock) {
  ViewDock *before = focused();
  const bool goesAlong = before && m_window->tabifiedDockWidgets(dock).contains(before);
  dock->raise();
  if (goesAlong)
    static_cast<ViewDock *>(dock)->focusView();
  m_pointed->set(static_cast<ViewDock *>(dock));
}

bool DockSet::keepFocus(const std::function<void()> &change) {
  const QPointer<QWidget> focus = QApplication::focusWidget();
  change();
  if (!focus || !focus->isVisible() || focus->visibleRegion().isEmpty())
    return false;
  focus->setFocus();
  return true;
}

bool DockSet::showWorkspace(Workspace workspace) {
  m_maximized->restore();
  m_arrangements[nameOf(m_workspace)] = m_maximized->arrangement();
  m_sizes[m_workspace] = {m_width->sizes(), m_height->sizes()};
  m_scrolls.note(*m_window);
  m_workspace = workspace;
  const bool isKept = keepFocus([this] {
    if (const auto left = m_arrangements.extract(nameOf(m_workspace));
        left.empty() || !restoreState(left.mapped())) {
      arrange();
      resizeToDefault();
      // What was not in sight has a size only once the window is laid out.
      QTimer::singleShot(0, this, [this, workspace = m_workspace] {
        if (workspace != m_workspace)
          return;
        ViewDock *chosen = focused();
        resizeToDefault();
        // Who has gone to a view in the meantime sees it.
        if (chosen)
          chosen->raise();
      });
    }
    // The window may have been larger then.
    for (EditorRoom *room : {m_width, m_height}) {
      room->leave();
      room->forget();
    }
  });
  // What the user has set, as far as the window and the text leave room for it now.
  if (const auto set = m_sizes.extract(workspace); !set.empty()) {
    m_width->setAgain(set.mapped().first);
    m_height->setAgain(set.mapped().second);
  }
  tidy();
  m_scrolls.apply();
  Q_EMIT workspaceChanged();
  return isKept;
}

void DockSet::arrange() {
  m_maximized->restore();
  arrangeDocks(*this, *m_window, m_workspace);
  app::showStagesOf(*this, m_isCpu);
}

void DockSet::showStagesOf(bool isCpu) {
  // A column that the user has opened all the same stays.
  if (isCpu == std::exchange(m_isCpu, isCpu))
    return;
  app::showStagesOf(*this, isCpu);
}

void DockSet::resizeToDefault() {
  m_width->forget();
  m_height->forget();
  sizeDocks(*this, *m_window, m_workspace);
}

QList<QDockWidget *> DockSet::columnsInRow(const ViewDock *column) const {
  QList<QDockWidget *> columns;
  for (ViewDock *dock : inFront())
    if (dock->objectName().startsWith(u"stage.") && !dock->isFloating() && dock->y() == column->y())
      columns << dock;
  return columns;
}

static int widthOf(const QList<QDockWidget *> &columns) {
  int width = 0;
  for (const QDockWidget *column : columns)
    width += column->width();
  return width;
}

static void shareEvenly(QMainWindow &window, const QList<QDockWidget *> &columns, int room) {
  const auto share = room / static_cast<int>(std::max<qsizetype>(1, columns.size()));
  window.resizeDocks(columns, QList<int>(columns.size(), share), Qt::Horizontal);
}

void DockSet::addBeside(ViewDock *place, ViewDock *dock) {
  m_maximized->restore();
  QList<QDockWidget *> columns = columnsInRow(place);
  const int room = widthOf(columns);
  // Beside one that floats, as a window of its own.
  dock->setFloating(place->isFloating());
  if (!place->isFloating())
    m_window->tabifyDockWidget(place, dock);
  dock->show();
  if (!place->isFloating() && app::splitRight(*this, *m_window, dock)) {
    place->raise();
    shareEvenly(*m_window, columns << dock, room);
  }
  tidy();
}

bool DockSet::splitRight(ViewDock *dock) {
  if (dock->isFloating())
    return false;
  const int room = widthOf(columnsInRow(dock));
  bool hasSplit = false;
  const auto split = [&] { hasSplit = app::splitRight(*this, *m_window, dock); };
  if (!keepFocus(split))
    dock->focusView();
  if (hasSplit)
    shareEvenly(*m_window, columnsInRow(dock), room);
  tidy();
  return hasSplit;
}

void DockSet::joinColumns() {
  ViewDock *inUse = focused();
  keepFocus([this] { app::joinColumns(*this, *m_window); });
  if (inUse) {
    inUse->raise();
    inUse->focusView();
  }
  tidy();
}

bool DockSet::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_window && event->type() == QEvent::ApplicationFontChange)
    for (EditorRoom *room : {m_width, m_height})
      room->followText();
  if (event->type() != QEvent::Resize)
    return QObject::eventFilter(watched, event);
  if (watched == m_window) {
    const auto *resize = static_cast<QResizeEvent *>(event);
    if (!m_awaited.isEmpty() && resize->size() == m_awaitedSize) {
      restoreState(std::exchange(m_awaited, {}));
    } else if (m_awaited.isEmpty()) {
      m_width->follow(resize->oldSize().width(), resize->size().width());
      m_height->follow(resize->oldSize().height(), resize->size().height());
    }
  }
  for (EditorRoom *room : {m_width, m_height})
    room->noteLater();
  return QObject::eventFilter(watched, event);
}

std::map<QString, QByteArray> DockSet::arrangements() const {
  std::map<QString, QByteArray> all = m_arrangements;
  all[nameOf(m_workspace)] = m_maximized->arrangement();
  return all;
}

QByteArray DockSet::toBytes(const EditorRoom::Sizes &sizes) const {
  QMap<QString, qint32> views;
  for (const auto &[dock, extent] : sizes.views)
    views[dock->objectName()] = extent;
  QByteArray bytes;
  QDataStream(&bytes, QIODevice::WriteOnly) << sizes.window << sizes.editor << sizes.room << views;
  return bytes;
}

EditorRoom::Sizes DockSet::sizesFrom(const QByteArray &bytes) const {
  EditorRoom::Sizes sizes;
  QMap<QString, qint32> views;
  QDataStream stream(bytes);
  stream >> sizes.window >> sizes.editor >> sizes.room >> views;
  if (stream.status() != QDataStream::Ok || sizes.window <= 0)
    return {};
  for (const auto &[id, extent] : views.asKeyValueRange())
    if (const ViewDock *dock = find(id))
      sizes.views[dock] = extent;
  return sizes;
}

std::map<QString, QByteArray> DockSet::rooms() const {
  std::map<QString, QByteArray> all;
  const auto add = [&](Workspace workspace, const EditorRoom::Sizes &width,
                       const EditorRoom::Sizes &height) {
    all[widthOf(workspace)] = toBytes(width);
    all[heightOf(workspace)] = toBytes(height);
  };
  for (const auto &[workspace, sizes] : m_sizes)
    add(workspace, sizes.first, sizes.second);
  add(m_workspace, m_width->sizes(), m_height->sizes());
  return all;
}

/// Whether an arrangement knows a view: its name is in it, in the form in which Qt writes texts.
static bool knows(const QByteArray &arrangement, const QString &id) {
  QByteArray name;
  for (const QChar each : id)
    name.append(static_cast<char>(each.unicode() >> 8)).append(static_cast<char>(each.unicode()));
  return arrangement.contains(name);
}

bool DockSet::restoreState(const QByteArray &arrangement) {
  if (arrangement.isEmpty() || !m_window->restoreState(arrangement, kArrangementVersion))
    return false;
  // A view that is newer than the arrangement is a tab of the one that it is a tab of by default.
  for (const QString &id : m_order) {
    ViewDock *place = find(placeOfDock(id, m_workspace));
    if (!place || knows(arrangement, id) || place->isFloating())
      continue;
    m_window->tabifyDockWidget(place, find(id));
    if (id.startsWith(u"stage."))
      find(id)->hide();
    place->raise();
  }
  app::showStagesOf(*this, m_isCpu);
  for (const auto &[id, dock] : m_docks)
    if (dock->isFloating())
      keepOnScreen(*dock);
  return true;
}

void DockSet::restore(Workspace current, std::map<QString, QByteArray> arrangements, QSize size,
                      const std::map<QString, QByteArray> &rooms) {
  const bool isOther = current != m_workspace;
  const auto sizesOf = [&](const QString &name) {
    const auto known = rooms.find(name);
    return known == rooms.end() ? EditorRoom::Sizes() : sizesFrom(known->second);
  };
  for (const WorkspaceKind &kind : kWorkspaces)
    if (kind.id != current)
      m_sizes[kind.id] = {sizesOf(widthOf(kind.id)), sizesOf(heightOf(kind.id))};
  m_workspace = current;
  m_arrangements = std::move(arrangements);
  const QByteArray arrangement = std::exchange(m_arrangements[nameOf(current)], {});
  m_arrangements.erase(nameOf(current));
  if (!restoreState(arrangement)) {
    if (isOther)
      arrange();
    resizeToDefault();
  } else if (size != m_window->size()) {
    m_awaited = arrangement;
    m_awaitedSize = size;
    QTimer::singleShot(kWindowManagerMs, this, [this] { m_awaited.clear(); });
  }
  Q_EMIT workspaceChanged();
}

} // namespace tilescope::app
