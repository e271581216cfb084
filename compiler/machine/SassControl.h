// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the assembler tells the scheduler, in every instruction of capability 7.0 and later:
//
//   bit   125    122 121     116 115  113 112  110   109   108   105
//         |  reuse  | wait mask |  read  |  write | yield |  stall  |
//
// The hardware checks no dependencies. Where the time that an instruction takes is fixed, the next
// one is held back by `stall`; where it is not (loads, special functions), the instruction names one
// of six barriers, and whoever needs the result waits for that barrier:
//
//   LDG.E R4, [R2]        ; write barrier 0: set until R4 is there
//   FADD R5, R4, R4       ; wait mask 0-----: waits for barrier 0
#pragma once

#include "compiler/machine/CubinCode.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::machine {

inline constexpr int kNumBarriers = 6;

struct SassControl {
  /// In place of a barrier: none is named.
  static constexpr uint8_t kNone = 7;

  /// Cycles until the warp may issue its next instruction, 0 to 15.
  uint8_t stall = 0;
  /// The scheduler should go on with another warp; in the word, the bit is 0 then.
  bool yields = false;
  /// Held until the results are written.
  uint8_t writeBarrier = kNone;
  /// Held until the operands are read, so that their registers may be written again.
  uint8_t readBarrier = kNone;
  /// Bit k: waits until nobody holds barrier k.
  uint8_t waitMask = 0;
  /// Bit k: the register of operand k is kept beside the arithmetic unit for the next instruction.
  uint8_t reuse = 0;
  bool operator==(const SassControl &) const = default;
};

SassControl decodeControl(const InstructionWord &word);
/// The word with these fields in place of its own.
InstructionWord withControl(InstructionWord word, const SassControl &control);

/// The predicate that guards an instruction: bits 12 to 15 of its word.
struct SassGuard {
  /// 7: always true.
  uint8_t predicate = 7;
  bool isNegated = false;
  bool isAlways() const { return predicate == 7 && !isNegated; }
  bool operator==(const SassGuard &) const = default;
};
SassGuard decodeGuard(const InstructionWord &word);
InstructionWord withGuard(InstructionWord word, const SassGuard &guard);

/// The fields in columns of fixed width: barriers that are waited for, read barrier, write barrier,
/// yield, stall, reuse. `0--3-- r- w0 Y 04 a-c-`.
std::string controlColumns(const SassControl &control);
/// The inverse of `controlColumns`; nothing for another text.
std::optional<SassControl> parseControlColumns(std::string_view columns);
/// A stretch of `controlColumns`.
struct ControlColumn {
  enum class Field { Wait, Read, Write, Yield, Stall, Reuse };
  Field field;
  size_t begin, length;
};
const std::vector<ControlColumn> &controlColumnPlaces();
inline constexpr size_t kControlColumnsLength = 22;

} // namespace tilescope::compiler::machine
