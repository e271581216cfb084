// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/Presentation.h"

#include "app/ide/docks/MaximizedView.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/lesson/LessonController.h"
#include "app/ide/present/PresentController.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/ProgramSliders.h"
#include "views/access/AccessView.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/programs/ProgramsView.h"
#include "views/stages/StageColumn.h"

#include <QDir>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace tilescope::app {

using namespace tilescope::views;

static constexpr QLatin1String kStagePrefix("stage.");

struct PresentKey {
  const char *id;
  QString text;
  PresentCommand command;
};

static std::vector<PresentKey> presentKeys() {
  const auto words = [](const char *text) { return Presentation::tr(text); };
  return {{"present.next", words("Presentation: next"), PresentCommand::Next},
          {"present.previous", words("Presentation: previous"), PresentCommand::Previous},
          {"present.spotlight", words("Presentation: spotlight"), PresentCommand::Spotlight},
          {"present.draw", words("Presentation: draw"), PresentCommand::Draw},
          {"present.clear", words("Presentation: clear the drawing"), PresentCommand::Clear},
          {"present.notes", words("Presentation: notes"), PresentCommand::Notes},
          {"present.blank", words("Presentation: dark screen"), PresentCommand::Blank},
          {"present.loop", words("Presentation: go on by itself"), PresentCommand::Loop},
          {"present.end", words("Presentation: end"), PresentCommand::End}};
}

Presentation::Presentation(MainWindow *window, DockSet *docks, ActionTable &actions)
    : QObject(window), m_window(window), m_docks(docks), m_actions(actions),
      m_controller(new PresentController(window)), m_sliders(new HeldSliders(this)) {
  m_controller->setTargetFinder([this] { return target(); });
  connect(m_controller, &PresentController::begun, this, &Presentation::begin);
  connect(m_controller, &PresentController::stopShown, this, &Presentation::showStop);
  connect(m_controller, &PresentController::ended, this, &Presentation::end);
  addCommands(actions);
}

void Presentation::addCommands(ActionTable &actions) {
  actions.add(QStringLiteral("present.open"), tr("Present a script…"),
              QKeySequence(QStringLiteral("Ctrl+Alt+S")), [this] { choose(); });
  for (const PresentKey &each : presentKeys())
    actions.add(QString::fromLatin1(each.id), each.text, {},
                [this, command = each.command] { m_controller->command(command); });
  enableCommands(false);
}

void Presentation::enableCommands(bool isUnderWay) {
  for (const PresentKey &each : presentKeys())
    m_actions.find(QString::fromLatin1(each.id))->setEnabled(isUnderWay);
}

void Presentation::choose() {
  const QStringList paths = askFilesToOpen({.window = m_window,
                                            .title = tr("Present a script"),
                                            .place = QDir::homePath(),
                                            .kinds = tr("Presentations (*present.toml)")});
  if (!paths.isEmpty())
    open(paths.front());
}

PresentViews Presentation::views() const {
  PresentViews views{{kEditorView, {}}};
  for (const QString &id : m_docks->ids()) {
    std::vector<std::string> &sliders =
        views[(id.startsWith(kStagePrefix) ? id.mid(kStagePrefix.size()) : id).toStdString()];
    for (const auto &[name, slider] : slidersOf(*m_docks->find(id)))
      sliders.push_back(name.toStdString());
  }
  return views;
}

void Presentation::open(const QString &path) {
  Result<PresentScript> script = readPresentScript(path.toStdString(), views());
  if (script)
    m_controller->begin(std::move(*script));
  else
    m_window->refuseFile(QString::fromStdString(script.error().message));
}

