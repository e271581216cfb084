// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What instructions do: the functions that Instruction::run points to. Each comment says what it
// reads.
#pragma once

#include "compiler/interpreter/Frame.h"

namespace tilescope::compiler::interpreter {

// Elementwise; `function` is an ElementwiseFunction.
void runElementwise(const Instruction &, Frame &);
// Integer arithmetic with a rule for Affine operands.
void runAdd(const Instruction &, Frame &);
void runSub(const Instruction &, Frame &);
void runMul(const Instruction &, Frame &);
void runExtendSigned(const Instruction &, Frame &);
void runExtendUnsigned(const Instruction &, Frame &);
void runTruncate(const Instruction &, Frame &);
void runRemSigned(const Instruction &, Frame &);
/// Of integers; these report a divisor that is 0 for all elements.
void runDivide(const Instruction &, Frame &);
void runRemSignedChecked(const Instruction &, Frame &);
/// number[0]: predicate, number[1]: unsigned.
void runCompare(const Instruction &, Frame &);
void runAnd(const Instruction &, Frame &);
/// number[0]: bytes of the pointee.
void runAddPointer(const Instruction &, Frame &);

// Shapes.
/// number[0]: the first value.
void runMakeRange(const Instruction &, Frame &);
void runSplat(const Instruction &, Frame &);
/// number[0]: the axis.
void runExpandDims(const Instruction &, Frame &);
void runBroadcast(const Instruction &, Frame &);
void runReshape(const Instruction &, Frame &);
/// numbers: the order.
void runTrans(const Instruction &, Frame &);
/// A block of one element to a scalar.
void runUnsplat(const Instruction &, Frame &);
void runJoin(const Instruction &, Frame &);
void runSplit(const Instruction &, Frame &);
void runCat(const Instruction &, Frame &);
/// number[0]: the axis.
void runGather(const Instruction &, Frame &);
void runHistogram(const Instruction &, Frame &);

// Memory. in: pointer, value or absent, mask or absent, other or absent.
void runLoad(const Instruction &, Frame &);
void runStore(const Instruction &, Frame &);
/// The warps of the program wait for each other (WarpRaces.h).
void runWarpWait(const Instruction &, Frame &);
/// in: pointer, value, mask or absent; number[0]: the operation; number[1]: orders the program's
/// accesses behind other programs'.
void runAtomicRmw(const Instruction &, Frame &);
/// in: pointer, compared value, new value.
void runAtomicCas(const Instruction &, Frame &);

/// Waits until memory holds a value. in: pointer, expected value, nanoseconds or absent.
void runAtomicPoll(const Instruction &, Frame &);

// Buffers in shared memory: a buffer's value is the place where it begins.
/// in: buffer, index; number[0]: bytes between two slices.
void runBufferIndex(const Instruction &, Frame &);
/// in: buffer; numbers: bytes between neighbours along each dimension.
void runLocalLoad(const Instruction &, Frame &);
/// in: buffer, value; numbers as above.
void runLocalStore(const Instruction &, Frame &);

/// Reports an operation to the frame's observer. in: nothing, or pointer and mask (may be absent);
/// number[0]: the operation's number.
void runTrace(const Instruction &, Frame &);

// Regions.
/// number[0]: the axis; in: the sources, then what the region captures.
void runReduce(const Instruction &, Frame &);
/// number[1]: reverse.
void runScan(const Instruction &, Frame &);
/// number[0]: pack.
void runMap(const Instruction &, Frame &);
/// Reductions by one well-known operation: number[1] says which.
void runSimpleReduce(const Instruction &, Frame &);

/// in: a, b, c; number[0]: truncate to tf32 if the options say so.
void runDot(const Instruction &, Frame &);
/// in: a, b, c, scale of a, scale of b; numbers: kinds of a and b, packed along K.
void runDotScaled(const Instruction &, Frame &);

/// Assembly; state: an InlineAssembly.
void runInlineAssembly(const Instruction &, Frame &);

// Control.
void runJump(const Instruction &, Frame &);
/// Jumps if the scalar is false.
void runJumpUnless(const Instruction &, Frame &);
void runReturn(const Instruction &, Frame &);
void runCopy(const Instruction &, Frame &);
/// A copy from a value that is not read again: exchanges the elements' memory.
void runMove(const Instruction &, Frame &);
/// in: induction variable, upper bound; jumps if the loop has ended. number[0]: unsigned
/// comparison.
void runLoopTest(const Instruction &, Frame &);
/// A constant: `text` holds the bytes of a scalar or of all elements.
void runConstant(const Instruction &, Frame &);
void runProgramId(const Instruction &, Frame &);
void runNumPrograms(const Instruction &, Frame &);
void runPrint(const Instruction &, Frame &);
void runAssert(const Instruction &, Frame &);

} // namespace tilescope::compiler::interpreter
