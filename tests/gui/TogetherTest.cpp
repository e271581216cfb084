// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two versions of the History view, measured against each other on the device of a fake runner.
#include "app/ide/history/HistoryController.h"
#include "tests/gui/GpuFixture.h"
#include "views/history/HistoryView.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

/// A window in which a comparison of the sample with blocks of 1024 and of 2048 elements is open.
struct Comparison {
  RunFixture &test;
  QDialog *dialog = nullptr;

  explicit Comparison(RunFixture &fixture) : test(fixture) {
    views::HistoryView &view = *test.window.versions()->view();
    const auto waitForRows = [&](int count) {
      REQUIRE(QTest::qWaitFor([&] { return view.model().rowCount() == count; }, kPatienceMs));
    };
    waitForRows(1);
    QTest::qWait(HistoryLog::kTypingMs + 100);
    QString text = QString::fromStdString(test.fixture.editor().utf8Text());
    test.fixture.editor().replaceText(
        text.replace(QStringLiteral("BLOCK = 1024"), QStringLiteral("BLOCK = 2048")));
    waitForRows(2);
    QTest::keyClick(&test.window, Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(QTest::qWaitFor([&] { return view.table().hasFocus(); }, kPatienceMs));
    QTest::keyClick(&view.table(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(&view.table(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(&view.table(), Qt::Key_Return);
    for (QDialog *each : test.window.findChildren<QDialog *>())
      if (each->isVisible() && each->findChild<QLabel *>(QStringLiteral("times")))
        dialog = each;
    REQUIRE(dialog != nullptr);
  }
  QPushButton *button(const char *text) const {
    for (QPushButton *each : dialog->findChildren<QPushButton *>())
      if (each->text() == QString::fromLatin1(text))
        return each;
    return nullptr;
  }
  void press(const char *text) const {
    REQUIRE(button(text) != nullptr);
    button(text)->setFocus();
    QTest::keyClick(button(text), Qt::Key_Space);
  }
  QString said() const { return dialog->findChild<QLabel *>(QStringLiteral("times"))->text(); }
  bool says(const char *words) const {
    return QTest::qWaitFor([&] { return said().contains(QString::fromUtf8(words)); }, kPatienceMs);
  }
};

} // namespace

TEST_CASE("two versions are measured in turns, and a verdict is said", "[gui][worker][history]") {
  GpuFixture gpu({{QStringLiteral("time"), QStringLiteral("100 if BLOCK == 1024 else 90")}});
  const Comparison comparison(gpu.test);
  CHECK(comparison.said().isEmpty());
  comparison.press("&Measure both");
  const bool isSaid = comparison.says("faster");
  INFO(comparison.said().toStdString());
  REQUIRE(isSaid);
  CHECK(comparison.said().startsWith(u"From version 1 to version 2: 10.0 % faster ("));
  CHECK(comparison.said().contains(u"with 99 % confidence"));
  CHECK(comparison.said().endsWith(
      u"100.00 → 90.00 µs, medians of 100 launches each, taken in turns on Fake GPU."));
  CHECK_FALSE(comparison.said().contains(u"same code"));
  // Both were packed for the device, and went to it together.
  CHECK(gpu.runner.left("log").contains("interleave "));
  // It can be measured again.
  comparison.press("&Measure both");
  CHECK(comparison.says("faster"));
}

TEST_CASE("a version that cannot be launched is named, and can be measured again",
          "[gui][worker][history]") {
  GpuFixture gpu({{QStringLiteral("time"), QStringLiteral("100")},
                  {QStringLiteral("refuse"), QStringLiteral("BLOCK == 2048")}});
  const Comparison comparison(gpu.test);
  comparison.press("&Measure both");
  const bool isSaid = comparison.says("Not measured: ");
  INFO(comparison.said().toStdString());
  REQUIRE(isSaid);
  CHECK(comparison.said().contains(u"`version 2`"));
  CHECK(comparison.said().contains(u"needs more shared memory"));
  CHECK(comparison.button("&Measure both") != nullptr);
}

TEST_CASE("a measurement of two versions stops by its button", "[gui][worker][history]") {
  GpuFixture gpu({{QStringLiteral("time"), QStringLiteral("100")}, {QStringLiteral("pause"), 60}});
  const Comparison comparison(gpu.test);
  comparison.press("&Measure both");
  REQUIRE(comparison.says("Measuring both in turns"));
  comparison.press("&Stop");
  CHECK(comparison.says("The measurement was stopped."));
}

TEST_CASE("without a GPU two versions are not measured, and it is said what it takes",
          "[gui][worker][history]") {
  RunFixture test(sampleSource());
  const Comparison comparison(test);
  comparison.press("&Measure both");
  CHECK(comparison.said().startsWith(u"There is no GPU to measure on."));
}
