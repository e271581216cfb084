// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Lesson view as its author sees it, and with the keyboard and a screen reader alone.
#include "tests/gui/LessonFixture.h"
#include "tests/gui/Patience.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/QuestionPanel.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>

#include <catch2/catch.hpp>
#include <set>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

struct NoBackend : LessonBackend {
  std::vector<LessonRequest> requests;
  void check(const LessonRequest &request) override {
    requests.push_back(request);
    // At once, as far as the controller can tell.
    Q_EMIT checked(request.number,
                   std::vector<GoalState>(request.lesson->goals.size(),
                                          GoalState{GoalVerdict::NotMet, "not yet", {}}));
  }
  void cancel() override {}
  void ask(const AnswerRequest &) override {}
};

/// A lesson in a folder of its own, and the view that shows it.
struct Author {
  QTemporaryDir learner, folder;
  NoBackend backend;
  QWidget window;
  LessonController lessons{LessonShelf(QStringLiteral(TILESCOPE_LESSONS), learner.path()), &backend,
                           &window};
  views::LessonView &view = *lessons.view();

  static constexpr const char *kToml = "title = \"Mine\"\nsummary = \"S\"\nminutes = 10\n"
                                       "[[goals]]\nkind = \"outputs\"\ntext = \"It is right\"\n";

  Author() {
    write("lesson.toml", kToml);
    write("text.md", "# Mine\n\nThe first words.\n");
    write("start.py", "# start\n");
    write("solution.py", "# solution\n");
    const std::optional<size_t> position = lessons.openFrom(folder.path());
    REQUIRE(position);
    const Result<QString> file = lessons.shelf().fileFor(*position);
    REQUIRE(file);
    lessons.setDocument(makeDocument(1, makeSource(file->toStdString(), "# start\n"), {}, {}));
  }
  void write(const char *name, const std::string &text) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text.c_str());
  }
  bool waitForText(const QString &words) {
    return QTest::qWaitFor([&] { return view.page().toPlainText().contains(words); }, kPatienceMs);
  }
};

} // namespace

TEST_CASE("what the author of an open lesson saves is shown at once", "[gui][lesson]") {
  Author test;
  test.window.resize(500, 600);
  test.view.resize(500, 600);
  CHECK(test.waitForText(QStringLiteral("The first words.")));
  CHECK(test.view.notice().isEmpty());

  // The place in the text stays.
  std::string longer = "# Mine\n\n";
  for (int i = 0; i < 200; ++i)
    longer += "Sentence " + std::to_string(i) + ".\n\n";
  test.write("text.md", longer);
  REQUIRE(test.waitForText(QStringLiteral("Sentence 199.")));
  QScrollBar *bar = test.view.page().verticalScrollBar();
  bar->setValue(bar->maximum() / 2);
  const int place = bar->value();
  test.write("text.md", longer + "The last words.\n");
  REQUIRE(test.waitForText(QStringLiteral("The last words.")));
  CHECK(bar->value() == place);

  // A fault is told, and the lesson stays until it is mended.
  test.write("lesson.toml", "title = \n");
  REQUIRE(QTest::qWaitFor([&] { return !test.view.notice().isEmpty(); }, kPatienceMs));
  CHECK(test.view.notice().contains(u"lesson.toml"));
  CHECK(test.view.page().toPlainText().contains(u"The last words."));
  CHECK(test.view.goals().count() == 1);
  const size_t numChecks = test.backend.requests.size();
  test.write("lesson.toml", std::string(Author::kToml) +
                                "[[goals]]\nkind = \"compiles\"\ntext = \"It compiles\"\n");
  REQUIRE(QTest::qWaitFor([&] { return test.view.goals().count() == 2; }, kPatienceMs));
  CHECK(test.view.notice().isEmpty());
  CHECK(test.view.goals().item(1)->text().contains(u"It compiles"));
  // The goals were checked anew.
  CHECK(test.backend.requests.size() > numChecks);
  CHECK(test.backend.requests.back().lesson->goals.size() == 2);
}

/// Of what the keyboard reaches.
static QString nameOf(QWidget *widget) {
  QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
  return interface ? interface->text(QAccessible::Name) : QString();
}

TEST_CASE("each control of a lesson is reached by Tab, and has a name", "[gui][lesson]") {
  LessonFixture test;
  test.open("matmul-tiled");
  REQUIRE(QTest::qWaitFor([&] { return test.view.goals().count() > 0; }, kPatienceMs));
  REQUIRE(QTest::qWaitFor([&] { return test.view.questions().isVisible(); }, kPatienceMs));
  views::QuestionPanel &questions = test.view.questions();
  questions.nextButton().click();

  test.view.page().setFocus();
  std::set<QWidget *> reached;
  for (int i = 0; i < 60; ++i) {
    QWidget *focus = QApplication::focusWidget();
    if (!focus)
      break;
    reached.insert(focus);
    // In the editor Tab indents: it is left by another key.
    if (!test.view.isAncestorOf(focus) && !test.view.header()->isAncestorOf(focus))
      break;
    QTest::keyClick(focus, Qt::Key_Tab);
  }
  // The other way round, to what comes before the text.
  test.view.page().setFocus();
  for (int i = 0; i < 60; ++i) {
    QWidget *focus = QApplication::focusWidget();
    if (!focus)
      break;
    reached.insert(focus);
    if (!test.view.isAncestorOf(focus) && !test.view.header()->isAncestorOf(focus))
      break;
    QTest::keyClick(focus, Qt::Key_Backtab);
  }
  const std::vector<QWidget *> wanted = {
      &test.view.lessons(),    &test.view.nextButton(),      &test.view.page(),
      &test.view.goals(),      &questions.field(),           &questions.answerButton(),
      &test.view.hintButton(), &test.view.startOverButton(), &test.view.solutionButton()};
  for (QWidget *each : wanted) {
    const QString name = nameOf(each);
    INFO(name.toStdString() << " " << each->metaObject()->className());
    CHECK(each->isVisible());
    CHECK(reached.contains(each));
  }
  // Whatever takes the focus has a name that a screen reader says.
  for (QWidget *part : {static_cast<QWidget *>(&test.view), test.view.header()})
    for (QWidget *each : part->findChildren<QWidget *>()) {
      const bool isControl = each->isVisible() && (each->focusPolicy() & Qt::TabFocus) != 0;
      INFO(each->metaObject()->className());
      CHECK((!isControl || !nameOf(each).trimmed().isEmpty()));
      // A sign such as an arrow says nothing.
      if (const auto *button = qobject_cast<QAbstractButton *>(each); button && isControl)
        CHECK(nameOf(each).size() > 2);
    }
  // Goals say where they stand.
  QAccessibleInterface *goals = QAccessible::queryAccessibleInterface(&test.view.goals());
  REQUIRE(goals);
  CHECK(goals->childCount() == test.view.goals().count());
  CHECK(goals->child(0)->text(QAccessible::Name).contains(u":"));
}
