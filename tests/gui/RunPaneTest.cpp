// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Run view can be read in every size of window and text, and the tool bar runs and stops.
#include "tests/gui/Patience.h"
#include "tests/gui/RunWindow.h"
#include "views/common/Theme.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/run/RunView.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
/// A window of a small screen, whose Run view is as small as beside other views.
struct PaneFixture : RunWindow {
  PaneFixture() {
    window.resize(1366, 768);
    window.action(QStringLiteral("workspace.measure"))->trigger();
    window.restoreDefaultLayout();
    makePane(610);
    open();
  }
  ~PaneFixture() { views::setFontZoom(0); }

  void makePane(int width) {
    window.resizeDocks({window.dock(QStringLiteral("run"))}, {width}, Qt::Horizontal);
    QTest::qWait(50);
  }
  void zoomTo(int steps) {
    while (views::fontZoom() < steps)
      press(Qt::Key_Plus, Qt::ControlModifier);
    QTest::qWait(50);
  }

  void finishRun(int numFindings = 1) {
    LaunchRun run = runWith(profiler::makeTensor(profiler::Dtype::Fp32, {98432},
                                                 {.kind = profiler::TensorInit::Kind::Arange}),
                            97);
    compiler::Diagnostic warning;
    warning.severity = compiler::Severity::Warning;
    warning.range = rangeOf(fixture.editor().utf8Text(), "tl.store");
    warning.message = "a warning of several words, so that it takes more than one line here";
    run.diagnostics.assign(static_cast<size_t>(numFindings), warning);
    runs.finish(std::move(run));
    REQUIRE(QTest::qWaitFor([&] { return view.results().isLoaded(); }, kPatienceMs));
    QTest::qWait(50);
  }

  /// Nothing that can be read or pressed is squashed or cut.
  void checkReadable() {
    // Layouts follow a change in steps.
    (void)QTest::qWaitFor(
        [&] {
          return std::ranges::all_of(view.findChildren<QLineEdit *>(),
                                     [](const QLineEdit *each) {
                                       return !each->isVisible() ||
                                              each->height() >= each->sizeHint().height();
                                     }) &&
                 std::ranges::all_of(view.findChildren<views::HeatMap *>(),
                                     [](const views::HeatMap *each) {
                                       return !each->isVisible() ||
                                              each->height() >= 9 * each->fontMetrics().height();
                                     });
        },
        kPatienceMs);
    for (QWidget *part : view.findChildren<QWidget *>()) {
      if (!part->isVisible())
        continue;
      INFO(part->metaObject()->className() << " " << part->accessibleName().toStdString());
      const auto *label = qobject_cast<QLabel *>(part);
      if (label && label->wordWrap() && !label->text().isEmpty()) {
        INFO(label->text().toStdString());
        CHECK(label->height() >= label->heightForWidth(label->width()));
      }
      if (qobject_cast<QComboBox *>(part) || qobject_cast<QPushButton *>(part)) {
        CHECK(part->height() >= part->sizeHint().height());
        CHECK(part->width() >= std::min(part->sizeHint().width(), view.width() - 40));
      }
      if (qobject_cast<QLineEdit *>(part))
        CHECK(part->height() >= part->sizeHint().height());
      if (qobject_cast<views::HeatMap *>(part))
        CHECK(part->height() >= 9 * part->fontMetrics().height());
    }
  }
  void savePicture(const char *name) {
    const QString folder = qEnvironmentVariable("TILESCOPE_TEST_PICTURES");
    CHECK((folder.isEmpty() || window.grab().save(folder + u'/' + QString::fromLatin1(name))));
  }
  QPushButton *button(const QString &text) {
    for (QPushButton *each : view.findChildren<QPushButton *>())
      if (each->text() == text)
        return each;
    return nullptr;
  }
  QLineEdit *field(const QString &name) {
    for (QLineEdit *edit : view.findChildren<QLineEdit *>())
      if (edit->accessibleName() == name)
        return edit;
    return nullptr;
  }
  /// No part of it is scrolled or pushed away.
  static bool isInSight(const QWidget *widget) {
    return widget && widget->visibleRegion().boundingRect().size() == widget->size();
  }
  QToolButton *runButton() {
    for (QToolButton *button : window.findChildren<QToolButton *>())
      if (button->text() == u"Run" || button->text() == u"Stop")
        return button;
    return nullptr;
  }
};
} // namespace

