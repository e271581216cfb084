// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How elements travel between registers and memory: grouped into words that one instruction moves.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// One access of `elements` consecutive elements as `count` words of `bits` bits.
struct AccessWords {
  int elements = 1;
  int elementBits = 32;
  int bits = 32;
  int count = 1;

  static AccessWords of(int elements, int elementBits);
  int elementsPerWord() const { return bits / elementBits; }
  /// The constraint letter of a register that holds a word.
  char constraint() const { return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h'; }
  /// Registers are at least 16 bits wide.
  mlir::Type registerType(Builder &b) const { return b.getIntegerType(std::max(bits, 16)); }
  /// What an instruction with all words as its results has for a type: a structure of several.
  mlir::Type resultType(Builder &b) const;
  /// The words in such a result.
  llvm::SmallVector<mlir::Value> results(Builder &b, mlir::Value all) const;
  /// `.v4`; empty for one word.
  std::string vectorText() const { return count > 1 ? ".v" + std::to_string(count) : ""; }
  /// `.v4.b32`, `.b16`, …
  std::string suffix() const { return vectorText() + ".b" + std::to_string(bits); }
  /// Packs elements (in storage form) into words, and the reverse.
  llvm::SmallVector<mlir::Value> pack(Builder &b, mlir::ValueRange elements) const;
  llvm::SmallVector<mlir::Value> unpack(Builder &b, mlir::ValueRange words,
                                        mlir::Type element) const;
};

/// Elements per access through these pointers under this mask (may be null).
int accessWidth(Lowering &lowering, mlir::Value pointers, mlir::Value mask);

/// Whether the value is known to be zero, of whatever type and sign.
bool isZero(mlir::Value value);

} // namespace tilescope::compiler
