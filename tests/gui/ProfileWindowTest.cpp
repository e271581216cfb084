// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Profiles in the window: made by runs that end as the test says, and opened from files.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/page/NoticeBar.h"
#include "app/ide/profile/ProfileController.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/Patience.h"
#include "tests/gui/ProfileFixture.h"
#include "views/profile/ProfileCanvas.h"
#include "views/profile/ProfileView.h"
#include "views/run/ResultsView.h"

#include <QMenu>
#include <QStatusBar>
#include <QToolButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using profiler::CounterSet;

namespace {
struct ProfileWindow : MeasuredWindow {
  views::ProfileView &profile = *window.findChild<views::ProfileView *>();

  QString examplePath(const char *name) {
    return QStringLiteral(TILESCOPE_EXAMPLES "/profiles/") + QString::fromLatin1(name);
  }
  QString refusal() {
    for (NoticeBar *bar : window.findChildren<NoticeBar *>())
      if (bar->isVisible())
        return bar->text();
    return {};
  }
};
} // namespace

TEST_CASE("Alt+F5 without a GPU says what is needed, and what can be done instead", "[profile]") {
  ProfileWindow test;
  test.open();
  CHECK(test.profile.emptyText().contains(u"`vector_add` has not been profiled yet"));
  test.press(Qt::Key_F5, Qt::AltModifier);
  CHECK(test.runs.requests.empty());
  CHECK(test.profile.isVisible());
  CHECK(test.profile.emptyText().contains(u"There is no GPU to profile on"));
  CHECK(test.profile.emptyText().contains(u"Open profile"));
}

TEST_CASE("a profile runs on the GPU even while the interpreter is chosen", "[profile]") {
  ProfileWindow test;
  test.open();
  test.findGpu();
  test.press(Qt::Key_F5, Qt::AltModifier);
  REQUIRE(test.runs.requests.size() == 1);
  const LaunchRequest &request = test.runs.requests.front();
  CHECK(request.place.kind == RunPlace::Kind::Cuda);
  CHECK(request.isProfile);
  CHECK(request.profile == profiler::ProfileWishes{CounterSet::Full, true});
  // The interpreter would take hours for what a GPU does in a blink.
  CHECK_FALSE(request.compare);
  Q_EMIT test.runs.stepped(QStringLiteral("counters"), 7, 19);
  CHECK(test.profile.emptyText() == u"Profiling vector_add: counters, pass 7 of 19");
  test.runs.finish(test.measured());
  CHECK(test.profile.hasContent());
  CHECK(test.profile.titleText().contains(u"vector_add.py · vector_add · NVIDIA H100"));
  CHECK(test.profile.progressText().isEmpty());
  CHECK_FALSE(test.profile.isStale());
  // What it is of has changed.
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("# ");
  CHECK(QTest::qWaitFor([&] { return test.profile.isStale(); }));
  QTest::keyClick(test.window.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return !test.profile.isStale(); }));
}

TEST_CASE("the menu beside Profile says what the profile is to have", "[profile]") {
  ProfileWindow test;
  test.open();
  test.findGpu();
  test.window.action(QStringLiteral("profileQuick"))->trigger();
  test.window.action(QStringLiteral("profileSamples"))->trigger();
  test.window.action(QStringLiteral("profileExecutions"))->trigger();
  CHECK(test.profile.profileButton().menu()->actions().size() == 7);
  QToolButton *beside = nullptr;
  for (QToolButton *button : test.view.form().findChildren<QToolButton *>())
    if (button->text() == u"Profile")
      beside = button;
  REQUIRE(beside);
  QTest::keyClick(beside, Qt::Key_Space);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests.front().profile ==
        profiler::ProfileWishes{.counters = CounterSet::Quick, .executions = true});
  CHECK_FALSE(beside->isEnabled());
}

