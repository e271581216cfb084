// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of conversions: only what follows from their facts.
#include "compiler/access/picture/ConversionWords.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

ConversionFacts between(const std::string &source, const std::string &destination) {
  ConversionFacts facts;
  facts.moves = ConversionMoves::Warps;
  facts.shape = {64, 64};
  facts.elementType = "f16";
  facts.elementBits = 16;
  facts.bytes = 8192;
  facts.from = facts.to = "#ttg.blocked<{}>";
  facts.source = {source, {{9, 0}, {9, 4}, 0}, 0};
  facts.destination = {destination, {{11, 0}, {11, 4}, 0}, 1};
  facts.fromLayout = {{"register", {{0, 1}, {0, 2}, {0, 4}}}, {"lane", {{0, 8}}}};
  facts.toLayout = {{"register", {{1, 0}, {2, 0}}}, {"lane", {{4, 0}}}};
  return facts;
}

} // namespace

TEST_CASE("encodings have short names", "[access]") {
  CHECK(encodingName("#ttg.blocked<{sizePerThread = [1, 4]}>") == "blocked");
  CHECK(encodingName("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0}>") == "mma");
  CHECK(encodingName("#ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2}>, "
                     "kWidth = 2}>") == "factor 1 of mma");
  CHECK(encodingName("#ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{}>}>") == "factor 0");
  CHECK(encodingName("#ttg.slice<{dim = 1, parent = #ttg.blocked<{}>}>") == "slice");
}

TEST_CASE("conversions in loops come first, of them those with most wavefronts", "[access]") {
  std::vector<ConversionFacts> all(4, between("tt.load", "tt.store"));
  all[0].moves = ConversionMoves::Registers;
  all[1].sharedAccesses = {{MemoryAction::SharedStore, 16, 64, 64}};
  all[2].isInLoop = true;
  all[2].moves = ConversionMoves::Lanes;
  all[3].sharedAccesses = {{MemoryAction::SharedStore, 16, 128, 64}};
  CHECK(dearestFirst(all) == std::vector<size_t>{2, 3, 1, 0});
}

TEST_CASE("shares of elements are named by how far they come, the rare ones too", "[access]") {
  CHECK(movesSentence({1, 0, 0, 3}) == "25 % stay where they are, 75 % come from another warp");
  CHECK(movesSentence({1, 0, 999, 0}) ==
        "under 1 % stay where they are, 100 % come from another lane");
}

TEST_CASE("the cost names instructions, bytes and wavefronts", "[access]") {
  ConversionFacts facts = between("tt.load", "tt.store");
  facts.parts = 2;
  facts.sharedAccesses = {{MemoryAction::SharedStore, 16, 128, 64},
                          {MemoryAction::MatrixLoad, 16, 64, 64}};
  CHECK(conversionCost(facts) ==
        "8 KiB through shared memory in 2 parts, for lack of room · 128 wavefronts to write (at "
        "least 64, 16 bytes a lane) · 64 wavefronts to read by ldmatrix (at least 64, 16 bytes a "
        "lane)");
  CHECK(shortCost(facts) == "192 wavefronts");
  facts.moves = ConversionMoves::Lanes;
  facts.shuffles = 32;
  CHECK(shortCost(facts) == "32 shuffles");
  facts.moves = ConversionMoves::Registers;
  CHECK(shortCost(facts) == "nothing");
  CHECK(removalSentence(facts) == "Nothing is gained without it.");
}

TEST_CASE("what would remove a conversion follows from what its layouts are for", "[access]") {
  ConversionFacts facts = between("tt.load", "tt.store");
  CHECK(removalSentence(facts).find("runs along dimension 1 of the block") != std::string::npos);
  // Along the same dimension, with other numbers of neighbors.
  facts.toLayout = {{"register", {{0, 1}}}, {"lane", {{0, 2}}}};
  CHECK(removalSentence(facts).starts_with(
      "Both layouts run along dimension 1, with 8 and 2 neighbors a lane."));
  facts.isInLoop = true;
  CHECK(removalSentence(facts).ends_with("It is in a loop: every iteration pays for it."));
  facts.to = "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{}>}>";
  CHECK(removalSentence(facts).find("A pipelined loop copies factors past the registers") !=
        std::string::npos);
  facts.source.operation = "tt.dot";
  CHECK(removalSentence(facts).starts_with("A product's result becomes a factor of another one."));
  // The order of a blocked layout counts, not where registers happen to step.
  facts = between("tt.load", "tt.store");
  facts.to = "#ttg.blocked<{sizePerThread = [1, 1], order = [1, 0]}>";
  CHECK(removalSentence(facts).starts_with("Both layouts run along dimension 1, with 8 and 1 "));
  // Nothing is said of operations that say nothing of layouts.
  const ConversionFacts other = between("tt.reduce", "tt.gather");
  CHECK(removalSentence(other).starts_with(
      "There is no conversion if `tt.reduce` in line 10 and `tt.gather` in line 12 have the same "
      "layout."));
  CHECK(originSentence(other).ends_with("Which pass made it is not known."));
}