TEST_CASE("Tab goes from the Run button through the fields of the form", "[gui][run]") {
  PaneFixture test;
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QPushButton *run = nullptr;
  for (QPushButton *each : test.view.findChildren<QPushButton *>())
    if (each->text() == u"Run" && each->isVisible())
      run = each;
  REQUIRE(run);
  run->setFocus(Qt::TabFocusReason);
  QStringList reached;
  for (int i = 0; i < 3; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    INFO(i);
    CHECK(test.view.isAncestorOf(QApplication::focusWidget()));
    reached << QApplication::focusWidget()->accessibleName();
  }
  CHECK(reached.contains(QStringLiteral("n")));
}

TEST_CASE("the Run button that has the keyboard shows it", "[gui][run]") {
  PaneFixture test;
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  for (QPushButton *each : test.view.findChildren<QPushButton *>()) {
    if (each->text() != u"Run")
      continue;
    test.window.editor()->setFocus();
    const QImage before = each->grab().toImage();
    each->setFocus(Qt::TabFocusReason);
    CHECK(each->grab().toImage() != before);
  }
}

TEST_CASE("a run's result is in sight at once on a small screen, and a key brings the values back",
          "[gui][run][window]") {
  PaneFixture test;
  // A little wider, form and results are side by side.
  test.makePane(480);
  test.press(Qt::Key_F5);
  test.finishRun();
  REQUIRE(test.view.isOneColumn());
  const auto isShown = [&](const char *words) {
    for (QLabel *label : test.view.findChildren<QLabel *>())
      if (label->text().contains(QLatin1String(words)))
        return PaneFixture::isInSight(label);
    return false;
  };
  test.savePicture("run-small.png");
  CHECK(isShown("97 programs"));
  auto *findings = test.view.findChild<QListWidget *>();
  CHECK(PaneFixture::isInSight(findings));
  // Of the picture its top: the labels and some rows.
  auto *heatMap = test.view.findChild<views::HeatMap *>();
  CHECK(heatMap->visibleRegion().boundingRect().height() >= 3 * test.view.fontMetrics().height());
  CHECK(PaneFixture::isInSight(test.view.results().findChild<QTabBar *>()));
  for (QComboBox *box : test.view.findChildren<QComboBox *>())
    if (box->accessibleName() == u"How the output is shown")
      CHECK(PaneFixture::isInSight(box));
  CHECK(PaneFixture::isInSight(test.button(QStringLiteral("Run"))));
  QPushButton *values = test.button(QStringLiteral("Values"));
  REQUIRE(PaneFixture::isInSight(values));
  // The size comes before the argument of its name.
  QLineEdit *size = test.field(QStringLiteral("n"));
  CHECK_FALSE(size->isVisible());
  values->setFocus();
  QTest::keyClick(values, Qt::Key_Space);
  CHECK_FALSE(heatMap->isVisible());
  // From the first value on.
  QTest::qWait(100);
  CHECK(PaneFixture::isInSight(size));
  CHECK(PaneFixture::isInSight(values));
  // How the run ended remains, and the next run shows its result from a field, too.
  CHECK(test.view.statusText().contains(u"97 programs"));
  size->setFocus();
  QTest::keyClick(size, Qt::Key_F5);
  test.finishRun();
  CHECK(heatMap->isVisible());
  CHECK(test.view.isAncestorOf(QApplication::focusWidget()));
  QTest::mouseClick(values, Qt::LeftButton);
  CHECK(size->isVisible());
}

