// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/Arrangement.h"

#include "app/ide/docks/DockSet.h"
#include "app/ide/docks/EditorRoom.h"
#include "app/ide/docks/ViewDock.h"

#include <QMainWindow>
#include <QStatusBar>
#include <QStyle>

#include <algorithm>

namespace tilescope::app {

using compiler::StageId;

/// A narrower window has one column of stages, in which text can be read.
static constexpr int kTwoColumnsPx = 1500;
/// Of the window's width, in percent, for the editor, if that is more than it keeps anyway.
static constexpr int kEditorShare = 36;
/// Of the window's height, in percent, for what lies below: all views there have it, so that their
/// tabs stay under the pointer.
static constexpr int kBelowShare = 30;
/// The same where that is the table of a model.
static constexpr int kModelShare = 42;
/// Of the height that this leaves, in percent, for the picture; the stage above it has the rest.
static constexpr int kPictureShare = 56;

/// Of what the editor leaves of the width, in percent, for the lesson; the picture has the rest.
static constexpr int kLessonShare = 52;

/// The pictures that are tabs of the layout's diagram, in order.
static constexpr const char *kBehindLayout[] = {"access",     "shared",   "pipeline",
                                                "conversion", "programs", "registers"};
/// The views that are tabs of Problems, in order.
static constexpr const char *kBehindProblems[] = {"passes",  "run",  "profile", "trace", "sweep",
                                                  "history", "step", "console", "model"};

static QString text(const char *id) { return QString::fromLatin1(id); }
static QString layoutId() { return QStringLiteral("layout"); }
static QString problemsId() { return QStringLiteral("problems"); }
static QString runId() { return QStringLiteral("run"); }
static QString profileId() { return QStringLiteral("profile"); }
static QString modelId() { return QStringLiteral("model"); }
static QString lessonId() { return QStringLiteral("lesson"); }
/// What programs do with arrays: the picture that lessons begin with.
static QString programsId() { return QStringLiteral("programs"); }

static bool isPicture(const QString &id) {
  return id == layoutId() ||
         std::ranges::any_of(kBehindLayout, [&](const char *each) { return id == text(each); });
}

/// The stage that the second column begins with.
static StageId secondColumn(Workspace workspace) {
  return workspace == Workspace::Measure ? StageId::Sass : StageId::Ttgir;
}

static StageId firstInFront(Workspace workspace) {
  return workspace == Workspace::Measure ? StageId::Ttgir : StageId::Ttir;
}

static bool isOfTarget(StageId stage, bool isCpu) {
  return compiler::stageKind(stage).has(isCpu ? compiler::stage_trait::Cpu
                                              : compiler::stage_trait::Gpu);
}

/// The stage of a column that only processors have.
static std::optional<StageId> cpuStageOf(const QString &id) {
  for (const StageId stage : compiler::stagesWith(compiler::stage_trait::Text))
    if (!isOfTarget(stage, false) && stageDockId(stage) == id)
      return stage;
  return std::nullopt;
}

void showStagesOf(DockSet &docks, bool isCpu) {
  const std::vector<StageId> stages = compiler::stagesWith(compiler::stage_trait::Text);
  for (const StageId lacking : stages) {
    ViewDock *leaving = docks.find(stageDockId(lacking));
    if (isOfTarget(lacking, isCpu) || leaving->isHidden())
      continue;
    const bool isInFront = leaving->isInFront();
    for (const StageId stage : stages) {
      const bool isCounterpart = isOfTarget(stage, isCpu) && !isOfTarget(stage, !isCpu) &&
                                 (stage < StageId::LlvmIr) == (lacking < StageId::LlvmIr);
      ViewDock *coming = docks.find(stageDockId(stage));
      if (!isCounterpart || !coming->isHidden())
        continue;
      coming->show();
      if (isInFront)
        coming->raise();
    }
    leaving->hide();
  }
}

QString extraColumnId(StageId stage, int number) {
  return QStringLiteral("%1.%2").arg(stageDockId(stage)).arg(number);
}

std::optional<StageId> stageOfExtraColumn(const QString &id) {
  const qsizetype dot = id.lastIndexOf(u'.');
  for (const StageId stage : compiler::stagesWith(compiler::stage_trait::Text))
    if (id.left(dot) == stageDockId(stage) && id.mid(dot + 1).toInt() > 1)
      return stage;
  return std::nullopt;
}

QString titleOfExtraColumn(const QString &id) {
  const std::optional<StageId> stage = stageOfExtraColumn(id);
  const std::string_view title = stage ? compiler::stageTitle(*stage) : std::string_view();
  return QStringLiteral("%1 (%2)").arg(
      QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())),
      id.mid(id.lastIndexOf(u'.') + 1));
}

