// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/present/PresentState.h"

#include <catch2/catch.hpp>

using namespace tilescope::app;

/// Two steps: a text and a picture of it, then another text.
static PresentState twoSteps() {
  PresentScript script;
  script.steps.resize(2);
  script.steps[0].views = {"editor", "programs"};
  script.steps[0].seconds = 2.5;
  script.steps[1].views = {"ttir"};
  script.steps[1].title = "second";
  script.steps[1].seconds = 4;
  return PresentState(script);
}

TEST_CASE("A presenter goes from view to view of a step, then to the next step") {
  PresentState state = twoSteps();
  CHECK(state.numStops() == 3);
  CHECK(state.view() == "editor");
  CHECK(state.nextStep()->title == "second");
  CHECK(state.go(1));
  CHECK(state.view() == "programs");
  CHECK(state.stay().count() == 2500);
  CHECK(state.go(1));
  CHECK(state.view() == "ttir");
  CHECK(state.nextStep() == nullptr);
  // The last stop stays.
  CHECK_FALSE(state.go(1));
  CHECK(state.view() == "ttir");
  CHECK(state.go(-1));
  CHECK(state.view() == "programs");
  CHECK(state.goTo(0));
  CHECK_FALSE(state.go(-1));
  CHECK(state.goTo(99));
  CHECK(state.position() == 2);
}

TEST_CASE("A loop goes around its end in both directions") {
  PresentState state = twoSteps();
  state.setLoop(true);
  CHECK(state.go(-1));
  CHECK(state.position() == 2);
  CHECK(state.nextStep() == &state.script().steps.front());
  CHECK(state.go(1));
  CHECK(state.position() == 0);
}