TEST_CASE("messages of a run are whole at every width, and many of them leave room",
          "[gui][run][window]") {
  PaneFixture test;
  test.press(Qt::Key_F5);
  test.finishRun(12);
  auto *findings = test.view.findChild<QListWidget *>();
  for (const int width : {1366, 1000, 1800}) {
    test.window.resize(width, 768);
    QTest::qWait(50);
    INFO(width);
    CHECK(findings->verticalScrollBar()->maximum() == 0);
    for (int i = 0; i < findings->count(); ++i)
      CHECK(findings->viewport()->rect().contains(findings->visualItemRect(findings->item(i))));
  }
  REQUIRE(findings->count() == 6);
  const QListWidgetItem *rest = findings->item(5);
  CHECK(rest->text() == u"Show 7 more");
  QTest::mouseClick(findings->viewport(), Qt::LeftButton, {},
                    findings->visualItemRect(rest).center());
  REQUIRE(QTest::qWaitFor([&] { return findings->count() == 12; }, kPatienceMs));
  CHECK(findings->verticalScrollBar()->maximum() == 0);
}

TEST_CASE("rows of the form stay in their places when the theme or the style changes",
          "[gui][run]") {
  PaneFixture test;
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  const auto places = [&] {
    std::vector<int> ys;
    for (const QLineEdit *edit : test.view.findChildren<QLineEdit *>())
      if (edit->isVisible())
        ys.push_back(edit->mapTo(&test.view, QPoint()).y());
    return ys;
  };
  // The dock gets its room after it has come to the front.
  std::vector<int> before;
  REQUIRE(QTest::qWaitFor([&] {
    const std::vector<int> last = std::exchange(before, places());
    return before.size() > 2 && before == last;
  }));
  for (const char *theme : {"light", "dark"}) {
    test.window.setThemeName(QString::fromLatin1(theme));
    QTest::qWait(20);
    CHECK(places() == before);
  }
  // A label that has no size yet takes its margins for its frame when its style changes.
  for (QLabel *label : test.view.form().findChildren<QLabel *>()) {
    label->resize(0, 0);
    QEvent event(QEvent::StyleChange);
    QApplication::sendEvent(label, &event);
  }
  test.window.resize(1366, 760);
  QTest::qWait(20);
  test.window.resize(1366, 768);
  QTest::qWait(20);
  CHECK(places() == before);
}

TEST_CASE("the Run view is readable on a small screen at every text size", "[gui][run][window]") {
  PaneFixture test;
  // 100, 150 and 200 percent.
  for (const int zoom : {0, 5, 10}) {
    INFO("zoom " << zoom);
    test.zoomTo(zoom);
    test.press(Qt::Key_F5);
    test.finishRun();
    // The columns that are behind one another leave the usual text room for both.
    CHECK(test.view.isOneColumn() == (zoom > 0));
    test.checkReadable();
    // The results of the run are visible without scrolling.
    const auto *heatMap = test.view.findChild<views::HeatMap *>();
    QLabel *status = nullptr;
    for (QLabel *label : test.view.findChildren<QLabel *>())
      if (label->text().contains(u"97 programs"))
        status = label;
    REQUIRE(status);
    CHECK_FALSE(status->visibleRegion().isEmpty());
    CHECK(heatMap->isVisible());
    test.savePicture(qPrintable(QStringLiteral("run-%1.png").arg(zoom)));
  }
}

