// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How runs are booked in the versions of a kernel.
#include "app/ide/history/HistoryLog.h"
#include "tests/gui/VersionSamples.h"
#include "views/history/HistoryModel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using namespace tilescope::views;

TEST_CASE("every run is kept, and a version that ran is not typed over", "[history]") {
  HistoryLog log;
  log.recordCompile(*resultOf("a", "one\n"), at(0));
  HistoryEntry run = timed(10, 0.01, QStringLiteral("H200"));
  run.text = "a";
  run.when = at(1);
  log.recordRun(run);
  REQUIRE(log.entries().size() == 1);
  CHECK(log.entries().front().time == run.time);
  CHECK(log.entries().front().facts.has_value());
  // The same text again.
  run.time->medianUs = 11;
  log.recordRun(run);
  REQUIRE(log.entries().size() == 2);
  CHECK(log.entries().back().facts == log.entries().front().facts);
  CHECK(log.recordCompile(*resultOf("b", "two\n"), at(1)) == 3);
  // A run that comes before its compile is recorded.
  run.text = "c";
  log.recordRun(run);
  CHECK(log.recordCompile(*resultOf("c", "three\n"), at(2)) == 4);
  CHECK(log.entries().back().facts.has_value());
  CHECK(log.entries().size() == 4);
}

TEST_CASE("a run of an older text stands with it, and what was typed meanwhile is the newest",
          "[history]") {
  HistoryLog log;
  log.recordCompile(*resultOf("a", "one\n"), at(0));
  HistoryEntry run = timed(10, 0.01, QStringLiteral("H200"));
  run.text = "a";
  log.recordRun(run);
  CHECK(log.recordCompile(*resultOf("b", "two\n"), at(10)) == 2);
  run.time->medianUs = 11;
  log.recordRun(run);
  REQUIRE(log.entries().size() == 3);
  CHECK(log.entries()[1].text == "a");
  CHECK(log.entries()[1].time == run.time);
  CHECK(log.entries()[2].text == "b");
  CHECK_FALSE(log.entries()[2].time);
}

TEST_CASE("a run is booked for the configuration that it was of", "[history]") {
  HistoryLog log;
  log.recordCompile(*resultOf("a", "one\n"), at(0), "BLOCK=256");
  log.recordCompile(*resultOf("a", "two\n"), at(1), "BLOCK=1024");
  HistoryEntry run = timed(10, 0.01, QStringLiteral("H200"));
  run.text = "a";
  for (const char *choice : {"BLOCK=256", "BLOCK=256", "BLOCK=512"})
    log.recordRun(run, choice);
  CHECK((log.find(1)->time == run.time && !log.find(2)->time));
  CHECK(log.find(3)->digest == log.find(1)->digest);
  CHECK(log.find(4)->digest.isEmpty());
}

TEST_CASE("a version whose run failed stays when its edit is undone", "[history]") {
  HistoryLog log;
  log.recordCompile(*resultOf("a", "one\n"), at(0));
  log.noteEdit(at(10));
  REQUIRE(log.recordCompile(*resultOf("b", "two\n"), at(11)) == 2);
  HistoryEntry failed;
  failed.kernel = log.entries().back().kernel;
  failed.text = "b";
  failed.when = at(12);
  failed.isWrong = true;
  log.recordRun(failed);
  log.noteEdit(at(13));
  log.recordCompile(*resultOf("a", "one\n"), at(14));
  REQUIRE(log.entries().size() == 3);
  CHECK(log.entries()[1].isWrong);
  // So it does when another text follows.
  log.noteEdit(at(15));
  log.recordCompile(*resultOf("c", "three\n"), at(16));
  CHECK(log.entries()[1].isWrong);
}

TEST_CASE("a run of a text that compiles to the same is not a version of its own", "[history]") {
  HistoryLog log;
  log.recordCompile(*resultOf("a", "one\n"), at(0));
  log.recordCompile(*resultOf("a # b", "one\n"), at(10));
  HistoryEntry run = timed(10, 0.01, QStringLiteral("H200"));
  run.text = "a # b";
  run.when = at(11);
  log.recordRun(run);
  REQUIRE(log.entries().size() == 1);
  CHECK(log.entries().front().time == run.time);
  // The next run is listed, and has the same instructions.
  run.when = at(12);
  log.recordRun(run);
  REQUIRE(log.entries().size() == 2);
  CHECK(log.entries()[0].digest == log.entries()[1].digest);
  std::vector<HistoryEntry> untimed = log.entries();
  for (HistoryEntry &entry : untimed)
    entry.time.reset();
  HistoryModel model;
  model.setEntries(untimed);
  CHECK(model.index(0, HistoryModel::Change).data().toString() == u"same instructions");
}
