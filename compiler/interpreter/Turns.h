// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that take turns. Each gives way before atomic operations on what programs look at
// (`Frame::givesWay`), and another one goes on: a turn goes from one such operation to the next.
// What programs do between them needs no finer turns, since an access that nothing orders is a race
// wherever it is executed (ProgramOrder.h).
//
// An order that is missing shows in few of the ways in which programs come between each other. Each
// kind of turns has what the others lack. Example, four programs of which each announces itself, and
// one that takes the last announcement for all of them:
//
//   tl.atomic_xchg(flag, pid)              while tl.atomic_add(flag, 0) != 4: pass
//
// It goes on too early where program 4 comes before another one, and it looks between them: if it is
// eager, in three of four orders.
#pragma once

#include <cstdint>
#include <map>
#include <random>

namespace tilescope::compiler::interpreter {

class Frame;

/// Which of the programs that take turns goes on.
enum class Turns : uint8_t {
  /// Those that wait look again at each change, all others in an order drawn at random.
  Eager,
  /// Each once, in an order drawn at random, then each a second time, and so on: all have looked
  /// before the first one goes on.
  Rounds,
  /// At random, also whether one that has not begun begins.
  Random,
};

/// So often each program of a grid of `numPrograms` gives way at most.
uint32_t turnsOfEach(uint64_t numPrograms);

/// Programs that were set aside, by number.
using ParkedPrograms = std::map<uint32_t, Frame *>;

/// The one that goes on, of one or more, which is counted in it. `numChanges`: how often what
/// programs look at has been changed.
ParkedPrograms::iterator drawTurn(ParkedPrograms &parked, Turns turns, uint64_t numChanges,
                                  std::mt19937 &random);

} // namespace tilescope::compiler::interpreter
