// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ArrowLines.h"

#include "tests/gui/ConversionSamples.h"
#include "tests/support/Sanitized.h"
#include "tests/support/ThreadTime.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ConversionView.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::tests;
using namespace tilescope::views;
using compiler::ArrowShape;

static ArrowShape arrowAcross(double x) {
  return compiler::arrowBetween({x, 80, 10, 10}, {x + 900, 60, 10, 10}, {0, 0, 1900, 1000}, 9);
}

static QPainterPath pathOf(const ArrowShape &arrow) {
  QPainterPath path(QPointF(arrow.start.x, arrow.start.y));
  path.cubicTo(arrow.firstControl.x, arrow.firstControl.y, arrow.secondControl.x,
               arrow.secondControl.y, arrow.end.x, arrow.end.y);
  return path;
}

static double lengthOf(const QList<QLineF> &lines) {
  double length = 0;
  for (const QLineF &line : lines)
    length += line.length();
  return length;
}

TEST_CASE("the lines of an arrow follow its curve, from end to end", "[gui][views][conversion]") {
  const ArrowShape arrow = arrowAcross(100);
  const QList<QLineF> lines = arrowLines(arrow, {});
  REQUIRE(lines.size() > 30);
  for (const QLineF &line : lines)
    CHECK(line.length() < 40);
  CHECK(lines.front().p1() == QPointF(arrow.start.x, arrow.start.y));
  CHECK(lines.back().p2() == QPointF(arrow.end.x, arrow.end.y));
  for (qsizetype i = 1; i < lines.size(); ++i) {
    // They meet, and lap over so that no seam is seen.
    const QLineF overlap(lines[i].p1(), lines[i - 1].p2());
    CHECK(overlap.length() > 0.5);
    CHECK(overlap.length() < 1);
  }
  const double overlaps = 0.7 * static_cast<double>(lines.size() - 1);
  CHECK(lengthOf(lines) - overlaps == Approx(pathOf(arrow).length()).epsilon(0.001));
}

TEST_CASE("dashes go through the bends of a curve", "[gui][views][conversion]") {
  const ArrowShape arrow = arrowAcross(100);
  const QList<QLineF> lines = arrowLines(arrow, {6, 3});
  std::vector<double> dashes;
  for (const QLineF &line : lines) {
    const bool goesOn = !dashes.empty() && QLineF(line.p1(), (&line - 1)->p2()).length() < 1;
    if (!goesOn)
      dashes.push_back(0);
    dashes.back() += line.length() - (goesOn ? 0.7 : 0);
  }
  CHECK(static_cast<double>(dashes.size()) == Approx(pathOf(arrow).length() / 9).margin(2));
  // But for the last, which ends where the arrow does.
  for (size_t i = 0; i + 1 < dashes.size(); ++i)
    CHECK(dashes[i] == Approx(6).margin(0.01));
}

/// The least of some times, of this thread's processor.
template <typename Work> static double leastMs(const Work &work) {
  double least = 1e9;
  for (int i = 0; i < 7; ++i) {
    const double begin = threadTimeMs();
    work();
    least = std::min(least, threadTimeMs() - begin);
  }
  return least;
}

TEST_CASE("arrows that fill a screen take a fraction of the time of their curves",
          "[gui][views][conversion]") {
  FocusState focus;
  ConversionView view(&focus);
  view.resize(1900, 1000);
  view.show();
  REQUIRE(QTest::qWaitForWindowExposed(&view));
  view.setContent(contentOf({storedProduct(256, 10)}));
  ArrowLayer &layer = view.arrows();
  std::vector<compiler::MoveRun> runs = layer.runs();
  REQUIRE(runs.size() == ArrowLayer::kMostArrows);

  QPixmap screen(layer.size());
  const auto paint = [&] { static_cast<QWidget &>(layer).render(&screen); };
  std::vector<QPainterPath> paths;
  for (const compiler::MoveRun &run : runs) {
    const auto [from, to] = layer.endsOf(run);
    const auto rect = [](const QRectF &of) {
      return compiler::GridRect{of.x(), of.y(), of.width(), of.height()};
    };
    paths.push_back(pathOf(compiler::arrowBetween(rect(from), rect(to), rect(layer.rect()), 9)));
  }
  const double asCurves = leastMs([&] {
    QPainter painter(&screen);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPainterPath &path : paths)
      for (const double width : {4.5, 1.6}) {
        painter.setPen(QPen(Qt::gray, width, Qt::SolidLine, Qt::FlatCap));
        painter.drawPath(path);
      }
  });
  const double withArrows = leastMs(paint);
  layer.setRuns({});
  const double arrows = withArrows - leastMs(paint);
  INFO(arrows << " ms of " << asCurves);
  // Nothing of a sanitized program is optimized but Qt, which draws the curves.
  if (!kIsSanitized)
    CHECK(arrows < 0.75 * asCurves);
}
