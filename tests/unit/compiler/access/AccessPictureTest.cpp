// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Pictures of requests, worked out by hand.
#include "compiler/access/picture/AccessPicture.h"

#include "compiler/access/picture/AccessWords.h"
#include "compiler/access/picture/RequestGrid.h"
#include "compiler/support/BytesText.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

constexpr int64_t kBase = int64_t(1) << 43;

/// One warp over 32 elements of a block, one each.
RecordedAccess oneEach(int elementBytes = 4) {
  RecordedAccess access;
  access.lanes.lanes = {1, 2, 4, 8, 16};
  access.lanes.numWarps = 1;
  access.lanes.elementBytes = elementBytes;
  access.shape = {32};
  access.numExecutions = 1;
  return access;
}

RecordedExecution strided(std::vector<int64_t> step, int64_t base = kBase) {
  RecordedExecution execution;
  execution.base = base;
  execution.step = std::move(step);
  return execution;
}

RequestPicture only(const RecordedAccess &access, const RecordedExecution &execution) {
  return AccessPicture(access, MemoryAction::GlobalLoad).request(0, 0, &execution);
}

} // namespace

TEST_CASE("the worked example of the picture", "[access]") {
  // A column of a row-major matrix of floats with 1024 columns.
  const RequestPicture picture = only(oneEach(), strided({4096}));
  CHECK(picture.lines.size() == 32);
  CHECK(picture.places.size() == 32);
  CHECK(picture.counts.sectors == 32);
  CHECK(picture.counts.lines == 32);
  CHECK(picture.counts.bytesUsed == 128);
  CHECK(picture.counts.bytesFetched == 1024);
  CHECK(picture.leastSectors() == 4);
  for (size_t line = 0; line < picture.lines.size(); ++line) {
    CHECK(picture.lines[line].units == 1);
    CHECK_FALSE(picture.followsOn(line));
    CHECK(picture.unused(line) == std::vector<ByteRange>{{4, 32}});
    CHECK(picture.places[line].firstLane() == static_cast<int>(line));
  }
}

TEST_CASE("neighbors share lines and sectors", "[access]") {
  const RequestPicture picture = only(oneEach(), strided({4}));
  REQUIRE(picture.lines.size() == 1);
  CHECK(picture.lines[0].units == 0b1111);
  CHECK(picture.unused(0).empty());
  CHECK(picture.places[5].begin == 20);
  CHECK(picture.places[5].element == 5);
  CHECK(picture.leastSectors() == picture.counts.sectors);
  CHECK(picture.runs.size() == 32);
  // From the middle of a sector on, the request reaches into the next line.
  const RequestPicture moved = only(oneEach(), strided({4}, kBase + 16));
  REQUIRE(moved.lines.size() == 2);
  CHECK(moved.followsOn(1));
  CHECK(moved.unused(0) == std::vector<ByteRange>{{0, 16}});
  CHECK(moved.lines[1].units == 1);
  CHECK(moved.unused(1) == std::vector<ByteRange>{{16, 32}});
  CHECK(moved.counts.sectors == 5);
}

TEST_CASE("a lane's vector is one run of several elements", "[access]") {
  RecordedAccess access = oneEach();
  access.lanes.registers = {1, 2};
  access.lanes.lanes = {4, 8, 16, 32, 64};
  access.lanes.vectorElements = 4;
  access.lanes.vectorRegisters = 3;
  access.shape = {128};
  const RequestPicture picture = only(access, strided({4}));
  CHECK(picture.vectorBytes == 16);
  CHECK(picture.lines.size() == 4);
  CHECK(picture.places.size() == 128);
  REQUIRE(picture.runs.size() == 32);
  CHECK(picture.runs[9].numPlaces == 4);
  CHECK(picture.first(picture.runs[9]).lanes == 1u << 9);
  const PicturePlace &third = picture.places[9 * 4 + 2];
  CHECK(third.element == 38);
  CHECK(third.registerNumber == 2);
  CHECK(third.begin == 38 * 4 - 128);
}

TEST_CASE("lanes that ask for the same element are one place", "[access]") {
  const RequestPicture picture = only(oneEach(), strided({0}));
  REQUIRE(picture.places.size() == 1);
  CHECK(picture.places[0].numLanes() == 32);
  CHECK(picture.runs.size() == 1);
  CHECK(picture.unused(0) == std::vector<ByteRange>{{4, 32}});
  CHECK(lanesText(picture.places[0].lanes) == "lanes 0–31");
  CHECK(lanesLabel(0b1110) == "1–3");
  CHECK(lanesLabel(0b1010) == "×2");
  CHECK(lanesText(0b1000) == "lane 3");
}

