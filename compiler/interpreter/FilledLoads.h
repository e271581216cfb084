// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which loads put their `other` in the place of elements that their mask leaves out, in a run.
#pragma once

#include "compiler/interpreter/LocationNotes.h"

namespace tilescope::compiler::interpreter {

/// By location of the program. All threads of a run share it.
class FilledLoads : public LocationNotes<uint32_t> {
public:
  /// `axes`: bit `d` is set where the mask takes some elements of a line along axis `d`, and leaves others out.
  void note(uint32_t location, uint32_t axes) const {
    const uint32_t bits = axes << 1 | 1;
    if ((noteAt(location).load(std::memory_order_relaxed) & bits) != bits)
      noteAt(location).fetch_or(bits, std::memory_order_relaxed);
  }
  bool isFilled(uint32_t location) const { return noteAt(location) != 0; }
  /// In any of the programs.
  uint32_t axes(uint32_t location) const { return noteAt(location) >> 1; }
};

} // namespace tilescope::compiler::interpreter