TEST_CASE("form and results are side by side where there is room", "[gui][run][window]") {
  PaneFixture test;
  test.makePane(480);
  CHECK(test.view.isOneColumn());
  // The field that has the keyboard keeps it while the view changes its shape.
  QTest::keyClick(test.window.editor(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QLineEdit *field = nullptr;
  for (QLineEdit *edit : test.view.findChildren<QLineEdit *>())
    if (edit->accessibleName() == u"n")
      field = edit;
  REQUIRE(field);
  field->setFocus();
  QTest::keyClick(field, Qt::Key_M, Qt::ControlModifier);
  QTest::qWait(50);
  CHECK_FALSE(test.view.isOneColumn());
  CHECK(QApplication::focusWidget() == field);
  test.checkReadable();
  QTest::keyClick(field, Qt::Key_F5);
  test.finishRun();
  test.checkReadable();
  test.savePicture("run-wide.png");
  CHECK(test.view.form().geometry().right() <= test.view.results().mapTo(&test.view, QPoint()).x());
}

TEST_CASE("what the file lacks for a launch is read as a whole", "[gui][run][window]") {
  PaneFixture test;
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QSignalSpy settled(&test.window, &MainWindow::settled);
  QTest::keyClick(&test.window, Qt::Key_N, Qt::ControlModifier);
  REQUIRE(settled.wait(kPatienceMs));
  for (const int zoom : {0, 5, 10}) {
    test.zoomTo(zoom);
    test.checkReadable();
  }
}

TEST_CASE("Run stays in the tool bar at every text size, and grows with the text",
          "[gui][window]") {
  PaneFixture test;
  QToolButton *run = test.runButton();
  REQUIRE(run);
  const QToolBar *bar = test.window.findChild<QToolBar *>();
  const QSize small = bar->iconSize();
  for (const int zoom : {0, 5, 10}) {
    test.zoomTo(zoom);
    CHECK(run->isVisible());
    CHECK(test.window.rect().contains(QRect(run->mapTo(&test.window, QPoint()), run->size())));
    CHECK(run->width() >= run->sizeHint().width());
  }
  CHECK(bar->iconSize().width() >= 2 * small.width());
  // So does what closes a file, and a view.
  const QTabBar *files = test.window.centralWidget()->findChild<QTabBar *>();
  CHECK(files->tabButton(0, QTabBar::RightSide)->width() >= 32);
  for (const QToolButton *button :
       test.window.dock(QStringLiteral("layout"))->titleBarWidget()->findChildren<QToolButton *>())
    CHECK(button->iconSize().width() >= 26);
  CHECK(test.window.statusBar()->currentMessage().contains(u"200 %"));
  test.savePicture("toolbar-200.png");
}

TEST_CASE("while a kernel runs, the tool bar stops it and says so", "[gui][run][window]") {
  PaneFixture test;
  QToolButton *button = test.runButton();
  REQUIRE(button);
  CHECK(button->text() == u"Run");
  CHECK(button->toolTip().contains(u"F5"));
  CHECK_FALSE(test.window.action(QStringLiteral("cancelRun"))->isEnabled());
  QTest::mouseClick(button, Qt::LeftButton);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(button->text() == u"Stop");
  // A second run waits, and says for what.
  test.press(Qt::Key_F5);
  CHECK(test.runs.requests.size() == 1);
  CHECK(test.window.statusBar()->currentMessage().contains(u"Shift+F5"));
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK(test.runs.numCancelled == 1);
  LaunchRun stopped;
  stopped.measurement = Error{ErrorCode::Cancelled, "the run was cancelled", ""};
  test.runs.finish(std::move(stopped));
  CHECK(button->text() == u"Run");
}

TEST_CASE("what gets the keyboard in the Run view comes into sight", "[gui][run][window]") {
  PaneFixture test;
  test.zoomTo(10);
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::qWait(50);
  REQUIRE(test.view.isAncestorOf(QApplication::focusWidget()));
  CHECK_FALSE(QApplication::focusWidget()->visibleRegion().isEmpty());
  QScrollBar *bar = nullptr;
  for (QScrollArea *area : test.view.findChildren<QScrollArea *>())
    if (area->isVisible() && area->verticalScrollBar()->maximum() > 0)
      bar = area->verticalScrollBar();
  REQUIRE(bar);
  // Scrolled away, it comes back with the next key that goes there.
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_E, Qt::ControlModifier);
  bar->setValue(bar->maximum());
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::qWait(50);
  CHECK_FALSE(QApplication::focusWidget()->visibleRegion().isEmpty());
}

TEST_CASE("a tool bar that was opened for large text closes with smaller text", "[gui][window]") {
  PaneFixture test;
  const auto *bar = test.window.findChild<QToolBar *>();
  auto *more = bar->findChild<QToolButton *>(QStringLiteral("qt_toolbar_ext_button"));
  REQUIRE(more);
  const int height = bar->height();
  test.zoomTo(10);
  REQUIRE(QTest::qWaitFor([&] { return more->isVisible(); }, kPatienceMs));
  QTest::mouseClick(more, Qt::LeftButton);
  REQUIRE(QTest::qWaitFor([&] { return more->isChecked(); }, kPatienceMs));
  test.press(Qt::Key_0, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return !more->isVisible() && bar->height() == height; }, 3000));
  // Larger text needs it again.
  test.zoomTo(10);
  CHECK(QTest::qWaitFor([&] { return more->isVisible() && !more->isChecked(); }, 3000));
}