void Presentation::begin() {
  enableCommands(true);
  m_zoom = fontZoom();
  m_state = m_window->windowState();
  m_geometry = m_window->saveGeometry();
  m_size = m_window->size();
  m_page = m_window->currentPage();
  const int wanted = m_controller->state()->script().textPercent;
  // Up to the largest size that there is.
  for (int before = 0; textPercent() < wanted && textPercent() != before;) {
    before = textPercent();
    setFontZoom(fontZoom() + 1);
  }
  m_window->setContentsMargins(0, 0, 0, m_controller->layer()->captionHeight());
  m_window->setWindowState(m_state | Qt::WindowFullScreen);
}

void Presentation::keepPlacement(Session &session) const {
  if (!m_controller->isUnderWay())
    return;
  session.geometry = m_geometry;
  session.windowSize = m_size;
}

void Presentation::end() {
  m_sliders->release();
  m_window->setUpdatesEnabled(false);
  m_docks->maximized().restore();
  setBarsVisible(true);
  showTabs(true);
  m_window->setContentsMargins({});
  m_window->setWindowState(m_state);
  enableCommands(false);
  Q_EMIT zoomRequested(m_zoom - fontZoom());
  if (auto *tabs = m_window->findChild<FileTabs *>(); tabs && m_page)
    tabs->setCurrentWidget(m_page);
  for (const QPointer<EditorPage> &page : std::exchange(m_opened, {}))
    if (page && m_page)
      close(*page);
  m_window->setUpdatesEnabled(true);
}

/// Changes of a lesson's own texts are thrown away; of others, the user decides later.
void Presentation::close(EditorPage &page) {
  if (page.isModified() && !m_window->lessons()->shelf().holds(page.path()))
    return;
  // There is nothing to ask about a text that can only be read.
  if (page.isModified())
    page.showReadOnly(page.path(), {});
  if (auto *tabs = m_window->findChild<FileTabs *>())
    Q_EMIT tabs->tabCloseRequested(tabs->indexOf(&page));
}

void Presentation::setBarsVisible(bool areVisible) {
  m_window->menuBar()->setVisible(areVisible);
  m_window->statusBar()->setVisible(areVisible);
  for (QToolBar *each : m_window->findChildren<QToolBar *>(QString(), Qt::FindDirectChildrenOnly))
    each->setVisible(areVisible);
}

void Presentation::showTabs(bool ofAllFiles) {
  auto *tabs = m_window->findChild<FileTabs *>();
  const auto isPresented = [&](const EditorPage *page) {
    return page == m_window->currentPage() ||
           std::ranges::any_of(m_opened, [&](const auto &opened) { return opened == page; });
  };
  for (EditorPage *page : tabs ? tabs->pages() : std::vector<EditorPage *>())
    tabs->setTabVisible(tabs->indexOf(page), ofAllFiles || isPresented(page));
}

QWidget *Presentation::viewNamed(const QString &name) const {
  if (name == QLatin1String(kEditorView))
    return nullptr;
  ViewDock *dock = m_docks->find(name);
  return dock ? dock : m_docks->find(kStagePrefix + name);
}

EditorPage *Presentation::openPage(const QString &file) {
  const auto *tabs = m_window->findChild<FileTabs *>();
  const std::vector<EditorPage *> before = tabs ? tabs->pages() : std::vector<EditorPage *>();
  EditorPage *page = m_window->openFile(file);
  if (page && std::ranges::find(before, page) == before.end())
    m_opened.emplace_back(page);
  return page;
}

bool Presentation::showPlace(const PresentStep &step) {
  const QString file = QString::fromStdString(step.file);
  EditorPage *page = m_window->currentPage();
  if (!page || page->path() != file)
    page = openPage(file);
  if (!page)
    return false;
  if (step.cursor) {
    page->editor().goTo(*step.cursor);
    // An editor reports its cursor when it is painted, and this one may be hidden by then.
    Q_EMIT page->editor().cursorMoved(*step.cursor);
  }
  CompileController &compile = *m_window->compileController();
  if (const DocumentPointer document = compile.document();
      document && !step.kernel.empty() && document->kernel() != step.kernel)
    compile.setChoice(chooseKernel(*document, step.kernel));
  return true;
}

