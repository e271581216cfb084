// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a program with checked bounds leaves at the start of its scratch: which of its accesses were
// outside of the arguments, and with which elements.
//
//     | head | record of access 0 | record of access 1 | …    | blocks
//
// The head begins with the number of records; StoreMarks.h says what else it has. All records are zero where nothing was
// outside. Whoever calls programs makes it so before the first one.
#pragma once

#include "compiler/interpreter/OutsideFinding.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilescope::cpu {

/// Of a program's scratch; a multiple of the alignment of blocks.
size_t outsideBytes(size_t numAccesses);

/// Whether a program has left anything.
bool hasOutside(const std::byte *scratch);
/// Of an access, by its number; `count` is 0 where nothing was outside.
const compiler::interpreter::OutsideElements &outsideOf(const std::byte *scratch, size_t access);

/// The symbols by which code calls what makes the records, and their addresses; null for other symbols.
inline constexpr std::string_view kNoteOutside = "tilescope_note_outside",
                                  kInsideOfRun = "tilescope_inside_of_run";
void *outsideFunction(std::string_view symbol);

} // namespace tilescope::cpu
