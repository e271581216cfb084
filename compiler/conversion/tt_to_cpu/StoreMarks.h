// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which execution of a store has written each element of an argument. A table beside the argument's
// memory has a mark for each element: the program, counted from 1, in its upper bits, and in the lower
// ones the number of the execution within the program. Example, with 8 low bits:
//
//     program 0: tl.store(out + i % 2, x)      marks 0x0101 twice: one store, one element
//     program 1: tl.store(out, y)              finds 0x0101: another program
//
// Before a store writes, it looks at the marks. Finding none, or its own program's of another execution, it
// goes on. Otherwise, where the element becomes another, the program has a doubt: native code says only
// that there is something to find, and the interpreter finds it.
//
// An argument that a kernel both loads and stores to has a second table, of who has read each element: a
// program, or several. What programs do to it is in no doubt as long as each element is stored to by one program
// at most, and read by that one alone. Stores find the former; `changesWhatOthersRead` the latter, behind the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tilescope::cpu {

/// Of an element.
inline constexpr unsigned kMarkBytes = sizeof(uint32_t);

/// At the start of a program's scratch, where bounds are checked.
struct CheckHead {
  /// Of OutsideRecords.h.
  uint64_t numRecords = 0;
  /// Of the store that is executed; the caller of a program sets that of no execution.
  uint32_t mark = 0;
  /// The bits of a mark that number executions. They may wrap: a doubt too many.
  uint32_t executionBits = 0;
  /// Two programs, or two elements of one store, have written other values to one element.
  uint8_t hasRace = 0;
  /// A load whose left-out elements may be stored, or decide something, has left some out.
  uint8_t hasLeftOut = 0;
  /// A divisor that all elements share was 0.
  uint8_t hasZeroDivisor = 0;
};

/// The bits of a mark that number executions, where a grid has so many programs: one at least for less than 2^31.
uint32_t executionBitsOf(uint64_t numPrograms);

/// A mark of reading by more than one program; that of one has no bit of an execution.
inline constexpr uint32_t kReadBySeveral = UINT32_MAX;

/// Whether an element was stored to, and read by another program than the last that did so.
bool changesWhatOthersRead(std::span<const uint32_t> stores, std::span<const uint32_t> reads,
                           uint32_t executionBits);

/// The symbols by which code calls what looks at marks closely, and their addresses; null for others.
inline constexpr std::string_view kCheckStore = "tilescope_check_store",
                                  kCheckInPlace = "tilescope_check_in_place",
                                  kCheckStoreOfRun = "tilescope_check_store_of_run",
                                  kCheckInPlaceOfRun = "tilescope_check_in_place_of_run",
                                  kNoteRead = "tilescope_note_read";
void *storeFunction(std::string_view symbol);

} // namespace tilescope::cpu
