// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the parts of a pipeline's picture lie, and what is said about them.
#include "compiler/access/picture/PipelinePicture.h"

#include "compiler/access/picture/PipelineWords.h"
#include "tests/support/LoopSample.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

/// Columns of 10 pixels where all fits, rows of 20.
PipelinePicture pictureOf(const LoopFacts &facts, double width, int32_t iteration = 0) {
  return {facts, {width, 20, 10}, iteration};
}

const PipelineItem &item(const PipelinePicture &picture, uint32_t event) {
  const int number = picture.itemOf(event);
  REQUIRE(number >= 0);
  return picture.items()[static_cast<size_t>(number)];
}

} // namespace

TEST_CASE("the worked example of the pipeline", "[compiler]") {
  // Times: 0 copy; 1 wait, 2 copy, 3 product; 4 wait, 5 no copy, 6 product.
  const LoopFacts facts = tests::sampleLoop();
  const PipelinePicture picture = pictureOf(facts, 70);
  CHECK(picture.rows() == std::vector<PipelineRow>{{PipelineRowKind::Head, 0},
                                                   {PipelineRowKind::Slot, -1, 0, 0},
                                                   {PipelineRowKind::Slot, -1, 0, 1},
                                                   {PipelineRowKind::Waits, 0},
                                                   {PipelineRowKind::Products, 0}});
  CHECK(picture.bands() == std::vector<PipelineBand>{{0, kBeforeLoop, 0, 1, false},
                                                     {0, 0, 1, 4, false},
                                                     {0, 1, 4, 7, false}});
  CHECK(picture.isWhole());
  CHECK(picture.height() == 100);
  CHECK(picture.columnWidth() == 10);
  // The first copy is under way until the wait, and its slot is held until the product is done.
  const PipelineItem &first = item(picture, 0);
  CHECK(first.row == 1);
  CHECK(first.rect.x == 0);
  CHECK(first.rect.width == 40);
  CHECK(first.ready == 10);
  CHECK(first.rect.y == 20);
  const PipelineItem &second = item(picture, 2);
  CHECK(second.row == 2);
  CHECK(second.rect.x == 20);
  CHECK(second.rect.width == 50);
  CHECK(second.ready == 40);
  // What is left out takes its column.
  CHECK(item(picture, 5).rect.width == 10);
  CHECK(item(picture, 1).row == 3);
  CHECK(item(picture, 3).row == 4);
  // Labels reach as far as the next bar of the row.
  CHECK(picture.roomEnd(static_cast<size_t>(picture.itemOf(1))) == 40);
  CHECK(picture.roomEnd(static_cast<size_t>(picture.itemOf(4))) == 70);
  REQUIRE(picture.marks().size() == 2);
  CHECK(picture.marks()[0].middle.x == 35);
  CHECK(picture.marks()[0].middle.y == 30);
}

TEST_CASE("bars end where iterations are left out, and go on from there", "[compiler]") {
  LoopFacts facts = tests::sampleLoop();
  for (LoopEvent &event : facts.events)
    if (event.iteration == 1)
      event.iteration = 5;
  // What waits for the second copy is left out.
  facts.events[2].end = -1;
  std::erase_if(facts.links, [](const LoopLink &link) { return link.from == 2 || link.to == 2; });
  {
    const PipelinePicture picture = pictureOf(facts, 70);
    REQUIRE(picture.bands().back().isBehindGap);
    CHECK(item(picture, 2).rect.x + item(picture, 2).rect.width == 40);
  }
  // A copy of an iteration that is left out is under way where the events go on.
  LoopEvent &copy = facts.events[2];
  copy.isInGap = true;
  copy.iteration = 4;
  copy.time = copy.begin = 4;
  copy.end = 6;
  const PipelinePicture picture = pictureOf(facts, 70);
  CHECK(picture.bands().back().iteration == 5);
  CHECK(iterationsOf(facts) == std::vector<int32_t>{0, 5});
  CHECK(item(picture, 2).rect.x == 40);
  CHECK(item(picture, 2).ready == 60);
}

