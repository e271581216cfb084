// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Accesses of one program by different warps to one element, of which at least one is a store. Warps
// run on their own until a barrier, so that a warp may load an element before another one has stored
// it, or after, and of two that store it either may be the last:
//
//   tl.store(y_ptr + i, x)                 with 1024 elements, warp 2 stores y_ptr[256]
//   z = tl.load(y_ptr + (i ^ 256))         and warp 0 loads it
//
//   x = tl.load(x_ptr + 1023 - i)          warp 7 loads x_ptr[0]
//   tl.store(x_ptr + i, x)                 and warp 0 stores it
//
// Which accesses nothing separates, and which warp holds which element of their blocks, the caller
// knows (`WarpOrder`), from how the kernel is compiled. A scalar is stored by the first warp, and
// loaded by all that work on it. Records are `MemoryArea::warps`: who stored an element last, and who
// loaded it. Each counts how often the warps had waited for each other: in a loop, an access may be
// separated from one of the next iteration, though not from that of its own.
#pragma once

#include "compiler/interpreter/Frame.h"

#include <array>
#include <memory>
#include <vector>

namespace tilescope::compiler::interpreter {

struct WrittenRow;

/// Accesses that can be told apart.
inline constexpr size_t kMostUnordered = size_t{1} << 10;

/// Of a load or store that is ordered by nothing with others of its program: `Instruction::state`.
struct UnorderedWarps {
  /// Its number, from 1; 0: nothing that comes behind it is unordered.
  uint32_t number = 0;
  /// By number of an access before it: whether nothing orders the two.
  std::vector<bool> before;
  /// By element of the block, row-major.
  std::shared_ptr<const std::vector<uint16_t>> warps;
};

/// What the instruction has of this; null: it is ordered, or nobody has looked.
inline const UnorderedWarps *unorderedWarps(const Instruction &op) {
  return static_cast<const UnorderedWarps *>(op.state.get());
}

/// The last accesses to an element; 0: there is none that anything races with.
struct ElementWarps {
  uint64_t store = 0;
  /// By two warps, the last one first.
  std::array<uint64_t, 2> loads{};
};

/// The check of one instruction, which reports one race at most.
class WarpCheck {
public:
  /// `area`: one that has a table of warps.
  WarpCheck(const Instruction &op, Frame &frame, const MemoryArea &area)
      : m_instruction(op), m_frame(frame), m_area(area), m_unordered(unorderedWarps(op)) {}

  /// Before element `position` of the block is read at a granule. Of a load that is unordered.
  void noteRead(size_t index, size_t position);
  /// Before a row is written, by any store.
  void noteStores(Element element, const WrittenRow &row);

private:
  bool racesWith(uint64_t record, uint16_t warp) const;
  uint64_t recordOf(uint16_t warp) const;
  void noteStore(size_t index, size_t position, bool isChange);
  /// What the warp of this access does, and that of another one.
  struct WarpPair {
    const char *here;
    const char *there;
    bool isWithRead = false;
  };
  /// `record`: of the other.
  void report(size_t index, uint64_t record, uint16_t warp, const WarpPair &pair);

  const Instruction &m_instruction;
  Frame &m_frame;
  const MemoryArea &m_area;
  /// Null: its records only replace others.
  const UnorderedWarps *m_unordered;
  bool m_hasReported = false;
};

} // namespace tilescope::compiler::interpreter
