// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of warp groups (`wgmma`), as blocks of text: between an instruction and the wait for it,
// nothing may touch its registers, not even to copy them, of which LLVM knows nothing. NVVM's
// operation for a product is text as well, one product each.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope::compiler::ptx {

/// Which instruction multiplies: 64 rows, and types as PTX names them.
struct WgmmaForm {
  int64_t columns = 0, depth = 0;
  llvm::StringRef result, left, right;
};
/// PTX's name of an element type as a factor, or as a result; empty for none.
llvm::StringRef wgmmaFactorName(mlir::Type type);
llvm::StringRef wgmmaResultName(mlir::Type type);

/// One instruction's operands.
struct WgmmaProduct {
  /// The registers of the result: some of the block's outputs.
  size_t firstOutput = 0, numOutputs = 0;
  /// A description in 64 bits, or four words.
  llvm::ArrayRef<mlir::Value> left;
  mlir::Value right;
  /// Whether the registers count: a number, or an input's name.
  std::string addsToResult;
  /// Whether the factors in shared memory lie across; the left one only there.
  bool isLeftAcross = false, isRightAcross = false;
};

/// A block of instructions under construction: outputs first, each tied to the value that it
/// replaces.
class WgmmaBlock {
public:
  /// `read`: whether the outputs have values before.
  WgmmaBlock(llvm::ArrayRef<mlir::Value> updated, bool read);

  /// What threads did to the registers is done.
  void fence() { m_text += "wgmma.fence.sync.aligned;\n\t"; }
  void multiply(const WgmmaForm &form, const WgmmaProduct &product);
  void commitGroup() { m_text += "wgmma.commit_group.sync.aligned;"; }
  void waitGroup(int64_t pending);

  /// How the text names `value`.
  std::string input(mlir::Value value);
  /// What the outputs become.
  llvm::SmallVector<mlir::Value> emit(Builder &b, mlir::TypeRange types) const;

private:
  void append(llvm::StringRef constraint);

  size_t m_numUpdated;
  std::string m_text, m_constraints;
  llvm::SmallVector<mlir::Value> m_operands;
  llvm::DenseMap<mlir::Value, std::string> m_names;
};

} // namespace tilescope::compiler::ptx
