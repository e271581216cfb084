// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How a block gets from one layout to another when threads must exchange elements.
//
// Within a warp, by shuffles. Call r the register and t the lane of the receiver; the element it
// needs is in register A·r ^ B·t of lane D·r ^ E·t. One shuffle moves one register of every lane,
// so the exchange is cut into rounds j in which every lane sends exactly one value. Receiver t
// takes part in round j with its register r = j ^ M·t, where M is chosen so that G = D·M ^ E is
// invertible; then
//
//     receiver t reads from lane D·j ^ G·t        sender s sends register (A ^ N·D)·j ^ N·s
//
// with N = (A·M ^ B)·G^-1. The parts N·s and M·t are flips of register indices that depend on the
// lane: selects before and after; all else is known at compile time.
//
// Between warps, through shared memory. Addresses are a basis of the tensor's index space in three
// parts:
//
//     [ vector | bank | segment ]      vector: what one access moves; vector and bank: 128 bytes
//
// Two lanes that access at the same time conflict when their vectors differ only in the segment. So
// the segment is chosen from directions in which neither the source's nor the destination's lanes
// step: first those outside of both, then sums of one lane direction of each (the XOR swizzle).
//
// The vector is what both sides hold side by side in registers. Where that is less than 16 bytes,
// but the sender's registers hold what `ldmatrix` hands to four lanes of the receiver, the vector
// is that: then both sides move 16 bytes at a time. Else, the side with more registers moves 16
// bytes of its own at a time, if that saves more than a third of the accesses, bank conflicts counted.
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace tilescope::compiler {

/// The layout of a block's registers without those that hold copies.
LinearLayout distinctRegisters(mlir::RankedTensorType type);

enum class ExchangeKind { Registers, Shuffles, SharedMemory };

/// See the top of this file; maps are given by the images of single bits.
struct ShufflePlan {
  llvm::SmallVector<uint32_t> sentRegister;  // of the round's bits: A ^ N·D
  llvm::SmallVector<uint32_t> sourceOfRound; // of the round's bits: D
  llvm::SmallVector<uint32_t> sourceOfLane;  // of the lane's bits: G
  llvm::SmallVector<uint32_t> senderFlip;    // of the lane's bits: N
  llvm::SmallVector<uint32_t> receiverFlip;  // of the lane's bits: M
};

struct ExchangePlan {
  ExchangeKind kind = ExchangeKind::SharedMemory;
  /// For Registers: the source register of each register.
  llvm::SmallVector<int> registers;
  ShufflePlan shuffles;
  /// For SharedMemory: `offset` (in elements) to the tensor's dimensions; a bijection.
  LinearLayout shared;
};

/// `from` and `to` have no registers that hold copies. `elementBytes`: of an element in memory.
ExchangePlan planExchange(const LinearLayout &from, const LinearLayout &to, int elementBytes);

/// An exchange through shared memory in several parts, one after another, for lack of room. A bit
/// of the element's index numbers the parts where the sender tells its values by the register, and
/// the receiver by the register or the warp.
struct ExchangeParts {
  struct Bit {
    int fromRegister;
    /// One of the two; the other is -1.
    int toRegister, toWarp;
    int element;
  };
  llvm::SmallVector<Bit> bits;
  /// The layouts of one part, without those bits.
  LinearLayout from, to;
  int count() const { return 1 << bits.size(); }
};

/// Cuts an exchange into 2^`numBits` parts, or as many as there can be.
ExchangeParts splitExchange(const LinearLayout &from, const LinearLayout &to, int numBits);

/// The shared-memory part alone, whether or not less would do.
LinearLayout swizzledExchange(const LinearLayout &from, const LinearLayout &to, int elementBytes);

/// How many times longer than a conflict-free access the slowest access of `vectorBytes` per lane
/// takes, when the lanes of `layout` move elements to or from `shared`. 1 is free of bank
/// conflicts.
int bankConflicts(const LinearLayout &layout, const LinearLayout &shared, int elementBytes);

} // namespace tilescope::compiler