void Presentation::showStop(const PresentStep &step, const QString &view) {
  // Neither other views nor the menus are seen for a moment.
  m_window->setUpdatesEnabled(false);
  const bool isOpen = showPlace(step);
  QWidget *shown = viewNamed(view);
  m_docks->maximized().show(shown ? shown : m_window->centralWidget());
  setBarsVisible(false);
  showTabs(false);
  if (shown)
    m_sliders->hold(*shown, wishes(step));
  else
    m_sliders->release();
  m_window->setUpdatesEnabled(true);
  if (!isOpen)
    m_controller->setRemark(tr("The file of this step cannot be opened any more."));
}

HeldSliders::Wishes Presentation::wishes(const PresentStep &step) const {
  HeldSliders::Wishes wishes;
  for (const auto &[name, number] : step.sliders)
    wishes[QString::fromStdString(name)] = [number = static_cast<int>(number)] {
      return std::optional(number);
    };
  wishes.merge(programWishes(step.program, m_window->accessView()));
  return wishes;
}

/// Where a part of a widget is in the window.
static QRectF inWindow(const QWidget &widget, const QRectF &part) {
  return part.translated(widget.mapTo(widget.window(), QPoint()));
}

/// The number of an element, the last dimension fastest; nothing: there is no such element.
static std::optional<int64_t> numberIn(const std::vector<int64_t> &shape,
                                       const std::vector<int64_t> &element) {
  int64_t number = 0;
  if (shape.size() != element.size())
    return std::nullopt;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (element[dim] >= shape[dim])
      return std::nullopt;
    number = number * shape[dim] + element[dim];
  }
  return number;
}

std::optional<QRectF> Presentation::elementIn(const PresentStep &step, const QString &view) const {
  if (step.element.empty())
    return std::nullopt;
  if (view == u"layout") {
    const compiler::LayoutFacts *shown = m_window->layoutDiagram()->current();
    DiagramCanvas &canvas = m_window->layoutDiagram()->tensorCanvas();
    const auto number = shown ? numberIn(shown->shape, step.element) : std::nullopt;
    return number ? std::optional(inWindow(canvas, canvas.cellRect(*number))) : std::nullopt;
  }
  const TouchedArraysPointer arrays = m_window->programsView()->content().arrays;
  if (view != u"programs" || !arrays)
    return std::nullopt;
  ArrayCanvas &canvas = m_window->programsView()->canvas();
  for (size_t array = 0; array < arrays->numArrays(); ++array) {
    const compiler::RecordedArgument &argument = arrays->argument(array);
    const auto number = step.argument.empty() || argument.name == step.argument
                            ? numberIn(argument.shape, step.element)
                            : std::nullopt;
    if (!number)
      continue;
    const QRectF place =
        canvas.rectOf({array, compiler::access::elementAt(arrays->shape(array), *number)});
    return place.isEmpty() ? std::nullopt : std::optional(inWindow(canvas, place));
  }
  return std::nullopt;
}

std::optional<QRectF> Presentation::target() const {
  const PresentState *state = m_controller->state();
  if (!state)
    return std::nullopt;
  const QString view = QString::fromStdString(state->view());
  const QWidget *dock = viewNamed(view);
  if (!dock) {
    const KernelEditor *editor = m_window->editor();
    if (!editor || !editor->isVisible())
      return std::nullopt;
    const QRectF line = editor->lineRect(editor->cursor().line);
    return QRectF(editor->viewport()->rect()).intersects(line)
               ? std::optional(inWindow(*editor->viewport(), line))
               : std::nullopt;
  }
  if (const auto *column = dock->findChild<StageColumn *>()) {
    const QRect line = column->codeView().relatedRect();
    return line.isEmpty() ? std::nullopt
                          : std::optional(inWindow(*column->codeView().viewport(), line));
  }
  return elementIn(state->step(), view);
}

} // namespace tilescope::app
