// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The address that the index of an array means, as far as the function and its launch block say how far apart the
// elements lie:
//
//     x[row, cols]              x + row * stride_x + cols
//     rgb[y, x, 0]              rgb + (y * w + x) * 3
#pragma once

#include "compiler/frontend/ArrayNames.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// The address of an element, as code.
struct Address {
  std::string code;
  /// It stands for an address whose offsets the user must fill in.
  bool isSketch = false;
  /// For strides that the function does not have yet: each array has its own.
  std::string newStride = {};
  bool hasNewStride = false;
  /// The names of these strides, where there are several.
  std::vector<std::string> newStrides = {};
  /// All that is missing is one stride between rows.
  bool needsStride = false;
  /// Of one element whose place is written down.
  bool isStated = false;
  /// The number of columns, in the place of a stride; empty: it is not.
  std::string columns = {};
  /// For whole rows or columns.
  ArrayName block = {};
  /// From whose end an index counts.
  ArrayName length = {};
  /// The length, where an index counts from the end.
  std::string end = {};
  /// What the launch block says of the array; empty: nothing was needed of it.
  std::string launched = {};
  std::string strideName(size_t axis, size_t rank) {
    hasNewStride = true;
    if (rank <= 2)
      return newStride;
    newStrides.push_back(newStride + std::to_string(axis));
    return newStrides.back();
  }
};

/// What is indexed, and by what: `x[i][j]` means what `x[i, j]` does.
struct Indexed {
  const ast::Expr *base = nullptr;
  std::vector<const ast::Expr *> parts = {};
};

Indexed indexedBy(const ast::Subscript &read);

Address addressOf(const Frame &frame, std::string_view array,
                  const std::vector<const ast::Expr *> &parts);

/// What is to be said of the names in the address.
std::vector<std::string> notesFor(const Address &address);

} // namespace tilescope::compiler::frontend