TEST_CASE("a stopped or failed profile leaves the one before", "[profile]") {
  ProfileWindow test;
  test.open();
  test.findGpu();
  test.press(Qt::Key_F5, Qt::AltModifier);
  test.runs.finish(test.measured());
  REQUIRE(test.profile.hasContent());
  test.press(Qt::Key_F5, Qt::AltModifier);
  test.press(Qt::Key_F5, Qt::ShiftModifier);
  CHECK(test.runs.numCancelled == 1);
  LaunchRun stopped;
  stopped.measurement = Error{ErrorCode::Cancelled, "the run was stopped", ""};
  test.runs.finish(stopped);
  CHECK(test.profile.hasContent());
  CHECK(test.profile.progressText() == u"The profile was stopped.");
  test.press(Qt::Key_F5, Qt::AltModifier);
  LaunchRun failed;
  failed.measurement = Error{ErrorCode::Environment, "the runner was ended by signal Killed", ""};
  test.runs.finish(failed);
  CHECK(test.profile.progressText() ==
        u"The profile failed: the runner was ended by signal Killed");
  CHECK(test.profile.hasContent());
}

TEST_CASE("each refusal is named with its cure", "[profile]") {
  using profiler::ProfileRung;
  using profiler::RefusalKind;
  ProfileWindow test;
  test.open();
  test.findGpu();
  for (const RefusalKind kind :
       {RefusalKind::NotPermitted, RefusalKind::Busy, RefusalKind::DeviceUnsupported,
        RefusalKind::OutOfMemory, RefusalKind::LibraryMissing, RefusalKind::LibraryTooOld,
        RefusalKind::Interrupted, RefusalKind::Other}) {
    LaunchRun run = test.measured();
    run.measurement->counters.reset();
    const std::string reason = "reason " + std::to_string(static_cast<int>(kind));
    run.measurement->refusals = {{ProfileRung::Counters, kind, reason, "cure of it"}};
    test.press(Qt::Key_F5, Qt::AltModifier);
    test.runs.finish(run);
    INFO(reason);
    CHECK(test.profile.ladderText().contains(QString::fromStdString(reason)));
    CHECK(test.profile.ladderText().contains(u"What helps: cure of it."));
    CHECK(test.profile.ladderText().contains(u"✓ Samples"));
  }
}

TEST_CASE("an opened profile brings its text, and is outdated after an edit", "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.examplePath("matmul.json"));
  REQUIRE(test.profile.hasContent());
  CHECK(test.profile.isVisible());
  CHECK(test.fixture.editor().utf8Text() == recordedProfile("matmul").sourceText);
  CHECK(test.profile.titleText().contains(u"opened from matmul.json"));
  // Opened again, it is shown for the same text.
  test.window.openProfile(test.examplePath("matmul.json"));
  CHECK(test.fixture.editor().utf8Text() == recordedProfile("matmul").sourceText);
  CHECK(test.window.currentPage()->path().endsWith(u"matmul_4096.py"));
  // The file before has none of its own.
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  CHECK_FALSE(test.profile.hasContent());
  QTest::keyClick(test.window.editor(), Qt::Key_PageDown, Qt::ControlModifier);
  CHECK(test.profile.hasContent());
  // From another file it leads back to the one that it is of.
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  test.window.openProfile(test.examplePath("matmul.json"));
  CHECK(test.window.currentPage()->path().endsWith(u"matmul_4096.py"));
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  CHECK(test.window.currentPage()->path().endsWith(u"vector_add.py"));
}

TEST_CASE("the text of a profile is not undone", "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.examplePath("matmul.json"));
  const std::string source = recordedProfile("matmul").sourceText;
  QTest::keyClick(test.window.editor(), Qt::Key_X);
  CHECK(test.window.editor()->utf8Text() != source);
  for (int i = 0; i < 3; ++i)
    QTest::keyClick(test.window.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.window.editor()->utf8Text() == source);
}

TEST_CASE("a hot line is where edits have moved it", "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.examplePath("matmul.json"));
  QTest::keyClick(test.window.editor(), Qt::Key_Home, Qt::ControlModifier);
  QTest::keyClick(test.window.editor(), Qt::Key_Return);
  Q_EMIT test.profile.placeShown({{79, 0}, {79, 0}, 0});
  CHECK(test.window.editor()->cursor().line == 80);
}

TEST_CASE("a profile is saved, and opened again as any file", "[profile]") {
  ProfileWindow test;
  test.open();
  test.findGpu();
  test.press(Qt::Key_F5, Qt::AltModifier);
  test.runs.finish(test.measured());
  const auto before = test.profile.content();
  const QString path = test.fixture.folder.filePath(QStringLiteral("kept.json"));
  FileAnswer answer(path);
  test.window.action(QStringLiteral("saveProfile"))->trigger();
  CHECK(answer.offered.endsWith(u"vector_add-profile.json"));
  REQUIRE(QFile::exists(path));
  test.window.openFile(path);
  REQUIRE(test.profile.content() != before);
  CHECK(test.profile.content()->profile.measurement == before->profile.measurement);
  CHECK_FALSE(test.profile.isStale());
  CHECK(test.window.currentPage()->path().endsWith(u"vector_add.py"));
}

