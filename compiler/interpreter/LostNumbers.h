// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations whose results do not hold what they are given: an integer of 32 bits that wraps around, a number that
// becomes infinite in fp16, a value for which a histogram has no bin. All are as they should be on a GPU, and may be
// meant; who looks for why a result differs wants to know where.
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/interpreter/LocationNotes.h"

namespace tilescope::compiler::interpreter {

struct Program;

/// By location of the program. All threads of a run share it.
class LostNumbers : public LocationNotes<NumberLoss> {
public:
  void note(uint32_t location, NumberLoss loss) const {
    noteAt(location).store(loss, std::memory_order_relaxed);
  }
  NumberLoss at(uint32_t location) const {
    return noteAt(location).load(std::memory_order_relaxed);
  }
  bool has(uint32_t location) const { return at(location) != NumberLoss::None; }
};

/// Lets the program's sums, differences and products of 32 bits, what is rounded to fp16, and histograms note what they
/// lose in `Execution::lostNumbers`.
void watchLostNumbers(Program &program);

} // namespace tilescope::compiler::interpreter
