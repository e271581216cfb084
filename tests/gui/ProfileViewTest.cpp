// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Profile view over recordings: keys, mouse, index, export.
#include "views/profile/ProfileView.h"

#include "tests/gui/RecordedProfile.h"
#include "views/common/Theme.h"
#include "views/profile/ProfileCanvas.h"

#include <QFile>
#include <QImage>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest/QtTest>

using namespace tilescope;
using namespace tilescope::views;
using tests::recordedProfile;

namespace {
struct Shown {
  ProfileView view;
  ProfileCanvas &canvas = view.canvas();

  Shown() {
    view.resize(900, 420);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
  }
  void show(profiler::ProfileDocument profile) {
    auto content = std::make_shared<ProfileContent>();
    content->profile = std::move(profile);
    content->place = QStringLiteral("GPU 0");
    content->time = QDateTime(QDate(2026, 3, 1), QTime(14, 5));
    view.setContent(std::move(content));
    QCoreApplication::processEvents();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&canvas, key, modifiers);
  }
};
} // namespace

TEST_CASE("an empty view offers to profile and to open a profile", "[profile]") {
  Shown test;
  test.view.clear(QStringLiteral("`k` has not been profiled yet."));
  CHECK(test.view.emptyText() == u"`k` has not been profiled yet.");
  QSignalSpy profile(&test.view, &ProfileView::profileRequested);
  QSignalSpy open(&test.view, &ProfileView::openRequested);
  for (QPushButton *button : test.view.findChildren<QPushButton *>())
    if (button->isVisible())
      QTest::keyClick(button, Qt::Key_Space);
  CHECK(profile.count() == 1);
  CHECK(open.count() == 1);
  // What went wrong is said in its place.
  test.view.setFailure(QStringLiteral("There is no GPU to profile on."));
  CHECK(test.view.emptyText() == u"There is no GPU to profile on.");
  CHECK_FALSE(test.view.canExport());
}

TEST_CASE("the title says what the profile is of", "[profile]") {
  Shown test;
  test.show(recordedProfile("matmul"));
  for (const char *part : {"matmul_4096.py", "· matmul ·", "NVIDIA H100 80GB HBM3", "239.08 µs",
                           "2026-03-01 14:05", "text f5d46bc", "GPU 0"}) {
    INFO(part);
    CHECK(test.view.titleText().contains(QString::fromUtf8(part)));
  }
  CHECK(test.view.ladderText().contains(u"✓ Counters (full set, 24 passes, GH100)"));
}

TEST_CASE("a low view has the ladder in one line, a high one has a line for each refusal",
          "[profile]") {
  Shown test;
  profiler::ProfileDocument profile = recordedProfile("matmul");
  profile.measurement.samples.reset();
  test.show(profile);
  CHECK(test.view.ladderText().contains(u"\nNo samples: not asked for"));
  test.view.resize(900, 200);
  CHECK(test.view.ladderText().contains(u" · No samples: not asked for"));
}

TEST_CASE("arrow keys go from figure to figure and say what each means", "[profile]") {
  Shown test;
  test.show(recordedProfile("matmul"));
  test.canvas.setFocus();
  test.press(Qt::Key_Home, Qt::ControlModifier);
  test.press(Qt::Key_Home, Qt::ControlModifier);
  CHECK(test.view.infoText().contains(u"of 81 runs took"));
  test.press(Qt::Key_Right);
  CHECK(test.view.infoText().startsWith(u"Multiprocessors: 63.7 %. The busiest part"));
  CHECK(test.canvas.accessibleDescription() == test.view.infoText());
  test.press(Qt::Key_Right);
  CHECK(test.view.infoText().contains(u"Asynchronous copies (cp.async)"));
  // What the keys are on is in sight.
  CHECK(QRectF(test.canvas.viewport()->rect())
            .intersects(test.canvas.placeRect(test.canvas.highlighted())));
  test.press(Qt::Key_End, Qt::ControlModifier);
  CHECK(test.view.infoText().startsWith(u"line "));
  CHECK(QRectF(test.canvas.viewport()->rect())
            .contains(test.canvas.placeRect(test.canvas.highlighted()).center()));
}

