// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassControl.h"

namespace tilescope::compiler::machine {

namespace {
/// Bits of the upper half of a word.
struct BitField {
  unsigned begin, width;

  constexpr uint64_t mask() const { return (uint64_t{1} << width) - 1; }
  uint8_t of(uint64_t word) const { return static_cast<uint8_t>(word >> begin & mask()); }
  uint64_t with(uint64_t word, uint64_t value) const {
    return (word & ~(mask() << begin)) | (value & mask()) << begin;
  }
};
constexpr BitField kStall{105 - 64, 4}, kBusy{109 - 64, 1}, kWrite{110 - 64, 3}, kRead{113 - 64, 3},
    kWait{116 - 64, 6}, kReuse{122 - 64, 4};
/// Of the lower half.
constexpr BitField kGuard{12, 3}, kGuardNegated{15, 1};
} // namespace

SassControl decodeControl(const InstructionWord &word) {
  SassControl control;
  control.stall = kStall.of(word.high);
  control.yields = kBusy.of(word.high) == 0;
  control.writeBarrier = kWrite.of(word.high);
  control.readBarrier = kRead.of(word.high);
  control.waitMask = kWait.of(word.high);
  control.reuse = kReuse.of(word.high);
  return control;
}

InstructionWord withControl(InstructionWord word, const SassControl &control) {
  word.high = kStall.with(word.high, control.stall);
  word.high = kBusy.with(word.high, control.yields ? 0 : 1);
  word.high = kWrite.with(word.high, control.writeBarrier);
  word.high = kRead.with(word.high, control.readBarrier);
  word.high = kWait.with(word.high, control.waitMask);
  word.high = kReuse.with(word.high, control.reuse);
  return word;
}

SassGuard decodeGuard(const InstructionWord &word) {
  return {kGuard.of(word.low), kGuardNegated.of(word.low) != 0};
}

InstructionWord withGuard(InstructionWord word, const SassGuard &guard) {
  word.low = kGuard.with(word.low, guard.predicate);
  word.low = kGuardNegated.with(word.low, guard.isNegated ? 1 : 0);
  return word;
}

const std::vector<ControlColumn> &controlColumnPlaces() {
  using Field = ControlColumn::Field;
  static const std::vector<ControlColumn> places = {
      {Field::Wait, 0, 6},   {Field::Read, 7, 2},   {Field::Write, 10, 2},
      {Field::Yield, 13, 1}, {Field::Stall, 15, 2}, {Field::Reuse, 18, 4},
  };
  return places;
}

static char barrierDigit(uint8_t barrier) {
  return barrier == SassControl::kNone ? '-' : static_cast<char>('0' + barrier);
}

std::string controlColumns(const SassControl &control) {
  std::string text = "------ r- w- - 00 ----";
  for (int barrier = 0; barrier < kNumBarriers; ++barrier)
    if (control.waitMask >> barrier & 1)
      text[static_cast<size_t>(barrier)] = static_cast<char>('0' + barrier);
  text[8] = barrierDigit(control.readBarrier);
  text[11] = barrierDigit(control.writeBarrier);
  if (control.yields)
    text[13] = 'Y';
  text[15] = static_cast<char>('0' + control.stall / 10);
  text[16] = static_cast<char>('0' + control.stall % 10);
  for (size_t operand = 0; operand < 4; ++operand)
    if (control.reuse >> operand & 1)
      text[18 + operand] = static_cast<char>('a' + operand);
  return text;
}

static std::optional<uint8_t> parseBarrier(char digit) {
  if (digit == '-')
    return SassControl::kNone;
  if (digit < '0' || digit > '6')
    return std::nullopt;
  return static_cast<uint8_t>(digit - '0');
}

std::optional<SassControl> parseControlColumns(std::string_view columns) {
  if (columns.size() != kControlColumnsLength)
    return std::nullopt;
  SassControl control;
  for (size_t barrier = 0; barrier < kNumBarriers; ++barrier)
    if (columns[barrier] != '-')
      control.waitMask = static_cast<uint8_t>(control.waitMask | 1u << barrier);
  const auto read = parseBarrier(columns[8]), write = parseBarrier(columns[11]);
  if (!read || !write)
    return std::nullopt;
  control.readBarrier = *read;
  control.writeBarrier = *write;
  control.yields = columns[13] == 'Y';
  control.stall = static_cast<uint8_t>((columns[15] - '0') * 10 + (columns[16] - '0'));
  for (size_t operand = 0; operand < 4; ++operand)
    if (columns[18 + operand] != '-')
      control.reuse = static_cast<uint8_t>(control.reuse | 1u << operand);
  // What is read must be what would be written.
  return controlColumns(control) == columns ? std::optional(control) : std::nullopt;
}

} // namespace tilescope::compiler::machine