QString placeOfDock(const QString &id, Workspace workspace) {
  if (const std::optional<StageId> stage = stageOfExtraColumn(id))
    return stageDockId(*stage);
  if (const std::optional<StageId> stage = cpuStageOf(id))
    return stageDockId(*stage == StageId::CpuIr ? StageId::Ttgir : StageId::Sass);
  if (id == runId() && workspace == Workspace::Measure)
    return {};
  if ((id == profileId() || id == u"sweep") && workspace == Workspace::Measure)
    return runId();
  if (id != layoutId() && isPicture(id))
    return layoutId();
  return std::ranges::any_of(kBehindProblems, [&](const char *each) { return id == text(each); })
             ? problemsId()
             : QString();
}

/// In two columns; those of a narrow window are joined by `sizeDocks`.
static void placeStages(DockSet &docks, QMainWindow &window, Workspace workspace) {
  const StageId second = secondColumn(workspace);
  QDockWidget *left = docks.find(stageDockId(StageId::Ast));
  QDockWidget *right = docks.find(stageDockId(second));
  if (workspace != Workspace::Write)
    window.splitDockWidget(left, right, Qt::Horizontal);
  for (const StageId stage : compiler::stagesWith(compiler::stage_trait::Text)) {
    QDockWidget *dock = docks.find(stageDockId(stage));
    if (dock != left && dock != right)
      window.tabifyDockWidget(stage < second || workspace == Workspace::Write ? left : right, dock);
    else if (dock == right && workspace == Workspace::Write)
      window.tabifyDockWidget(left, right);
  }
}

static bool isShown(const QString &id, Workspace workspace) {
  const bool isLearn = workspace == Workspace::Learn;
  if (id == lessonId())
    return isLearn;
  if (id == modelId())
    return workspace == Workspace::Model;
  if (isPicture(id))
    return isLearn || workspace == Workspace::See;
  const bool isStage = id.startsWith(u"stage.");
  return !stageOfExtraColumn(id) && !(isLearn && isStage) && !cpuStageOf(id);
}

void arrangeDocks(DockSet &docks, QMainWindow &window, Workspace workspace) {
  for (const QString &id : docks.ids()) {
    docks.find(id)->setFloating(false);
    window.removeDockWidget(docks.find(id));
  }
  QDockWidget *stages = docks.find(stageDockId(StageId::Ast));
  QDockWidget *layout = docks.find(layoutId()), *problems = docks.find(problemsId());
  QDockWidget *run = docks.find(runId());
  const bool isMeasure = workspace == Workspace::Measure;
  window.addDockWidget(Qt::RightDockWidgetArea, stages);
  window.splitDockWidget(stages, isMeasure ? run : layout, Qt::Vertical);
  if (isMeasure)
    window.tabifyDockWidget(run, layout);
  placeStages(docks, window, workspace);
  window.addDockWidget(Qt::BottomDockWidgetArea, problems);
  if (QDockWidget *lesson = docks.find(lessonId()))
    window.addDockWidget(Qt::LeftDockWidgetArea, lesson);
  // A lesson is read from top to bottom.
  window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  for (const QString &id : docks.ids())
    if (const QString place = placeOfDock(id, workspace); !place.isEmpty())
      window.tabifyDockWidget(docks.find(place), docks.find(id));
  for (const QString &id : docks.ids())
    docks.find(id)->setVisible(isShown(id, workspace));
}

/// What can be seen of each place; known to Qt only once the window is shown.
static void raiseFront(DockSet &docks, const QMainWindow &window, Workspace workspace) {
  const bool isMeasure = workspace == Workspace::Measure;
  QDockWidget *first = docks.find(stageDockId(firstInFront(workspace)));
  QDockWidget *second = docks.find(stageDockId(secondColumn(workspace)));
  const bool areTabs = window.tabifiedDockWidgets(first).contains(second);
  if (!areTabs)
    second->raise();
  (areTabs && isMeasure ? second : first)->raise();
  const bool isLearn = workspace == Workspace::Learn, isModel = workspace == Workspace::Model;
  const QString beside = isMeasure ? runId() : isLearn ? programsId() : layoutId();
  for (const QString &id : {beside, isLearn ? runId() : isModel ? modelId() : problemsId()})
    if (QDockWidget *dock = docks.find(id))
      dock->raise();
}

/// What may lie below an editor that has what it keeps.
static int heightBelow(const DockSet &docks, const QMainWindow &window) {
  const QWidget &editor = *window.centralWidget();
  const int between =
      window.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &window);
  return window.height() - editor.mapTo(&window, QPoint()).y() - docks.keptHeight() - between -
         window.statusBar()->height();
}