TEST_CASE("Enter or a click on a hot line goes to it", "[profile]") {
  Shown test;
  test.show(recordedProfile("matmul"));
  QSignalSpy shown(&test.view, &PictureView::placeShown);
  const auto &places = test.canvas.page().places;
  const auto first = std::ranges::find_if(places, [](const ProfilePage::Place &place) {
    return place.section == static_cast<size_t>(ProfilePart::HotLines);
  });
  const int place = static_cast<int>(first - places.begin());
  test.canvas.setFocus();
  test.press(Qt::Key_End, Qt::ControlModifier);
  test.press(Qt::Key_End, Qt::ControlModifier);
  test.press(Qt::Key_Home);
  CHECK(test.canvas.highlighted() == place);
  test.press(Qt::Key_Return);
  REQUIRE(shown.count() == 1);
  // Line 80, from 0.
  CHECK(shown.front().front().value<SourceRange>().begin.line == 79);
  QTest::mouseClick(test.canvas.viewport(), Qt::LeftButton, {},
                    test.canvas.placeRect(place + 1).center().toPoint());
  REQUIRE(shown.count() == 2);
  CHECK(shown.back().front().value<SourceRange>().begin.line == 80);
  // Other figures lead nowhere.
  test.press(Qt::Key_Home, Qt::ControlModifier);
  test.press(Qt::Key_Return);
  CHECK(shown.count() == 2);
}

TEST_CASE("the index leads to parts, and follows the page", "[profile]") {
  Shown test;
  test.show(recordedProfile("matmul"));
  QTabBar &index = test.view.index();
  CHECK(index.count() == kNumProfileParts);
  CHECK(index.tabText(static_cast<int>(ProfilePart::Roofline)) == u"Roofline");
  const int states = static_cast<int>(ProfilePart::WarpStates);
  QTest::mouseClick(&index, Qt::LeftButton, {}, index.tabRect(states).center());
  const double top = test.canvas.page().blocks[static_cast<size_t>(states)].rect.top();
  CHECK(std::abs(test.canvas.verticalScrollBar()->value() - top) < 20);
  CHECK(index.currentIndex() == states);
  QTest::keyClick(&index, Qt::Key_Left);
  CHECK(index.currentIndex() == states - 1);
  test.canvas.verticalScrollBar()->setValue(0);
  CHECK(index.currentIndex() == 0);
  // A part stays in sight when the view has another width.
  const int last = kNumProfileParts - 1;
  index.setCurrentIndex(last);
  const auto isLastInSight = [&] {
    const double top = test.canvas.page().blocks.back().rect.top();
    const double y = top - test.canvas.verticalScrollBar()->value();
    return y >= 0 && y < test.canvas.viewport()->height() / 2;
  };
  CHECK(isLastInSight());
  test.view.resize(1500, 420);
  QCoreApplication::processEvents();
  CHECK(index.currentIndex() == last);
  CHECK(isLastInSight());
}

TEST_CASE("an outdated profile says so and loses its colors", "[profile]") {
  Shown test;
  test.show(recordedProfile("transpose"));
  const auto hasAccent = [&] {
    const QImage image = test.canvas.viewport()->grab().toImage();
    int found = 0;
    for (int y = 0; y < image.height(); y += 2)
      for (int x = 0; x < image.width(); x += 2)
        found += image.pixelColor(x, y) == theme()[ColorRole::Accent] ? 1 : 0;
    return found > 50;
  };
  for (const char *name : {"dark", "light"}) {
    applyTheme(loadTheme(QString::fromLatin1(name)));
    test.view.setOutdated({});
    CHECK(hasAccent());
    CHECK_FALSE(test.view.isStale());
    test.view.setOutdated(QStringLiteral("the text has changed"));
    CHECK(test.view.isStale());
    CHECK_FALSE(hasAccent());
  }
}

TEST_CASE("progress is told above a profile, and a failure after it", "[profile]") {
  Shown test;
  test.view.setProgress(QStringLiteral("Profiling k: counters, pass 7 of 19"));
  CHECK(test.view.emptyText() == u"Profiling k: counters, pass 7 of 19");
  test.show(recordedProfile("transpose"));
  test.view.setProgress(QStringLiteral("Profiling k: counters, pass 8 of 19"));
  CHECK(test.view.progressText() == u"Profiling k: counters, pass 8 of 19");
  test.view.setProgress({});
  CHECK(test.view.progressText().isEmpty());
  test.view.setFailure(QStringLiteral("The profile was stopped."));
  CHECK(test.view.progressText() == u"The profile was stopped.");
}

TEST_CASE("the profile is exported with what it is of", "[profile]") {
  Shown test;
  test.show(recordedProfile("matmul"));
  QTemporaryDir folder;
  const QString svg = folder.filePath(QStringLiteral("profile.svg"));
  const QString png = folder.filePath(QStringLiteral("profile.png"));
  REQUIRE(test.view.exportSvg(svg));
  REQUIRE(test.view.exportPng(png));
  QFile file(svg);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(file.readAll());
  for (const char *said : {"Speed of light", "cp.async: not measured", "Warp states",
                           "operations per byte", "NVIDIA H100 80GB HBM3", "Hot lines"}) {
    INFO(said);
    CHECK(text.contains(QString::fromUtf8(said)));
  }
  CHECK(QImage(png).width() == 2200);
}