TEST_CASE("a file that is no profile is refused with its name and the reason", "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.fixture.write("odd.json", "{\"a\": 1}"));
  CHECK(test.refusal().contains(u"odd.json is not a profile: it has no `device` and `kernel`"));
  test.window.openProfile(test.fixture.write("new.json", "{\"profile_version\": 99}"));
  CHECK(test.refusal().contains(u"new.json`: not a profile: it is of form 99"));
  test.window.openProfile(test.fixture.folder.filePath(QStringLiteral("none.json")));
  CHECK(test.refusal().contains(u"none.json"));
  CHECK_FALSE(test.profile.hasContent());
}

TEST_CASE("a profile of another GPU than the chosen target is called so", "[profile]") {
  ProfileWindow test;
  test.open();
  CompileController &compile = *test.window.compileController();
  const std::string before = compile.chosenTarget();
  compile.setChosenTarget("cuda:86");
  test.window.openProfile(test.examplePath("matmul.json"));
  REQUIRE(test.profile.hasContent());
  CHECK(QTest::qWaitFor([&] { return test.profile.isStale(); }, 5000));
  CHECK(std::ranges::any_of(test.profile.findChildren<QLabel *>(), [](const QLabel *label) {
    return label->text().contains(u"it was measured on a GPU of cuda:90, and cuda:86 is chosen");
  }));
  compile.setChosenTarget(before);
  CHECK_FALSE(test.profile.isStale());
}

TEST_CASE("a recording without its text is shown as outdated, and only for its own kernel",
          "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(QStringLiteral(TILESCOPE_RECORDED "/vector_add.json"));
  REQUIRE(test.profile.hasContent());
  // Which text and which sizes were measured is not known.
  CHECK(test.profile.isStale());
  CHECK_FALSE(test.view.results().outdatedReason().isEmpty());
  const auto before = test.profile.content();
  test.window.openProfile(QStringLiteral(TILESCOPE_RECORDED "/matmul.json"));
  CHECK(test.profile.content() == before);
  CHECK(test.refusal().contains(u"matmul.json has measurements of `matmul` and not its source"));
}

TEST_CASE("an opened profile comes back at the next start, with its tab and its name",
          "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.examplePath("matmul.json"));
  test.window.openProfile(test.examplePath("transpose.json"));
  const QString title = test.window.currentPage()->title();
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  REQUIRE(test.profile.content()->profile.measurement.kernel == "matmul");
  test.window.close();
  test.fixture.open();
  MainWindow &again = *test.fixture.window;
  auto &view = *again.findChild<views::ProfileView *>();
  REQUIRE(again.restoreSession());
  REQUIRE(QTest::qWaitFor([&] { return view.hasContent() && !view.isStale(); }, kPatienceMs));
  CHECK(view.content()->profile.measurement == recordedProfile("matmul").measurement);
  CHECK(view.titleText().contains(u"opened from matmul.json"));
  CHECK(again.currentPage()->path().endsWith(u"matmul_4096.py"));
  QTest::keyClick(again.editor(), Qt::Key_PageDown, Qt::ControlModifier);
  CHECK(view.content()->profile.measurement.kernel == "transpose");
  CHECK(again.currentPage()->title() == title);
  QTest::keyClick(again.editor(), Qt::Key_PageDown, Qt::ControlModifier);
  CHECK_FALSE(view.hasContent());
}

TEST_CASE("a profile whose file is gone is missed at the next start", "[profile]") {
  ProfileWindow test;
  test.open();
  const QString path = test.fixture.folder.filePath(QStringLiteral("gone.json"));
  REQUIRE(QFile::copy(test.examplePath("matmul.json"), path));
  test.window.openProfile(path);
  test.window.close();
  REQUIRE(QFile::remove(path));
  test.fixture.open();
  MainWindow &again = *test.fixture.window;
  REQUIRE(again.restoreSession());
  CHECK_FALSE(again.findChild<views::ProfileView *>()->hasContent());
  bool isSaid = false;
  for (const NoticeBar *bar : again.findChildren<NoticeBar *>())
    isSaid = isSaid || bar->text().contains(u"gone.json` no longer exists on disk");
  CHECK(isSaid);
}