TEST_CASE("arrows lead from a copy to its wait and to the product", "[compiler]") {
  const LoopFacts facts = tests::sampleLoop();
  const PipelinePicture picture = pictureOf(facts, 70);
  const std::vector<LoopLink> links = linksOf(facts, 2);
  CHECK(links == std::vector<LoopLink>{{2, 4, LoopLinkKind::Ends}, {2, 6, LoopLinkKind::Feeds}});
  CHECK(linksOfIteration(facts, 1) == links);
  const std::vector<PipelineArrow> arrows = picture.arrows(facts, links, 4);
  REQUIRE(arrows.size() == 2);
  // From where it is over to the middle of the wait, upright at both ends.
  CHECK(arrows[0].shape.start.x == 40);
  CHECK(arrows[0].shape.start.y == 50);
  CHECK(arrows[0].shape.firstControl.x == 40);
  CHECK(arrows[0].shape.secondControl.x == 45);
  CHECK(arrows[0].shape.head[0].x == 45);
  CHECK(arrows[0].shape.head[0].y == 70);
  // From the mark of the reader.
  CHECK(arrows[1].shape.start.x == 65);
  CHECK(arrows[1].shape.head[0].y == 90);
}

TEST_CASE("where there is no room, the times around an iteration are in sight", "[compiler]") {
  const LoopFacts facts = tests::sampleLoop(20);
  const PipelinePicture whole = pictureOf(facts, 610);
  CHECK(whole.isWhole());
  const PipelinePicture picture = pictureOf(facts, 90, 10);
  CHECK_FALSE(picture.isWhole());
  CHECK(picture.lastTime() - picture.firstTime() == 9);
  // The copy for iteration 10 at time 29, and its product at 33.
  CHECK(picture.firstTime() <= 29);
  CHECK(picture.lastTime() > 33);
  CHECK(picture.itemOf(29) >= 0);
  CHECK(picture.itemOf(0) == -1);
  for (const PipelineItem &each : picture.items()) {
    CHECK(each.rect.x >= 0);
    CHECK(each.rect.x + each.rect.width <= 90 + 1e-9);
  }
  // At the ends nothing lies beyond.
  CHECK(pictureOf(facts, 90, 0).firstTime() == 0);
  CHECK(pictureOf(facts, 90, 19).lastTime() == 61);
}

TEST_CASE("products that overlap share the height of their row", "[compiler]") {
  LoopFacts facts = tests::sampleLoop();
  facts.operations[2].isAsync = true;
  // The first one runs on until the second wait is over; the second until the end.
  facts.events[3].end = 6;
  const PipelinePicture picture = pictureOf(facts, 70);
  CHECK(item(picture, 3).rect.width == 30);
  CHECK(item(picture, 3).rect.height == 20);
  // Until then it reads its slot.
  const std::vector<PipelineArrow> freed = picture.arrows(facts, {{3, 6, LoopLinkKind::Frees}}, 4);
  REQUIRE(freed.size() == 1);
  CHECK(freed[0].shape.start.x == 60);
  facts.events[6].time = facts.events[6].begin = 5;
  facts.events[5].time = facts.events[5].begin = 6;
  facts.events[3].end = 5;
  const PipelinePicture shared = pictureOf(facts, 70);
  CHECK(item(shared, 3).rect.height == 10);
  CHECK(item(shared, 6).rect.height == 10);
  CHECK(item(shared, 3).rect.y != item(shared, 6).rect.y);
}

TEST_CASE("keys go along rows and from row to row", "[compiler]") {
  const LoopFacts facts = tests::sampleLoop();
  const PipelinePicture picture = pictureOf(facts, 70);
  const auto from = [&](uint32_t event, Step step) {
    return picture.items()[static_cast<size_t>(itemFrom(picture, picture.itemOf(event), step))]
        .event;
  };
  CHECK(from(1, Step::Right) == 4);
  CHECK(from(4, Step::Left) == 1);
  CHECK(from(4, Step::Right) == 4);
  CHECK(from(1, Step::Up) == 2);
  CHECK(from(1, Step::Down) == 3);
  CHECK(from(4, Step::Down) == 3);
  CHECK(from(3, Step::RowEnd) == 6);
  CHECK(from(3, Step::First) == 0);
  CHECK(from(0, Step::Last) == 6);
  CHECK(itemFrom(PipelinePicture(), 0, Step::Right) == -1);
  // Slot 0 is reached where the copy's bar is.
  CHECK(picture.items()[static_cast<size_t>(itemAt(picture, {25, 30}))].event == 0);
  CHECK(itemAt(picture, {55, 30}) == picture.itemOf(5));
  CHECK(itemAt(picture, {45, 30}) == -1);
  CHECK(itemAt(picture, {-5, 30}) == -1);
}

