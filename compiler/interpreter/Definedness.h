// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which elements are defined. A masked-off element of a load without `other` is whatever the device
// leaves there; a kernel may compute with it, but must not store it or use it as an address.
//
// A twin of the program runs beside it. It has the same instructions and values, but each value is
// a block of truth values: true where the element is defined. Example:
//
//   x = load p, mask      Box of the mask        an element is defined where it was loaded
//   y = x + 1             the same Box           where all operands are
//   store q, y, mask      nothing to report      the stored elements are all in the Box
//
// A Box costs a few numbers, so that kernels without fault pay little.
#pragma once

#include "compiler/interpreter/Program.h"

namespace tilescope::compiler::interpreter {

/// Whether it loads with a mask and without `other`.
bool leavesUndefined(const Instruction &op);

/// The twin, or null if no load leaves anything undefined. `isOutsideUndefined`: any load may, by
/// reading outside of all arguments.
std::shared_ptr<Program> trackDefinedness(const Program &program, bool isOutsideUndefined);

// What instructions of the twin do. `Frame::tracked` is the program's own frame.

/// Defined everywhere: constants, results of atomic operations.
void trackDefined(const Instruction &, Frame &);
/// Where all operands are.
void trackAll(const Instruction &, Frame &);
/// A false operand that is defined decides, whatever the other is.
void trackAnd(const Instruction &, Frame &);
/// Where the condition and the chosen operand are.
void trackSelect(const Instruction &, Frame &);
void trackLoad(const Instruction &, Frame &);
void trackStore(const Instruction &, Frame &);
/// Of what a load leaves defined, takes out the elements that are read outside of all arguments.
void excludeOutside(const Instruction &, Frame &);
/// number[3]: operands after the pointer that are stored; the mask follows them.
void trackAtomic(const Instruction &, Frame &);
/// number[0]: the axis.
void trackReduce(const Instruction &, Frame &);
void trackScan(const Instruction &, Frame &);
void trackGather(const Instruction &, Frame &);
void trackHistogram(const Instruction &, Frame &);
void trackDot(const Instruction &, Frame &);
void trackNothing(const Instruction &, Frame &);
/// Of a branch, or of a loop's end.
void trackCondition(const Instruction &, Frame &);

/// Whether element `index` of an access of `program` touches memory of the launch; `value`: what is
/// loaded or stored.
bool touchesInside(Frame &program, uint32_t pointer, uint32_t value, int64_t index);

} // namespace tilescope::compiler::interpreter