TEST_CASE("a profile has the height of all views below, enough for its first section",
          "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("defaultLayout"))->trigger();
  QCoreApplication::processEvents();
  ViewDock *profile = test.window.dock(QStringLiteral("profile"));
  ViewDock *problems = test.window.dock(QStringLiteral("problems"));
  QTest::keyClick(test.window.editor(), Qt::Key_8, Qt::ControlModifier);
  QCoreApplication::processEvents();
  const int before = problems->height();
  test.window.openProfile(test.examplePath("matmul.json"));
  REQUIRE(QTest::qWaitFor([&] { return profile->isInFront(); }));
  CHECK(profile->height() == before);
  CHECK(test.profile.canvas().viewport()->height() > 120);
  QTest::keyClick(test.window.editor(), Qt::Key_8, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return problems->height() == before; }));
}

TEST_CASE("measuring begins with the profile that is open, and goes on with what was chosen",
          "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.examplePath("matmul.json"));
  REQUIRE(test.profile.hasContent());
  ViewDock *profile = test.window.dock(QStringLiteral("profile"));
  ViewDock *run = test.window.dock(QStringLiteral("run"));
  const auto show = [&](Qt::Key key) {
    QTest::keyClick(test.window.editor(), key, Qt::AltModifier);
  };
  show(Qt::Key_3);
  CHECK(QTest::qWaitFor([&] { return profile->isInFront(); }));
  QTest::keyClick(test.window.editor(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(QTest::qWaitFor([&] { return run->isInFront(); }));
  show(Qt::Key_2);
  show(Qt::Key_3);
  CHECK(QTest::qWaitFor([&] { return run->isInFront(); }));
}

TEST_CASE("the switch of heat says what it did", "[profile]") {
  ProfileWindow test;
  test.open();
  const auto press = [&] {
    QTest::keyClick(test.window.editor(), Qt::Key_Q, Qt::ControlModifier | Qt::ShiftModifier);
    return test.window.statusBar()->currentMessage();
  };
  CHECK(press() == u"Heat is off for all profiles: Ctrl+Shift+Q shows it again");
  CHECK_FALSE(test.profile.heatButton().isChecked());
  CHECK(press() == u"Heat is on: lines will have it where a profile has samples");
  CHECK(test.profile.heatButton().isChecked());
  test.window.openProfile(test.examplePath("matmul.json"));
  press();
  CHECK(press() == u"Heat is on: lines show their share of the samples");
  test.findGpu();
  test.press(Qt::Key_F5, Qt::AltModifier);
  LaunchRun without = test.measured();
  without.measurement->samples.reset();
  test.runs.finish(without);
  press();
  CHECK(press() == u"Heat is on, and this profile has no samples to show");
}

TEST_CASE("a report holds the profile on show, and nothing is run for it", "[profile]") {
  ProfileWindow test;
  test.open();
  test.window.openProfile(test.examplePath("matmul.json"));
  const auto write = [&] {
    FileAnswer answer(test.fixture.folder.filePath(QStringLiteral("r.html")));
    test.window.action(QStringLiteral("exportReport"))->trigger();
    return test.runs.reports.back().profile;
  };
  const auto reported = write();
  REQUIRE(reported);
  CHECK(reported->measurement == recordedProfile("matmul").measurement);
  Q_EMIT test.runs.reporting(QStringLiteral("counting the accesses"), 0, 0);
  CHECK(test.window.statusBar()->currentMessage() ==
        u"Writing the report: counting the accesses. Shift+F5 stops it");
  Q_EMIT test.runs.reporting({}, 12, 4096);
  CHECK(test.window.statusBar()->currentMessage() ==
        u"Writing the report: program 12 of 4,096. Shift+F5 stops it");
  Q_EMIT test.runs.reported(Status());
  CHECK(test.refusal().contains(u"It holds the profile on show; nothing was run for it."));
  QTest::keyClick(test.window.editor(), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return test.profile.isStale(); }));
  CHECK_FALSE(write());
  Q_EMIT test.runs.reported(Status());
  CHECK(test.refusal().contains(u"The profile on show is outdated and was left out."));
}
