// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/WalkthroughReplay.h"

#include "app/commands/InspectionText.h"
#include "app/commands/RunLaunch.h"
#include "app/ide/history/HistoryController.h"
#include "app/ide/history/HistoryLog.h"
#include "tests/gui/Patience.h"
#include "tests/support/FakeResult.h"
#include "views/access/AccessView.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/FixPopup.h"
#include "views/history/HistoryView.h"
#include "views/problems/ProblemsView.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilescope::tests {

using app::Inspection;
namespace fs = std::filesystem;

/// What is typed later is another version of the kernel.
static constexpr int kNewVersionMs = app::HistoryLog::kTypingMs + 100;

static std::string readText(const fs::path &path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

static bool waitFor(const std::function<bool()> &what) {
  return QTest::qWaitFor(what, kPatienceMs);
}

WalkthroughReplay::WalkthroughReplay(WalkthroughFiles files)
    : m_files(std::move(files)), m_client({.program = TILESCOPE_WORKER_PATH}) {}

std::string WalkthroughReplay::fileText(const std::string &name) const {
  return readText(fs::path(TILESCOPE_WALKTHROUGHS) / name);
}

void WalkthroughReplay::replay(const std::string &last) {
  const std::string text = fileText(m_files.start);
  if (inspect(text).resources.registers < 0) {
    WARN("skipped: this machine has no ptxas; scripts/setup gets it");
    return;
  }
  m_outputs = run(text);
  REQUIRE_FALSE(m_outputs.empty());
  m_fixture.openAndWait(m_fixture.write(m_files.start.c_str(), text));
  settle();
  const std::vector<PageBlock> blocks =
      pageBlocks(readText(fs::path(TILESCOPE_GUIDE) / m_files.page));
  REQUIRE_FALSE(blocks.empty());
  for (const PageBlock &block : blocks) {
    INFO(m_files.page << ":" << block.pageLine << ", " << block.kind << " " << block.argument);
    perform(block);
  }
  CHECK(window().editor()->utf8Text() == fileText(last));
  for (const compiler::Hint &hint : inspect(fileText(last)).hints)
    CHECK(hint.rank > 1);
}

void WalkthroughReplay::perform(const PageBlock &block) {
  static const std::map<std::string, void (WalkthroughReplay::*)(const PageBlock &)> kKinds{
      {"diff", &WalkthroughReplay::edit},
      {"fix", &WalkthroughReplay::applyFix},
      {"hints", &WalkthroughReplay::checkHints},
      {"access", &WalkthroughReplay::checkView},
      {"conversion", &WalkthroughReplay::checkView},
      {"programs", &WalkthroughReplay::checkView},
      {"registers", &WalkthroughReplay::checkView},
      {"shared", &WalkthroughReplay::checkView},
      {"history", &WalkthroughReplay::checkHistory},
      {"compare", &WalkthroughReplay::checkComparison}};
  const auto kind = kKinds.find(block.kind);
  // Programs in full are to be read.
  if (kind != kKinds.end())
    (this->*kind->second)(block);
  else
    REQUIRE(block.kind == "python");
}

// What the reader does.

void WalkthroughReplay::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(window().editor(), key, modifiers);
}

/// By Ctrl+F from the top.
void WalkthroughReplay::goTo(const std::string &snippet) {
  press(Qt::Key_E, Qt::ControlModifier);
  press(Qt::Key_Home, Qt::ControlModifier);
  press(Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), QString::fromStdString(snippet));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  REQUIRE(waitFor([&] { return window().editor()->hasFocus(); }));
  REQUIRE(window().editor()->selectedText().toStdString() == snippet);
  // To the beginning of what was found.
  press(Qt::Key_Left);
}

void WalkthroughReplay::goToLine(size_t line) {
  press(Qt::Key_G, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), QString::number(line + 1));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  REQUIRE(waitFor([&] { return window().editor()->hasFocus(); }));
  // The first key goes to the first word of the line.
  press(Qt::Key_End);
  for (int i = 0; i < 2 && window().editor()->cursor().column > 0; ++i)
    press(Qt::Key_Home);
  REQUIRE(window().editor()->cursor() == Position{static_cast<uint32_t>(line), 0});
}

/// Over the indentation that the editor has made.
void WalkthroughReplay::typeLine(const std::string &line) {
  for (int i = 0; i < 2 && window().editor()->cursor().column > 0; ++i)
    press(Qt::Key_Home, Qt::ShiftModifier);
  if (line.empty())
    press(Qt::Key_Delete);
  m_fixture.type(line.c_str());
  // Enter would take what is offered.
  if (window().editor()->completionPopup().isVisible())
    press(Qt::Key_Escape);
}