TEST_CASE("a document that the interpreter cannot run is not offered to run there",
          "[gui][run][window]") {
  PaneFixture test;
  test.backend.answer = [](const compiler::CompileRequest &request) {
    auto result = sampleResult();
    result->files.front() = {request.path, request.text};
    return result;
  };
  auto *run = test.view.findChild<QPushButton *>();
  for (QPushButton *each : test.view.findChildren<QPushButton *>())
    if (each->text() == u"Run")
      run = each;
  CHECK(run->isEnabled());
  test.fixture.openAndWait(test.fixture.write("vector_add.ttgir", "module {\n}\n"));
  CHECK(QTest::qWaitFor([&] { return !run->isEnabled(); }, kPatienceMs));
  CHECK(run->toolTip().contains(QStringLiteral("Choose a GPU to run TTGIR")));
  test.press(Qt::Key_F5);
  CHECK(test.view.results().statusText().contains(QStringLiteral("Choose a GPU to run TTGIR")));
  test.press(Qt::Key_W, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return run->isEnabled(); }, kPatienceMs));
}

TEST_CASE("the keyboard in the heat map moves from element to element, and is seen there",
          "[gui][run][window]") {
  PaneFixture test;
  test.press(Qt::Key_F5);
  test.finishRun();
  auto *map = test.view.findChild<views::HeatMap *>();
  map->setFocus();
  REQUIRE(QTest::qWaitFor([&] { return map->hasFocus(); }, kPatienceMs));
  CHECK(map->toolTip().startsWith(QStringLiteral("[0] = 0")));
  QTest::keyClick(map, Qt::Key_Right);
  QTest::keyClick(map, Qt::Key_Right);
  CHECK(map->toolTip().startsWith(QStringLiteral("[2] = 2")));
  QTest::keyClick(map, Qt::Key_Left);
  QTest::keyClick(map, Qt::Key_Left);
  QTest::keyClick(map, Qt::Key_Left);
  CHECK(map->toolTip().startsWith(QStringLiteral("[0] = 0")));
  const QImage focused = map->grab().toImage();
  QTest::keyClick(map, Qt::Key_Right);
  QTest::keyClick(map, Qt::Key_Return);
  CHECK(test.view.results().tableModel().rowCount() > 0);
  CHECK_FALSE(map->hasFocus());
  map->clearFocus();
  CHECK(map->grab().toImage() != focused);
}

