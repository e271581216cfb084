// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/LaunchExpressions.h"
#include "compiler/analysis/NamedSizes.h"
#include "compiler/analysis/ProgramRows.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope::compiler {

/// The names of what programs count in a launch that is being suggested: rows, elements, blocks.
class CountedNames : protected NamedSizes {
protected:
  using NamedSizes::NamedSizes;

  /// Names numbers of programs ahead of everything else where an array of strides says of what they are the index, or
  /// where each is an index of its own in an array that ends at an argument.
  void nameNumbers(const std::map<unsigned, TensorAccess> &accesses);
  /// What a number of programs, or a part of it, counts where no argument says so. An argument that serves for nothing
  /// was given for this.
  std::string nameOfFree(mlir::Value value, int64_t side, const AccessDim *dim = nullptr);
  /// What the blocks or rows that `number` counts are parts of.
  std::string nameOfCounted(mlir::Value number, int64_t side);
  /// By what an index is divided that ends at an argument before; an argument that says so is a few.
  std::string divisorOf(const AccessDim &dim);
  /// Below what the integers are that a tensor holds, as far as their uses say so; empty where they do not.
  std::string valuesBelow(unsigned tensor, const TensorAccess &access);
  /// `cdiv(n, BLOCK)` for one element of each program, where programs count blocks that end elsewhere; empty for all
  /// else.
  std::string numBlocks(const AccessDim &dim);
  std::string constantExtent(int64_t extent) const { return namedExtent(extent, m_constexprs); }

  /// Sizes that no argument holds, by the number that counts them.
  llvm::DenseMap<mlir::Value, std::string> m_free;
  /// How many blocks there are where one element is of each, by the number that counts them.
  llvm::DenseMap<mlir::Value, std::string> m_counted;

  ProgramRows rowsOf(mlir::Value number) const;

private:
  /// The same where no digits of a row's number say so.
  std::string nameOfEnd(mlir::Value number, int64_t side);
  /// Of an argument that already serves for a distance, what it was given.
  std::string endOfRows(unsigned argument);
  void nameByStride(const AccessDim &dim);
  void nameByRows(const std::map<unsigned, TensorAccess> &accesses);
  void nameElements(const AccessDim &dim);
  /// `h // 2` of programs that read two rows each, where the argument serves for nothing else.
  void nameGroups(const AccessDim &dim);
  void nameBlocks(const AccessDim &dim);
  /// `h + 4` of programs that count the rows of a padded array.
  void namePadded(const std::map<unsigned, TensorAccess> &accesses);
};

} // namespace tilescope::compiler
