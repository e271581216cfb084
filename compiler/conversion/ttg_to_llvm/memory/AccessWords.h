// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How elements travel between registers and memory: grouped into words that one instruction moves.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

namespace tilescope::compiler {

/// One access of `elements` consecutive elements as `count` words of `bits` bits.
struct AccessWords : ptx::Words {
  int elements = 1;
  int elementBits = 32;

  static AccessWords of(int elements, int elementBits);
  int elementsPerWord() const { return bits / elementBits; }
  /// Registers are at least 16 bits wide.
  mlir::Type registerType(Builder &b) const { return b.getIntegerType(std::max(bits, 16)); }
  /// What an instruction with all words as its results has for a type: a structure of several.
  mlir::Type resultType(Builder &b) const;
  /// The words in such a result.
  llvm::SmallVector<mlir::Value> results(Builder &b, mlir::Value all) const;
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
