// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What reductions and scans make of rows of elements: folds in plain C++, in the interpreter's order.
//
//     one operation    the halves of the row:    abcdefgh  ──►  a+e b+f c+g d+h  ──►  …
//     a function       neighbors:                abcdefgh  ──►  a+b c+d e+f g+h  ──►  …
//     scans            distances of 1, 2, 4, …   each element with the one so far in front of it
#pragma once

#include "compiler/interpreter/kernels/Element.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilescope::tests {

/// An element as blocks hold it, and its index, for those that pick one.
struct Folded {
  uint64_t value = 0, index = 0;
};
using FoldRow = std::vector<Folded>;

enum class Fold { Reduce, Scan, ReverseScan };
inline constexpr Fold kFolds[] = {Fold::Reduce, Fold::Scan, Fold::ReverseScan};

struct Combination {
  /// Of the operation, or `argmax` and the like.
  std::string name;
  /// The block of a region of TTIR; TYPE is that of the elements, RETURN the terminator's name.
  std::string region;
  bool hasIndex = false;
  std::function<Folded(const Folded &, const Folded &)> combine;
};
/// Those that kernels combine elements of a type with.
std::vector<Combination> combinationsOf(compiler::interpreter::Element element);

inline constexpr size_t kFoldRows = 16;
/// Rows with NaN, infinities, zeros, denormal numbers, and ties at various places.
std::vector<FoldRow> foldRows(compiler::interpreter::Element element, size_t extent);

void toMemory(std::vector<uint8_t> &memory, size_t index, compiler::interpreter::Element element,
              uint64_t held);
uint64_t fromMemory(const std::vector<uint8_t> &memory, size_t index,
                    compiler::interpreter::Element element);

/// Says which result is not as it must be; empty: none. A reduction has one result, a scan one for each element.
/// `hasOrder`: it has the interpreter's bits; else it may have been combined in any order: sums and products are as close
/// as every order is, and where orders differ altogether, as with NaN that is compared, nothing is said.
std::string foldFault(const Combination &combination, Fold fold,
                      compiler::interpreter::Element element, const FoldRow &row,
                      const FoldRow &results, bool hasOrder);

} // namespace tilescope::tests