TEST_CASE("lanes that are off are not in the picture", "[access]") {
  RecordedExecution execution = strided({4});
  execution.mask = {0x0000ff00};
  const RequestPicture picture = only(oneEach(), execution);
  CHECK(picture.places.size() == 8);
  CHECK(picture.places.front().firstLane() == 8);
  CHECK(picture.counts.sectors == 1);
  execution.mask = {0};
  CHECK(only(oneEach(), execution).lines.empty());
  CHECK(only(oneEach(), execution).counts.requests == 0);
}

TEST_CASE("the first request is one with a lane that is on", "[access]") {
  RecordedAccess access = oneEach();
  access.lanes.warps = {32, 64};
  access.lanes.registers = {128};
  access.lanes.numWarps = 4;
  access.shape = {256};
  const AccessPicture picture(access, MemoryAction::GlobalLoad);
  CHECK(picture.warps() == std::vector<int>{0, 1, 2, 3});
  CHECK(picture.numInstructions() == 2);
  RecordedExecution execution = strided({4});
  CHECK(picture.firstRequest(&execution) == std::pair<size_t, size_t>(0, 0));
  // Element 200 is in the second register of warp 2.
  execution.mask = {0, 0, 0, uint64_t(1) << (200 - 192)};
  CHECK(picture.firstRequest(&execution) == std::pair<size_t, size_t>(2, 1));
  const RequestPicture request = picture.request(2, 1, &execution);
  CHECK(request.firstRegister == 1);
  REQUIRE(request.places.size() == 1);
  CHECK(request.places[0].element == 200);
}

TEST_CASE("listed addresses are taken as they are", "[access]") {
  RecordedExecution execution;
  for (int64_t element = 0; element < 32; ++element)
    execution.addresses.push_back(kBase + (31 - element) * 8);
  const RequestPicture picture = only(oneEach(), execution);
  CHECK(picture.lines.size() == 2);
  CHECK(picture.places.front().firstLane() == 31);
  CHECK(picture.counts.sectors == 8);
  CHECK(picture.unused(0).size() == 16);
}

TEST_CASE("an element that is not aligned lies in two lines", "[access]") {
  const RequestPicture picture = only(oneEach(), strided({4}, kBase + 126));
  REQUIRE(picture.lines.size() == 3 - 1);
  CHECK(picture.places[0].begin == 126);
  CHECK(picture.places[0].end == 128);
  CHECK(picture.places[1].begin == 0);
  CHECK(picture.places[1].end == 2);
  CHECK(picture.places[1].firstLane() == 0);
}

TEST_CASE("shared memory is drawn by banks", "[access]") {
  // A column of 32 x 32 floats without a swizzle: all lanes in bank 0.
  RecordedAccess access;
  access.lanes.lanes = {32, 64, 128, 256, 512};
  access.lanes.numWarps = 1;
  const RequestPicture picture =
      AccessPicture(access, MemoryAction::SharedLoad).request(0, 0, nullptr);
  CHECK(picture.isShared);
  CHECK(picture.lines.size() == 32);
  CHECK(picture.lines[3].units == 1);
  CHECK(picture.unused(3).empty());
  CHECK(picture.counts.wavefronts == 32);
  CHECK(picture.numWords(0) == 32);
  CHECK(picture.numWords(1) == 0);
  // Each row is given in a pass of its own.
  CHECK(picture.places[3].passes == uint64_t(1) << 3);
  CHECK(picture.places[3].conflicts);
  // With a gap behind every row the banks differ.
  access.lanes.padding = {{32, 1}};
  const RequestPicture padded =
      AccessPicture(access, MemoryAction::SharedLoad).request(0, 0, nullptr);
  CHECK(padded.counts.wavefronts == 1);
  CHECK(padded.places[1].begin == 4);
  CHECK(padded.places[1].passes == 1);
  CHECK_FALSE(padded.places[1].conflicts);
}

TEST_CASE("rows of the grid are lines, with gaps where memory is left out", "[access]") {
  RecordedExecution execution;
  for (int64_t element = 0; element < 32; ++element)
    execution.addresses.push_back(kBase + element * 8 + (element < 16 ? 0 : 1 << 20));
  const RequestPicture picture = only(oneEach(), execution);
  REQUIRE(picture.lines.size() == 2);
  const RequestGrid grid(picture, {256, 20, 6});
  CHECK(grid.height() == 46);
  CHECK(grid.row(1).y == 26);
  // Bytes 8 to 11 of 128 in 256 pixels.
  CHECK(grid.place(picture.places[1]).x == 16);
  CHECK(grid.place(picture.places[1]).width == 8);
  CHECK(placeAt(picture, grid, {17, 5}) == 1);
  CHECK(placeAt(picture, grid, {9, 5}) == -1);
  CHECK(placeAt(picture, grid, {1, 23}) == -1);
  CHECK(placeAt(picture, grid, {1, 27}) == 16);
  CHECK(grid.linesIn(0, 20) == Interval(0, 1));
  CHECK(grid.linesIn(19, 27) == Interval(0, 2));
  CHECK(grid.linesIn(20, 26) == Interval(1, 1));
  CHECK(RequestGrid::fittingRowHeight(picture, 46, 6, 5, 100) == 20);
  CHECK(RequestGrid::fittingRowHeight(picture, 10, 6, 5, 100) == 5);
}

