// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is shown of goals while checks take their time, without a worker.
#include "app/ide/lesson/LessonController.h"
#include "tests/gui/Patience.h"
#include "views/common/Theme.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/LessonView.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QWidget>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using tests::kPatienceMs;
using views::ColorRole;

namespace {

/// Answers when the test says so.
struct HeldBackend : LessonBackend {
  std::vector<LessonRequest> requests;
  int numCancelled = 0;

  void check(const LessonRequest &request) override { requests.push_back(request); }
  void cancel() override { ++numCancelled; }
  void ask(const AnswerRequest &) override {}
  /// All goals of the newest request: the first is met, the others are not.
  void answer(const std::string &evidence) {
    std::vector<GoalState> states(requests.back().lesson->goals.size(),
                                  GoalState{GoalVerdict::NotMet, evidence, {}});
    states.front().verdict = GoalVerdict::Met;
    Q_EMIT checked(requests.back().number, states);
  }
  void giveUp() {
    Q_EMIT checked(requests.back().number, Error{ErrorCode::Cancelled, "cancelled", ""});
  }
};

struct Goals {
  QTemporaryDir learner;
  HeldBackend backend;
  QWidget window;
  LessonController lessons{LessonShelf(QStringLiteral(TILESCOPE_LESSONS), learner.path()), &backend,
                           &window};
  uint64_t revision = 0;
  std::string path;

  Goals() {
    const Result<QString> file = lessons.shelf().fileFor(0);
    REQUIRE(file);
    path = file->toStdString();
  }
  void type(const std::string &text) {
    lessons.setDocument(makeDocument(++revision, makeSource(path, text), {}, {}));
  }
  const std::vector<views::ShownGoal> &shown() const { return lessons.view()->goals().goals(); }
  bool isOfBefore() const { return shown().front().isOfBefore; }
  QColor colorOf(int row) const { return lessons.view()->goals().item(row)->foreground().color(); }
};

} // namespace

TEST_CASE("reasons of a text before are muted once the newest one's check takes long",
          "[gui][lesson]") {
  Goals test;
  test.type("one");
  test.backend.answer("one is wrong");
  CHECK_FALSE(test.isOfBefore());
  CHECK(test.colorOf(0) == views::theme()[ColorRole::Success]);
  CHECK(test.colorOf(1) == views::theme()[ColorRole::Text]);

  // At first nothing flickers: a check is mostly done before one looks.
  test.type("two");
  CHECK_FALSE(test.isOfBefore());
  REQUIRE(QTest::qWaitFor([&] { return test.isOfBefore(); }, kPatienceMs));
  CHECK(test.colorOf(0) == views::theme()[ColorRole::TextMuted]);
  CHECK(test.colorOf(1) == views::theme()[ColorRole::TextMuted]);
  CHECK(test.lessons.view()->goals().item(1)->text().contains(u"one is wrong"));
  CHECK(test.lessons.view()->goals().item(1)->toolTip().startsWith(u"Before the last edit: "));

  // What the check tells of the newest text is not muted, while the others still are.
  Q_EMIT test.backend.goalChecked(test.backend.requests.back().number, 1,
                                  {GoalVerdict::NotMet, "two is wrong", {}});
  CHECK(test.shown()[0].isOfBefore);
  CHECK_FALSE(test.shown()[1].isOfBefore);
  CHECK(test.shown()[1].evidence == u"two is wrong");

  // With a newer text, that is of before, too, also where the check is given up for it.
  REQUIRE(QTest::qWaitFor(
      [&] {
        test.type("three");
        return test.backend.numCancelled > 0;
      },
      kPatienceMs));
  CHECK(test.shown()[1].isOfBefore);
  test.backend.giveUp();
  REQUIRE(test.backend.requests.back().text == "three");
  CHECK(test.isOfBefore());
  CHECK(test.lessons.view()->summary() == u"Checking your newest text…");
  test.backend.answer("three is wrong");
  CHECK_FALSE(test.isOfBefore());
  CHECK_FALSE(test.shown()[1].isOfBefore);
  CHECK(test.shown()[1].evidence == u"three is wrong");
  CHECK(test.lessons.view()->summary() == u"1 of 3 goals are met.");
}

TEST_CASE("a check that is done in time leaves nothing muted", "[gui][lesson]") {
  Goals test;
  for (const char *text : {"one", "two", "three"}) {
    test.type(text);
    test.backend.answer(text);
    CHECK_FALSE(test.isOfBefore());
    CHECK(test.shown()[1].evidence == QLatin1String(text));
  }
}

TEST_CASE("the next hint is one that leads to the first goal which is not met", "[gui][lesson]") {
  Goals test;
  const QPushButton &button = test.lessons.view()->hintButton();
  const auto press = [&] { test.lessons.view()->hintButton().click(); };
  // Programs have elements of their own, and no mask: the last hint is about masks.
  test.type("one");
  test.backend.answer("it is past the end");
  CHECK(button.text() == u"Hint 1 of 3");
  press();
  const auto text = [&] { return test.lessons.view()->page().toPlainText(); };
  // They are numbered as they open.
  CHECK(text().contains(u"Hint 1. offsets < n is a block of truth values."));
  CHECK_FALSE(text().contains(u"is the number of the program, counted from 0"));
  // None is left for these goals: from the first on.
  CHECK(button.text() == u"Hint 2 of 3");
  press();
  CHECK(text().contains(u"Hint 2. tl.program_id(0) is the number of the program"));
  CHECK(button.text() == u"Hint 3 of 3");
  press();
  CHECK(text().contains(u"Hint 3. A block of numbers plus a number adds it to each"));
  CHECK(button.text() == u"No more hints");
}

TEST_CASE("goals about time are measured where the newest text has run on a GPU", "[gui][lesson]") {
  Goals test;
  const auto &ids = test.lessons.shelf().ids();
  const auto timed = static_cast<size_t>(std::ranges::find(ids, "matmul-pipelined") - ids.begin());
  REQUIRE(timed < ids.size());
  const RunPlace gpu{RunPlace::Kind::Cuda, 1};
  // A lesson without such a goal has nothing to measure.
  test.type("one");
  test.backend.answer("wrong");
  test.lessons.measureAt(gpu, "one");
  CHECK(test.backend.requests.size() == 1);

  test.path = test.lessons.shelf().fileFor(timed)->toStdString();
  test.type("two");
  test.backend.answer("the model's estimate");
  REQUIRE(test.backend.requests.size() == 2);
  CHECK_FALSE(test.backend.requests.back().measureAt);
  // The interpreter measures nothing, and what ran before an edit is another text.
  test.lessons.measureAt({}, "two");
  test.lessons.measureAt(gpu, "one");
  CHECK(test.backend.requests.size() == 2);
  test.lessons.measureAt(gpu, "two");
  REQUIRE(test.backend.requests.size() == 3);
  CHECK(test.backend.requests.back().measureAt == gpu);
  CHECK(test.backend.requests.back().text == "two");
  test.backend.answer("measured");
  CHECK(test.shown().back().evidence == u"measured");
  // The next text is not measured before it has run.
  test.type("three");
  REQUIRE(test.backend.requests.size() == 4);
  CHECK_FALSE(test.backend.requests.back().measureAt);
}
