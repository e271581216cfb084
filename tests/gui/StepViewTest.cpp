// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/step/StepView.h"

#include <QLabel>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope::views;

TEST_CASE("while the first step is under way, nobody is told how to begin", "[gui][step]") {
  StepView view;
  view.show();
  const auto says = [&](QStringView words) {
    return std::ranges::any_of(view.findChildren<QLabel *>(), [&](const QLabel *label) {
      return label->isVisible() && label->text().contains(words);
    });
  };
  REQUIRE(says(u"begins with the first line"));
  view.setBusy(true);
  CHECK_FALSE(says(u"begins with the first line"));
  CHECK(says(u"On the way to the first stop"));
  view.setBusy(true, QStringLiteral("Running the other programs: 3 of 8"));
  CHECK(says(u"3 of 8"));
  view.setBusy(false);
  CHECK(says(u"begins with the first line"));
  view.clear(QStringLiteral("The program has ended."));
  CHECK(says(u"has ended"));
}