TEST_CASE("keys lead from element to element", "[access]") {
  const RequestPicture picture = only(oneEach(), strided({12}));
  // Three lines: 11, 11 and 10 elements.
  REQUIRE(picture.lines.size() == 3);
  CHECK(placeFrom(picture, 0, Step::Left) == 0);
  CHECK(placeFrom(picture, 10, Step::Right) == 11);
  CHECK(placeFrom(picture, 3, Step::Up) == 3);
  const int below = placeFrom(picture, 3, Step::Down);
  CHECK(picture.places[static_cast<size_t>(below)].line == 1);
  CHECK(std::abs(picture.places[static_cast<size_t>(below)].begin - picture.places[3].begin) <= 6);
  CHECK(placeFrom(picture, 14, Step::RowStart) == 11);
  CHECK(picture.places[static_cast<size_t>(placeFrom(picture, 0, Step::RowEnd))].line == 0);
  CHECK(placeFrom(picture, 0, Step::Last) == 31);
  CHECK(placeFrom(picture, 31, Step::First) == 0);
  CHECK(placeFrom({}, 0, Step::Right) == -1);
}

TEST_CASE("addresses are named by their arguments", "[access]") {
  AccessRecord record;
  record.arguments = {
      {"x_ptr", kBase, {64, 100}, 4}, {"n", 3 * kBase, {}, 0}, {"y_ptr", 5 * kBase, {}, 0}};
  CHECK(addressText(record, kBase) == "x_ptr[0, 0]");
  CHECK(addressText(record, kBase + 4 * 217) == "x_ptr[2, 17]");
  CHECK(addressText(record, kBase + 4 * 6400) == "x_ptr + 25600 B");
  CHECK(addressText(record, kBase - 4) == "x_ptr − 4 B");
  CHECK(addressText(record, kBase + 2) == "x_ptr + 2 B");
  CHECK(offsetText(record, kBase + 868) == "x_ptr + 868 B");
  CHECK(addressText(record, 5 * kBase + 16) == "y_ptr + 16 B");
}

TEST_CASE("accesses are listed by what they waste", "[access]") {
  std::vector<AccessFacts> accesses(5);
  accesses[0].counts.bytesFetched = accesses[0].counts.bytesUsed = 4096;
  accesses[1].counts.bytesFetched = 8192;
  accesses[1].counts.bytesUsed = 1024;
  // Not executed.
  accesses[3].action = MemoryAction::SharedLoad;
  accesses[3].counts.wavefronts = 32;
  accesses[3].counts.minimumWavefronts = 16;
  accesses[4].counts.bytesFetched = accesses[4].counts.bytesUsed = 1 << 20;
  CHECK(worstFirst(accesses) == std::vector<size_t>{1, 3, 4, 0, 2});
  CHECK(efficiency(accesses[1]) == 0.125);
  CHECK_FALSE(efficiency(accesses[2]));
}

TEST_CASE("why an access is not wider is a sentence", "[access]") {
  AccessFacts facts;
  facts.elementBytes = facts.vectorBytes = 4;
  facts.limit = WidthLimit{WidthReason::Contiguity, "", 0, 1};
  CHECK(widthSentence(facts) ==
        "A lane moves 4 bytes at once (1 element) along dimension 0, not more: neighbors along "
        "dimension 0 are not neighbors in memory.");
  facts.limit = WidthLimit{WidthReason::Divisibility, "n", 1, 1};
  CHECK(widthSentence(facts) == "A lane moves 4 bytes at once (1 element) along dimension 1, not "
                                "more: `n` is not known to be a multiple of more than 1 element.");
  facts.vectorBytes = 16;
  facts.limit = WidthLimit{WidthReason::Widest, "", 1, 4};
  CHECK(widthSentence(facts) ==
        "A lane moves 16 bytes at once (4 elements), the most that an instruction moves.");
  facts.limit = WidthLimit{WidthReason::Scalar, "", -1, 1};
  facts.vectorBytes = 4;
  CHECK(widthSentence(facts) ==
        "All lanes ask for the same 4 bytes: the access is to one element.");
  CHECK(tilescope::bytesText(96) == "96 B");
  CHECK(tilescope::bytesText(1536) == "1.5 KiB");
  CHECK(percentText(1, 8) == "13 %");
}
