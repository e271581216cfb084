// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/MatrixSides.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope::compiler {

/// 0 for what is not a positive number.
static int64_t numberOf(const std::string &text) {
  int64_t number = 0;
  return llvm::StringRef(text).getAsInteger(10, number) || number < 0 ? 0 : number;
}

/// Whether constants alone say what the index covers, all of it at once.
static bool isWholeBlock(const AccessDim &dim) {
  return dim.strides.empty() && dim.rowLength == 0 && dim.masked.empty() && dim.looped.empty() &&
         dim.free.empty() && !dim.indexedBy && dim.span > 1;
}

std::vector<std::string> matrixSides(const TensorAccess &access,
                                     const std::map<std::string, std::string> &constexprs) {
  if (access.dims.size() != 1 || !isWholeBlock(access.dims.front()))
    return {};
  const int64_t span = access.dims.front().span;
  std::vector<std::string> sides;
  for (const auto &[rows, numRows] : constexprs) {
    // A constexpr of this value says that it is a vector.
    if (numberOf(numRows) == span)
      return {};
    for (const auto &[columns, numColumns] : constexprs)
      if (sides.empty() && numberOf(numRows) > 1 &&
          numberOf(numRows) * numberOf(numColumns) == span)
        sides = {rows, columns};
  }
  return sides;
}

} // namespace tilescope::compiler