/// The lines from `first` on become others.
void WalkthroughReplay::typeOver(size_t first, Hunk hunk) {
  while (!hunk.before.empty() && !hunk.after.empty() && hunk.before.front() == hunk.after.front()) {
    hunk.before.erase(hunk.before.begin());
    hunk.after.erase(hunk.after.begin());
    ++first;
  }
  while (!hunk.before.empty() && !hunk.after.empty() && hunk.before.back() == hunk.after.back()) {
    hunk.before.pop_back();
    hunk.after.pop_back();
  }
  if (hunk.before.empty()) {
    goToLine(first - 1);
    press(Qt::Key_End);
    press(Qt::Key_Return);
  } else {
    goToLine(first);
    for (size_t i = 1; i < hunk.before.size() + (hunk.after.empty() ? 1 : 0); ++i)
      press(Qt::Key_Down, Qt::ShiftModifier);
    if (!hunk.after.empty())
      press(Qt::Key_End, Qt::ShiftModifier);
    press(Qt::Key_Delete);
  }
  for (size_t i = 0; i < hunk.after.size(); ++i) {
    if (i > 0)
      press(Qt::Key_Return);
    typeLine(hunk.after[i]);
  }
}

void WalkthroughReplay::edit(const PageBlock &block) {
  QTest::qWait(kNewVersionMs);
  press(Qt::Key_E, Qt::ControlModifier);
  for (const Hunk &hunk : hunks(block.lines)) {
    const std::vector<std::string> lines = linesOf(window().editor()->utf8Text());
    const auto found = std::ranges::search(lines, hunk.before);
    REQUIRE_FALSE(found.empty());
    typeOver(static_cast<size_t>(found.begin() - lines.begin()), hunk);
  }
  checkStep(block);
}

/// Ctrl+. on the line of the first hint with a fix, and Enter on what it offers: the page's line.
void WalkthroughReplay::applyFix(const PageBlock &block) {
  const auto &hints = window().problems()->model().hints();
  const auto hinted = [&] {
    return std::ranges::find_if(hints,
                                [](const compiler::Hint &hint) { return !hint.fixes.empty(); });
  };
  REQUIRE(waitFor([&] { return hinted() != hints.end(); }));
  QTest::qWait(kNewVersionMs);
  press(Qt::Key_E, Qt::ControlModifier);
  goToLine(hinted()->range.begin.line);
  press(Qt::Key_Period, Qt::ControlModifier);
  auto *popup = qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  REQUIRE(block.lines.size() == 1);
  CHECK(popup->fixes().front().edit.title.find(block.lines.front()) != std::string::npos);
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  window().activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&window()));
  checkStep(block);
}

void WalkthroughReplay::settle() {
  app::CompileController &compile = *window().compileController();
  REQUIRE(waitFor([&] {
    return compile.latest() && !compile.isRunning() &&
           compile.latest()->result()->revision == compile.request().revision;
  }));
  REQUIRE(compile.latest()->result()->ok);
}

// What the page says.

void WalkthroughReplay::checkStep(const PageBlock &block) {
  const std::string text = window().editor()->utf8Text();
  REQUIRE(text == fileText(block.argument));
  settle();
  CHECK(run(text) == m_outputs);
}

/// What a list or a tree says, row by row.
static void addRows(const QAbstractItemModel &model, const QModelIndex &parent, QString &text) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    for (int column = 0; column < model.columnCount(parent); ++column)
      text += model.index(row, column, parent).data().toString() + u'\n';
    addRows(model, model.index(row, 0, parent), text);
  }
}

static QString shownText(const QWidget &view) {
  QString text;
  for (const QLabel *label : view.findChildren<QLabel *>())
    if (label->isVisibleTo(&view))
      text += label->text() + u'\n';
  for (const QAbstractItemView *list : view.findChildren<QAbstractItemView *>())
    if (list->isVisibleTo(&view) && list->model())
      addRows(*list->model(), {}, text);
  return text;
}

void WalkthroughReplay::expectShown(const PageBlock &block, const char *dock) {
  const QWidget &view = *window().dock(QString::fromLatin1(dock));
  const auto missing = [&] {
    const QString text = shownText(view);
    std::string lines;
    for (const std::string &line : block.lines)
      if (!text.contains(QString::fromStdString(line).trimmed()))
        lines += line + '\n';
    return lines;
  };
  // Where the machine is so busy that counts take longer than they may, they are asked for again.
  for (int tries = 0; tries < 3 && !waitFor([&] { return missing().empty(); }); ++tries)
    press(Qt::Key_B, Qt::ControlModifier);
  INFO("shown:\n" << shownText(view).toStdString());
  CHECK(missing() == "");
}

/// The lines are in Problems, whose hints are those of `tilescope inspect`.
void WalkthroughReplay::checkHints(const PageBlock &block) {
  press(Qt::Key_8, Qt::ControlModifier);
  const std::vector<compiler::Hint> inspected = inspect(window().editor()->utf8Text()).hints;
  const auto isShown = [&] {
    return std::ranges::equal(window().problems()->model().hints(), inspected,
                              [](const compiler::Hint &shown, const compiler::Hint &hint) {
                                return shown.message == hint.message &&
                                       shown.evidence == hint.evidence;
                              });
  };
  CHECK(waitFor(isShown));
  expectShown(block, "problems");
  clickHint(window().problems()->model().hints().front());
}

