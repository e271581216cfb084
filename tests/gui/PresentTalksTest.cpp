// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The talks that come with lessons, each given from its first stop to its last over a real worker.
#include "app/ide/present/HeldSliders.h"
#include "app/ide/present/PresentController.h"
#include "tests/gui/Patience.h"
#include "tests/gui/PresentedWindow.h"
#include "views/common/Scrubber.h"

#include <QDockWidget>
#include <QFileInfo>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// Every lesson has a talk; puzzles have none.
static constexpr int kLeastTalks = 21;

/// Where the sliders of a step are to be, by the name beside each.
static std::map<QString, int> wantedSliders(const PresentStep &step, const std::string &view) {
  std::map<QString, int> wanted;
  for (const auto &[name, number] : step.sliders)
    wanted[QString::fromStdString(name)] = static_cast<int>(number);
  static const char *const kOfGrid[] = {"Program x", "y", "z"};
  for (size_t i = 0; view == "programs" && i < step.program.size(); ++i)
    wanted[QString::fromLatin1(kOfGrid[i])] = static_cast<int>(step.program[i]);
  return wanted;
}

/// Waits until the picture of the stop is as the script says.
static void checkStop(const PresentedWindow &test) {
  const PresentState &state = *test.present.state();
  const PresentStep &step = state.step();
  const std::string &view = state.view();
  CAPTURE(step.title, view);
  CHECK(std::ranges::none_of(step.notes, &std::string::empty));
  CHECK_FALSE(QString::fromStdString(step.title).contains(u'`'));
  if (step.hasSpotlight)
    CHECK(QTest::qWaitFor([&] { return test.present.layer()->hasTarget(); }, kPatienceMs));
  if (view == kEditorView)
    return;
  const auto *dock = test.window.findChild<QDockWidget *>(QString::fromStdString(view));
  if (!dock)
    dock = test.window.findChild<QDockWidget *>(QStringLiteral("stage.") +
                                                QString::fromStdString(view));
  REQUIRE(dock);
  CHECK(dock->isVisible());
  const std::map<QString, views::Scrubber *> sliders = slidersOf(*dock);
  for (const auto &[name, number] : wantedSliders(step, view)) {
    CAPTURE(name.toStdString(), number);
    const auto slider = sliders.find(name);
    if (slider == sliders.end())
      continue;
    CHECK(QTest::qWaitFor(
        [&] { return slider->second->value() == number && slider->second->count() > number; },
        kPatienceMs));
  }
}

TEST_CASE("every talk of a lesson can be given from its first stop to its last", "[gui][present]") {
  PresentedWindow test;
  int numTalks = 0;
  for (const std::string &id : test.window.lessons()->shelf().ids()) {
    if (!QFileInfo::exists(
            QStringLiteral(TILESCOPE_LESSONS "/%1/present.toml").arg(QString::fromStdString(id))))
      continue;
    CAPTURE(id);
    ++numTalks;
    test.open(id.c_str());
    test.window.action(QStringLiteral("lesson.present"))->trigger();
    REQUIRE(test.present.isUnderWay());
    const size_t numStops = test.present.state()->numStops();
    CHECK(numStops >= 5);
    for (size_t stop = 0; stop < numStops; ++stop) {
      REQUIRE(test.present.state()->position() == stop);
      checkStop(test);
      if (stop + 1 < numStops)
        test.press(Qt::Key_PageDown);
    }
    test.press(Qt::Key_Escape);
    REQUIRE_FALSE(test.present.isUnderWay());
  }
  CHECK(numTalks >= kLeastTalks);
}