TEST_CASE("colors are those of the iteration that needs a block", "[compiler]") {
  const LoopFacts facts = tests::sampleLoop(8);
  CHECK(colorOf(facts, 0) == 0);
  CHECK(colorOf(facts, 2) == 1);
  CHECK(colorOf(facts, 3) == 0);
  // Iteration 7.
  CHECK(colorOf(facts, 22) == 7 % kPipelineColors);
  CHECK(iterationsOf(facts) == std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a loop and its events are said in words", "[compiler]") {
  LoopFacts facts = tests::sampleLoop();
  CHECK(loopTitle(facts) == "line 9: 2 slots, 1 copy an iteration, 1 iteration ahead");
  CHECK(loopSentence(facts) ==
        "While iteration k computes, copies for iteration k + 1 are under way.");
  // A product that the wait of the next iteration ends.
  facts.pipeline.asyncProducts = 1;
  facts.events[3].end = 4;
  CHECK(loopTitle(facts).ends_with("1 iteration ahead, 1 asynchronous product"));
  CHECK(loopSentence(facts).ends_with(
      "A product runs on into the next iteration, where a wait ends it."));
  facts.events[3].end = -1;
  CHECK(followedSentence(facts) ==
        "How many iterations there are depends on the launch: drawn as if there were 2.");
  facts.numIterations = facts.numFollowed;
  CHECK(followedSentence(facts) == "Both iterations are drawn.");
  facts.numIterations = 64;
  CHECK(followedSentence(facts) == "The first 2 of 64 iterations are drawn.");
  facts = tests::sampleLoop(3);
  facts.numIterations = 3;
  CHECK(followedSentence(facts) == "All 3 iterations are drawn.");
  facts = tests::sampleLoop(1);
  facts.numIterations = 1;
  CHECK(followedSentence(facts) == "Its only iteration is drawn.");
  facts = tests::sampleLoop();
  CHECK(eventText(facts, 2) ==
        "copy of `x<1>` for iteration 1 into slot 1 · in iteration 0, line 10 · waited for in "
        "iteration 1, line 9 · read by product (in iteration 1, line 11)");
  CHECK(eventText(facts, 4) == "wait for all copies · in iteration 1, line 9 · ends copy of `x<1>` "
                               "for iteration 1 into slot 1");
  CHECK(eventText(facts, 5) ==
        "no copy of `x<1>`: nothing is left to load · in iteration 1, line 10");
  CHECK(eventText(facts, 6) == "product · in iteration 1, line 11 · uses copy of `x<1>` for "
                               "iteration 1 into slot 1");
  CHECK(eventLabel(facts, 2) == "1");
  CHECK(eventLabel(facts, 6) == "×1");
  CHECK(loopsSentence({}).starts_with("This kernel has no loop, so there is nothing to pipeline"));
  CHECK(loopsSentence({facts}) == "1 loop, pipelined");
  CHECK(loopsSentence({facts, facts}) == "2 loops, 2 pipelined");
  facts.obstacle = PipelineObstacle::Loads;
  facts.waiting = {{{{9, 8}, {9, 20}, 0}, facts.range, LoopObstacle::Stages}};
  CHECK(loopSentence(facts) == "Not pipelined: the product waits for the load of line 10: the loop "
                               "has a single stage (`num_stages = 3` loads two iterations ahead).");
}

TEST_CASE("a label stands beside the marks of readers", "[compiler]") {
  const LoopFacts facts = tests::sampleLoop();
  const PipelinePicture picture = pictureOf(facts, 70);
  // From 20 to 70, there from 40 on; the product reads it at 65.
  const auto second = static_cast<size_t>(picture.itemOf(2));
  REQUIRE(picture.items()[second].rect.x == 20);
  REQUIRE(picture.marks().back().middle.x == 65);
  CHECK(picture.labelLeft(second, 40, 10, 4) == 45.5);
  CHECK_FALSE(picture.labelLeft(second, 40, 22, 4).has_value());
  CHECK(picture.labelLeft(second, 20, 22, 4) == 29.5);
  // Narrower than a label and a mark: none is drawn over the other.
  const PipelinePicture narrow(facts, {14, 20, 1}, 0);
  CHECK_FALSE(narrow.labelLeft(static_cast<size_t>(narrow.itemOf(2)), 0, 8, 4).has_value());
}