/// A click on the hint in the list, and Enter, lead to its line.
void WalkthroughReplay::clickHint(const compiler::Hint &hint) {
  auto *tree = window().problems()->findChild<QTreeView *>();
  const QAbstractItemModel &model = *tree->model();
  const QModelIndexList rows =
      model.match(model.index(0, 0), Qt::DisplayRole, QString::fromStdString(hint.message), 1,
                  Qt::MatchExactly);
  REQUIRE(rows.size() == 1);
  const Position place = hint.range.begin;
  tree->scrollTo(rows.front());
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(rows.front()).center());
  QTest::keyClick(tree, Qt::Key_Return);
  CHECK(waitFor([&] { return window().editor()->cursor() == place; }));
}

/// `access SNIPPET`, and so on: the cursor is at the snippet. `programs KEYS`: the view gets keys.
void WalkthroughReplay::checkView(const PageBlock &block) {
  static const std::map<std::string, Qt::Key> kKeys{{"access", Qt::Key_A},
                                                    {"conversion", Qt::Key_C},
                                                    {"programs", Qt::Key_G},
                                                    {"registers", Qt::Key_Y},
                                                    {"shared", Qt::Key_M}};
  const bool isAtPlace = block.kind != "programs" && !block.argument.empty();
  if (isAtPlace)
    goTo(block.argument);
  press(kKeys.at(block.kind), Qt::ControlModifier | Qt::ShiftModifier);
  const app::ViewDock *dock = window().dock(QString::fromStdString(block.kind));
  REQUIRE(waitFor([&] {
    return QApplication::focusWidget() && dock->isAncestorOf(QApplication::focusWidget());
  }));
  if (!isAtPlace)
    for (const char key : block.argument)
      if (key != ' ')
        QTest::keyClick(QApplication::focusWidget(), key);
  expectShown(block, block.kind.c_str());
  if (block.kind == "access")
    clickElement();
}

/// The pointer on an element of the picture says whose it is.
void WalkthroughReplay::clickElement() {
  views::AccessView &view = *window().accessView();
  const QPoint place = view.canvas().placeRect(1).center().toPoint();
  QTest::mouseMove(view.canvas().viewport(), place);
  QTest::mouseClick(view.canvas().viewport(), Qt::LeftButton, {}, place);
  CHECK(view.infoText().contains(u"lane "));
  QTest::keyClick(&view.canvas(), Qt::Key_Escape);
}

/// One line, broken for the page.
static std::string joined(const PageBlock &block) {
  std::string text;
  for (const std::string &line : block.lines)
    text += (text.empty() ? "" : " ") + line;
  return text;
}

/// The newest version's line of facts.
void WalkthroughReplay::checkHistory(const PageBlock &block) {
  press(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
  const views::HistoryModel &model = window().versions()->view()->model();
  const auto change = [&] {
    return model.index(0, views::HistoryModel::Change).data().toString().toStdString();
  };
  (void)waitFor([&] { return change() == joined(block); });
  CHECK(change() == joined(block));
  compareWithVersionBefore(block);
}

/// However many versions typing made: the newest and the one that the edit began with are chosen.
void WalkthroughReplay::compareWithVersionBefore(const PageBlock &block) {
  views::HistoryView &history = *window().versions()->view();
  const views::HistoryModel &model = history.model();
  const int before = m_version > 0 ? model.rowOf(m_version) : model.rowCount() - 1;
  QTableView &table = history.table();
  const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
    table.scrollTo(model.index(row, 0));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers,
                      table.visualRect(model.index(row, 0)).center());
  };
  click(0, {});
  click(before, Qt::ControlModifier);
  m_version = model.entryAt(0)->number;
  CHECK(history.difference().section(QStringLiteral(": "), 1).toStdString() == joined(block));
  click(0, {});
}

/// `compare FILE`: between that step and the text of now.
void WalkthroughReplay::checkComparison(const PageBlock &block) {
  CHECK(app::differenceLine(inspect(fileText(block.argument)),
                            inspect(window().editor()->utf8Text())) == joined(block));
}

static app::InputFile inputOf(const std::string &text) {
  app::InputFile input;
  input.path = "kernel.py";
  input.text = text;
  input.entry = compiler::StageId::Ast;
  return input;
}

Inspection WalkthroughReplay::inspect(const std::string &text) {
  Result<Inspection> inspection = app::inspectInput(m_client, inputOf(text), {});
  REQUIRE(inspection);
  REQUIRE(inspection->memory);
  return std::move(*inspection);
}

WalkthroughReplay::Outputs WalkthroughReplay::run(const std::string &text) {
  const QTemporaryDir folder;
  app::LaunchRequest request;
  request.input = inputOf(text);
  request.selection.sizes = m_files.sizes;
  request.dumpFolder = folder.path().toStdString();
  const app::LaunchRun run = app::runLaunch(m_client, request);
  for (const compiler::Diagnostic &diagnostic : run.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(run.ok());
  Outputs outputs;
  for (const fs::directory_entry &entry : fs::directory_iterator(request.dumpFolder))
    outputs[entry.path().filename()] = readText(entry.path());
  return outputs;
}

} // namespace tilescope::tests