void sizeDocks(DockSet &docks, QMainWindow &window, Workspace workspace) {
  const int width = window.width(), height = window.height();
  QDockWidget *first = docks.find(stageDockId(firstInFront(workspace)));
  QDockWidget *second = docks.find(stageDockId(secondColumn(workspace)));
  const bool hasTwoBeside =
      workspace == Workspace::Learn || (workspace != Workspace::Write && width >= kTwoColumnsPx);
  const int between =
      (hasTwoBeside ? 2 : 1) *
      window.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &window);
  const int beside = width - between - std::max(docks.keptWidth(), width * kEditorShare / 100);
  if (workspace == Workspace::Learn) {
    // What is to be read gets more than half of what the editor leaves.
    const int lesson = beside * kLessonShare / 100;
    window.resizeDocks({docks.find(lessonId()), docks.find(programsId())},
                       {lesson, beside - lesson}, Qt::Horizontal);
  } else if (workspace == Workspace::Write) {
    window.resizeDocks({first}, {beside}, Qt::Horizontal);
  } else if (width < kTwoColumnsPx) {
    joinColumns(docks, window);
    window.resizeDocks({workspace == Workspace::Measure ? second : first}, {beside},
                       Qt::Horizontal);
  } else {
    window.resizeDocks({first, second}, {beside / 2, beside / 2}, Qt::Horizontal);
  }
  const int below =
      std::min(height * (workspace == Workspace::Model ? kModelShare : kBelowShare) / 100,
               heightBelow(docks, window));
  window.resizeDocks({docks.find(problemsId())}, {below}, Qt::Vertical);
  QDockWidget *picture = docks.find(workspace == Workspace::Measure ? runId() : layoutId());
  if (!picture->isHidden())
    window.resizeDocks(
        {first, picture},
        {(height - below) * (100 - kPictureShare) / 100, (height - below) * kPictureShare / 100},
        Qt::Vertical);
  raiseFront(docks, window, workspace);
}

/// Makes `tabs` tabs of `place`, hidden ones among them as hidden.
static void tabify(QMainWindow &window, QDockWidget *place, const QList<QDockWidget *> &tabs,
                   const QList<QDockWidget *> &hidden) {
  for (QDockWidget *tab : tabs) {
    window.tabifyDockWidget(place, tab);
    tab->setVisible(!hidden.contains(tab));
  }
}

bool splitRight(DockSet &docks, QMainWindow &window, ViewDock *front) {
  QList<QDockWidget *> all, hidden, left, right;
  const QList<QDockWidget *> beside = window.tabifiedDockWidgets(front);
  for (const QString &id : docks.ids()) {
    QDockWidget *dock = docks.find(id);
    if (dock != front && !beside.contains(dock))
      continue;
    all << dock;
    if (dock->isHidden())
      hidden << dock;
  }
  const qsizetype at = all.indexOf(front);
  for (qsizetype i = 0; i < all.size(); ++i)
    if (i != at)
      (i < at ? left : right) << all[i];
  const auto isShown = [&](const QDockWidget *dock) { return !dock->isHidden(); };
  QDockWidget *first = front, *second = nullptr;
  if (const auto next = std::ranges::find_if(right, isShown); next != right.end()) {
    second = *next;
  } else if (const auto last = std::find_if(left.rbegin(), left.rend(), isShown);
             last != left.rend()) {
    first = *last;
    second = front;
  } else {
    return false;
  }
  left.removeAll(first);
  right.removeAll(second);
  // Qt splits only a place that has one dock, and keeps the places of docks that are removed: they
  // must be elsewhere for a moment, hidden.
  for (QDockWidget *dock : all)
    if (dock != first) {
      dock->hide();
      window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    }
  window.splitDockWidget(first, second, Qt::Horizontal);
  second->show();
  tabify(window, first, left, hidden);
  tabify(window, second, right, hidden);
  first->raise();
  second->raise();
  return true;
}

void joinColumns(DockSet &docks, QMainWindow &window) {
  QList<QDockWidget *> columns, hidden;
  for (const StageId stage : compiler::stagesWith(compiler::stage_trait::Text))
    if (ViewDock *dock = docks.find(stageDockId(stage)); !dock->isFloating()) {
      columns << dock;
      if (dock->isHidden())
        hidden << dock;
    }
  if (columns.size() < 2)
    return;
  // Where the first one is that can be seen.
  const auto shown = std::ranges::find_if(columns, [](auto *dock) { return !dock->isHidden(); });
  if (shown == columns.end())
    return;
  QDockWidget *place = *shown;
  columns.erase(shown);
  tabify(window, place, columns, hidden);
}

} // namespace tilescope::app
