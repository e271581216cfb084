// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What one request of one warp touches: the lines of memory it goes to, and in them the elements,
// each with its lanes.
//
// Worked example (asserted by the unit test "the worked example of the picture"): a column of a
// row-major matrix of floats with 1024 columns, one element a lane. Lane l is in a line of its own:
//
//     line    0      bytes 0 to 3, lane 0     sector 0 is fetched, its bytes 4 to 31 are not used
//     line 4096      bytes 0 to 3, lane 1     …
//     32 lines, 32 sectors, 128 of 1024 bytes used; at best 4 sectors would do
#pragma once

#include "compiler/access/AccessPlan.h"
#include "compiler/access/Transactions.h"
#include "compiler/artifacts/AccessRecord.h"

#include <memory>

namespace tilescope::compiler::access {

/// A line of 128 bytes that a request touches.
struct PictureLine {
  int64_t address = 0;
  /// A bit for each unit that is touched: sectors of 32 bytes, of shared memory banks of 4.
  uint32_t units = 0;
};

/// One element in a line, or the part of it that lies there.
struct PicturePlace {
  size_t line = 0;
  /// Within the line.
  int begin = 0, end = 0;
  int64_t address = 0;
  /// A bit for each lane that asks for it; what follows is of the lowest.
  uint32_t lanes = 0;
  /// Row-major in the block, or the offset in shared memory.
  uint32_t element = 0;
  uint32_t registerNumber = 0;
  /// Of shared memory: a bit for each pass that moves some of it, and whether its banks have other
  /// words to give at the same time.
  uint64_t passes = 0;
  bool conflicts = false;
  int firstLane() const;
  int numLanes() const;
};

/// Places beside each other that the same lanes ask for: what is labeled as one.
struct PictureRun {
  size_t firstPlace = 0, numPlaces = 0;
};

/// Bytes of a line, half-open.
struct ByteRange {
  int begin = 0, end = 0;
  bool operator==(const ByteRange &) const = default;
};

struct RequestPicture {
  bool isShared = false;
  int warp = 0;
  uint32_t firstRegister = 0;
  int elementBytes = 4;
  int vectorBytes = 4;
  /// By address; empty when no lane is on.
  std::vector<PictureLine> lines;
  /// By line, then by place in it.
  std::vector<PicturePlace> places;
  std::vector<PictureRun> runs;
  /// Of shared memory.
  std::vector<SharedWord> words;
  AccessCounts counts;

  /// Of a sector, or of a bank.
  int unitBytes() const;
  /// Whether the line before `line` is its neighbor in memory, too.
  bool followsOn(size_t line) const;
  /// What is fetched of a line and not asked for; nothing in shared memory, where only words move.
  std::vector<ByteRange> unused(size_t line) const;
  /// How many words a bank gives, in all passes.
  int numWords(int bank) const;
  /// As few sectors as could hold what is used.
  uint64_t leastSectors() const;
  const PicturePlace &first(const PictureRun &run) const { return places[run.firstPlace]; }
  const PicturePlace &last(const PictureRun &run) const {
    return places[run.firstPlace + run.numPlaces - 1];
  }
};

/// All requests of one access; nothing is made for a request until it is asked for.
class AccessPicture {
public:
  /// `access` is one of a record that goes with `facts`.
  AccessPicture(const RecordedAccess &access, MemoryAction action);

  /// The warps that execute it, and how many instructions each does.
  const std::vector<int> &warps() const { return m_instructions.warps(); }
  size_t numInstructions() const { return m_instructions.perWarp(); }
  /// The request of the warp at a position in `warps`. `execution` is null for shared memory.
  RequestPicture request(size_t warp, size_t instruction, const RecordedExecution *execution) const;
  /// The first request in which a lane is on, as positions; the first of all when there is none.
  std::pair<size_t, size_t> firstRequest(const RecordedExecution *execution) const;

private:
  /// An element of the block that a lane moves.
  struct Asked {
    int lane = 0;
    uint32_t element = 0;
    uint32_t registerNumber = 0;
    int64_t address = 0;
  };
  std::vector<Asked> askedBy(size_t index, const RecordedExecution *execution) const;
  int64_t addressOf(uint32_t element, const RecordedExecution *execution) const;

  AccessPlan m_plan;
  WarpInstructions m_instructions;
  std::vector<int64_t> m_shape;
};

/// The index of an element of a block of this shape, outermost dimension first.
std::vector<int64_t> blockIndex(uint32_t element, const std::vector<int64_t> &shape);

} // namespace tilescope::compiler::access