TEST_CASE("notes of fields are whole whatever is said above them", "[gui][run][window]") {
  PaneFixture test;
  // Without a block the form says what is assumed.
  const std::string text = sampleSource();
  const size_t end = text.find("# ///\n", text.find("# ///") + 5) + 6;
  test.fixture.editor().replaceText(QString::fromStdString(text.substr(end)));
  REQUIRE(QTest::qWaitFor([&] { return test.button(QStringLiteral("Write a launch block")); },
                          kPatienceMs));
  views::RunFormView &form = test.view.form();
  views::RunForm shown;
  shown.current = -1;
  shown.canCreateFor = QStringLiteral("vector_add");
  shown.sections = {{QStringLiteral("Argument types"), {}}};
  for (const char *name : {"x_ptr", "y_ptr", "out_ptr", "n"}) {
    views::RunField field;
    field.label = QString::fromLatin1(name);
    field.path = {QStringLiteral("assumed"), QStringLiteral("signature"), field.label};
    field.text = QStringLiteral("*fp32:16");
    field.remark = QStringLiteral("a pointer to fp32, aligned to 16 bytes; assumed because it is "
                                  "used as one, and most tensors are aligned");
    shown.sections[0].fields.push_back(field);
  }
  for (const int numWords : {1, 60, 5, 120, 0}) {
    INFO(numWords);
    shown.problem = QStringLiteral("word ").repeated(numWords);
    form.setForm(shown);
    // At once, before anything is painted, too.
    for (const QLineEdit *field : test.view.findChildren<QLineEdit *>())
      if (field->isVisible())
        CHECK(field->height() >= field->sizeHint().height());
    test.checkReadable();
    shown.sections[0].fields[0].remark += QStringLiteral(" and more words that need a line");
  }
}

TEST_CASE("a message in the form leaves what the pointer is over in its place",
          "[gui][run][window]") {
  PaneFixture test;
  views::RunFormView &form = test.view.form();
  views::RunForm shown;
  shown.launches = {QStringLiteral("launch")};
  shown.sections = {{QStringLiteral("Arguments"), {}}};
  for (int i = 0; i < 40; ++i) {
    views::RunField field;
    field.label = QStringLiteral("field%1").arg(i);
    field.path = {QStringLiteral("args"), field.label};
    field.text = QStringLiteral("1");
    shown.sections[0].fields.push_back(field);
  }
  form.setForm(shown);
  QTest::qWait(50);
  QLineEdit *edited = test.field(QStringLiteral("field4"));
  REQUIRE(edited != nullptr);
  form.setFolding({});
  edited->setFocus();
  // The form may still be growing, which moves its fields.
  const auto scrollTo = [&] {
    for (QWidget *each = edited; each; each = each->parentWidget())
      if (auto *area = qobject_cast<QScrollArea *>(each))
        area->ensureWidgetVisible(edited);
    return PaneFixture::isInSight(edited);
  };
  REQUIRE(QTest::qWaitFor(scrollTo, kPatienceMs));
  const auto top = [&] { return edited->mapToGlobal(QPoint()).y(); };
  const int before = top();
  const QPoint middle = edited->mapToGlobal(edited->rect().center());
  // Over the field, then elsewhere in the window, while the keyboard is in it.
  for (const QPoint pointer : {middle, test.window.mapToGlobal(QPoint(5, 5))}) {
    QCursor::setPos(pointer);
    shown.sections[0].fields[1].problem = QStringLiteral("a problem of several words ").repeated(9);
    shown.sections[0].fields[3].problem = QStringLiteral("another");
    form.setForm(shown);
    QTest::qWait(50);
    CHECK(QTest::qWaitFor([&] { return top() == before; }, 2000));
    shown.sections[0].fields[1].problem.clear();
    shown.sections[0].fields[3].problem.clear();
    form.setForm(shown);
    QTest::qWait(50);
    CHECK(QTest::qWaitFor([&] { return top() == before; }, 2000));
  }
}

TEST_CASE("launches that are called alike are told apart by their lines", "[gui][run][window]") {
  PaneFixture test;
  std::string text = sampleSource();
  const size_t begin = text.find("# /// tilescope"), end = text.find("# ///\n\n") + 6;
  text.insert(end, "\n" + text.substr(begin, end - begin));
  const auto line = std::count(text.begin(), text.begin() + static_cast<long>(end + 1), '\n') + 1;
  test.fixture.editor().replaceText(QString::fromStdString(text));
  const auto offers = [&](const QString &title) {
    for (const QComboBox *box : test.view.form().findChildren<QComboBox *>())
      if (box->accessibleName() == u"Launch")
        return box->count() == 2 && box->itemText(1) == title;
    return false;
  };
  CHECK(QTest::qWaitFor([&] { return offers(QStringLiteral("vector_add (line %1)").arg(line)); },
                        kPatienceMs));
}
