// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where fields, rows and labels go that have little room, as numbers.
#include "views/common/FlowLayout.h"
#include "views/common/PictureCanvas.h"
#include "views/common/Scrubber.h"
#include "views/shared/LabelLine.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;

TEST_CASE("fields with sliders become narrower before one of them goes to another row",
          "[gui][views]") {
  QWidget bar;
  auto *flow = new FlowLayout(&bar);
  flow->setSpacing(12);
  std::vector<Scrubber *> fields;
  for (int i = 0; i < 5; ++i) {
    fields.push_back(new Scrubber(QStringLiteral("Number"), &bar));
    flow->addWidget(fields.back());
    fields.back()->setState(64, 3);
  }
  const int wide = bar.sizeHint().width();
  const auto isInRow = [&](int width) {
    bar.resize(width, 60);
    flow->setGeometry(bar.rect());
    return std::ranges::all_of(fields, [&](const Scrubber *field) {
      return field->y() == fields.front()->y() && field->geometry().right() < width;
    });
  };
  CHECK(isInRow(wide));
  CHECK(isInRow(wide - 100));
  CHECK_FALSE(isInRow(wide / 2));
}

TEST_CASE("a label lies where no mark does", "[views]") {
  const QRectF box(100, 50, 57, 90);
  // A mark at the right of the first row leaves no room for all of it there.
  const QList<QRectF> taken{QRectF(140, 52, 8, 8)};
  CHECK(labelLine(box, 30, 13, taken) == QRectF(100, 50, 38, 13));
  CHECK(labelLine(box, 50, 13, taken) == QRectF(100, 60, 57, 13));
  // Nowhere: as much as there is.
  CHECK(labelLine(box, 80, 13, taken) == QRectF(100, 60, 57, 13));
  CHECK(labelLine(QRectF(100, 50, 57, 14), 80, 14, taken) == QRectF(100, 50, 38, 14));
  CHECK(labelLine(QRectF(100, 50, 57, 10), 20, 13, {}).isEmpty());
}

TEST_CASE("rows that the edges of a picture would cut are left out", "[views]") {
  // Ten rows of 15 pixels below a head of 20 and above a foot of 18: 112 pixels are left.
  const auto rowAt = [](size_t row) { return compiler::GridRect{0, 15.0 * double(row), 50, 15}; };
  PictureFrame frame(QRectF(0, 0, 200, 150), 40, 20, 18);
  REQUIRE(frame.body == QRectF(0, 20, 200, 112));
  frame.keepWhole({0, 8}, rowAt);
  CHECK(frame.rows == QRectF(0, 20, 200, 105));
  CHECK(frame.body.height() == 112);
  // Scrolled by half a row, both edges cut one.
  frame.rows = frame.body;
  frame.origin.ry() -= 8;
  frame.keepWhole({0, 8}, rowAt);
  CHECK(frame.rows == QRectF(0, 27, 200, 105));
  // An only row is cut rather than left out.
  PictureFrame low(QRectF(0, 0, 200, 50), 40, 20, 18);
  low.keepWhole({0, 1}, rowAt);
  CHECK(low.rows == low.body);
}
